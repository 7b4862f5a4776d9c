package cause

import (
	"slices"
	"strings"

	"visto/canon"
)

// keptOnHost counts the open URLs of a host with unknown parameters that a rule for the host can keep, whichever of
// them a URL has. One rule keeps them all, so they are one cause besides those of the single parameters.
type keptOnHost struct {
	host, n int32
	sole    int32 // number of these URLs with no other flag or parameter
}

// isKept reports whether the cause of all parameters of a host has a parameter. Identifiers of advertising are to be
// dropped, and a name with a "*" at its end is no name in a rule.
func isKept(param string) bool { return !isAdvertising(param) && !strings.HasSuffix(param, "*") }

// addKept counts a URL of the current host, and reports whether the rule for all parameters would settle it.
func (c *counter) addKept(params []string, alone bool) (settled bool) {
	kept := 0
	for _, name := range params {
		kept += count(isKept(name))
	}
	if kept == 0 {
		return false
	}
	here := int32(len(c.hosts) - 1)
	if last := len(c.kept) - 1; last < 0 || c.kept[last].host != here {
		c.kept = append(c.kept, keptOnHost{host: here})
	}
	settled = alone && kept == len(params)
	k := &c.kept[len(c.kept)-1]
	k.n, k.sole = k.n+1, k.sole+int32(count(settled))
	return settled
}

// places returns for each host the index of its place: that of the bare host if it occurs with "www." too, else its
// own.
func (c *counter) places(pairs map[string]bool) []int32 {
	list, bare := make([]int32, len(c.hosts)), map[string]int32{}
	for i, host := range c.hosts {
		if list[i] = int32(i); pairs[host] {
			bare[host] = int32(i)
		}
	}
	for i, host := range c.hosts {
		if at, ok := bare[strings.TrimPrefix(host, www)]; ok {
			list[i] = at
		}
	}
	return list
}

// place counts the causes of parameters of a host, or of a bare one and that with "www.", that fold nowhere.
type place struct {
	causes, most int32    // number of those of which the rule for all settles URLs; the most that one of them settles
	sole         int32    // number of URLs that the rule for all settles
	names        []string // their parameters, and those of causes that fold
}

// isWhole reports whether all parameters of the place are a cause. They are none where the rule for one settles more
// than half of the URLs: that is another question than the others.
func (p *place) isWhole() bool { return p.causes > 1 && 2*p.most <= p.sole }

// wholeHosts appends to the list the causes of all parameters of a place, and folds into each the causes that its rule
// settles whole.
func (c *counter) wholeHosts(list []Cause, places []int32) []Cause {
	whole, rows := c.wholePlaces(places), map[int32]int32{}
	for _, k := range c.kept {
		p, ok := whole[places[k.host]]
		if !ok {
			continue
		}
		at, ok := rows[places[k.host]]
		if !ok {
			at = int32(len(list))
			rows[places[k.host]] = at
			list = append(list, Cause{Kind: ByHost, Flag: canon.UnknownParam, Host: c.hosts[k.host],
				Params: NamesOf(p.names...)})
		}
		list[at].addHost(c.hosts[k.host], k)
	}
	for i := range c.onHosts {
		h := &c.onHosts[i]
		if at, ok := rows[places[h.host]]; ok && h.row == none && h.kept == h.n && c.isKeptWhole(h) {
			h.row = at
			list[at].Rows++
		}
	}
	return list
}

// addHost adds the count of a host to a cause of a place.
func (c *Cause) addHost(host string, k keptOnHost) {
	c.N, c.Sole, c.Hosts = c.N+int(k.n), c.Sole+int(k.sole), c.Hosts+1
	if c.WWW = c.Hosts > 1; len(host) < len(c.Host) {
		c.Host = host
	}
}

// wholePlaces returns the places whose parameters are a cause, by their indices, with the sorted names.
func (c *counter) wholePlaces(places []int32) map[int32]*place {
	all := make([]place, len(c.hosts))
	for _, k := range c.kept {
		all[places[k.host]].sole += k.sole
	}
	for i := range c.onHosts {
		if h := &c.onHosts[i]; h.row == none && h.kept > 0 && c.isKeptWhole(h) {
			p := &all[places[h.host]]
			p.causes, p.most = p.causes+1, max(p.most, h.sole)
		}
	}
	whole := map[int32]*place{}
	for i := range c.onHosts {
		h := &c.onHosts[i]
		if p := &all[places[h.host]]; p.isWhole() && c.isKeptWhole(h) {
			whole[places[h.host]] = p
			p.names = append(p.names, c.params.lists[h.params].List()...)
		}
	}
	for _, p := range whole {
		slices.Sort(p.names)
		p.names = slices.Compact(p.names)
	}
	return whole
}

// isKeptWhole reports whether a count is of parameters that the cause of all parameters has too.
func (c *counter) isKeptWhole(h *hostCount) bool {
	return h.params != none &&
		!slices.ContainsFunc(c.params.lists[h.params].List(), func(name string) bool { return !isKept(name) })
}
