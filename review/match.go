package review

import (
	"cmp"
	"strings"
	"sync"

	"visto/canon"
)

// plainPolicy is the policy that changes no more than RFC 3986 does. It is made once, because a file of overrides has
// thousands of matches.
var plainPolicy = sync.OnceValues(func() (*canon.Policy, error) { return canon.Builtin("rfc3986") })

// NormalMatch returns the normal form of a match, under which overrides are stored and found: the host in ASCII and
// lower case, the path as in canonical URLs, without a trailing slash. {"*.Gencat.cat", "/sta/"} becomes
// {"*.gencat.cat", "/sta"}. An invalid match is returned unchanged; the validation of the override rejects it.
func NormalMatch(m canon.Match) canon.Match {
	wild, host := "", m.Host
	for _, prefix := range []string{"*.", "*"} {
		if rest, ok := strings.CutPrefix(host, prefix); ok {
			wild, host = prefix, rest
			break
		}
	}
	at := cmp.Or(host, "example.com") // any host will do to normalize the path
	plain, err := plainPolicy()
	rooted := m.PathPrefix == "" || m.PathPrefix[0] == '/'
	if err != nil || !rooted || strings.ContainsAny(m.Host, "/:@") ||
		strings.ContainsAny(m.Host+m.PathPrefix, "?#\\ ") {
		return m
	}
	r := canon.New(plain, nil).Canonicalize("https://"+at+m.PathPrefix, nil)
	if r.Canonical == "" {
		return m
	}
	if host != "" {
		host = r.Host
	}
	return canon.Match{Host: wild + host, PathPrefix: PathOf(r.Canonical)}
}
