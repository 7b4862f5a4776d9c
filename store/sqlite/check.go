package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"visto/review"
	"visto/store/migrations"
)

// parts are what the schema is made of, besides its indexes: without one of the triggers the log is not append-only.
var parts = map[string][]string{
	"table": {"batch", "batch_rule", "decision", "evidence", "field", "file", "host", "host_evidence", "item", "lease", "log",
		"meta", "note", "override", "policy", "postponed", "probed_host", "robots", "total"},
	"trigger": {"decision_no_delete", "decision_no_update", "log_no_delete", "log_no_update", "note_no_delete", "note_no_update"},
}

// Check verifies the file, the schema, the log's chain, and that the log and the tables tell of the same decisions and notes.
func (s *Store) Check(ctx context.Context) ([]review.Problem, error) {
	c := checker{ctx: ctx}
	err := s.snapshot(ctx, "checking the database", func(q queryer) error {
		c.q = q
		for _, check := range []func() error{c.file, c.schema, c.log, c.tables} {
			if err := check(); err != nil {
				return err
			}
		}
		return nil
	})
	return c.problems, err
}

type checker struct {
	ctx      context.Context
	q        queryer
	problems []review.Problem
}

func (c *checker) report(what, format string, args ...any) {
	c.problems = append(c.problems, review.Problem{What: what, Text: fmt.Sprintf(format, args...)})
}

func (c *checker) file() error {
	err := each(c.ctx, c.q, "PRAGMA integrity_check", nil, func(scan func(...any) error) error {
		var text string
		err := scan(&text)
		if err == nil && text != "ok" {
			c.report("file", "%s", text)
		}
		return err
	})
	if err != nil {
		return err
	}
	return each(c.ctx, c.q, "PRAGMA foreign_key_check", nil, func(scan func(...any) error) error {
		var table, parent string
		var row, key sql.NullInt64
		err := scan(&table, &row, &parent, &key)
		if err == nil {
			c.report("file", "row %d of %s refers to a row of %s that is not there", row.Int64, table, parent)
		}
		return err
	})
}

func (c *checker) schema() error {
	st, err := readState(c.ctx, c.q)
	if err != nil {
		return err
	}
	if st.application != migrations.ApplicationID {
		c.report("schema", "the application id is %#x, not %#x", st.application, migrations.ApplicationID)
	}
	if st.version != migrations.Latest {
		c.report("schema", "the version is %d, not %d", st.version, migrations.Latest)
	}
	for kind, names := range parts {
		for _, name := range names {
			var n int
			if err := c.q.QueryRowContext(c.ctx, "SELECT count(*) FROM sqlite_schema WHERE type = ? AND name = ?", kind, name).Scan(&n); err != nil {
				return err
			}
			if n == 0 {
				c.report("schema", "the %s %s is missing", kind, name)
			}
		}
	}
	return nil
}

// log recomputes the chain, and looks up in the tables what each entry says was decided and noted.
func (c *checker) log() error {
	var before review.Entry
	decisions, notes := map[int64]int{}, map[int64]int{} // by batch
	err := eachEntry(c.ctx, c.q, func(e review.Entry) error {
		if e.Seq != before.Seq+1 {
			c.report("log", "entry %d comes after entry %d", e.Seq, before.Seq)
		}
		if e.Prev != before.Hash {
			c.report("log", "entry %d does not chain to the one before it", e.Seq)
		}
		if e.Chain() != e.Hash {
			c.report("log", "entry %d is not what was written: its hash does not match", e.Seq)
		}
		before = e
		return c.entry(&e, decisions, notes)
	})
	if err != nil {
		return err
	}
	if err := c.covered("decision", decisions); err != nil {
		return err
	}
	return c.covered("note", notes)
}

func (c *checker) entry(e *review.Entry, decisions, notes map[int64]int) error {
	body, err := e.Read()
	if err != nil {
		c.report("log", "%v", err)
		return nil
	}
	decisions[e.Batch] += len(body.Decisions)
	notes[e.Batch] += len(body.Notes)
	for _, l := range body.Decisions {
		if err := c.decision(e, l); err != nil {
			return err
		}
	}
	return nil
}

// decision compares a logged decision with its row.
func (c *checker) decision(e *review.Entry, l review.LoggedDecision) error {
	var got review.Decision
	err := c.q.QueryRowContext(c.ctx, "SELECT kind, canonical, seen, note FROM decision WHERE item_id = ? AND batch_id = ?", l.Item, e.Batch).
		Scan(&got.Kind, &got.Canonical, &got.From, &got.Note)
	if err == sql.ErrNoRows {
		c.report("state", "log entry %d decides on URL %d, and the decision is not stored", e.Seq, l.Item)
		return nil
	}
	if err == nil && asLogged(got) != asLogged(l.Decision()) {
		c.report("state", "the decision of batch %d on URL %d is another one than in log entry %d", e.Batch, l.Item, e.Seq)
	}
	return err
}

// asLogged returns the decision as the log can say it: each byte that is not UTF-8 as U+FFFD.
func asLogged(d review.Decision) review.Decision {
	for _, text := range []*string{&d.Canonical, &d.From, &d.Note} {
		*text = string([]rune(*text))
	}
	return d
}

// covered compares how many rows each batch has with how many the log knows of.
func (c *checker) covered(table string, logged map[int64]int) error {
	err := each(c.ctx, c.q, "SELECT batch_id, count(*) FROM "+table+" GROUP BY batch_id", nil, func(scan func(...any) error) error {
		var batch int64
		var n int
		if err := scan(&batch, &n); err != nil {
			return err
		}
		if n != logged[batch] {
			c.report("state", "batch %d has %d rows of %s, the log tells of %d", batch, n, table, logged[batch])
		}
		delete(logged, batch)
		return nil
	})
	for batch, n := range logged {
		if n > 0 {
			c.report("state", "batch %d has no row of %s, the log tells of %d", batch, table, n)
		}
	}
	return err
}

// tables checks what items keep of decisions and notes besides.
func (c *checker) tables() error {
	checks := []struct{ query, text string }{
		{`SELECT i.id FROM item i WHERE i.batch_id IS NOT (SELECT max(d.batch_id) FROM decision d JOIN batch b ON b.id = d.batch_id
			WHERE d.item_id = i.id AND b.undone_seq = 0)`, "URL %d does not name the decision that stands"},
		{`SELECT i.id FROM item i WHERE i.notes <> (SELECT count(*) FROM note n JOIN batch b ON b.id = n.batch_id
			WHERE n.item_id = i.id AND b.undone_seq = 0)`, "URL %d counts its notes wrongly"},
		{`SELECT b.id FROM batch b LEFT JOIN log l ON l.seq = b.seq WHERE l.batch_id IS NOT b.id`, "batch %d has no log entry"},
		{`SELECT verdict FROM (SELECT verdict, open, was_open, n FROM total WHERE n <> 0
			UNION ALL SELECT verdict, open, was_open, -count(*) FROM item GROUP BY verdict, open, was_open)
			GROUP BY verdict, open, was_open HAVING sum(n) <> 0`, "the totals of verdict %d are wrong"},
	}
	for _, check := range checks {
		ids, err := readIDs(c.ctx, c.q, check.query)
		if err != nil {
			return err
		}
		for _, id := range ids {
			c.report("state", check.text, id)
		}
	}
	return nil
}
