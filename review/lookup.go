package review

import (
	"context"
	"maps"
	"slices"

	"visto/canon"
)

// Lookup finds the decisions on URLs as they stand in files, under the rules in force when it was made. It serves one
// goroutine at a time.
type Lookup struct {
	desk   itemDesk
	rules  *rules
	export worker[Exported]
	c      *Engine
}

// Lookup returns a Lookup under the current rules.
func (d itemDesk) Lookup(ctx context.Context) (*Lookup, error) {
	r, err := d.rules(ctx)
	if err != nil {
		return nil, err
	}
	return &Lookup{d, r, r.exporter(nil)(), r.engine()}, nil
}

// Known is the item and the result of a URL in a place, or the approvals of a URL that is not stored.
type Known struct {
	Item   *Item        // as it is for the record there (Item.For), whose original is the URL; nil: none
	Result canon.Result // of the URL or, if it is open, put off or rejected by the rules, of the item; explained

	// Of a URL that is not stored:
	Approved *Decision // the newest that approves it as the canonical URL of an item; nil: none
	Accepted bool      // it is the canonical URL of an item that the rules accepted
}

// Find looks up a URL that stands in a field. at returns the Citer of the item in whose place that is, or 0. Find adds
// the result of the rules where the store has no URL to cite.
func (l *Lookup) Find(ctx context.Context, url, field string, at func(*Item) int64) (k Known, err error) {
	url = canon.MaskUser(canon.Trim(url))
	defer annotate(&err, "looking up %q", l.rules.policy.MaskText(url))
	items, err := l.desk.store.Find(ctx, url)
	if err != nil {
		return k, err
	}
	own := slices.IndexFunc(items, func(it Item) bool { return it.Original == url })
	if own < 0 {
		k.Result = l.c.Explain(url, withHosts(nil, l.rules.hosts), NewFieldSet(field))
		k.cite(url, items)
		return k, nil
	}
	it := items[own]
	if it.ByRecord != nil { // of many occurrences Find has the first ones
		if it, err = l.desk.store.Item(ctx, it.ID); err != nil {
			return k, err
		}
		it = it.For(at(&it))
	}
	return k, l.item(ctx, &k, it)
}

// item fills in the item, and its result as it is exported if that says why there is no URL to cite, or that its
// page was not seen.
func (l *Lookup) item(ctx context.Context, k *Known, it Item) error {
	own := masked(it)
	alone := it.Decision != nil && it.Decision.Record != 0 // the rules may have changed for its URL
	isPlain := !it.Open() && !alone && (it.Status != Rejected || it.Decision != nil)
	if k.Item = &own; isPlain && it.Status != Accepted {
		return nil
	}
	ev, err := l.desk.store.Evidence(ctx, it.ID)
	if err != nil || isPlain && !ev.IsPutOff() {
		return err
	}
	k.Result = l.export(&it, withHosts(ev, l.rules.hosts)).Result
	return nil
}

// cite notes the items that have the URL as their canonical one.
func (k *Known) cite(url string, items []Item) {
	for _, it := range items {
		views := []Item{it.For(0)}
		for _, r := range it.ByRecord {
			views = append(views, it.For(r.Record))
		}
		for _, it := range views {
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
}

// Chain is the way from a URL over decisions to the URL to cite in the end. Each decision leads to a URL on which there
// may be another one.
type Chain struct {
	URLs   []string // the first is the URL itself
	Circle bool     // the last URL is one of those before it
}

// NewChain returns the chain that begins at a URL.
func NewChain(url string) Chain { return Chain{URLs: []string{url}} }

// End returns the last URL.
func (c *Chain) End() string { return c.URLs[len(c.URLs)-1] }

// Follow adds the URL to cite in the place of the last one, and reports whether the way may go on there. An empty URL
// is one that is not settled.
func (c *Chain) Follow(next string) bool {
	if next == "" || next == c.End() {
		return false
	}
	c.Circle = slices.Contains(c.URLs, next)
	c.URLs = append(c.URLs, next)
	return !c.Circle
}

// target returns the URL to cite in the place of the original, empty if that is not settled.
func (it *Item) target() string {
	if it.Status != Accepted && it.Status != Approved || open(it.Status, it.Computed.Flags) {
		return ""
	}
	return it.Canonical()
}

// followed is the chain of an exported item, and the item of its last link.
type followed struct {
	Chain
	last Item
}

// follow puts the URL at the end of its chain in the place of each canonical URL, with its flags and so on. It reads
// the items on the way, those of all chains at once. A chain that is a circle stays at its first link.
func (d itemDesk) follow(ctx context.Context, r *rules, list []Exported) error {
	chains := map[int]*followed{}
	for i := range list {
		c := followed{Chain: NewChain(list[i].Item.Original)}
		if c.Follow(list[i].Item.target()) {
			chains[i] = &c
		}
	}
	for going := maps.Clone(chains); len(going) > 0; {
		var urls []string
		for _, c := range going {
			urls = append(urls, c.End())
		}
		items := map[string]Item{}
		err := d.store.Each(ctx, Filter{Originals: urls}, func(it Item) error {
			items[it.Original] = it
			return nil
		})
		if err != nil {
			return err
		}
		maps.DeleteFunc(going, func(_ int, c *followed) bool {
			it, stored := items[c.End()]
			it = it.For(0)
			before := len(c.URLs)
			more := stored && c.Follow(it.target())
			if len(c.URLs) > before {
				c.last = it
			}
			return !more
		})
	}
	for i, c := range chains {
		if len(c.URLs) < 3 || c.Circle {
			continue
		}
		if err := d.citeEnd(ctx, r, &list[i], c); err != nil {
			return err
		}
	}
	return nil
}

// citeEnd puts the result of the last link of its chain in the place of that of an exported item.
func (d itemDesk) citeEnd(ctx context.Context, r *rules, out *Exported, c *followed) error {
	ev, err := d.store.Evidence(ctx, c.last.ID)
	if err != nil {
		return err
	}
	own := out.Result
	out.Result = r.exporter(nil)()(&c.last, withHosts(ev, r.hosts)).Result
	out.Result.Original = own.Original
	note := "by the rules"
	if c.last.Decision != nil {
		note = reviewNote(c.last.Decision)
	}
	out.Result.Trace = append(own.Trace, canon.Entry{Step: "review", Before: own.Canonical, After: c.End(),
		Note: r.policy.MaskText(note)})
	return nil
}
