package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"visto/review"
	"visto/store/migrations"
)

// Check verifies the file, the schema, the log's chain, and that each row that a person's doing left is as the log says.
// What cannot be read at all is a problem like any other: the rest is checked all the same.
func (s *Store) Check(ctx context.Context) ([]review.Problem, error) {
	c := checker{ctx: ctx}
	err := s.snapshot(ctx, "checking the database", func(q queryer) error {
		c.q = q
		for _, part := range []struct {
			what  string
			check func() error
		}{
			{"file", c.file}, {"schema", c.schema}, {"log", c.log}, {"state", c.tables}, {"given", c.given},
		} {
			err := part.check()
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				c.report(part.what, "%v", explain(ctx, err))
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

// file has SQLite look at every page, and compare every index with its table. FTS5 first has to be asked for something, else it
// takes for damage what has been written since this connection last did so.
func (c *checker) file() error {
	if _, err := readIDs(c.ctx, c.q, "SELECT rowid FROM search WHERE search MATCH ? LIMIT 1", matchExpr("---")); err != nil {
		return err
	}
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

// schema compares the schema with the one that a new database gets. Without one of its triggers, say, the log is not
// append-only.
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
	stored, err := readSchema(c.ctx, c.q)
	if err != nil {
		return err
	}
	fresh, err := newSchema(c.ctx)
	if err != nil {
		return err
	}
	for part, text := range fresh {
		switch was, ok := stored[part]; {
		case !ok:
			c.report("schema", "the %s is missing", part)
		case was != text:
			c.report("schema", "the %s is not as it was made", part)
		}
		delete(stored, part)
	}
	for part := range stored {
		c.report("schema", "the %s is none of this program's", part)
	}
	return nil
}

// newSchema returns the schema of a new database.
func newSchema(ctx context.Context) (map[string]string, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection has a memory of its own
	if err := migrate(ctx, db, nil); err != nil {
		return nil, err
	}
	return readSchema(ctx, db)
}

// readSchema returns the text of each part of the schema, and which steps made it. What ANALYZE keeps belongs to nobody.
func readSchema(ctx context.Context, q queryer) (map[string]string, error) {
	parts := map[string]string{}
	err := each(ctx, q, `SELECT type || ' ' || name, tbl_name || ' ' || ifnull(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite\_stat%' ESCAPE '\'
		UNION ALL SELECT 'step ' || version_id, max(is_applied) FROM goose_db_version GROUP BY version_id`, nil,
		func(scan func(...any) error) error {
			var part, text string
			err := scan(&part, &text)
			parts[part] = text
			return err
		})
	return parts, err
}

// The columns that the tally tells items apart by.
const (
	tallied      = "host_id, in_host_id, " + talliedOnAll
	talliedOnAll = "file_id, field_id, verdict, status, open, was_open, flags"
)

// tables checks what rows say of each other.
func (c *checker) tables() error {
	checks := []struct{ query, text string }{
		{`SELECT i.id FROM item i WHERE i.batch_id IS NOT (SELECT max(d.batch_id) FROM decision d JOIN batch b ON b.id = d.batch_id
			WHERE d.item_id = i.id AND b.undone_seq = 0)`, "URL %d does not name the decision that stands"},
		{`SELECT i.id FROM item i LEFT JOIN decision d ON d.item_id = i.id AND d.batch_id = i.batch_id
			WHERE i.approved IS NOT CASE WHEN d.kind IN (1, 2) THEN d.canonical END`, "URL %d does not name the URL that was approved"},
		{`SELECT i.id FROM item i WHERE i.notes <> (SELECT count(*) FROM note n JOIN batch b ON b.id = n.batch_id
			WHERE n.item_id = i.id AND b.undone_seq = 0)`, "URL %d counts its notes wrongly"},
		{`SELECT o.id FROM override o WHERE NOT EXISTS (SELECT 1 FROM log l JOIN batch_rule r ON r.batch_id = l.batch_id
			WHERE l.batch_id = o.batch_id AND l.reviewer = o.reviewer AND l.at = o.at AND r.after = o.rule)`, "no log entry made override %d as it is"},
		{`SELECT o.id FROM override o WHERE o.host IS NOT o.rule ->> '$.match.host' OR o.path IS NOT ifnull(o.rule ->> '$.match.path_prefix', '')`,
			"override %d stands for another place than its rule says"},
		{"SELECT host_id FROM (SELECT " + tallied + ", n FROM tally t WHERE host_id > 0 AND " + tallyStands +
			" UNION ALL SELECT " + tallied + ", -count(*) FROM item GROUP BY " + tallied + ") GROUP BY " + tallied + " HAVING sum(n) <> 0",
			"the tally of host %d is wrong"},
		{"SELECT status FROM (SELECT " + talliedOnAll + ", iif(host_id = 0, n, -n) AS n, host_id = 0 AND in_host_id <> 0 AS stray FROM tally t WHERE " +
			tallyStands + ") GROUP BY " + talliedOnAll + " HAVING sum(n) <> 0 OR max(stray)", "the tally of all URLs of status %d is wrong"},
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
