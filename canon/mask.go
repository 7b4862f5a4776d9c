package canon

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// mask stands in the place of each secret. A URL with it still has the flag credentials.
const mask = "***"

// MaskUser returns a URL with *** in the place of its user and password: "https://***@boe.es/". Any spelling that a
// browser or a person reads as a user is masked, also in a URL that is rejected. The rest of the URL stays whole, but
// it is trimmed, and newlines in a masked authority are dropped, because parse reads it so.
func MaskUser(raw string) string {
	if !mayHoldAt(raw) {
		return raw
	}
	if SplitURLs(raw) != nil {
		return MaskUsers(Trim(raw))
	}
	raw = Trim(raw)
	front := raw
	if end := strings.IndexAny(raw, "?#"); end >= 0 {
		front = raw[:end]
	}
	if !holdsAt(front) {
		return raw
	}
	begin := 0
	if text := dropNewlines([]byte(raw)); !isHostPort(text, max(bytes.IndexAny(text, `:/\?#`), 0)) {
		begin = len(beforeAuthority.FindString(raw))
	}
	end := begin + authorityEnd([]byte(raw[begin:]))
	authority := string(dropNewlines([]byte(raw[begin:end])))
	at := lastAt.FindStringSubmatchIndex(authority)
	if at == nil || strings.EqualFold(raw[:begin], "mailto:") {
		return raw
	}
	return raw[:begin] + mask + authority[at[2]:] + raw[end:]
}

// mayHoldAt reports whether the text has a byte with which a spelling of the at sign begins.
func mayHoldAt(text string) bool {
	return strings.IndexByte(text, '@') >= 0 || strings.IndexByte(text, '%') >= 0 || strings.IndexByte(text, 0xEF) >= 0
}

// holdsAt reports whether the text has a byte, plain or percent-encoded, with which a spelling of the at sign begins. A
// line break may stand in the escape.
func holdsAt(text string) bool {
	if strings.IndexByte(text, '@') >= 0 || strings.IndexByte(text, 0xEF) >= 0 {
		return true
	}
	for i := strings.IndexByte(text, '%'); i >= 0; i = strings.IndexByte(text, '%') {
		if x, n := decodeByte(text[i:]); n == 1 || x == '@' || x == 0xEF {
			return true
		}
		text = text[i+1:]
	}
	return false
}

// anyAt matches the at sign and the full-width and small ones that IDNA maps to it, as they are or percent-encoded. A
// browser refuses a host with any but the first; a person reads the text before it as a user all the same.
const anyAt = `(@|\x{FF20}|\x{FE6B}|%40|%EF%BC%A0|%EF%B9%AB)`

// lastAt matches an authority up to its last at sign, if there is anything before it.
var lastAt = regexp.MustCompile(`(?is)^.+` + anyAt)

// beforeAuthority matches the text before user and host: a scheme and slashes with tab, CR and LF among them, and each
// scheme in the place of the host or at its end, for which parse rejects the URL.
var beforeAuthority = regexp.MustCompile(`^(?:[A-Za-z][A-Za-z0-9+.\-\t\r\n]*:)?[/\\\t\r\n]*` +
	`(?:(?:[A-Za-z][A-Za-z0-9+\-]*:|[A-Za-z0-9.\-]*(?i:https?):|https?)[/\\]{2,})*`)

// MaskUsers returns a text for people with *** in the place of user and password in each URL in it.
func MaskUsers(text string) string {
	if !holdsAt(text) {
		return text
	}
	return userInText.ReplaceAllString(text, "${1}"+mask+"${2}")
}

var userInText = regexp.MustCompile(`(?i)(https?:[/\\]*|[/\\]{2})[^\s/?#\\"<>]+` + anyAt)

// MaskText is MaskUsers that also masks the value of each secret parameter, in a URL or alone. Those of the zero Policy
// are the ones that every policy has.
func (p *Policy) MaskText(text string) string {
	text = MaskUsers(text)
	var b strings.Builder
	written, next := 0, 0
	for i := strings.IndexByte(text, '='); i >= 0; i = strings.IndexByte(text[next:], '=') {
		before := text[next : next+i]
		name := before[strings.LastIndexAny(before, aroundNames)+1:]
		if next += i + 1; name == "" || !p.isSecret(name) {
			continue
		}
		if value := valueInText.FindString(text[next:]); value != "" {
			b.WriteString(text[written:next])
			b.WriteString(mask)
			next += len(value)
			written = next
		}
	}
	if written == 0 {
		return text
	}
	return b.String() + text[written:]
}

// aroundNames are the characters of which one stands before the name of a parameter in a text.
const aroundNames = "\t\n\f\r ?&;#/=\"'<>()"

// A punctuation mark at the end of a value belongs to the sentence.
var valueInText = regexp.MustCompile(`^[^\s&;#"<>]*[^\s&;#"<>,.:)]`)

// secretWords are the words that make the value of a parameter a secret, alone or as a part of its name.
var secretWords = []string{"token", "password", "key", "secret"}

// isSecret reports whether the name, as spelled, is that of a secret parameter: by one of its words ("access_token"),
// or by secret_params.
func (p *Policy) isSecret(spelled string) bool {
	name := lowerASCII(decode(nil, []byte(spelled)))
	isBreak := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	isIn := func(word string) bool { return bytes.Contains(name, []byte(word)) }
	isWord := func(word []byte) bool { return slices.Contains(secretWords, string(word)) }
	return p.secret.kind(name) != 0 ||
		slices.ContainsFunc(secretWords, isIn) && slices.ContainsFunc(bytes.FieldsFunc(name, isBreak), isWord)
}

// Masked returns the evidence with *** in the place of user and password in its URLs and texts: ev itself, if there is
// none.
func (ev *Evidence) Masked() *Evidence {
	if ev == nil || !ev.mayHoldUser() {
		return ev
	}
	m := *ev
	for _, url := range m.urls() {
		*url = MaskUser(*url)
	}
	m.Title, m.Error = MaskUsers(m.Title), MaskUsers(m.Error)
	m.Caveats, m.Hops, m.LangVariants = slices.Clone(m.Caveats), slices.Clone(m.Hops), maps.Clone(m.LangVariants)
	for i, caveat := range m.Caveats {
		m.Caveats[i] = MaskUsers(caveat)
	}
	for i, hop := range m.Hops {
		m.Hops[i].URL = MaskUser(hop.URL)
	}
	for tag, url := range m.LangVariants {
		m.LangVariants[tag] = MaskUser(url)
	}
	m.maskAnswers()
	return &m
}

// maskAnswers replaces the answers by masked ones.
func (ev *Evidence) maskAnswers() {
	if ev.Answers == nil {
		return
	}
	masked := make(map[string]Answer, len(ev.Answers))
	for url, a := range ev.Answers {
		a.Error, a.FinalURL, a.Title = MaskUsers(a.Error), MaskUser(a.FinalURL), MaskUsers(a.Title)
		masked[MaskUser(url)] = a
	}
	ev.Answers = masked
}

// urls returns the fields that hold one URL.
func (ev *Evidence) urls() []*string {
	return []*string{&ev.URL, &ev.Asked, &ev.FinalURL, &ev.RelCanonical, &ev.RelNext, &ev.RelPrev, &ev.MetaRefresh,
		&ev.ArchiveURL, &ev.Alternative}
}

// mayHoldUser reports whether a URL or text of the evidence may hold an at sign.
func (ev *Evidence) mayHoldUser() bool {
	return mayHoldAt(ev.Title) || mayHoldAt(ev.Error) || slices.ContainsFunc(ev.Caveats, mayHoldAt) ||
		slices.ContainsFunc(ev.urls(), func(url *string) bool { return mayHoldAt(*url) }) ||
		slices.ContainsFunc(ev.Hops, func(hop Hop) bool { return mayHoldAt(hop.URL) }) ||
		slices.ContainsFunc(slices.Collect(maps.Values(ev.LangVariants)), mayHoldAt) || ev.mayAnswersHoldUser()
}

func (ev *Evidence) mayAnswersHoldUser() bool {
	for url, a := range ev.Answers {
		if mayHoldAt(url) || mayHoldAt(a.Error) || mayHoldAt(a.FinalURL) || mayHoldAt(a.Title) {
			return true
		}
	}
	return false
}
