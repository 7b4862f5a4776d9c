package review

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Around is what surrounds an item: its neighbours on the host, and how the rules that it is looked up under came about.
type Around struct {
	Path  string     // that the neighbours are under
	Near  []Item     // other items of the host whose canonical URL lies there, in their order, nearest ones first to be taken
	Rules []PastRule // changes of overrides for it, undone ones too, oldest first
}

// The bounds of what is told of the surroundings.
const (
	maxNear      = 10 // on each side
	maxPastRules = 100
)

// Around returns what surrounds an item. It costs the same however many URLs the host has.
func (d *Desk) Around(ctx context.Context, id int64) (*Around, error) {
	det, err := d.detail(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("URL %d: %w", id, err)
	}
	a := &Around{}
	if err = d.near(ctx, &det.Item, a); err == nil {
		err = d.pastRules(ctx, det, a)
	}
	if err != nil {
		return nil, fmt.Errorf("around URL %d: %w", id, err)
	}
	return a, nil
}

// near reads the neighbours in the order of the URLs, in which those of one directory stand together.
func (d *Desk) near(ctx context.Context, it *Item, a *Around) error {
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

func (d *Desk) pastRules(ctx context.Context, det *Detail, a *Around) error {
	r, err := d.rules(ctx)
	if err != nil {
		return err
	}
	spots := places(r, det)
	var hosts []string
	for _, s := range spots {
		hosts = append(hosts, patternsFor(s.host)...)
	}
	slices.Sort(hosts)
	list, err := d.store.RuleHistory(ctx, slices.Compact(hosts), maxPastRules)
	a.Rules = slices.DeleteFunc(list, func(p PastRule) bool {
		return !slices.ContainsFunc(spots, func(s spot) bool { return s.finds(matchOf(p.OverrideChange)) })
	})
	return err
}

// patternsFor are all that can stand as the host of a Match for URLs on the host.
func patternsFor(host string) []string {
	if host == "" {
		return nil
	}
	list := []string{host, "*"}
	for i, c := range host {
		if c == '.' {
			list = append(list, "*"+host[i:])
		}
	}
	return list
}
