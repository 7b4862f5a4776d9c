package canon

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
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
	r.onBytes(&r.inPath, in(";"))
	r.onBytes(&r.escapedInPath, func(x byte) bool { return unreserved[x] || x == ';' || x == '(' })
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
	r.flagNoSpanish(why, at.inQuery)
	delete(r.variants, r.lang)
}

// flagNoSpanish flags a page that is not in Spanish. why is the reason against the Spanish version that is known,
// inQuery tells that a parameter states the language.
func (r *run) flagNoSpanish(why string, inQuery bool) {
	if !r.raise(NoSpanish) {
		return
	}
	known := "no Spanish version is known"
	if why != "" {
		known = why
	}
	page := "the page is in " + strconv.Quote(r.lang)
	if len(r.spanish) == 0 {
		r.flagWith(NoSpanish, page+" and "+known)
		return
	}
	if why != "" {
		why = " (" + why + ")"
	}
	advice := ": check it, then give the prefix pair for this host or correct the URL"
	if inQuery {
		advice = ": check it, then correct the URL, or drop the parameter on this host if its pages are Spanish without it"
	}
	r.flagWith(NoSpanish, page+"; the Spanish one may be "+string(r.spanish)+advice+why)
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
// "ca_ES.UTF-8", "frances" of "franc%C3%A9s", the first of "ca,es". A long text states none. It is valid until the next
// call.
func (j *judge) stated(value []byte) []byte {
	value = bytes.TrimLeft(j.plain(value), " +")
	if end := bytes.IndexAny(value, " +.,;@"); end >= 0 {
		value = value[:end]
	}
	if len(value) > maxStated {
		return nil
	}
	if bytes.IndexFunc(value, func(c rune) bool { return c >= utf8.RuneSelf }) >= 0 {
		value = []byte(casefold(string(value)))
	}
	j.name = lowerASCII(append(j.name[:0], value...))
	return j.name
}

// maxStated is the maximal length in bytes of a stated code. RFC 5646 section 4.4.1 expects tags of up to 35 characters,
// and twice as many bytes leave room for names of languages in UTF-8.
const maxStated = 70

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
