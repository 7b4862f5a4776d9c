package cause

import (
	"visto/canon"
	"visto/review"
)

// counter counts causes from groups and URLs in the order of their hosts. It finishes a host when the next one
// begins, so it takes little more memory than the causes themselves and the tree of the paths.
type counter struct {
	hosts   []string          // so far; the last one is the current host
	onHosts []hostCount       // of all hosts; there may be millions
	here    map[hostCause]int // of the current host, to the index in onHosts
	fields  map[fieldCause]fieldCount
	paths   *pathTree // nil: not wanted
}

// hostCause identifies a cause on one host; fieldCause identifies a cause across hosts.
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

// hostCount counts a cause on one host; host is an index in counter.hosts.
type hostCount struct {
	hostCause
	host, n, sole int32
}

// fieldCount counts the URLs of a field and their hosts. The URLs of a host come one after the other.
type fieldCount struct {
	n, sole, hosts int
	last           string
}

func newCounter() *counter { return &counter{fields: map[fieldCause]fieldCount{}} }

// addGroup counts by host and flag, and by field and flag. It leaves parameters to addParams.
func (c *counter) addGroup(g review.Group) error {
	sole := soleOf(g.N, g.Flags, nil)
	for _, code := range g.Flags.Without(canon.UnknownParam).Codes() {
		c.countHost(g.Host, hostCause{flag: code}, g.N, sole)
		c.countField(g, code, sole)
	}
	return nil
}

// addParams counts each unknown parameter of a URL by host and by path.
func (c *counter) addParams(u review.Undecided) error {
	sole := soleOf(1, u.Flags, u.Params)
	for _, name := range u.Params {
		c.countHost(u.Host, hostCause{canon.UnknownParam, name}, 1, sole)
	}
	if c.paths != nil {
		c.paths.add(u, sole)
	}
	return nil
}

// soleOf returns n if a fix for any one of the flags and parameters settles the n URLs, else 0.
func soleOf(n int, flags canon.CodeSet, unknown []string) int {
	if flags.Len() == 1 && len(unknown) <= 1 {
		return n
	}
	return 0
}

func (c *counter) countHost(host string, key hostCause, n, sole int) {
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
	c.onHosts[i].sole += int32(sole)
}

func (c *counter) countField(g review.Group, code canon.Code, sole int) {
	for _, field := range g.Fields {
		if field == "" {
			continue
		}
		key := fieldCause{code, field}
		f := c.fields[key]
		if f.n == 0 || f.last != g.Host {
			f.hosts++
			f.last = g.Host
		}
		f.n += g.N
		f.sole += sole
		c.fields[key] = f
	}
}

// list returns the causes, unordered. A field needs two hosts to be a cause. The tree of the paths takes more memory
// than the causes, so it is released before the list of all causes is made.
func (c *counter) list() []Cause {
	var paths []Cause
	if c.paths != nil {
		paths, c.paths = c.paths.causes(), nil
	}
	causes := make([]Cause, 0, len(c.onHosts)+len(c.fields)+len(paths))
	for _, h := range c.onHosts {
		causes = append(causes, Cause{Kind: ByHost, Flag: h.flag, Host: c.hosts[h.host], Param: h.param,
			N: int(h.n), Sole: int(h.sole), Hosts: 1})
	}
	for key, f := range c.fields {
		if f.hosts > 1 {
			causes = append(causes, Cause{Kind: ByField, Flag: key.flag, Field: key.field,
				N: f.n, Sole: f.sole, Hosts: f.hosts})
		}
	}
	return append(causes, paths...)
}
