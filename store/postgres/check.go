package postgres

import (
	"context"
	_ "embed" // schema.txt
	"fmt"
	"maps"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/store/rows"
)

// Check verifies the schema, the chain of the log, and every row that the log or a seal can prove. An unreadable part
// is a problem like any other: the rest is still checked. The pages and indexes are the server's (pg_amcheck).
func (s *Store) Check(ctx context.Context) ([]review.Problem, error) {
	c := checker{ctx: ctx}
	err := s.stream.snapshot(ctx, "checking the database", func(q *snapshot) error {
		c.q = q
		for _, part := range []struct {
			name  string
			check func() error
		}{
			{"schema", c.schema}, {"state", c.references}, {"log", c.log}, {"state", c.tables}, {"state", c.overrides},
			{"given", c.rows().Given}, {"given", c.rows().Records}, {"state", c.rows().Links},
		} {
			if err := c.try(part.name, part.check); err != nil {
				return err
			}
		}
		return nil
	})
	return c.problems, err
}

// try reports the error of a check, and goes on behind it. It fails if the context ended or the connection broke.
func (c *checker) try(name string, check func() error) error {
	if _, err := c.q.query(c.ctx, "savepoint part", nil); err != nil {
		return err
	}
	err := check()
	if err == nil {
		return nil
	}
	if _, broken := c.q.query(c.ctx, "rollback to savepoint part", nil); broken != nil {
		return broken
	}
	c.report(name, "%v", explain(c.ctx, err))
	return nil
}

type checker struct {
	ctx      context.Context
	q        *snapshot
	problems []review.Problem
}

func (c *checker) report(check, format string, args ...any) {
	c.problems = append(c.problems, review.Problem{What: check, Text: fmt.Sprintf(format, args...)})
}

// rows returns what both stores check alike.
func (c *checker) rows() *rows.Check {
	return &rows.Check{
		Each: func(query string, args []any, fn func(rows.Scan) error) error {
			return c.q.stream(c.ctx, query, args, func(scan scanner) error { return fn(rows.Scan(scan)) })
		},
		Decisions: "decision",
		IDs:       func(ids []int64) (string, any) { return "(SELECT unnest(?::bigint[]))", ids },
		Report:    c.report,
	}
}

// log recomputes the chain of the log, and compares the rows of each entry with the entry.
func (c *checker) log() error {
	return c.rows().Log(func(fn func(review.Entry) error) error { return rows.EachEntry(c.rows().Each, fn) })
}

// schemaText describes the schema of a new database, as schemaQuery does.
//
//go:embed schema.txt
var schemaText string

// schemaQuery describes each part of the schema in one line, its name first, then a tab.
const schemaQuery = `WITH here AS (SELECT relnamespace AS id FROM pg_class WHERE oid = to_regclass('meta')),
	own AS (SELECT c.oid, c.relname, c.relkind FROM pg_class c JOIN here ON c.relnamespace = here.id)
	SELECT 'table ' || relname, '' FROM own WHERE relkind IN ('r', 'p', 'v', 'm', 'f')
	UNION ALL SELECT 'column ' || relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod) ||
		CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END ||
		CASE a.attidentity WHEN '' THEN '' ELSE ' IDENTITY' END ||
		coalesce(CASE a.attgenerated WHEN '' THEN ' DEFAULT ' ELSE ' GENERATED ' END ||
		pg_get_expr(d.adbin, d.adrelid), '')
		FROM own JOIN pg_attribute a ON a.attrelid = own.oid AND a.attnum > 0 AND NOT a.attisdropped
		LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum WHERE relkind = 'r'
	UNION ALL SELECT 'index ' || relname, pg_get_indexdef(oid, 0, true) FROM own WHERE relkind = 'i'
	UNION ALL SELECT 'constraint ' || relname || '.' || conname, pg_get_constraintdef(k.oid, true)
		FROM own JOIN pg_constraint k ON k.conrelid = own.oid WHERE k.contype IN ('c', 'f', 'p', 'u')
	UNION ALL SELECT 'trigger ' || tgname, pg_get_triggerdef(t.oid, true) ||
		CASE tgenabled WHEN 'O' THEN '' ELSE ' DISABLED' END
		FROM own JOIN pg_trigger t ON t.tgrelid = own.oid WHERE NOT tgisinternal
	UNION ALL SELECT 'function ' || proname, prosrc FROM pg_proc p JOIN here ON p.pronamespace = here.id
		WHERE NOT EXISTS (SELECT 1 FROM pg_depend e WHERE e.classid = 'pg_proc'::regclass AND e.objid = p.oid
		AND e.deptype = 'e')
	UNION ALL SELECT 'step ' || version, '' FROM schema_version`

// readSchema returns the parts of the schema by name.
func readSchema(ctx context.Context, q queryer) (map[string]string, error) {
	parts := map[string]string{}
	err := each(ctx, q, schemaQuery, nil, func(scan scanner) error {
		var part, text string
		if err := scan(&part, &text); err != nil {
			return err
		}
		parts[part] = strings.Join(strings.Fields(text), " ")
		return nil
	})
	return parts, err
}

// schema compares the schema with that of a new database. Without its triggers, for instance, the log is not
// append-only.
func (c *checker) schema() error {
	stored, err := readSchema(c.ctx, c.q)
	if err != nil {
		return err
	}
	for line := range strings.Lines(schemaText) {
		part, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if was, ok := stored[part]; !ok {
			c.report("schema", "the %s is missing", part)
		} else if was != text {
			c.report("schema", "the %s is not as it was made", part)
		}
		delete(stored, part)
	}
	for _, part := range slices.Sorted(maps.Keys(stored)) {
		c.report("schema", "the %s is none of this program's", part)
	}
	return nil
}

// references checks that each row to which a foreign key refers is there.
func (c *checker) references() error {
	type reference struct{ child, column, parent, key string }
	var list []reference
	err := each(c.ctx, c.q, `SELECT k.conrelid::regclass::text, a.attname, k.confrelid::regclass::text, b.attname
		FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
		JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = k.confkey[1]
		WHERE k.contype = 'f' AND k.connamespace = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('meta'))
		ORDER BY 1, 2`, nil, func(scan scanner) error {
		var r reference
		if err := scan(&r.child, &r.column, &r.parent, &r.key); err != nil {
			return err
		}
		list = append(list, r)
		return nil
	})
	if err != nil {
		return err
	}
	for _, r := range list {
		query := fmt.Sprintf("SELECT count(*) FROM %s c WHERE c.%s IS NOT NULL AND NOT EXISTS "+
			"(SELECT 1 FROM %s p WHERE p.%s = c.%[2]s)", r.child, r.column, r.parent, r.key)
		lost, err := column[int64](c.ctx, c.q, query)
		if err != nil {
			return err
		}
		if lost[0] > 0 {
			c.report("state", "%d rows of %s refer to rows of %s that are not there", lost[0], r.child, r.parent)
		}
	}
	return nil
}

// overrides checks that the overrides are stored where their rules belong.
func (c *checker) overrides() error {
	return each(c.ctx, c.q, "SELECT id, host, path, field, rule FROM override ORDER BY id", nil,
		func(scan scanner) error {
			var id int64
			var m canon.Match
			var text string
			if err := scan(&id, &m.Host, &m.PathPrefix, &m.Field, &text); err != nil {
				return err
			}
			if o, err := rows.ReadRule(text); err != nil {
				c.report("state", "%v", err)
			} else if o == nil || o.Match != m {
				c.report("state", "override %d is stored for another place than its rule names", id)
			}
			return nil
		})
}

// stateChecks are queries for the IDs of rows that do not fit others, and the words for that.
var stateChecks = []struct{ query, text string }{
	{`SELECT i.id FROM item i WHERE CASE WHEN i.settled_by IS NULL THEN i.batch_id END IS DISTINCT FROM
		(SELECT max(d.batch_id) FROM decision d JOIN batch b ON b.id = d.batch_id WHERE d.item_id = i.id
		AND d.record_id IS NULL AND b.undone_seq = 0)`,
		"URL %d does not name the decision in force"},
	{"SELECT i.id FROM item i" + decisionJoin + " WHERE i.approved IS DISTINCT FROM CASE WHEN i.settled_by IS NULL " +
		"AND d.kind IN (1, 2, 6) AND NOT " + rows.Waits + " THEN d.canonical END",
		"URL %d does not name the URL that was approved"},
	{`SELECT i.id FROM item i WHERE i.settled_by IS NOT NULL AND NOT EXISTS (SELECT 1 FROM item y
		WHERE y.id = i.settled_by AND y.id <> i.id AND y.approved = i.original AND y.batch_id = i.batch_id)
		AND NOT EXISTS (SELECT 1 FROM decision d WHERE d.item_id = i.settled_by AND d.item_id <> i.id
		AND d.batch_id = i.batch_id AND d.record_id IS NOT NULL AND d.canonical = i.original)`,
		"URL %d is settled by an approval that is not there"},
	{`SELECT i.id FROM item i WHERE i.notes <> (SELECT count(*) FROM note n JOIN batch b ON b.id = n.batch_id
		WHERE n.item_id = i.id AND b.undone_seq = 0)`, "URL %d counts its notes wrongly"},
	{`SELECT o.id FROM override o WHERE NOT EXISTS (SELECT 1 FROM log l JOIN batch_rule r ON r.batch_id = l.batch_id
		WHERE l.action <> 'propose' AND l.batch_id = o.batch_id AND l.reviewer = o.reviewer AND l.at = o.at
		AND r.after = o.rule)`, "no log entry made override %d as it is"},
	{`WITH placed AS (SELECT o.item_id, r.file_id, p.field_id FROM occurrence o JOIN record r ON r.id = o.record_id
		JOIN place p ON p.id = o.place_id WHERE o.gone = 0),
		held AS (SELECT i.id, m.file_id, m.field_id FROM item i JOIN place_set_member m ON m.set_id = i.place_set_id)
		SELECT item_id FROM (SELECT * FROM placed EXCEPT SELECT * FROM held) more
		UNION SELECT id FROM (SELECT * FROM held EXCEPT SELECT * FROM placed) less`,
		"URL %d does not name the files and fields that cite it"},
	{`SELECT s.id FROM place_set s WHERE s.members <> (SELECT coalesce(string_agg(m.file_id || ':' || m.field_id, ' '
		ORDER BY m.file_id, m.field_id), '') FROM place_set_member m WHERE m.set_id = s.id)::bytea`,
		"place set %d has other members than its text"},
	{"SELECT host_id FROM (SELECT " + countNames + ", n FROM item_count WHERE host_id > 0 UNION ALL SELECT " +
		countNames + ", -count(*) FROM item GROUP BY " + countNames + ") t GROUP BY " + countNames +
		" HAVING sum(n) <> 0", "the counts of host %d are wrong"},
	{"SELECT status FROM (SELECT " + countColumnsOnAll + ", CASE host_id WHEN 0 THEN n ELSE -n END AS n, " +
		"host_id = 0 AND in_host_id <> 0 AS stray FROM item_count) t GROUP BY " + countColumnsOnAll +
		" HAVING sum(n) <> 0 OR bool_or(stray)", "the counts of all URLs of status %d are wrong"},
}

const countColumnsOnAll = "place_set_id, verdict, status, open, was_open, flags"

// tables checks the rows against each other.
func (c *checker) tables() error {
	for _, check := range stateChecks {
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
