package suggest

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// address is a canonical URL in its parts.
type address struct {
	origin   string // scheme and "://"
	host     string
	segments []string // of the path; none: the root
	params   []param
	rest     bool // there is a query, of which params are the parts
}

// param is a parameter as it stands in the query. name is percent-decoded and in lower case.
type param struct{ name, text string }

// parse splits a canonical URL. It reports false for one that no template is about: with a port, a fragment or an empty
// segment.
func parse(text string) (a address, ok bool) {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok || strings.Contains(rest, "#") {
		return a, false
	}
	rest, query, hasQuery := strings.Cut(rest, "?")
	host, path, _ := strings.Cut(rest, "/")
	a = address{origin: scheme + "://", host: host, rest: hasQuery}
	if path != "" {
		a.segments = strings.Split(path, "/")
	}
	if hasQuery {
		for part := range strings.SplitSeq(query, "&") {
			a.params = append(a.params, param{paramName(part), part})
		}
	}
	return a, host != "" && !strings.ContainsAny(host, ":@") && !slices.Contains(a.segments, "")
}

// paramName returns the name of a parameter as overrides compare it, "" for one that they cannot name.
func paramName(part string) string {
	name, _, _ := strings.Cut(part, "=")
	if strings.ContainsAny(name, "%+") {
		if plain, err := url.PathUnescape(name); err == nil {
			name = plain
		}
	}
	if !utf8.ValidString(name) {
		return ""
	}
	return strings.ToLower(name)
}

// String returns the URL. A root has its slash if there is a query.
func (a address) String() string {
	var b strings.Builder
	b.WriteString(a.origin)
	b.WriteString(a.host)
	for _, s := range a.segments {
		b.WriteByte('/')
		b.WriteString(s)
	}
	if !a.rest {
		return b.String()
	}
	if len(a.segments) == 0 {
		b.WriteByte('/')
	}
	sep := byte('?')
	for _, p := range a.params {
		b.WriteByte(sep)
		b.WriteString(p.text)
		sep = '&'
	}
	return b.String()
}

func (a address) path() string { return joined(a.segments) }

// joined returns segments as a path, the root as "".
func joined(segments []string) string {
	if len(segments) == 0 {
		return ""
	}
	return "/" + strings.Join(segments, "/")
}

// isUnder reports whether a path has a prefix at a segment boundary. Every path has the prefix "".
func isUnder(path, prefix string) bool {
	rest, ok := strings.CutPrefix(path, prefix)
	return ok && (rest == "" || rest[0] == '/')
}

// isUnder reports whether the path of the URL has a prefix at a segment boundary.
func (a address) isUnder(prefix string) bool {
	for _, s := range a.segments {
		if prefix == "" {
			return true
		}
		rest, ok := strings.CutPrefix(prefix[1:], s)
		if !ok || rest != "" && rest[0] != '/' {
			return false
		}
		prefix = rest
	}
	return prefix == ""
}

// withParams returns the URL with the parameters that keep accepts.
func (a address) withParams(keep func(name string) bool) address {
	kept := make([]param, 0, len(a.params))
	for _, p := range a.params {
		if keep(p.name) {
			kept = append(kept, p)
		}
	}
	a.params, a.rest = kept, len(kept) > 0
	return a
}

// names returns the names of the parameters, sorted, each once.
func (a address) names() []string {
	var list []string
	for _, p := range a.params {
		list = append(list, p.name)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// without returns the names of the parameters of a that b lacks.
func without(a, b address) []string {
	left := b.names()
	return slices.DeleteFunc(a.names(), func(name string) bool { return slices.Contains(left, name) })
}
