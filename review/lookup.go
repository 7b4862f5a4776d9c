package review

import (
	"context"
	"slices"

	"visto/canon"
)

// Lookup finds what is decided about URLs as they stand in files, under the rules in force when it was made. It serves
// one goroutine at a time.
type Lookup struct {
	desk   *Desk
	rules  *rules
	export worker[Exported]
	c      *canon.Canonicalizer
}

// Lookup returns a Lookup under the current rules.
func (d *Desk) Lookup(ctx context.Context) (*Lookup, error) {
	r, err := d.rules(ctx)
	if err != nil {
		return nil, err
	}
	return &Lookup{d, r, r.exporter(nil)(), r.canonicalizer()}, nil
}

// Known is what a store knows of a URL.
type Known struct {
	Item     *Item        // whose original is the URL; nil: none
	Result   canon.Result // of the item as it is exported, else of the URL; explained
	Approved *Decision    // the newest that approves the URL as the canonical one of another item; nil: none
	Accepted bool         // it is the canonical URL of another item, which the rules accepted
}

// Find returns what is known of a URL.
func (l *Lookup) Find(ctx context.Context, url string) (k Known, err error) {
	url = canon.MaskUser(canon.Trim(url))
	defer annotate(&err, "looking up %q", l.rules.policy.MaskText(url))
	items, err := l.desk.store.Find(ctx, url)
	if err != nil {
		return k, err
	}
	own := slices.IndexFunc(items, func(it Item) bool { return it.Original == url })
	if own < 0 {
		k.Result = l.c.Explain(url, withHosts(nil, l.rules.hosts))
		k.cite(url, items)
		return k, nil
	}
	if err := l.item(ctx, &k, items[own]); err != nil || k.Item.Decision != nil {
		return k, err
	}
	var key Key
	hash := canon.HashOf(url)
	copy(key[:], hash[:])
	others := Filter{Keys: []Key{key}, Statuses: []Status{Accepted, Approved}, NotIDs: []int64{k.Item.ID}}
	return k, l.desk.store.Each(ctx, others, func(it Item) error {
		k.cite(url, []Item{it})
		return nil
	})
}

// item fills in the item, with its result as it is exported.
func (l *Lookup) item(ctx context.Context, k *Known, it Item) error {
	ev, err := l.desk.store.Evidence(ctx, it.ID)
	if err != nil {
		return err
	}
	rec := l.export(&it, withHosts(ev, l.rules.hosts))
	k.Item, k.Result = &rec.Item, rec.Result
	return nil
}

// cite notes the items that have the URL as their canonical one.
func (k *Known) cite(url string, items []Item) {
	for _, it := range items {
		if it.Canonical() != url {
			continue
		}
		k.Accepted = k.Accepted || it.Status == Accepted
		if it.Status == Approved && (k.Approved == nil || it.Decision.At.After(k.Approved.At)) {
			d := maskedDecision(*it.Decision)
			k.Approved = &d
		}
	}
}
