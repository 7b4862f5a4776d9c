package review

import (
	"strings"

	"visto/canon"
)

// NormalMatch returns the match in the one spelling that stands for it, which is the one that rules are stored and looked
// for under: the host in ASCII and lower case, the path as canonical URLs have it, without a slash at its end. So
// {"*.Gencat.cat", "/sta/"} is {"*.gencat.cat", "/sta"}. What no URL can have is left as it is, for the check of the
// rule to refuse.
func NormalMatch(m canon.Match) canon.Match {
	wild, host := "", m.Host
	for _, prefix := range []string{"*.", "*"} {
		if rest, ok := strings.CutPrefix(host, prefix); ok {
			wild, host = prefix, rest
			break
		}
	}
	at := host
	if at == "" {
		at = "example.com" // for the path of a rule for all hosts
	}
	plain, err := canon.Builtin("rfc3986")
	rooted := m.PathPrefix == "" || m.PathPrefix[0] == '/'
	if err != nil || !rooted || strings.ContainsAny(m.Host, "/:@") || strings.ContainsAny(m.Host+m.PathPrefix, "?#\\ ") {
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

// normalRule returns the rule with its match in the one spelling.
func normalRule(o *canon.Override) *canon.Override {
	if o == nil {
		return nil
	}
	normal := *o
	normal.Match = NormalMatch(o.Match)
	return &normal
}
