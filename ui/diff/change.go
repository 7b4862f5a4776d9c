package diff

import "strings"

// Change is the part of a URL that another URL changes; of several the one that risks most.
type Change uint8

// The changes, in the order of their risk.
const (
	Nothing Change = iota
	Slash          // a slash at the end or before the query, the scheme, or upper case in the host
	Query          // or the fragment
	Path
	Host // with the user and the port
)

// ChangeOf returns how a URL changes. Anything beyond Slash is compared letter by letter, also where an encoding alone
// differs.
func ChangeOf(before, after string) Change {
	b, a := split(before), split(after)
	switch {
	case !strings.EqualFold(b.host, a.host):
		return Host
	case strings.TrimRight(b.path, "/") != strings.TrimRight(a.path, "/"):
		return Path
	case b.mark != a.mark || strings.Join(b.params, "") != strings.Join(a.params, "") || b.fragment != a.fragment:
		return Query
	case before != after:
		return Slash
	}
	return Nothing
}
