package review

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"visto/canon"
)

// Detail is everything known about an item.
type Detail struct {
	Item      Item
	Result    canon.Result // explained, under the current rules
	Evidence  *canon.Evidence
	Notes     []Note
	History   []PastDecision
	Overrides []StoredOverride // that are looked up for it, by host and path
	Twins     []Item           // other items with the same comparison key (at most 20)

	Alternatives []Alternative // other URLs that could be cited in its place
}

// maxTwins is how many twins a Detail lists: more would only push the rest off the screen.
const maxTwins = 20

// Detail returns one item with everything known about it, the trace included.
func (d *Desk) Detail(ctx context.Context, id int64) (*Detail, error) {
	det, err := d.detail(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("URL %d: %w", id, err)
	}
	return det, nil
}

func (d *Desk) detail(ctx context.Context, id int64) (*Detail, error) {
	r, err := d.rules(ctx)
	if err != nil {
		return nil, err
	}
	det := &Detail{}
	if det.Item, err = d.store.Item(ctx, id); err != nil {
		return nil, err
	}
	if det.Evidence, err = d.store.Evidence(ctx, id); err != nil {
		return nil, err
	}
	if det.Notes, err = d.store.Notes(ctx, id); err != nil {
		return nil, err
	}
	if det.History, err = d.store.History(ctx, id); err != nil {
		return nil, err
	}
	if det.Twins, err = d.twins(ctx, &det.Item); err != nil {
		return nil, err
	}
	det.Result = canon.New(r.policy, r.overrides).Explain(det.Item.Original, withHosts(det.Evidence, r.hosts))
	det.Overrides = r.on(places(r, det)...)
	det.Alternatives = alternatives(r.policy, det)
	return det, nil
}

func (d *Desk) twins(ctx context.Context, it *Item) ([]Item, error) {
	if it.Computed.Key == (Key{}) {
		return nil, nil
	}
	same, err := d.store.Page(ctx, Query{Filter: Filter{Keys: []Key{it.Computed.Key}}}, nil, maxTwins+1)
	if err != nil {
		return nil, err
	}
	twins := same[:0]
	for _, other := range same {
		if other.ID != it.ID && len(twins) < maxTwins {
			twins = append(twins, other)
		}
	}
	return twins, nil
}

// spot is where an override is looked up: a host, and the path as the path step leaves it.
type spot struct{ host, path string }

// places returns where a URL passes on its way: as it came, where redirects led, and where the overrides left it.
func places(r *rules, det *Detail) []spot {
	bare := canon.New(r.policy, nil)
	came := bare.Canonicalize(det.Item.Original, nil)
	led := bare.Canonicalize(det.Item.Original, withHosts(det.Evidence, r.hosts))
	return []spot{
		{det.Item.Computed.InHost, PathOf(came.Canonical)},
		{led.Host, PathOf(led.Canonical)},
		{det.Item.Computed.Host, PathOf(det.Result.Canonical)},
	}
}

// on returns the overrides that are looked up at one of the spots.
func (r *rules) on(spots ...spot) []StoredOverride {
	var list []StoredOverride
	for _, o := range r.stored {
		if slices.ContainsFunc(spots, func(s spot) bool { return s.finds(o.Override.Match) }) {
			list = append(list, o)
		}
	}
	return list
}

// finds compares the path at segment boundaries, as the lookup of the pipeline does.
func (s spot) finds(m canon.Match) bool {
	rest, under := strings.CutPrefix(s.path, m.PathPrefix)
	atBoundary := m.PathPrefix == "" || rest == "" || rest[0] == '/' || rest[0] == ';'
	return s.host != "" && m.MatchesHost(s.host) && under && atBoundary
}

// Find returns the items that the argument names: an ID, or a URL as Store.Find takes it. None is ErrNotFound.
func (d *Desk) Find(ctx context.Context, idOrURL string) ([]Item, error) {
	arg := strings.TrimSpace(idOrURL)
	if id, err := strconv.ParseInt(arg, 10, 64); err == nil {
		it, err := d.store.Item(ctx, id)
		if err != nil {
			return nil, fmt.Errorf("URL %d: %w", id, err)
		}
		return []Item{it}, nil
	}
	items, err := d.store.Find(ctx, arg)
	if err == nil && len(items) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("%q: %w", arg, err)
	}
	return items, nil
}
