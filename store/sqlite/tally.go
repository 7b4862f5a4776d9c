package sqlite

import (
	"context"

	"visto/canon"
	"visto/review"
)

// kind is what the tally tells items apart by. Host 0 stands for all hosts together.
type kind struct {
	host, inHost, file, field int64
	verdict, status           int64
	open, wasOpen             bool
	flags                     int64
}

// kindColumns are the columns of a kind, in item and in staged; those of staged have no file and no field.
const kindColumns = "i.host_id, i.in_host_id, i.file_id, i.field_id, i.verdict, i.status, i.open, i.was_open, i.flags"

func (k *kind) into() []any {
	return []any{&k.host, &k.inHost, &k.file, &k.field, &k.verdict, &k.status, &k.open, &k.wasOpen, &k.flags}
}

// stands returns the kind that the item is of with that result and that decision.
func (k kind) stands(c review.Computed, d *review.Decision) kind {
	status, flags := review.ResolveStatus(c, d)
	it := review.Item{Status: status, Computed: review.Computed{Flags: flags}}
	k.verdict, k.status, k.flags, k.open = int64(c.Verdict), int64(status), int64(flags), it.Open()
	k.wasOpen = k.wasOpen || k.open
	return k
}

// moves are what a transaction adds to the tally, by kind.
type moves map[kind]int

// move notes that an item is of another kind now.
func (m moves) move(from, to kind) {
	m[from]--
	m[to]++
}

// writeTally brings the tally up to date with what the transaction did.
func (t *tx) writeTally() error {
	for staged, moved := range map[bool]moves{false: t.moved, true: t.stagedMoves} {
		all := moves{}
		for k, n := range moved {
			if err := t.addTally(k, staged, n); err != nil {
				return err
			}
			k.host, k.inHost = 0, 0
			all[k] += n
		}
		for k, n := range all {
			if err := t.addTally(k, staged, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// addTally adds to a row of the tally, which is not there while it is 0.
func (t *tx) addTally(k kind, staged bool, n int) error {
	if n == 0 {
		return nil
	}
	const add = "INSERT INTO tally VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n"
	key := []any{k.host, k.inHost, k.file, k.field, k.verdict, k.status, k.open, k.wasOpen, k.flags, staged}
	if n > 0 && !staged && t.stage.state != folding { // then it is the number of items, to which nothing can add up to 0
		_, err := t.exec(add, append(key, n)...)
		return err
	}
	var now int
	err := t.get(add+" RETURNING n", append(key, n), &now)
	if err == nil && now == 0 {
		_, err = t.exec(`DELETE FROM tally WHERE (host_id, in_host_id, file_id, field_id, verdict, status, open, was_open, flags, staged)
			= (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, key...)
	}
	return err
}

// Totals counts all items.
func (s *Store) Totals(ctx context.Context) (review.Totals, error) {
	t := review.Totals{Verdicts: map[canon.Verdict]int{}}
	err := each(ctx, s.read, "SELECT verdict, status, open, was_open, sum(n) FROM tally t WHERE host_id = 0 AND "+tallyStands+" GROUP BY 1, 2, 3, 4", nil,
		func(scan func(...any) error) error {
			var verdict canon.Verdict
			var status review.Status
			var open, wasOpen bool
			var n int
			err := scan(&verdict, &status, &open, &wasOpen, &n)
			t.Items += n
			t.Verdicts[verdict] += n
			if open {
				t.Open += n
			} else if wasOpen {
				t.Reviewed += n
				if review.ByRules(verdict, status) {
					t.ByRules += n
				}
			}
			return err
		})
	return t, s.failed(ctx, "counting URLs", err)
}
