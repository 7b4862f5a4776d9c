package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"

	"visto/canon"
	"visto/store/rows"
)

// Dump is rows.Source's.
func (s *Store) Dump(ctx context.Context, fn func(rows.Reading) error) error {
	return s.stream.snapshot(ctx, "copying from "+s.Name(), func(q *snapshot) error {
		return fn(func(table *rows.Table, each func(row []any) error) error {
			return q.stream(ctx, table.Query(), nil, func(scan scanner) error {
				row := make([]any, len(table.Columns))
				into := make([]any, len(row))
				for i := range row {
					into[i] = &row[i]
				}
				if err := errors.Join(scan(into...), table.Normalize(row)); err != nil {
					return err
				}
				return rows.Own(each(row))
			})
		})
	})
}

// Fill is rows.Target's. Whoever wants to write meanwhile waits, and sees the copy.
func (s *Store) Fill(ctx context.Context, from rows.Source) error {
	return s.updateUnlocked(ctx, "copying to "+s.Name(), func(t *tx) error {
		if err := t.Exec("LOCK TABLE meta IN EXCLUSIVE MODE"); err != nil {
			return err
		}
		if err := t.empty(); err != nil {
			return err
		}
		err := from.Dump(ctx, func(read rows.Reading) error {
			for i := range rows.Tables {
				if err := t.fill(&rows.Tables[i], read); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return rows.Own(err)
		}
		for _, statement := range []string{fillSearch, fillRecordSearch, unfolded, analyze} {
			if err := t.Exec(statement); err != nil {
				return err
			}
		}
		return nil
	})
}

// analyze gathers the statistics for the planner. The server does so by itself within a minute; until then it would
// plan as for small tables, and read all items for a few keys.
const analyze = "ANALYZE"

// empty deletes the rows that a new store has, and fails if there are others.
func (t *tx) empty() error {
	for _, table := range rows.Tables {
		if table.Given {
			t.Exec("DELETE FROM " + table.Name)
			continue
		}
		var filled bool
		if err := t.Get("SELECT EXISTS (SELECT 1 FROM "+table.Name+")", nil, &filled); err != nil || filled {
			return errors.Join(err, rows.ErrNotEmpty)
		}
	}
	return nil
}

// fill writes the rows of a table, and has its next ID follow theirs.
func (t *tx) fill(table *rows.Table, read rows.Reading) error {
	if err := t.flush(); err != nil {
		return err
	}
	columns := table.Names()
	if table.Name == ruleTable {
		columns = append(columns, "host")
	}
	var failed error
	next, stop := iter.Pull(func(yield func([]any) bool) {
		failed = read(table, func(row []any) (err error) {
			if table.Name == ruleTable {
				row, err = withHost(row)
			}
			if err == nil && !yield(row) {
				err = context.Canceled
			}
			return err
		})
	})
	defer stop()
	_, err := t.conn.CopyFrom(t.ctx, pgx.Identifier{table.Name}, columns, pgx.CopyFromFunc(func() ([]any, error) {
		row, _ := next()
		return row, failed
	}))
	if failed != nil {
		return failed
	}
	if err == nil && table.Columns[0] == (rows.Column{Name: "id", Kind: rows.Int}) {
		// The sequence is NULL, and so is the result, if others give the IDs.
		err = t.Exec(fmt.Sprintf("SELECT setval(pg_get_serial_sequence('%s', 'id'), nullif(max(id), 0)) FROM %[1]s",
			table.Name))
	}
	return err
}

// ruleTable has one column more here than elsewhere: the host of the rule.
const ruleTable = "batch_rule"

// withHost returns a row of ruleTable with the host that its texts name.
func withHost(row []any) ([]any, error) {
	var o canon.Override
	text, _ := row[3].(string) // after
	if text == "" {
		text, _ = row[2].(string)
	}
	err := json.Unmarshal([]byte(text), &o)
	return append(row, o.Match.Host), err
}

// fillSearch makes the texts that a search looks into, of all texts that an item had, in the form of searchText, but
// not folded.
const fillSearch = `WITH later AS (
		SELECT item_id, canonical AS text FROM decision WHERE canonical <> ''
		UNION SELECT item_id, note FROM decision WHERE note <> ''
		UNION SELECT item_id, text FROM note),
	had AS (SELECT item_id, string_agg(search_text(text) || U&'\0101', '') AS text FROM later GROUP BY item_id)
	INSERT INTO item_search (item_id, text) SELECT i.id, concat(search_text(i.original), U&'\0101',
		search_text(i.title), U&'\0101', search_text(i.canonical), U&'\0101', had.text)
	FROM item i LEFT JOIN had ON had.item_id = i.id`

const fillRecordSearch = `INSERT INTO record_search (record_id, text) SELECT id, concat(search_text(key), U&'\0101',
	search_text(name), U&'\0101', search_text(attributes), U&'\0101') FROM record`

// unfolded leaves these texts to Maintain.
const unfolded = `UPDATE search_unfolded SET items = (SELECT coalesce(max(item_id), 0) FROM item_search),
	records = (SELECT coalesce(max(record_id), 0) FROM record_search)`
