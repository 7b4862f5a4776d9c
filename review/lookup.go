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
	Item   *Item        // whose original is the URL; nil: none
	Result canon.Result // of the URL or, if it is open or rejected by the rules, of the item; explained

	// Of a URL that is not stored:
	Approved *Decision // the newest that approves it as the canonical URL of an item; nil: none
	Accepted bool      // it is the canonical URL of an item that the rules accepted
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
	return k, l.item(ctx, &k, items[own])
}

// item fills in the item, and its result as it is exported if that says why there is no URL to cite.
func (l *Lookup) item(ctx context.Context, k *Known, it Item) error {
	own := masked(it)
	if k.Item = &own; !it.Open() && (it.Status != Rejected || it.Decision != nil) {
		return nil
	}
	ev, err := l.desk.store.Evidence(ctx, it.ID)
	if err != nil {
		return err
	}
	k.Result = l.export(&it, withHosts(ev, l.rules.hosts)).Result
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
