package sqlite

import (
	"context"
	"slices"
	"strings"
	"time"

	"visto/review"
)

// millis is a time as it is stored; the zero time is 0.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// lateJobs computes the items that were added since the change was, or of which something became known since. It goes by what
// was known before the change's own evidence.
func lateJobs(ctx context.Context, q queryer, c *review.Change) ([]job, error) {
	hosts, err := newlyKnown(ctx, q, c)
	if err != nil {
		return nil, err
	}
	known, err := readHosts(ctx, q, allHosts)
	if err != nil {
		return nil, err
	}
	late, args := lateItems(c, hosts)
	query := "SELECT " + itemColumns + ", e.body" + fromItems + evidenceJoin + " WHERE i.id IN (" + late + ") ORDER BY i.id"
	var jobs []job
	row := newEvidenceRow()
	err = each(ctx, q, query, args, func(scan func(...any) error) error {
		it, ev, err := row.readWithEvidence(scan)
		if err != nil {
			return err
		}
		j := job{id: it.ID, replace: true}
		if r := c.Late(it, withHosts(ev, known)); r != nil {
			own := *r
			j.recomputed = &own
		}
		jobs = append(jobs, j)
		return nil
	})
	return jobs, err
}

// newlyKnown returns the hosts of which something became known since the change was computed, each with and without "www.".
func newlyKnown(ctx context.Context, q queryer, c *review.Change) ([]string, error) {
	var hosts []string
	err := each(ctx, q, "SELECT h.name FROM host_evidence e JOIN host h ON h.id = e.host_id WHERE e.gen > 0 AND e.gen > ?",
		[]any{c.Gen}, func(scan func(...any) error) error {
			var name string
			err := scan(&name)
			bare := strings.TrimPrefix(name, "www.")
			hosts = append(hosts, bare, "www."+bare)
			return err
		})
	return hosts, err
}

// lateItems returns a query for the IDs of the items that have changed since c was computed.
func lateItems(c *review.Change, hosts []string) (string, []any) {
	query := "SELECT id FROM item WHERE id > ? UNION ALL SELECT item_id FROM evidence WHERE gen > 0 AND gen > ?"
	args := []any{c.LastID, c.Gen}
	if reached, reachArgs := reaching(hosts); reached != "" {
		query += " UNION ALL " + reached
		args = append(args, reachArgs...)
	}
	return query, args
}

// PendingHosts returns the hosts of which something is known that not all URLs on them have been computed with.
func (s *Store) PendingHosts(ctx context.Context) ([]string, error) {
	var hosts []string
	err := each(ctx, s.read, "SELECT h.name FROM host_evidence e JOIN host h ON h.id = e.host_id WHERE e.spread = 0", nil,
		func(scan func(...any) error) error {
			var name string
			err := scan(&name)
			hosts = append(hosts, name)
			return err
		})
	slices.Sort(hosts)
	return hosts, s.failed(ctx, "reading evidence", err)
}

// MarkPropagated notes that all URLs on the hosts have been computed with what was known of them at the generation.
func (s *Store) MarkPropagated(ctx context.Context, hosts []string, gen int64) error {
	return s.update(ctx, "storing evidence about hosts", func(t *tx) error {
		for _, host := range hosts {
			_, err := t.exec(`UPDATE host_evidence SET spread = 1 WHERE spread = 0 AND gen <= ?
				AND host_id = (SELECT id FROM host WHERE name = ?)`, gen, host)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Refresh replaces evidence by one that says the same. Nothing follows from it: there is no log entry and no new generation.
func (s *Store) Refresh(ctx context.Context, list []review.ItemEvidence) error {
	return s.update(ctx, "storing evidence", func(t *tx) error {
		for _, e := range list {
			body, err := evidenceText(e.ID, e.Evidence)
			if err != nil {
				return err
			}
			res, err := t.exec("UPDATE evidence SET body = ?, due = ?, seal = ? WHERE item_id = ?", body, millis(e.Due), sealOf(body), e.ID)
			if err == nil {
				err = mustHit(res, e.ID)
			}
			if err == nil {
				err = t.unpostpone(e.ID)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}
