package cause

import (
	"visto/canon"
	"visto/review"
)

// counter counts causes out of what the store tells host by host. What it knows of a host is done with when the next one comes:
// so it takes little more than the causes themselves, and the tree of the paths.
type counter struct {
	hosts   []string          // so far; the last one is that whose URLs come
	onHosts []hostCount       // on all of them: there may be very many
	here    map[hostCause]int // where in onHosts those of the last host are
	fields  map[fieldCause]*fieldCount
	paths   *pathTree // nil: they are not asked for
}

// hostCause is what tells the causes of a host apart; fieldCause, those of all fields.
type (
	hostCause struct {
		flag  canon.Code
		param string
	}
	fieldCause struct {
		flag  canon.Code
		field string
	}
)

// hostCount counts a cause of a host, which it names by its place in the list of hosts.
type hostCount struct {
	hostCause
	host, n, sole int32
}

// fieldCount counts what was found in a field, and the hosts, which come one after the other.
type fieldCount struct {
	n, sole, hosts int
	last           string
}

func newCounter() *counter {
	return &counter{fields: map[fieldCause]*fieldCount{}}
}

// addGroup counts by host and flag and by field and flag. Parameters are apart: see addParams.
func (c *counter) addGroup(g review.Group) error {
	alone := sole(g.Flags, nil)
	for _, code := range g.Flags.Without(canon.UnknownParam).Codes() {
		c.countHost(g.Host, hostCause{flag: code}, g.N, alone)
		c.countField(g, code, alone)
	}
	return nil
}

// addParams counts each unknown parameter of a URL, on its host and under its path.
func (c *counter) addParams(u review.Undecided) error {
	alone := sole(u.Flags, u.Params)
	for _, name := range u.Params {
		c.countHost(u.Host, hostCause{canon.UnknownParam, name}, 1, alone)
	}
	if c.paths != nil {
		c.paths.add(u, alone)
	}
	return nil
}

// sole reports whether URLs with these flags and unknown parameters are settled by any one of them.
func sole(flags canon.CodeSet, unknown []string) bool { return flags.Len() == 1 && len(unknown) <= 1 }

func (c *counter) countHost(host string, key hostCause, n int, alone bool) {
	if host == "" {
		return
	}
	last := len(c.hosts) - 1
	if last < 0 || host != c.hosts[last] {
		c.hosts, c.here = append(c.hosts, host), map[hostCause]int{}
		last++
	}
	i, ok := c.here[key]
	if !ok {
		i = len(c.onHosts)
		c.here[key] = i
		c.onHosts = append(c.onHosts, hostCount{hostCause: key, host: int32(last)})
	}
	c.onHosts[i].n += int32(n)
	if alone {
		c.onHosts[i].sole += int32(n)
	}
}

func (c *counter) countField(g review.Group, code canon.Code, alone bool) {
	if g.Field == "" {
		return
	}
	key := fieldCause{code, g.Field}
	f := c.fields[key]
	if f == nil {
		f = &fieldCount{}
		c.fields[key] = f
	}
	if f.n == 0 || f.last != g.Host {
		f.hosts++
		f.last = g.Host
	}
	f.n += g.N
	if alone {
		f.sole += g.N
	}
}

// list returns the causes, in no order: of the fields, those that were met on two hosts at least. The tree of the paths, which takes
// more than they do, is gone before the list of all is made.
func (c *counter) list() []Cause {
	var paths []Cause
	if c.paths != nil {
		paths, c.paths = c.paths.causes(), nil
	}
	causes := make([]Cause, 0, len(c.onHosts)+len(c.fields)+len(paths))
	for _, h := range c.onHosts {
		causes = append(causes, Cause{Kind: ByHost, Flag: h.flag, Host: c.hosts[h.host], Param: h.param, N: int(h.n), Sole: int(h.sole), Hosts: 1})
	}
	for key, f := range c.fields {
		if f.hosts > 1 {
			causes = append(causes, Cause{Kind: ByField, Flag: key.flag, Field: key.field, N: f.n, Sole: f.sole, Hosts: f.hosts})
		}
	}
	return append(causes, paths...)
}
