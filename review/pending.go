package review

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// PendingItems counts the stored URLs that are not computed with new evidence about their hosts yet. Propagate computes
// them.
func (d *Desk) PendingItems(ctx context.Context) (n int, err error) {
	hosts, err := d.store.PendingHosts(ctx)
	if err != nil || len(hosts) == 0 {
		return 0, err
	}
	r, err := d.rules(ctx)
	if err != nil {
		return 0, err
	}
	pending := map[int64]bool{} // a URL may concern hosts of two parts
	for part := range slices.Chunk(hosts, propagateHosts) {
		if err := d.eachOutdated(ctx, r, part, func(id int64) { pending[id] = true }); err != nil {
			return 0, err
		}
	}
	return len(pending), nil
}

// UnfinishedError is the number of items that do not follow a change of very many yet.
type UnfinishedError int

func (n UnfinishedError) Error() string {
	return fmt.Sprintf("%d URLs do not follow a change of many URLs yet", int(n))
}

// Finish has the items follow that do not follow a change of very many yet. In a read-only store it fails with an
// UnfinishedError if there are any.
func (d *Desk) Finish(ctx context.Context) error { return d.finish(ctx) }

func (b *deskBase) finish(ctx context.Context) error {
	n, err := b.store.Unfinished(ctx)
	switch {
	case err != nil || n == 0:
		return err
	case b.store.ReadOnly():
		return UnfinishedError(n)
	}
	return b.store.Finish(ctx)
}

// finishedRules returns the current rules, once all items follow the changes of very many up to rules.lastSeq. Whoever
// computes results afterwards only has to do so again for later changes (Results.Late).
func (b *deskBase) finishedRules(ctx context.Context) (*rules, error) {
	for {
		r, err := b.rules(ctx)
		if err != nil {
			return nil, err
		}
		if n, err := b.store.Unfinished(ctx); err != nil || n == 0 {
			return r, err
		}
		if err := b.finish(ctx); err != nil {
			return nil, err
		}
	}
}

// followed returns the item once it follows the changes of very many that are in force.
func (b *deskBase) followed(ctx context.Context, id int64) (Item, error) {
	it, err := b.store.Item(ctx, id)
	if err != nil || !it.Unfinished {
		return it, err
	}
	if err := b.store.Finish(ctx); err != nil {
		return it, err
	}
	return b.store.Item(ctx, id)
}

// findPending notes the hosts whose URLs are not all computed with their evidence, and the unfinished items.
func (c *checker) findPending(ctx context.Context) error {
	hosts, err := c.desk.store.PendingHosts(ctx)
	c.pending.add(hosts)
	if err != nil {
		return err
	}
	if n, err := c.desk.store.Unfinished(ctx); err != nil || n == 0 {
		return err
	}
	return c.desk.store.Each(ctx, everything, func(it Item) error {
		if it.Unfinished {
			c.unfinished.Add(it.ID)
		}
		return nil
	})
}

// hostSet is a set of hosts, each with and without "www.".
type hostSet map[string]bool

func (s hostSet) add(hosts []string) {
	for _, h := range RelatedHosts(nil, hosts...) {
		s[h] = true
	}
}

// concern reports whether one of the hosts concerns a result.
func (s hostSet) concern(c *Computed) bool {
	return s[c.InHost] || s[c.Host] || slices.ContainsFunc(c.Via, func(h string) bool { return s[h] })
}

// finishPending has the items follow that do not follow a change of very many yet, and computes the URLs that
// PendingItems counts. In a read-only store it fails if there are any.
func (d *Desk) finishPending(ctx context.Context) error {
	if err := d.finish(ctx); err != nil || !d.ReadOnly() {
		return cmp.Or(err, d.Propagate(ctx))
	}
	n, err := d.PendingItems(ctx)
	if err == nil && n > 0 {
		err = fmt.Errorf("%d URLs are not computed with new evidence about their hosts yet: %w", n, ErrReadOnly)
	}
	return err
}
