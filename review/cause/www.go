package cause

import (
	"slices"
	"strings"

	"visto/canon"
)

// www is the label that most sites answer to with their bare host.
const www = "www."

// AtHosts returns the hosts of a ByHost, the bare one first.
func (c Cause) AtHosts() []string {
	switch {
	case c.Host == "":
		return nil
	case c.WWW:
		return []string{c.Host, www + c.Host}
	}
	return []string{c.Host}
}

// Place returns the hosts of a ByHost with the path to which it was narrowed: "x.es/p and www.x.es/p".
func (c Cause) Place() string {
	places := c.AtHosts()
	for i := range places {
		places[i] += c.Path
	}
	return strings.Join(places, " and ")
}

// onHostsOf reports whether the hosts of the cause are among those of another one.
func (c Cause) onHostsOf(o Cause) bool {
	other := func(host string) bool { return !slices.Contains(o.AtHosts(), host) }
	return !slices.ContainsFunc(c.AtHosts(), other)
}

// joinWWW makes one of the counts of a cause with the same parameters on a bare host of the pairs and on that host with
// "www.". It returns the indices of those on both hosts. Only a person may trust a suspicious host, and each by itself.
func (c *counter) joinWWW(pairs map[string]bool) (both map[int]bool) {
	type cause struct {
		bare string
		hostCause
	}
	first, kept := map[cause]int{}, c.onHosts[:0]
	both = map[int]bool{}
	for _, h := range c.onHosts {
		key := cause{strings.TrimPrefix(c.hosts[h.host], www), h.hostCause}
		at, ok := first[key]
		switch {
		case !pairs[key.bare] || h.flag == canon.SuspiciousHost:
			kept = append(kept, h)
		case ok:
			kept[at].join(&h.tally)
			kept[at].fields = c.sets.union(kept[at].fields, h.fields)
			kept[at].kept += h.kept
			kept[at].path = c.paths.common(kept[at].path, h.path)
			if key.bare == c.hosts[h.host] {
				kept[at].host = h.host
			}
			both[at] = true
		default:
			first[key] = len(kept)
			kept = append(kept, h)
		}
	}
	c.onHosts = kept
	return both
}

// wwwPairs returns the bare hosts that occur with "www." too.
func (c *counter) wwwPairs() map[string]bool {
	pairs := map[string]bool{}
	for _, host := range c.hosts {
		if bare, ok := strings.CutPrefix(host, www); ok {
			pairs[bare] = false
		}
	}
	for _, host := range c.hosts {
		if _, ok := pairs[host]; ok {
			pairs[host] = true
		}
	}
	return pairs
}

// join adds a tally of other URLs.
func (t *tally) join(o *tally) {
	t.n, t.sole = t.n+o.n, t.sole+o.sole
	t.sum[0] += o.sum[0]
	t.sum[1] += o.sum[1]
}
