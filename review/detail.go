package review

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"visto/canon"
)

// Detail is an item with all information about it.
type Detail struct {
	Item      Item
	Result    canon.Result // explained, under the current rules
	Evidence  *canon.Evidence
	Notes     []Note
	History   []PastDecision
	Overrides []StoredOverride // that match it, by host and path
	Twins     []Item           // up to maxTwins other items with the same comparison key

	Alternatives []Alternative // other URLs that could be cited
}

// maxTwins is the largest number of twins in a Detail. More would push the rest off the screen.
const maxTwins = 20

// Detail returns an item with all information about it, including the trace.
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
	det.Overrides = r.on(lookups(r, det)...)
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
	twins := slices.DeleteFunc(same, func(other Item) bool { return other.ID == it.ID })
	return twins[:min(len(twins), maxTwins)], nil
}

// lookup is a host and path for which overrides are looked up.
type lookup struct{ host, path string }

// lookups returns the lookups for a URL: as it came, after the redirects, and after the overrides.
func lookups(r *rules, det *Detail) []lookup {
	bare := canon.New(r.policy, nil)
	came := bare.Canonicalize(det.Item.Original, nil)
	led := bare.Canonicalize(det.Item.Original, withHosts(det.Evidence, r.hosts))
	return []lookup{
		{det.Item.Computed.InHost, PathOf(came.Canonical)},
		{led.Host, PathOf(led.Canonical)},
		{det.Item.Computed.Host, PathOf(det.Result.Canonical)},
	}
}

// on returns the overrides that apply to one of the lookups.
func (r *rules) on(points ...lookup) []StoredOverride {
	var list []StoredOverride
	for _, o := range r.stored {
		if slices.ContainsFunc(points, func(s lookup) bool { return s.finds(o.Override.Match) }) {
			list = append(list, o)
		}
	}
	return list
}

// finds reports whether a match applies. Like the pipeline it compares paths at segment boundaries.
func (s lookup) finds(m canon.Match) bool {
	rest, under := strings.CutPrefix(s.path, m.PathPrefix)
	atBoundary := m.PathPrefix == "" || rest == "" || rest[0] == '/' || rest[0] == ';'
	return s.host != "" && m.MatchesHost(s.host) && under && atBoundary
}

// Find returns the items with an ID or a URL; see Store.Find. If there is none, it returns ErrNotFound.
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
