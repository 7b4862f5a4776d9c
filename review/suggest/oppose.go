package suggest

import (
	"maps"
	"slices"
)

// opposed is a template with votes against it.
type opposed struct {
	Template
	votes []Vote
}

// opposing returns votes against dropping a parameter that the site does not propose to drop: by pages that differ in
// the parameter alone, or name themselves as canonical with it, or are missing without it. There are a few, which tell
// that the site disagrees with others.
func (s *site) opposing(proposed []Template) (list []opposed) {
	d := differing{s, map[withoutParam]*node{}, map[section]int{}, map[string][]*node{}}
	for _, n := range s.nodes {
		s.giveWay()
		d.add(n)
	}
	for _, name := range slices.Sorted(maps.Keys(d.nodes)) {
		t := Template{Kind: DropParam, Host: s.host, Params: name}
		if slices.Contains(proposed, t) {
			continue
		}
		some := &site{web: s.web, host: s.host, nodes: d.nodes[name]}
		votes := slices.DeleteFunc(some.vote(t), func(v Vote) bool { return v.For })
		if len(votes) > 0 {
			list = append(list, opposed{t, votes})
		}
	}
	return list
}

// differing collects pages by the parameters that make them other pages.
type differing struct {
	*site
	first map[withoutParam]*node // the first page of several; nil: another one differs from it
	found map[section]int
	nodes map[string][]*node // by parameter
}

// withoutParam is the URL without the parameter of some pages.
type withoutParam struct{ param, url string }

// section is a first segment of paths with a parameter.
type section struct{ param, segment string }

// Limits of the pages that a site opposes a template with.
const (
	maxOpposed  = minPages // of a section
	maxOpposing = 100      // of all
)

func (d *differing) add(n *node) {
	if n.text.key == 0 && n.canonical != n.url || len(n.address.segments) == 0 {
		return
	}
	for _, name := range n.address.names() {
		at := section{name, n.address.segments[0]}
		if !nameable(name) || d.found[at] == maxOpposed || len(d.nodes[name]) >= maxOpposing {
			continue
		}
		if list := d.differ(n, name); len(list) > 0 {
			d.found[at]++
			d.nodes[name] = append(d.nodes[name], list...)
		}
	}
}

// differ returns a page that opposes to drop the parameter, and the one that it differs from.
func (d *differing) differ(n *node, name string) []*node {
	to := n.address.withParams(func(other string) bool { return other != name }).String()
	if n.canonical == n.url || d.isMissing(to) {
		return []*node{n}
	}
	at := withoutParam{name, to}
	other, isThere := d.first[at]
	if !isThere {
		if other = d.byURL[to]; other == nil || other.text.key == 0 {
			d.first[at] = n
			return nil
		}
	}
	if other == nil || other.text.key == n.text.key {
		return nil
	}
	d.first[at] = nil
	return []*node{other, n}
}
