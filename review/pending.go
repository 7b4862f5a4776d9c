package review

import (
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

// findPending notes the hosts whose URLs are not all computed with their evidence.
func (c *checker) findPending(ctx context.Context) error {
	hosts, err := c.desk.store.PendingHosts(ctx)
	c.pending.add(hosts)
	return err
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

// finishPending computes the URLs that PendingItems counts. In a read-only store it fails if there are any.
func (d *Desk) finishPending(ctx context.Context) error {
	if !d.ReadOnly() {
		return d.Propagate(ctx)
	}
	n, err := d.PendingItems(ctx)
	if err == nil && n > 0 {
		err = fmt.Errorf("%d URLs are not computed with new evidence about their hosts yet: %w", n, ErrReadOnly)
	}
	return err
}
