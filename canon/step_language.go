package canon

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"
)

// spanish is Clara's preferred language.
const spanish = "es"

// codePlace is the place of a language code in a URL.
type codePlace struct {
	name       string // the language; empty: there is no code
	begin, end int    // of the code, in path or query
	inQuery    bool
}

// languageTriggers: a path segment that may be a language code, and language parameters. An escape, a matrix parameter
// or a dot segment may hide the code.
func languageTriggers(r *registrar) {
	r.on(&r.codeSegment, &r.dotSegment)
	r.onBytes(&r.inPath, in("%;"))
	r.onParams(func(kind paramKind) bool { return kind&isLanguage != 0 })
}

// stepLanguage is step 10, rule 10. It goes to the Spanish version if an override or the evidence names one. Otherwise
// it flags the page, with a guess at the Spanish URL as a candidate.
func (r *run) stepLanguage() {
	at, before := r.findLanguage(), r.lang
	r.lang = at.name
	switch {
	case r.lang != "" || r.ev == nil:
	case !r.laterPass:
		r.lang = r.policy.languages.ofTag(lowerASCII([]byte(r.ev.Language)))
	case before == spanish: // the pass before went to the Spanish version
		r.lang = spanish
	}
	if r.ev != nil && !r.laterPass {
		r.variants = r.variantsOf(r.ev)
	}
	if r.lang == "" || r.lang == spanish {
		delete(r.variants, spanish)
		return
	}
	if r.overrideSpanish() {
		return
	}
	r.spanish = at.guessSpanish(r.u, &r.scratch)
	why := ""
	if to, ok := r.variants[spanish]; ok {
		var seen string
		if seen, why = r.seenSpanish(to); why == "" {
			r.unflag(BrokenEncoding, TrailingSlash) // these flags are about the other version
			if r.switchTo(seen, "the Spanish version of the page") {
				r.spanish = nil
				return
			}
		}
	}
	r.flagNoSpanish(why)
	delete(r.variants, r.lang)
}

// flagNoSpanish flags a page that is not in Spanish. why is the reason against the Spanish version that is known.
func (r *run) flagNoSpanish(why string) {
	if !r.raise(NoSpanish) {
		return
	}
	known := "no Spanish version is known"
	if why != "" {
		known = why
	}
	if len(r.spanish) == 0 {
		r.flag(NoSpanish, "the page is in %q and %s", r.lang, known)
		return
	}
	if why != "" {
		why = " (" + why + ")"
	}
	r.flag(NoSpanish, "the page is in %q; the Spanish one may be %s: "+
		"check it, then give the prefix pair for this host or correct the URL%s", r.lang, r.spanish, why)
}

// seenSpanish returns the URL at which the Spanish version answered, or why it is not cited. One that was not asked, or
// could not be, is the candidate; one that is none is no version of the page.
func (r *run) seenSpanish(to string) (url, why string) {
	if r.ev.Answers == nil {
		return to, ""
	}
	answer, asked := r.ev.Answers[to]
	switch {
	case !asked:
		r.ask = Request{URL: to, Follow: true}
		why = fmt.Sprintf("its Spanish version %s was not asked", to)
	case answer.PutOff:
		why = fmt.Sprintf("its Spanish version %s could not be asked: %s", to, answer.Error)
	}
	if why != "" {
		r.spanish = []byte(to)
		return "", why
	}
	url = cmp.Or(answer.FinalURL, to)
	if why = answer.doubt(); why == "" {
		why = r.doubtsSpanish(url, &answer)
	}
	if why == "" {
		return url, ""
	}
	delete(r.variants, spanish)
	if string(r.spanish) == strings.TrimRight(to, "/") {
		r.spanish = nil
	}
	return "", fmt.Sprintf("its Spanish version %s is none: %s", to, why)
}

// doubtsSpanish returns why a page that answered is no Spanish version of this one, or "". The language that the page
// itself states is often wrong, and no reason.
func (r *run) doubtsSpanish(url string, answer *Answer) string {
	a, _, bad := parse([]byte(Trim(url)))
	switch {
	case bad != nil:
		return "it leads to " + url + ", which is no URL"
	case !r.mayCite(&a, r.u.ascii):
		return "it leads to " + url + ", which may not be cited"
	case a.String() == r.u.String():
		return "it leads back to this page"
	case r.isHome(&a) && !r.isHome(&r.u):
		return "it leads to the home page " + url
	}
	address := cmp.Or(r.pathLanguage(a.path).name, spanish)
	if param := r.queryLanguage(a.query).name; address == spanish && param != "" {
		address = param
	}
	if address != spanish {
		return fmt.Sprintf("its address %s is in %q", url, address)
	}
	if own := r.policy.languages.ofTag(lowerASCII([]byte(answer.Hreflang))); own != "" && own != spanish {
		return fmt.Sprintf("it says itself that it is in %q", own)
	}
	return ""
}

// isHome reports whether a URL is the home page of its site, perhaps in one language.
func (r *run) isHome(a *address) bool {
	var shape pathShape
	path := trimSlashes(a.path)
	shape.scan(r.policy, path, 0, 0)
	saysLanguage := r.queryLanguage(a.query).name != "" && bytes.IndexByte(a.query, '&') < 0
	return (len(a.query) == 0 || saysLanguage) && shape.levels(r.policy, path, &r.name) <= 0
}

// languageTable tells language codes from words. It is empty if the policy has no languages.
type languageTable struct {
	codes     map[string]languageCode // by code or word in lower case
	sizes     wordSizes               // of the codes of languages that are no words
	hasOthers bool                    // codes that languages lacks are among them
}

// languageCode holds the properties of a code, or of a word that is like one, under the policy.
type languageCode struct {
	name      string // the language, such as "es"; empty: a word of path_words that is no code
	isOther   bool   // languages lacks it; it is a registered code of two letters
	isLeading bool   // leading_languages: it counts only as the first segment of a path
	isWord    bool   // path_words: in a path it is no language
}

func newLanguageTable(doc *document) languageTable {
	t := languageTable{codes: map[string]languageCode{}}
	for code := range lowerSet(doc.Leading) {
		t.codes[code] = languageCode{isLeading: true}
	}
	for code := range lowerSet(doc.PathWords) {
		t.codes[code] = languageCode{isLeading: t.codes[code].isLeading, isWord: true}
	}
	for _, name := range slices.Sorted(maps.Keys(doc.Languages)) {
		for _, code := range doc.Languages[name] {
			code = strings.ToLower(code)
			t.name(code, name, false)
			if t.hasOthers = true; !t.codes[code].isWord {
				t.sizes.add(code)
			}
		}
	}
	if t.hasOthers {
		t.addOthers()
	}
	return t
}

func (t *languageTable) name(code, name string, isOther bool) {
	c := t.codes[code]
	c.name, c.isOther = name, isOther
	t.codes[code] = c
}

// addOthers adds the registered codes of two letters (ISO 639-1) that the table lacks.
func (t *languageTable) addOthers() {
	for a := 'a'; a <= 'z'; a++ {
		for b := 'a'; b <= 'z'; b++ {
			code := string([]rune{a, b})
			if name := t.registered(code); name != "" && t.codes[code].name == "" {
				t.name(code, name, true)
			}
		}
	}
}

// own returns the language of a code that languages has, or "".
func (t *languageTable) own(code string) string {
	if c := t.codes[code]; !c.isOther {
		return c.name
	}
	return ""
}

// isRegistered reports whether a code is a language subtag in the registry of BCP 47. The registry has no codes of
// three letters for the languages with one of two: "va-de" and "por-la" are words.
func isRegistered(code []byte) bool {
	base, err := language.ParseBase(string(code))
	return err == nil && (len(code) == 2 || base.String() == string(code))
}

// registered returns the language of a tag in the registry of BCP 47 (RFC 5646), or "". Its present code stands for
// older ones: "he" for "iw".
func (t *languageTable) registered(tag string) string {
	parsed, err := language.Parse(tag)
	if err != nil {
		return ""
	}
	base, _, _ := parsed.Raw()
	switch code := base.String(); code {
	case "und", "mul", "mis", "zxx": // not known, several, without a code, none
		return ""
	default:
		return cmp.Or(t.own(code), code)
	}
}

// ofTag returns the language of a code of the table, or of a tag such as "ca-ES" or "ca_ES", or "". The tag is in lower
// case.
func (t *languageTable) ofTag(tag []byte) string {
	if name := t.own(string(tag)); name != "" || !t.hasOthers {
		return name
	}
	code, isTag := cutTag(tag)
	switch name := t.codes[string(code)].name; {
	case name != "" && isTag:
		return name
	case name == "" && len(code) != 3: // the registry has no more codes of two letters, and none of four
		return ""
	}
	return t.registered(string(tag))
}

// ofSegment returns the language of a path segment that is a code or tag, or "". Only script and region may follow the
// code. Elsewhere than at the beginning of the path, codes that are also words do not count, nor those that the table
// lacks.
func (t *languageTable) ofSegment(segment []byte, first bool, room *[]byte) string {
	if !t.mayBeCode(segment, first) {
		return ""
	}
	tag := lowerASCII(append((*room)[:0], segment...))
	*room = tag
	c := t.codes[string(tag)]
	if c.isWord || c.isLeading && !first {
		return ""
	}
	if c.name == "" {
		code, isTag := cutTag(tag)
		if c = t.codes[string(code)]; !isTag || c.isWord || !isRegistered(code) {
			return ""
		}
	}
	if c.isOther && !first {
		return ""
	}
	return c.name
}

// maxCode is the maximal length in bytes of a language code with script and region in a path.
const maxCode = 12

// mayBeCode reports whether a path segment has the length and the first letters of a code, with or without more behind
// it.
func (t *languageTable) mayBeCode(segment []byte, first bool) bool {
	if len(segment) < 2 || len(segment) > maxCode {
		return false
	}
	if first && t.hasOthers && (len(segment) == 2 || isJoiner(segment[2])) {
		return true
	}
	sizes := t.sizes.of(segment)
	if sizes>>len(segment)&1 == 1 {
		return true
	}
	for ; sizes != 0; sizes &= sizes - 1 {
		if n := bits.TrailingZeros32(sizes); n < len(segment) && isJoiner(segment[n]) {
			return true
		}
	}
	return false
}

// cutTag returns the language code at the beginning of a tag in lower case. It also reports whether nothing follows the
// code but a registered script, a registered region, or both.
func cutTag(tag []byte) (code []byte, isTag bool) {
	i := slices.IndexFunc(tag, isJoiner)
	if i < 0 {
		return tag, true
	}
	code, tag = tag[:i], tag[i+1:]
	if len(tag) == 4 || len(tag) > 4 && isJoiner(tag[4]) {
		if _, err := language.ParseScript(string(tag[:4])); err != nil || len(tag) == 4 {
			return code, err == nil
		}
		tag = tag[5:]
	}
	return code, isRegion(tag)
}

// isJoiner reports a character between the parts of a language tag.
func isJoiner(x byte) bool { return x == '-' || x == '_' }

// isRegion reports whether a subtag is the registered code of a country, or of a group of them such as "419".
func isRegion(tag []byte) bool {
	region, err := language.ParseRegion(string(tag))
	return err == nil && (len(tag) == 2 && region.IsCountry() || region.IsGroup())
}

// findLanguage finds the first language code in a whole path segment, then in a language parameter. One that is not
// Spanish comes before a Spanish one: the page may be in either.
func (r *run) findLanguage() codePlace {
	at := r.pathLanguage(r.u.path)
	if (at.name == "" || at.name == spanish) && r.mayHaveParam(isLanguage) {
		if param := r.queryLanguage(r.u.query); param.name != "" && param.name != at.name {
			return param
		}
	}
	return at
}

// pathLanguage finds the first language code in a whole path segment.
func (j *judge) pathLanguage(path []byte) codePlace {
	first := true
	for begin := 1; begin < len(path); {
		end := len(path)
		if i := bytes.IndexByte(path[begin:], '/'); i >= 0 {
			end = begin + i
		}
		if name := j.policy.languages.ofSegment(path[begin:end], first, &j.name); name != "" {
			return codePlace{name: name, begin: begin, end: end}
		}
		first = first && begin == end
		begin = end + 1
	}
	return codePlace{}
}

// queryLanguage finds the first language parameter that is not Spanish, or else the first one, in the order of the
// canonical query.
func (j *judge) queryLanguage(query []byte) (at codePlace) {
	var first pair
	sort := j.policy.doc.Sort
	comesFirst := func(p pair, name string) bool {
		if at.name == "" || (name == spanish) != (at.name == spanish) {
			return name != spanish || at.name == ""
		}
		return sort != "none" && comparePairs(p, first, sort == "key-value") < 0
	}
	eachPair(query, func(p pair) {
		if j.named(p.name).kind&isLanguage == 0 {
			return
		}
		if name := j.policy.languages.ofTag(j.stated(p.value)); name != "" && comesFirst(p, name) {
			first, at = p, codePlace{name: name, begin: p.valueAt(), end: p.valueAt() + len(p.value), inQuery: true}
		}
	})
	return at
}

// stated returns the code or tag that the value of a language parameter states, in lower case: "ca_es" of
// "ca_ES.UTF-8", "frances" of "franc%C3%A9s", the first of "ca,es". It is valid until the next call.
func (j *judge) stated(value []byte) []byte {
	value = bytes.TrimLeft(j.plain(value), " +")
	if end := bytes.IndexAny(value, " +.,;@"); end >= 0 {
		value = value[:end]
	}
	if bytes.IndexFunc(value, func(c rune) bool { return c >= utf8.RuneSelf }) >= 0 {
		value = []byte(casefold(string(value)))
	}
	j.name = lowerASCII(append(j.name[:0], value...))
	return j.name
}

// variants returns the language versions of the evidence that may be cited, the first of each language: that of "es"
// before that of "es-ES".
func (r *run) variantsOf(ev *Evidence) map[string]string {
	if len(ev.LangVariants) == 0 {
		return nil
	}
	found := map[string]string{}
	for _, tag := range slices.Sorted(maps.Keys(ev.LangVariants)) {
		name, url := r.policy.languages.ofTag(lowerASCII([]byte(tag))), ev.LangVariants[tag]
		a, _, bad := parse([]byte(Trim(url)))
		if found[name] == "" && name != "" && bad == nil && r.mayCite(&a, r.u.ascii) {
			found[name] = url
		}
	}
	return found
}

// mayCite reports whether a language version may be cited: it is on the page's own host, on one of the allowlist, or on
// one that an override accepts, and is not blocked.
func (j *judge) mayCite(a *address, own []byte) bool {
	if bytes.Equal(a.ascii, own) || j.policy.mayCite(a.ascii) {
		return j.policy.blocks(a.ascii) == nil
	}
	var rules ruleList
	for _, host := range j.ofHost(a.ascii).rules {
		rules = host.appendFitting(rules, j.normalPath(a.path))
	}
	isAccepted := slices.ContainsFunc(rules, func(r *rule) bool { return r.accept.Has(OffAllowlist) })
	return isAccepted && j.policy.blocks(a.ascii) == nil
}

// overrideSpanish applies the prefix pair of an override.
func (r *run) overrideSpanish() bool {
	for _, rule := range r.rules {
		if rule.Spanish == nil {
			continue
		}
		if to, ok := r.u.replacePrefix(*rule.Spanish); ok {
			return r.switchTo(to, "the override for "+rule.Match.Host+" gives the Spanish version")
		}
	}
	return false
}

// replacePrefix replaces the prefix of the path, at a segment boundary, or of the whole text.
func (a *address) replacePrefix(p Prefixes) (string, bool) {
	if !strings.HasPrefix(p.From, "/") {
		text, ok := a.rewritten(p)
		return string(text), ok
	}
	rest, ok := bytes.CutPrefix(a.path, []byte(strings.TrimRight(p.From, "/")))
	if !ok || len(rest) > 0 && rest[0] != '/' {
		return "", false
	}
	moved := *a
	moved.path = append([]byte(strings.TrimRight(p.To, "/")), rest...)
	return moved.String(), true
}

// switchTo replaces the URL by the Spanish version, and lists it as one of the other versions.
func (r *run) switchTo(to, why string) bool {
	from := r.u.String()
	if bad := r.adopt([]byte(to)); bad != nil {
		r.note("the Spanish version %s is no URL: %s", to, bad.detail)
		return false
	}
	r.ask = Request{} // about the version in the other language
	if r.variants == nil {
		r.variants = map[string]string{}
	}
	r.variants[r.lang] = from
	r.lang = spanish
	delete(r.variants, spanish)
	r.note("%s", why)
	r.record(&r.u, "language", 10)
	r.again = r.again || r.overrides != nil
	r.clean()
	r.stepWWW()
	r.checkHost(false)
	return true
}

// guessSpanish returns the URL with its language code replaced in kind: "ca_ES" by "es_ES", "cat" by "es".
func (at codePlace) guessSpanish(u address, s *scratch) []byte {
	if at.name == "" {
		return nil
	}
	part := &u.path
	if at.inQuery {
		part = &u.query
	}
	*part = s.concat((*part)[:at.begin], spanishLike((*part)[at.begin:at.end]), (*part)[at.end:])
	begin := len(s.text)
	s.text = u.appendTo(s.text)
	return s.text[begin:]
}

// spanishLike returns the Spanish code in the spelling of another: with its region and case. A variant, as of
// "ca-valencia", goes.
func spanishLike(code []byte) string {
	like := spanish
	_, isTag := cutTag(code)
	if i := slices.IndexFunc(code, isJoiner); i > 0 && isTag {
		like = spanish + string(code[i:i+1]) + "ES"
		if !bytes.ContainsFunc(code[i+1:], unicode.IsUpper) {
			like = strings.ToLower(like)
		}
	}
	if !bytes.ContainsFunc(code, unicode.IsLower) {
		like = strings.ToUpper(like)
	}
	return like
}
