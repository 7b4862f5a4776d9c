package probe

import (
	"net/http"
	"slices"
	"strings"
)

// link is a typed link of a page: a value of the Link header (RFC 8288) or a <link> element.
type link struct {
	target string // not resolved
	rel    string // relation types, separated by spaces
	params map[string]string
}

// maxLinks bounds the typed links that are read, and maxVersions the language versions that are kept.
const (
	maxLinks    = 500
	maxVersions = 100
)

// has reports whether the link has the relation type; case does not count (RFC 8288 section 2.1.1).
func (l link) has(rel string) bool {
	return slices.ContainsFunc(strings.Fields(l.rel), func(r string) bool { return strings.EqualFold(r, rel) })
}

// counts reports whether the link has a relation that is kept.
func (l link) counts() bool {
	return slices.ContainsFunc([]string{"canonical", "next", "prev", "previous", "first", "last"}, l.has) ||
		l.hreflang() != ""
}

// headerLinks reads the Link headers of an answer by RFC 8288 appendix B.2. A broken value ends its header; the
// values before it count. Links with an anchor parameter are about another page and do not count.
func headerLinks(h http.Header) (links []link) {
	for _, value := range h.Values("Link") {
		p := linkParser{rest: value}
		for len(links) < maxLinks {
			l, ok := p.next()
			if !ok {
				break
			}
			if _, elsewhere := l.params["anchor"]; !elsewhere {
				links = append(links, l)
			}
		}
	}
	return links
}

// linkParser parses the value of a Link header.
type linkParser struct{ rest string }

const httpSpace = " \t"

func (p *linkParser) space() { p.rest = strings.TrimLeft(p.rest, httpSpace) }

// take skips the character if it comes next.
func (p *linkParser) take(c string) bool {
	p.space()
	rest, ok := strings.CutPrefix(p.rest, c)
	p.rest = rest
	return ok
}

// next reads one link-value: "<target>; name=value; …".
func (p *linkParser) next() (l link, ok bool) {
	for p.take(",") {
	}
	if !p.take("<") {
		return l, false
	}
	if l.target, p.rest, ok = strings.Cut(p.rest, ">"); !ok {
		return l, false
	}
	l.params = map[string]string{}
	for p.take(";") {
		name, value := p.param()
		if _, again := l.params[name]; !again && name != "" { // the first of each name counts
			l.params[name] = value
		}
	}
	l.rel = l.params["rel"]
	p.space()
	return l, p.rest == "" || strings.HasPrefix(p.rest, ",")
}

// param reads one parameter and returns its name in lower case.
func (p *linkParser) param() (name, value string) {
	name = strings.ToLower(p.until("=;,"))
	if !p.take("=") {
		return name, ""
	}
	if p.take(`"`) {
		return name, p.quoted()
	}
	return name, p.until(";,")
}

// until reads up to one of the characters, without surrounding space.
func (p *linkParser) until(stop string) string {
	p.space()
	end := strings.IndexAny(p.rest, stop)
	if end < 0 {
		end = len(p.rest)
	}
	text := p.rest[:end]
	p.rest = p.rest[end:]
	return strings.Trim(text, httpSpace)
}

// quoted reads the rest of a quoted string. A backslash escapes the next character (RFC 9110 section 5.6.4).
func (p *linkParser) quoted() string {
	var b strings.Builder
	for i := 0; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '"':
			p.rest = p.rest[i+1:]
			return b.String()
		case c == '\\' && i+1 < len(p.rest):
			i++
		}
		b.WriteByte(p.rest[i])
	}
	p.rest = ""
	return b.String()
}
