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

// wwwPairs makes one of the causes with the same flag and parameters on a bare host and on that host with "www.". Only
// a person may trust a suspicious host, and each by itself.
type wwwPairs struct {
	bare map[string]bool // the hosts that occur with "www."; true: without it too
	at   map[Cause]int   // the index of a cause on such a host
}

func newWWWPairs(hosts []string) wwwPairs {
	p := wwwPairs{bare: map[string]bool{}, at: map[Cause]int{}}
	for _, host := range hosts {
		if bare, ok := strings.CutPrefix(host, www); ok {
			p.bare[bare] = false
		}
	}
	for _, host := range hosts {
		if _, ok := p.bare[host]; ok {
			p.bare[host] = true
		}
	}
	return p
}

// add appends the cause of a host, or adds its URLs to the cause of the other host of a pair.
func (p wwwPairs) add(causes []Cause, one Cause) []Cause {
	bare := strings.TrimPrefix(one.Host, www)
	if !p.bare[bare] || one.Flag == canon.SuspiciousHost {
		return append(causes, one)
	}
	key := Cause{Flag: one.Flag, Host: bare, Params: one.Params}
	i, ok := p.at[key]
	if !ok {
		p.at[key] = len(causes)
		return append(causes, one)
	}
	both := &causes[i]
	both.Host, both.WWW = bare, true
	both.N, both.Sole, both.Hosts = both.N+one.N, both.Sole+one.Sole, both.Hosts+one.Hosts
	return causes
}
