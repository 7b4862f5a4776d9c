package postgres

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"visto/store/rows"
)

// Statements have a ? for each argument, or ?1 for the first one, as those of store/sqlite.

// numbered returns a statement with its arguments as PostgreSQL has them.
func numbered(query string) string {
	if !strings.Contains(query, "?") {
		return query
	}
	var b strings.Builder
	b.Grow(len(query) + 8)
	next := 0
	for i := 0; i < len(query); i++ {
		if query[i] != '?' {
			b.WriteByte(query[i])
			continue
		}
		b.WriteByte('$')
		if i+1 == len(query) || query[i+1] < '0' || query[i+1] > '9' {
			next++
			b.WriteString(strconv.Itoa(next))
		}
	}
	return b.String()
}

// queryer reads: a pool, a snapshot or a transaction that writes.
type queryer interface {
	// query returns all rows of a query.
	query(ctx context.Context, query string, args []any) (*result, error)
	// fieldSets returns the sets of fields that are known already.
	fieldSets() *fieldSets
}

// statement is a query with its arguments.
type statement struct {
	query string
	args  []any
}

// result are the rows of a query as the server sent them. The connection is free for other queries.
type result struct {
	conn   *pgx.Conn
	fields []pgconn.FieldDescription
	rows   [][][]byte
	size   int               // of all values in bytes
	plans  []pgtype.ScanPlan // of the columns; nil before the first row is scanned
}

// scanner reads the columns of a row.
type scanner = rows.Scan

func (r *result) scan(row int) scanner {
	return func(into ...any) error {
		if len(into) != len(r.fields) {
			return fmt.Errorf("%d columns for %d values", len(r.fields), len(into))
		}
		if r.plans == nil { // all rows are scanned into values of the same types
			for i, f := range r.fields {
				r.plans = append(r.plans, r.conn.TypeMap().PlanScan(f.DataTypeOID, f.Format, into[i]))
			}
		}
		for i, plan := range r.plans {
			if err := plan.Scan(r.rows[row][i], into[i]); err != nil {
				return fmt.Errorf("column %s: %w", r.fields[i].Name, err)
			}
		}
		return nil
	}
}

// readRows reads rows to their end. conn only tells how to scan them.
func readRows(conn *pgx.Conn, rows pgx.Rows, err error) (*result, error) {
	if err == nil {
		err = rows.Err() // with one there are no columns
	}
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	r := &result{conn: conn, fields: slices.Clone(rows.FieldDescriptions())} // the driver uses them again
	for rows.Next() {
		raw := rows.RawValues()
		n := 0
		for _, value := range raw {
			n += len(value)
		}
		r.size += n
		bytes, row := make([]byte, 0, n), make([][]byte, len(raw))
		for i, value := range raw {
			if value != nil {
				bytes = append(bytes, value...)
				row[i] = bytes[len(bytes)-len(value):]
			}
		}
		r.rows = append(r.rows, row)
	}
	return r, rows.Err()
}

// reader reads through a pool of connections.
type reader struct {
	*pgxpool.Pool
	name   string // of the database, for messages
	sets   *fieldSets
	ending ending
}

func (r *reader) fieldSets() *fieldSets { return r.sets }

func (r *reader) query(ctx context.Context, query string, args []any) (*result, error) {
	var out *result
	conn, err := r.acquire(ctx, func(conn *pgxpool.Conn) error {
		rows, err := conn.Query(ctx, numbered(query), bound(args)...)
		out, err = readRows(conn.Conn(), rows, err)
		return err
	})
	if err == nil {
		conn.Release()
	}
	return out, err
}

// snapshot is a transaction that reads: all of its queries see one state. It begins with its first query, in one round
// trip to the server.
type snapshot struct {
	*reader
	conn    *pgxpool.Conn // nil before the first query
	before  []string      // statements that go before the next query
	cursors int           // in use
}

func (s *snapshot) query(ctx context.Context, query string, args []any) (*result, error) {
	list, err := s.queries(ctx, statement{query, args})
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// queries returns the rows of several queries, in one round trip.
func (s *snapshot) queries(ctx context.Context, list ...statement) (results []*result, err error) {
	send := func(conn *pgxpool.Conn) error {
		results = results[:0]
		var batch pgx.Batch
		for _, query := range s.before {
			batch.Queue(query)
		}
		for _, st := range list {
			batch.Queue(numbered(st.query), bound(st.args)...).Query(func(rows pgx.Rows) error {
				r, err := readRows(conn.Conn(), rows, nil)
				results = append(results, r)
				return err
			})
		}
		return conn.SendBatch(ctx, &batch).Close()
	}
	if s.conn != nil {
		err = send(s.conn)
	} else {
		s.conn, err = s.acquire(ctx, send)
	}
	s.before = nil
	return results, err
}

// byFilter has the server plan the next queries for their values: a list may have one ID or thousands, and a host one
// URL or a tenth of all.
func (s *snapshot) byFilter() {
	s.before = append(s.before, "set local plan_cache_mode = force_custom_plan")
}

// byKeys has the server plan the rest of the queries once for all values: they find rows by their keys, and planning
// them for each of the first five takes longer than reading. Each join goes through an index: the plan is kept, and a
// table that is almost empty when it is made may grow.
func (s *snapshot) byKeys() {
	s.before = append(s.before, `SELECT set_config('plan_cache_mode', 'force_generic_plan', true),
		set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
		set_config('enable_mergejoin', 'off', true)`)
}

// inFull has the server plan the next queries for tables of any size that are read in full: it joins no row by row,
// which takes forever where the tables have grown since it counted them.
func (s *snapshot) inFull() { s.before = append(s.before, "set local enable_nestloop = off") }

// snapshot runs fn in a transaction that reads.
func (r *reader) snapshot(ctx context.Context, doing string, fn func(*snapshot) error) error {
	s := &snapshot{reader: r, before: []string{"begin isolation level repeatable read read only"}}
	defer s.end(ctx)
	return r.failed(ctx, doing, fn(s))
}

// end gives the connection back, after a panic too: Close waits for it.
func (s *snapshot) end(ctx context.Context) {
	if s.conn == nil {
		return
	}
	s.ending.run(func() { // the caller does not wait for it
		rollback(ctx, s.conn.Conn())
		s.conn.Release()
	})
}

// rollbackTime is how long a connection may take to roll back before it is closed.
const rollbackTime = 5 * time.Second

// rollback ends the transaction of a connection, also if ctx has ended.
func rollback(ctx context.Context, conn *pgx.Conn) {
	if conn.IsClosed() || conn.PgConn().TxStatus() == 'I' {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTime)
	defer cancel()
	if _, err := conn.Exec(ctx, "rollback"); err != nil {
		conn.Close(ctx)
	}
}

// portionSize is about how many bytes of rows stream reads at once, maxPortion the largest number of rows.
const (
	portionSize  = 1 << 20
	maxPortion   = 1024
	firstPortion = 64
)

// stream calls fn for every row of a query that may have very many rows. fn may ask the snapshot for more.
func (s *snapshot) stream(ctx context.Context, query string, args []any, fn func(scan scanner) error) error {
	s.cursors++
	defer func() { s.cursors-- }()
	name := cursorName(query, s.cursors)
	declare := "declare " + name + " no scroll cursor for " + query
	if _, err := s.query(ctx, declare, args); err != nil {
		return err
	}
	for portion := firstPortion; ; {
		r, err := s.query(ctx, "fetch "+strconv.Itoa(portion)+" from "+name, nil)
		if err != nil {
			return err
		}
		if err := r.each(ctx, fn); err != nil {
			return err
		}
		if len(r.rows) < portion {
			_, err := s.query(ctx, "close "+name, nil)
			return err
		}
		switch {
		case 2*r.size < portionSize && portion < maxPortion:
			portion *= 2
		case r.size > portionSize && portion > 1:
			portion /= 2
		}
	}
}

// cursorName returns the name of the cursor of a query. Another query has another name: the driver keeps the columns
// that a FETCH returned.
func cursorName(query string, depth int) string {
	sum := sha256.Sum256([]byte(query))
	return fmt.Sprintf("c%d_%x", depth, sum[:8])
}

func (r *result) each(ctx context.Context, fn func(scan scanner) error) error {
	for i := range r.rows {
		if err := fn(r.scan(i)); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// each calls fn for every row of a query that has few: it reads all of them first. fn may ask q for more.
func each(ctx context.Context, q queryer, query string, args []any, fn func(scan scanner) error) error {
	r, err := q.query(ctx, query, args)
	if err != nil {
		return err
	}
	return r.each(ctx, fn)
}

// get reads one row. Error: pgx.ErrNoRows.
func get(ctx context.Context, q queryer, query string, args []any, into ...any) error {
	r, err := q.query(ctx, query, args)
	if err != nil {
		return err
	}
	if len(r.rows) == 0 {
		return pgx.ErrNoRows
	}
	return r.scan(0)(into...)
}

// find is get for a row that may be missing.
func find(ctx context.Context, q queryer, query string, args []any, into ...any) (bool, error) {
	return rows.IsFound(get(ctx, q, query, args, into...))
}

// eachOf is each of a queryer.
func eachOf(ctx context.Context, q queryer) rows.Each {
	return func(query string, args []any, fn func(scan scanner) error) error {
		return each(ctx, q, query, args, fn)
	}
}

// collect returns the rows of the query, each as read fills it in.
func collect[T any](ctx context.Context, q queryer, query string, args []any,
	read func(row *T, scan scanner) error) ([]T, error) {
	return rows.Collect(eachOf(ctx, q), query, args, read)
}

// column returns the rows of a query for one column.
func column[T any](ctx context.Context, q queryer, query string, args ...any) ([]T, error) {
	return collect(ctx, q, query, args, func(value *T, scan scanner) error { return scan(value) })
}

// streamNow is stream in a snapshot.
func (r *reader) streamNow(ctx context.Context, doing, query string, args []any, fn func(scan scanner) error) error {
	return r.snapshot(ctx, doing, func(q *snapshot) error { return q.stream(ctx, query, args, fn) })
}

// readNow returns the result of fn in a snapshot.
func readNow[T any](ctx context.Context, r *reader, doing string, fn func(*snapshot) (T, error)) (out T, err error) {
	err = r.snapshot(ctx, doing, func(q *snapshot) (err error) {
		out, err = fn(q)
		return err
	})
	return out, err
}

// listOf is collect for one query: it needs no snapshot.
func listOf[T any](ctx context.Context, r *reader, doing, query string, args []any,
	read func(row *T, scan scanner) error) ([]T, error) {
	rows, err := collect(ctx, r, query, args, read)
	return rows, r.failed(ctx, doing, err)
}
