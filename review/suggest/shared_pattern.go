package suggest

import (
	"strings"

	"visto/canon"
	"visto/review/lazyregexp"
)

// urlPattern holds the URLs that a pattern of url-matcher selects (https://github.com/zytedata/url-matcher), as far as
// overrides can: hosts or host patterns, and the path prefix, in which a * may stand. A prefix ends at a segment
// boundary, so "/art" does not select "/articles", and its case counts.
type urlPattern struct {
	hosts []string
	path  string // without a slash at its end
}

// scheme matches the beginning of a pattern with a scheme, or with no host at all.
var scheme = lazyregexp.New(`^(?:[A-Za-z][A-Za-z0-9.+-]*:)?//`)

// parseURLPattern reads a pattern, or says why no override selects its URLs. A pattern without a path is for the hosts
// below its host too, one with a path for its host with and without "www.".
func parseURLPattern(text string) (p urlPattern, why string) {
	rest, exact := strings.CutSuffix(text, "|")
	host, path, hasPath := strings.Cut(rest, "/")
	switch {
	case text == "":
		return p, "an override for all hosts needs a path"
	case scheme().MatchString(text):
		return p, "an override is for both schemes"
	case strings.ContainsAny(text, "?#"):
		return p, "an override does not look at the query"
	case exact:
		return p, "an override is for all paths below its own"
	case host == "":
		return p, "it has no host"
	}
	if path = strings.TrimRight(path, "*/"); path != "" {
		path = "/" + path
	}
	if strings.Contains(path, "//") {
		return p, "a path has no empty segments"
	}
	hosts := []string{host, "*." + host}
	if hasPath {
		hosts[1] = "www." + host
	}
	for _, h := range hosts {
		o := canon.Override{Match: canon.Match{Host: strings.ToLower(h), PathPrefix: path}.Normal()}
		if _, err := o.Check(); err != nil {
			return p, err.Error()
		}
		p.hosts, p.path = append(p.hosts, o.Match.Host), o.Match.PathPrefix
	}
	return p, ""
}
