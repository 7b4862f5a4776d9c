package sqlite

import (
	"context"

	"visto/review"
)

// workQuery goes once through the batches, once through the index of the decisions, and once through what is decided in the index
// of the items. It reads no item. The CAST is for the type: without it SQLite would look for each batch among all of settled.
var workQuery = `WITH decided AS MATERIALIZED (SELECT batch_id AS batch, count(*) AS n FROM decision GROUP BY batch_id),
	settled AS MATERIALIZED (SELECT CAST(ifnull(i.batch_id, 0) AS INTEGER) AS batch, sum(i.open = 0) AS n FROM item i
		WHERE ifnull(i.batch_id, 0) > 0 GROUP BY ifnull(i.batch_id, 0))
	SELECT b.reviewer, min(b.at), max(b.at), count(*), sum(ifnull(decided.n, 0)),
		sum(iif(decided.n = 1, ifnull(settled.n, 0), 0)), sum(iif(decided.n > 1, ifnull(settled.n, 0), 0))
	FROM batch b LEFT JOIN decided ON decided.batch = b.id LEFT JOIN settled ON settled.batch = b.id
	WHERE b.undone_seq = 0 AND b.action NOT IN ` + marks(len(review.PermanentActions())) + ` GROUP BY b.reviewer, b.at / 60000 ORDER BY b.reviewer, min(b.at)`

// Work says what each reviewer did in each minute.
func (s *Store) Work(ctx context.Context) ([]review.Work, error) {
	var list []review.Work
	err := s.eachNow(ctx, "counting what was done", workQuery, permanentActions(),
		func(scan func(...any) error) error {
			var w review.Work
			var first, last int64
			err := scan(&w.Reviewer, &first, &last, &w.Batches, &w.Decisions, &w.Single, &w.Bulk)
			w.First, w.Last = fromMillis(first), fromMillis(last)
			list = append(list, w)
			return err
		})
	return list, err
}
