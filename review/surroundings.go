package review

import (
	"context"
	"slices"
	"strings"
)

// Surroundings are the neighbours of an item on its host and the history of the overrides for it.
type Surroundings struct {
	Path  string     // path prefix of the neighbours
	Near  []Item     // up to maxNear items on each side under Path, in the order of their URLs
	Rules []PastRule // changes of overrides for the item, also undone ones, oldest first
}

// The limits of Surroundings.
const (
	maxNear      = 10 // on each side
	maxPastRules = 100
)

// Surroundings returns the surroundings of an item. Its cost does not depend on the size of the host.
func (d *Desk) Surroundings(ctx context.Context, id int64) (*Surroundings, error) {
	det, err := d.Detail(ctx, id)
	if err != nil {
		return nil, err
	}
	a := &Surroundings{}
	if err = d.near(ctx, &det.Item, a); err == nil {
		err = d.pastRules(ctx, det, a)
	}
	annotate(&err, "around URL %d", id)
	return a, err
}

// near reads the neighbours in the order of URLs, which keeps those of one directory together.
func (d *Desk) near(ctx context.Context, it *Item, a *Surroundings) error {
	path := PathOf(it.Computed.Canonical)
	if it.Computed.Host == "" || path == "" {
		return nil
	}
	a.Path = path[:strings.LastIndexByte(path, '/')+1]
	q := Query{Filter: Filter{AtHost: it.Computed.Host}, Sort: ByURL}
	before, err := d.store.Page(ctx, q, q.Before(it), maxNear)
	if err != nil {
		return err
	}
	after, err := d.store.Page(ctx, q, q.After(it), maxNear)
	a.Near = slices.DeleteFunc(slices.Concat(before, after), func(other Item) bool {
		return !strings.HasPrefix(PathOf(other.Computed.Canonical), a.Path) || other.Computed.Key == it.Computed.Key
	})
	return err
}

func (d *Desk) pastRules(ctx context.Context, det *Detail, a *Surroundings) error {
	r, err := d.rules(ctx)
	if err != nil {
		return err
	}
	points := lookups(r, det)
	hosts := slices.Sorted(slices.Values(slices.Concat(mapped(points, lookup.patterns)...)))
	list, err := d.store.RuleHistory(ctx, slices.Compact(hosts), maxPastRules)
	a.Rules = slices.DeleteFunc(list, func(p PastRule) bool { return !found(points, matchOf(p.OverrideChange)) })
	return err
}

// patterns returns all host patterns that match the host.
func (s lookup) patterns() []string {
	if s.host == "" {
		return nil
	}
	list := []string{s.host, "*"}
	for i, c := range s.host {
		if c == '.' {
			list = append(list, "*"+s.host[i:])
		}
	}
	return list
}
