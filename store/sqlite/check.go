package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"visto/review"
	"visto/store/rows"
)

// Check verifies the file, the schema, the chain of the log, and every row that the log or a seal can prove. An
// unreadable part is a problem like any other: the rest is still checked.
func (s *Store) Check(ctx context.Context) ([]review.Problem, error) {
	c := checker{ctx: ctx, known: s.known}
	err := s.read.snapshot(ctx, "checking the database", func(q queryer) error {
		c.q = q
		for _, part := range []struct {
			name  string
			check func() error
		}{
			{"file", c.file}, {"schema", c.schema}, {"log", c.log}, {"state", c.tables}, {"given", c.rows().Given},
			{"given", c.rows().Records}, {"state", c.rows().Links},
		} {
			err := part.check()
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				c.report(part.name, "%v", explain(ctx, err))
			}
		}
		return nil
	})
	return c.problems, err
}

type checker struct {
	ctx      context.Context
	q        queryer
	known    *schema
	problems []review.Problem
}

func (c *checker) report(check, format string, args ...any) {
	c.problems = append(c.problems, review.Problem{What: check, Text: fmt.Sprintf(format, args...)})
}

// file runs SQLite's checks of pages, indexes and references. FTS5 needs a query first: without one it reports
// everything written since this connection last asked as damage.
func (c *checker) file() error {
	if _, err := column[int64](c.ctx, c.q, "SELECT rowid FROM search WHERE search MATCH ? LIMIT 1",
		matchExpr("---")); err != nil {
		return err
	}
	results, err := column[string](c.ctx, c.q, "PRAGMA integrity_check")
	for _, text := range results {
		if text != "ok" {
			c.report("file", "%s", text)
		}
	}
	if err != nil {
		return err
	}
	return each(c.ctx, c.q, "PRAGMA foreign_key_check", nil, func(scan scanner) error {
		var table, parent string
		var row, key sql.NullInt64
		err := scan(&table, &row, &parent, &key)
		if err == nil {
			c.report("file", "row %d of %s refers to a row of %s that is not there", row.Int64, table, parent)
		}
		return err
	})
}

// schema compares the schema with that of a new database. Without its triggers, for instance, the log is not
// append-only.
func (c *checker) schema() error {
	st, err := readState(c.ctx, c.q)
	if err != nil {
		return err
	}
	if st.application != applicationID {
		c.report("schema", "the application id is %#x, not %#x", st.application, applicationID)
	}
	if st.version != c.known.steps.Latest() {
		c.report("schema", "the version is %d, not %d", st.version, c.known.steps.Latest())
	}
	stored, err := readSchema(c.ctx, c.q)
	if err != nil {
		return err
	}
	fresh, err := c.known.fresh()
	if err != nil {
		return err
	}
	for part, text := range fresh.parts {
		was, ok := stored[part]
		deferred, err := c.deferred(part)
		switch {
		case err != nil:
			return err
		case !ok && deferred:
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

// readSchema returns the text of each part of the schema. The tables of ANALYZE do not count.
func readSchema(ctx context.Context, q queryer) (map[string]string, error) {
	parts := map[string]string{}
	err := each(ctx, q, `SELECT type || ' ' || name, tbl_name || ' ' || ifnull(sql, '') FROM sqlite_schema
		WHERE name NOT LIKE 'sqlite\_stat%' ESCAPE '\'`, nil,
		func(scan scanner) error {
			var part, text string
			if err := scan(&part, &text); err != nil {
				return err
			}
			parts[part] = text
			return nil
		})
	return parts, err
}

// tables checks the rows against each other.
func (c *checker) tables() error {
	checks := []struct{ query, text string }{
		{`SELECT i.id FROM item i WHERE iif(i.settled_by IS NULL, i.batch_id, NULL) IS NOT
			(SELECT max(d.batch_id) FROM decision d JOIN batch b ON b.id = d.batch_id WHERE d.item_id = i.id
			AND d.record_id IS NULL AND b.undone_seq = 0)` + followed("i.id"),
			"URL %d does not name the decision in force"},
		{"SELECT i.id FROM item i" + decisionJoin + " WHERE i.approved IS NOT CASE WHEN i.settled_by IS NULL " +
			"AND d.kind IN (1, 2, 6) AND NOT " + rows.Waits + " THEN d.canonical END" + followed("i.id"),
			"URL %d does not name the URL that was approved"},
		{`SELECT i.id FROM item i WHERE i.settled_by IS NOT NULL AND NOT EXISTS (SELECT 1 FROM item y
			WHERE y.id = i.settled_by AND y.id <> i.id AND y.approved = i.original AND y.batch_id = i.batch_id)
			AND NOT EXISTS (SELECT 1 FROM decision d WHERE d.item_id = i.settled_by AND d.item_id <> i.id
			AND d.batch_id = i.batch_id AND d.record_id IS NOT NULL AND d.canonical = i.original)` +
			followed("i.id") + followed("i.settled_by"),
			"URL %d is settled by an approval that is not there"},
		{`SELECT i.id FROM item i WHERE i.notes <> (SELECT count(*) FROM note n JOIN batch b ON b.id = n.batch_id
			WHERE n.item_id = i.id AND b.undone_seq = 0)`, "URL %d counts its notes wrongly"},
		// The rules are in one list, for to look for each among those of its batch would take their square.
		{`SELECT id FROM override WHERE (batch_id, reviewer, at, rule) NOT IN (SELECT l.batch_id, l.reviewer, l.at,
			r.after FROM log l JOIN batch_rule r ON r.batch_id = l.batch_id WHERE l.action <> 'propose'
			AND r.after IS NOT NULL)`, "no log entry made override %d as it is"},
		{`SELECT o.id FROM override o WHERE o.host IS NOT ifnull(o.rule ->> '$.match.host', '')
			OR o.path IS NOT ifnull(o.rule ->> '$.match.path_prefix', '')
			OR o.field IS NOT ifnull(o.rule ->> '$.match.field', '')`,
			"override %d is stored for another place than its rule names"},
		{`WITH placed AS (SELECT DISTINCT o.item_id, r.file_id, p.field_id FROM occurrence o CROSS JOIN record r
			ON r.id = o.record_id CROSS JOIN place p ON p.id = o.place_id WHERE o.gone = 0),
			held AS (SELECT i.id, m.file_id, m.field_id FROM item i CROSS JOIN place_set_member m
			ON m.set_id = i.place_set_id)
			SELECT item_id FROM (SELECT * FROM placed EXCEPT SELECT * FROM held)
			UNION SELECT id FROM (SELECT * FROM held EXCEPT SELECT * FROM placed)`,
			"URL %d does not name the files and fields that cite it"},
		{`SELECT s.id FROM place_set s WHERE s.members <> (SELECT ifnull(group_concat(m.file_id || ':' ||
			m.field_id, ' '),
			'') FROM place_set_member m WHERE m.set_id = s.id)`, "place set %d has other members than its text"},
		{"SELECT host_id FROM (SELECT " + countColumnNames + ", n FROM item_count WHERE host_id > 0 " +
			"UNION ALL SELECT " + countColumnNames + ", -count(*) FROM item GROUP BY " +
			countColumnNames + ") GROUP BY " + countColumnNames + " HAVING sum(n) <> 0",
			"the counts of host %d are wrong"},
		{"SELECT status FROM (SELECT " + countColumnsOnAll + ", iif(host_id = 0, n, -n) AS n, host_id = 0 " +
			"AND in_host_id <> 0 AS stray FROM item_count) GROUP BY " +
			countColumnsOnAll + " HAVING sum(n) <> 0 OR max(stray)", "the counts of all URLs of status %d are wrong"},
	}
	for _, check := range checks {
		ids, err := column[int64](c.ctx, c.q, check.query)
		if err != nil {
			return err
		}
		for _, id := range ids {
			c.report("state", check.text, id)
		}
	}
	return nil
}

// followed is the condition that an item is not pending.
func followed(id string) string {
	return " AND NOT EXISTS (SELECT 1 FROM pending p WHERE p.item_id = " + id + ")"
}

// rows returns what both stores check alike.
func (c *checker) rows() *rows.Check {
	return &rows.Check{
		Each:      eachOf(c.ctx, c.q),
		Decisions: rows.AllDecisions,
		IDs:       func(ids []int64) (string, any) { return "(SELECT value FROM json_each(?))", jsonList(ids) },
		Report:    c.report,
	}
}

// log recomputes the chain of the log, and compares the rows of each entry with the entry.
func (c *checker) log() error {
	return c.rows().Log(func(fn func(review.Entry) error) error { return rows.EachEntry(c.rows().Each, fn) })
}
