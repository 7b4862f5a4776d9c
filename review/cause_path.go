package review

import (
	"context"
	"strings"

	"visto/canon"
)

// paramPath is an unknown parameter under a path, or under a prefix of one at a segment boundary.
type paramPath struct{ param, path string }

// pathCount counts the open URLs at and below a paramPath.
type pathCount struct {
	n, sole int
	host    string          // the first one
	hosts   map[string]bool // all; nil as long as there is just one, as is the case for nearly every path
	leaf    bool            // a URL has just this path
}

// pathCauses finds parameters that several hosts have under one path: sites that run the same software. A URL counts for
// its whole path if two hosts have it, else for the longest prefix that two hosts have.
func (d *Desk) pathCauses(ctx context.Context, f Filter) ([]Cause, error) {
	if f.Flags != 0 && !f.Flags.Has(canon.UnknownParam) {
		return nil, nil
	}
	counts, err := d.countPaths(ctx, f)
	if err != nil {
		return nil, err
	}
	chosen := map[paramPath]bool{}
	for at, c := range counts {
		if c.leaf {
			if shared, ok := sharedPrefix(counts, at); ok {
				chosen[shared] = true
			}
		}
	}
	var causes []Cause
	for at := range chosen {
		c := counts[at]
		causes = append(causes, Cause{
			Kind: PathCause, Flag: canon.UnknownParam, Param: at.param, Path: at.path, N: c.n, Sole: c.sole, Hosts: len(c.hosts),
		})
	}
	return causes, nil
}

func sharedPrefix(counts map[paramPath]*pathCount, at paramPath) (paramPath, bool) {
	for path := range prefixes(at.path) {
		at.path = path
		if len(counts[at].hosts) > 1 {
			return at, true
		}
	}
	return at, false
}

// countPaths counts the open URLs with an unknown parameter at each prefix of their paths.
func (d *Desk) countPaths(ctx context.Context, f Filter) (map[paramPath]*pathCount, error) {
	counts := map[paramPath]*pathCount{}
	f.Flags = canon.SetOf(canon.UnknownParam)
	err := d.store.Each(ctx, f, func(it Item) error {
		path := strings.Clone(pathOf(it.Computed.Canonical)) // not the whole URL
		for _, param := range it.Computed.Unknown {
			for prefix := range prefixes(path) {
				at := paramPath{param, prefix}
				if counts[at] == nil {
					counts[at] = &pathCount{host: it.Computed.Host}
				}
				counts[at].add(&it, prefix == path)
			}
		}
		return nil
	})
	return counts, err
}

func (c *pathCount) add(it *Item, leaf bool) {
	c.n++
	c.leaf = c.leaf || leaf
	c.meet(it.Computed.Host)
	if sole(it.Computed.Flags, it.Computed.Unknown) {
		c.sole++
	}
}

func (c *pathCount) meet(host string) {
	if c.hosts == nil {
		if host == c.host {
			return
		}
		c.hosts = map[string]bool{c.host: true}
	}
	c.hosts[host] = true
}

// pathOf returns the path of a canonical URL, without a trailing slash: a prefix ends where a segment does.
func pathOf(canonical string) string {
	_, rest, _ := strings.Cut(canonical, "://")
	if end := strings.IndexAny(rest, "?#"); end >= 0 {
		rest = rest[:end]
	}
	start := strings.IndexByte(rest, '/')
	if start < 0 {
		return ""
	}
	return strings.TrimRight(rest[start:], "/")
}

// prefixes yields the path, then what is left as segment after segment goes, down to the first one.
func prefixes(path string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for path != "" {
			if !yield(path) {
				return
			}
			path = path[:strings.LastIndexByte(path, '/')]
		}
	}
}
