package cause

import (
	"slices"

	"visto/canon"
	"visto/review"
	"visto/review/health"
)

// counter counts causes from groups and URLs in the order of their hosts. It finishes a host when the next one
// begins, so it takes little more memory than the causes themselves and the tree of the paths.
type counter struct {
	hosts   []string          // so far; the last one is the current host
	onHosts []hostCount       // of all hosts; there may be millions
	here    map[hostCause]int // of the current host, to the index in onHosts
	fields  fieldCounter
	paths   *pathTree // nil: not wanted
}

// hostCause identifies a cause on one host.
type hostCause struct {
	flag  canon.Code
	param string
}

// hostCount counts a cause on one host; host is an index in counter.hosts.
type hostCount struct {
	hostCause
	host, n, sole int32
}

func newCounter() *counter { return &counter{fields: newFieldCounter()} }

// addGroup counts by host and flag, and by fields and flag. It leaves parameters to addParams.
func (c *counter) addGroup(g review.Group) error {
	flags := toSettle(g.Status, g.Flags)
	sole := soleOf(g.N, flags, nil)
	for _, code := range flags.Without(canon.UnknownParam).Codes() {
		if !slices.Contains(waitFor(code), g.Status) {
			continue
		}
		c.countHost(g.Host, hostCause{flag: code}, g.N, sole)
		if !health.Flags.Has(code) { // the URLs of a field share no server
			c.fields.add(g, code, sole)
		}
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

// list returns the causes, unordered. The tree of the paths takes more memory
// than the causes, so it is released before the list of all causes is made.
func (c *counter) list() []Cause {
	var paths []Cause
	if c.paths != nil {
		paths, c.paths = c.paths.causes(), nil
	}
	fields := c.fields.causes()
	causes := make([]Cause, 0, len(c.onHosts)+len(fields)+len(paths))
	for _, h := range c.onHosts {
		causes = append(causes, Cause{Kind: ByHost, Flag: h.flag, Host: c.hosts[h.host], Param: h.param,
			N: int(h.n), Sole: int(h.sole), Hosts: 1})
	}
	return append(append(causes, fields...), paths...)
}
