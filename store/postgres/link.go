package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgtype"

	"visto/review"
	"visto/store/rows"
)

// packedLink scans the column link.
type packedLink struct{ link *review.Link }

// ScanInt64 is pgtype.Int64Scanner's.
func (p packedLink) ScanInt64(n pgtype.Int8) error {
	if !n.Valid {
		return fmt.Errorf("the state of a link is missing")
	}
	link, err := rows.UnpackLink(n.Int64)
	*p.link = link
	return err
}

// KeepChecks stores contents and histories, and leaves the evidence as it is.
func (s *Store) KeepChecks(ctx context.Context, list []review.ItemEvidence) error {
	return s.update(ctx, "storing the checks of links", func(t *tx) error { return rows.ForEach(list, t.keepPage) })
}

func (t *tx) keepPage(e review.ItemEvidence) error { return rows.KeepPage(t, e) }

// EachScheduled calls fn for each item of the filter, by ID, from one snapshot.
func (s *Store) EachScheduled(ctx context.Context, f review.Filter, fn func(review.Scheduled) error) error {
	return s.stream.snapshot(ctx, "reading when links are due", func(q *snapshot) error {
		w, err := filterItems(ctx, q, f)
		if err != nil {
			return err
		}
		query := "SELECT " + rows.ScheduleColumns + " FROM item i" + decisionJoin + rows.ScheduleJoins + w.sql() +
			" ORDER BY i.id"
		r := rows.NewSchedule(hostNames(ctx, q), func(it review.Scheduled) error { return rows.Own(fn(it)) })
		if err = q.stream(ctx, query, w.args, r.Read); err != nil {
			return err
		}
		return r.Flush()
	})
}
