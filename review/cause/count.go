package cause

import (
	"math"
	"runtime"
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
	params  nameTable
	urls    uint64 // number of URLs with unknown parameters so far
	calls   int
	fields  fieldCounter
	paths   *pathTree // nil: not wanted
	sets    fieldSets
	ruled   ruledFields
	kept    []keptOnHost // of all hosts with such URLs

	advertising advertisingCounter
}

// hostCause identifies a cause on one host. params is a number in counter.params, or none.
type hostCause struct {
	flag   canon.Code
	params int32
}

const none = -1

// hostCount counts a cause on one host; host is an index in counter.hosts.
type hostCount struct {
	hostCause
	tally
	host   int32
	fields int32 // that cite its URLs: a number in counter.sets
	path   int32 // the longest path of all its URLs with a parameter: a node of counter.paths
	row    int32 // the cause into which it folds; none: it stands by itself
	kept   int32 // number of its URLs that the rule for all parameters of the host settles
}

// tally counts URLs with one parameter. Parameters with the same n and sum occur on the same URLs.
type tally struct {
	n     int32
	sum   [2]uint32 // of a hash of each URL, by halves
	least uint16    // least number of unknown parameters of a URL with no other flag
	sole  int32     // number of these URLs with so many
}

// add counts a URL with so many unknown parameters; alone: with no other flag.
func (t *tally) add(hash uint64, alone bool, params int) {
	t.n++
	t.sum[0] += uint32(hash)
	t.sum[1] += uint32(hash >> 32)
	few := uint16(min(params, math.MaxUint16))
	switch {
	case !alone || t.sole > 0 && few > t.least:
	case t.sole == 0 || few < t.least:
		t.least, t.sole = few, 1
	default:
		t.sole++
	}
}

// settles returns the number of URLs that a fix for so many parameters together settles. All URLs have these.
func (t *tally) settles(params int) int32 {
	if int(t.least) > params {
		return 0
	}
	return t.sole
}

// sameURLs identifies the URLs of a tally.
type sameURLs struct {
	n   int32
	sum [2]uint32
}

func (t *tally) same() sameURLs { return sameURLs{t.n, t.sum} }

// hashOf returns a hash of the number of a URL: the finalizer of MurmurHash3.
func hashOf(n uint64) uint64 {
	n = (n ^ n>>33) * 0xff51afd7ed558ccd
	n = (n ^ n>>33) * 0xc4ceb9fe1a85ec53
	return n ^ n>>33
}

// giveWay lets others go on now and then: a console counts in the background, and where processors are few a key waited
// for 10 ms.
func (c *counter) giveWay() {
	if c.calls++; c.calls%64 == 0 {
		runtime.Gosched()
	}
}

func newCounter(ruled ruledFields) *counter {
	return &counter{params: newNameTable(), fields: newFieldCounter(ruled), sets: newFieldSets(), ruled: ruled,
		advertising: advertisingCounter{params: map[string]int{}}}
}

// addGroup counts by host and flag, and by fields and flag. It leaves parameters to addParams.
func (c *counter) addGroup(g review.Group) error {
	c.giveWay()
	flags := toSettle(g.Status, g.Flags)
	sole := 0
	if flags.Len() == 1 {
		sole = g.N
	}
	for _, code := range flags.Without(canon.UnknownParam).Codes() {
		if !slices.Contains(waitFor(code), g.Status) {
			continue
		}
		if h := c.countOn(g.Host, hostCause{code, none}); h != nil {
			h.n, h.sole = h.n+int32(g.N), h.sole+int32(sole)
			h.fields = c.sets.union(h.fields, c.sets.of(g.Places))
		}
		if !health.Flags.Has(code) { // the URLs of a field share no server
			c.fields.add(g, code, sole)
		}
	}
	return nil
}

// addParams counts each unknown parameter of a URL by host, and by path or as an identifier of advertising.
func (c *counter) addParams(u review.Undecided) error {
	c.giveWay()
	c.urls++
	hash, alone := hashOf(c.urls), u.Flags.Len() == 1
	kept := c.onHost(u.Host) && c.addKept(u.Params, alone)
	for _, name := range u.Params {
		node := c.paths.add(u, name, hash)
		if h := c.countOn(u.Host, hostCause{canon.UnknownParam, c.params.id(name)}); h != nil {
			h.add(hash, alone, len(u.Params))
			h.path = c.paths.common(h.path, node)
			h.kept += int32(count(kept))
		}
	}
	c.advertising.add(u)
	return nil
}

// onHost makes a host the current one, and reports whether there is a host.
func (c *counter) onHost(host string) bool {
	if host == "" {
		return false
	}
	if last := len(c.hosts) - 1; last < 0 || host != c.hosts[last] {
		c.endHost()
		c.hosts, c.here = append(c.hosts, host), map[hostCause]int{}
	}
	return true
}

// countOn returns the count of a cause on a host, nil without a host.
func (c *counter) countOn(host string, key hostCause) *hostCount {
	if !c.onHost(host) {
		return nil
	}
	i, ok := c.here[key]
	if !ok {
		i = len(c.onHosts)
		c.here[key] = i
		c.onHosts = append(c.onHosts, hostCount{hostCause: key, host: int32(len(c.hosts) - 1), fields: noField,
			path: noPath})
	}
	return &c.onHosts[i]
}

// endHost makes one of the counts of parameters that occur on the same URLs of the current host.
func (c *counter) endHost() {
	first := len(c.onHosts) - len(c.here)
	here := c.onHosts[first:]
	together := map[sameURLs][]int32{}
	for i := range here {
		if h := &here[i]; h.params != none {
			together[h.same()] = append(together[h.same()], h.params)
		}
	}
	kept := slices.DeleteFunc(here, func(h hostCount) bool {
		return h.params != none && together[h.same()][0] != h.params
	})
	for i := range kept {
		if h := &kept[i]; h.params != none {
			list := together[h.same()]
			if h.sole = h.settles(len(list)); len(list) > 1 {
				h.params = c.params.join(list)
			}
		}
	}
	c.onHosts, c.here = c.onHosts[:first+len(kept)], nil
}

// list returns the causes, unordered. The tree of the paths takes more memory
// than the causes, so it is released before the list of all causes is made.
func (c *counter) list() []Cause {
	c.endHost()
	pairs := c.wwwPairs()
	both, places := c.joinWWW(pairs), c.places(pairs)
	rows := append(c.fields.causes(), c.advertising.causes()...)
	var nodes map[int32]int32
	if c.paths != nil {
		known := map[sameURLs]bool{}
		for i := range both {
			known[c.onHosts[i].same()] = true
		}
		rows, nodes = c.paths.causes(rows, known)
	}
	c.fold(rows, nodes)
	rows = c.wholeHosts(rows, places)
	c.paths = nil
	ids := make([]Cause, len(rows))
	for i, row := range rows {
		ids[i] = row.Identity()
	}
	causes := make([]Cause, 0, len(c.onHosts)+len(rows))
	for i := range c.onHosts {
		h := &c.onHosts[i]
		one := Cause{Kind: ByHost, Flag: h.flag, Host: c.hosts[h.host], N: int(h.n), Sole: int(h.sole), Hosts: 1}
		if one.WWW = both[i]; one.WWW {
			one.Hosts = 2
		}
		if h.params != none {
			one.Params = c.params.lists[h.params]
		}
		if h.row != none {
			one.In = &ids[h.row]
		}
		causes = append(causes, one)
	}
	return append(causes, rows...)
}
