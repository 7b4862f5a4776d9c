package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"visto/store/rows"
)

// Earlier versions wrote texts that were not folded, and a copy from another store begins with such texts, in
// item_search and record_search. The table search_unfolded has the highest IDs of these. They are folded from there
// down, few at once, beside others who write.

// foldAtOnce is the number of IDs whose texts are folded in one transaction, in some 50 ms.
const foldAtOnce = 200

// foldPause is the pause after a transaction, and foldWait the longest one that it waits for a row. PostgreSQL looks
// for deadlocks after a second: so it never ends another transaction for this one.
const (
	foldPause = 5 * time.Millisecond
	foldWait  = "set local lock_timeout = '50ms'"
)

// searched is a table with texts of the search.
type searched struct{ table, id, left string }

var searchedTables = []searched{{"item_search", "item_id", "items"}, {"record_search", "record_id", "records"}}

// Maintain folds the texts of the search that are not folded yet.
func (s *Store) Maintain(ctx context.Context) error {
	if s.readOnly {
		return nil
	}
	for _, of := range searchedTables {
		for more := true; more; {
			err := s.updateUnlocked(ctx, "folding the texts of the search", func(t *tx) (err error) {
				more, err = t.foldSome(of)
				return err
			})
			if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == lockTimeout {
				more = true // the same IDs again
			} else if err != nil {
				return err
			}
			if more {
				time.Sleep(foldPause)
			}
		}
	}
	return nil
}

// foldSome folds the texts of the highest IDs left, and reports whether there are more.
func (t *tx) foldSome(of searched) (more bool, err error) {
	var last int64
	if err := t.Get("SELECT "+of.left+" FROM search_unfolded", nil, &last); err != nil || last == 0 {
		return false, err
	}
	first := max(0, last-foldAtOnce)
	if err := t.Exec(foldWait); err != nil {
		return false, err
	}
	var g grid
	query := fmt.Sprintf("SELECT %s, text FROM %s WHERE %[1]s > ? AND %[1]s <= ? AND text ~ '[\\u0080-\\u00ff]' "+
		"ORDER BY 1 FOR UPDATE", of.id, of.table)
	err = each(t.ctx, t, query, []any{first, last}, func(scan scanner) error {
		var id int64
		var text string
		if err := scan(&id, &text); err != nil {
			return err
		}
		if folded := foldSearchable(text); folded != searchable(text) {
			g.add(id, string(folded))
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	return first > 0, rows.InOrder(func() error {
		return t.execGrid(fmt.Sprintf("UPDATE %s s SET text = w.text FROM %s WHERE s.%s = w.id", of.table,
			arrays("id bigint, text text"), of.id), &g)
	}, func() error {
		return t.Exec(fmt.Sprintf("UPDATE search_unfolded SET %s = ? WHERE %[1]s = ?", of.left), first, last)
	})
}

// foldSearchable folds the texts that searchText wrote without folding them.
func foldSearchable(text string) searchable {
	var out []byte
	for part := range strings.SplitSeq(strings.TrimSuffix(text, string(searchEnd)), string(searchEnd)) {
		out = append(out, searchText(bytesOf(part))...)
	}
	return searchable(out)
}

// bytesOf returns the text whose bytes are the characters of a searchable text.
func bytesOf(text string) string {
	out := make([]byte, 0, len(text))
	for _, r := range text {
		if r == searchNUL {
			r = 0
		}
		out = append(out, byte(r))
	}
	return string(out)
}

// The texts that are not folded: the IDs of the items and the records, as arrays that an index looks up, and the
// conditions that an item or a record is one of them.
const (
	unfoldedItems   = "ANY(ARRAY(SELECT generate_series(1, items) FROM search_unfolded))"
	unfoldedRecords = "ANY(ARRAY(SELECT generate_series(1, records) FROM search_unfolded))"
	itemUnfolded    = "i.id <= (SELECT items FROM search_unfolded)"
	recordUnfolded  = "s.record_id <= (SELECT records FROM search_unfolded)"
)
