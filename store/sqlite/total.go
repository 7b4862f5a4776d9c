package sqlite

import (
	"context"

	"visto/canon"
	"visto/review"
)

// kind is what the totals tell items apart by.
type kind struct {
	verdict int64
	open    bool
	wasOpen bool
}

func kindOf(verdict int64, status review.Status, flags canon.CodeSet, wasOpen bool) kind {
	it := review.Item{Status: status, Computed: review.Computed{Flags: flags}}
	open := it.Open()
	return kind{verdict, open, open || wasOpen}
}

// move notes that an item is of another kind now.
func (t *tx) move(from, to kind) {
	t.moved[from]--
	t.moved[to]++
}

// writeTotals brings the totals up to date with what the transaction did.
func (t *tx) writeTotals() error {
	for k, n := range t.moved {
		if n == 0 {
			continue
		}
		_, err := t.exec(`INSERT INTO total (verdict, open, was_open, n) VALUES (?, ?, ?, ?)
			ON CONFLICT (verdict, open, was_open) DO UPDATE SET n = n + excluded.n`, k.verdict, k.open, k.wasOpen, n)
		if err != nil {
			return err
		}
	}
	return nil
}

// Totals counts all items out of a table that every write keeps, whatever their number.
func (s *Store) Totals(ctx context.Context) (review.Totals, error) {
	t := review.Totals{Verdicts: map[canon.Verdict]int{}}
	err := each(ctx, s.read, "SELECT verdict, open, was_open, n FROM total WHERE n > 0", nil, func(scan func(...any) error) error {
		var verdict canon.Verdict
		var open, wasOpen bool
		var n int
		err := scan(&verdict, &open, &wasOpen, &n)
		t.Items += n
		t.Verdicts[verdict] += n
		if open {
			t.Open += n
		} else if wasOpen {
			t.Reviewed += n
		}
		return err
	})
	return t, s.failed(ctx, "counting URLs", err)
}
