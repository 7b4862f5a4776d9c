package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"visto/review"
	"visto/store/rows"
)

// queryer reads: a pool, a connection or a transaction.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// reader has the connections that read, several of which may be in use.
type reader struct {
	*sql.DB // they cannot write
	place
	unshared bool      // they take no notice of other programs, and leave none
	watch    *sql.Conn // one of them, for Version alone: data_version reports the writes of all other connections
}

// writeConn is the one connection that writes. It shares the file with other programs (large_writers.go).
type writeConn struct {
	*sql.DB           // nil: the store is read-only
	reason      error // why it is: review.ErrReadOnly or review.ErrFull
	read        *reader
	now         func() time.Time
	background  *background
	checkpoints *checkpoints
	lock        *writeLock
	names       atomic.Pointer[knownNames] // of the last addition
	load        *load                      // of items into a new database; only used in a transaction
	maxWait     time.Duration              // how long to wait for other writers
	kept        *sync.Map                  // the prepared statements by query
	widened     sync.Once                  // the connection has the larger cache

	maxItems    int           // the most items of a chunk
	version     int64         // data_version of the file when this connection last looked
	othersWrote time.Time     // when version last changed
	idleAfter   time.Duration // other programs count as idle after this long without a write
	between     func()        // if not nil, called after each chunk, and around the coming into force of a large change

	rules atomic.Pointer[rulesReader]
}

// rulesReader reads the rules in force.
type rulesReader func(context.Context) (review.Computing, error)

func (c *writeConn) readRules(ctx context.Context) (review.Computing, error) {
	return (*c.rules.Load())(ctx)
}

// tx is a transaction that writes. It keeps the statements that it has prepared.
type tx struct {
	*sql.Tx
	ctx context.Context
	// ctx without cancellation: the driver starts a goroutine for each statement with one
	bare            context.Context
	maxItems, items int         // of a chunk: the limit and the number so far
	inBudget        func() bool // of a chunk: whether others can wait for more of it
	at              time.Time   // the start, in whole milliseconds
	stmts           map[string]*sql.Stmt
	kept            *sync.Map        // prepared by earlier transactions
	deltas          rows.CountDeltas // added to the counts at the end
	anyPending      bool             // some item was pending at the start
	following       int64            // the item that is being brought up to date
	pended          int              // the number of items that became pending, less those that are no longer
	rules           rulesReader
}

// update runs fn in an interactive transaction and sets its time. If fn fails nothing is written.
func (c *writeConn) update(ctx context.Context, doing string, fn func(*tx) error) error {
	return c.transact(ctx, doing, c.beginInteractive, func(t *tx) error {
		t.readClock(c.now)
		return fn(t)
	})
}

// Now returns the time of the transaction.
func (t *tx) Now() time.Time { return t.at }

// readClock sets the time of the transaction.
func (t *tx) readClock(now func() time.Time) { t.at = time.UnixMilli(now().UnixMilli()).UTC() }

// run runs one statement as an interactive transaction.
func (c *writeConn) run(ctx context.Context, doing, query string, args ...any) error {
	return c.update(ctx, doing, func(t *tx) error { return t.Exec(query, args...) })
}

// transact runs fn in a transaction that begin starts.
func (c *writeConn) transact(ctx context.Context, doing string, begin func(context.Context) (*sql.Tx, error),
	fn func(*tx) error) error {
	if c.DB == nil {
		return fmt.Errorf("%s: %s: %w", doing, c.read.path, c.reason)
	}
	sqlTx, err := begin(ctx)
	if err != nil {
		return c.read.failed(ctx, doing, err)
	}
	defer sqlTx.Rollback()
	t := &tx{Tx: sqlTx, ctx: ctx, bare: context.WithoutCancel(ctx), maxItems: c.maxItems,
		stmts: map[string]*sql.Stmt{}, kept: c.kept, deltas: rows.CountDeltas{}, rules: c.readRules}
	err = rows.InOrder(func() error { return t.Get("SELECT EXISTS (SELECT 1 FROM pending)", nil, &t.anyPending) },
		func() error { return fn(t) }, t.writeCounts, t.writeWork, c.read.check, sqlTx.Commit)
	if err != nil {
		return c.read.failed(ctx, doing, err)
	}
	c.checkpoints.later()
	c.keep(t.stmts)
	return nil
}

// keep prepares the queries of a transaction for later ones, in the background: the connection may be in use again.
// A decision needs some thirty, and preparing them was a third of its work.
func (c *writeConn) keep(used map[string]*sql.Stmt) {
	var queries []string
	for query := range used {
		if _, ok := c.kept.Load(query); !ok {
			queries = append(queries, query)
		}
	}
	if len(queries) == 0 {
		return
	}
	c.background.Go(func() {
		for _, query := range queries {
			st, err := c.PrepareContext(c.background.ctx, query)
			if err != nil {
				return // the next user prepares it, and gets the error
			}
			if _, ok := c.kept.LoadOrStore(query, st); ok {
				st.Close()
			}
		}
	})
}

func (t *tx) prepare(query string) (*sql.Stmt, error) {
	if err := t.ctx.Err(); err != nil {
		return nil, err
	}
	if st := t.stmts[query]; st != nil {
		return st, nil
	}
	if kept, ok := t.kept.Load(query); ok {
		t.stmts[query] = t.StmtContext(t.bare, kept.(*sql.Stmt))
		return t.stmts[query], nil
	}
	st, err := t.PrepareContext(t.bare, query)
	if err == nil {
		t.stmts[query] = st
	}
	return st, err
}

// Exec runs a statement that is prepared once a transaction.
func (t *tx) Exec(query string, args ...any) error {
	st, err := t.prepare(query)
	if err == nil {
		_, err = st.ExecContext(t.bare, args...)
	}
	return err
}

// Insert inserts a row; into is the rest of INSERT with the columns.
func (t *tx) Insert(into string, args ...any) error {
	return t.Exec(insertQuery(into), args...)
}

// rowsAtOnce is the number of rows that an insertion writes with one statement: running one costs as much as several
// rows.
const rowsAtOnce = 16

// insertion collects rows for an INSERT.
type insertion struct {
	into string // the rest of INSERT with the columns
	or   string // the ON CONFLICT clause, if there is one
	rows int
	args []any
}

// add adds a row, and reports whether it is time to write the rows.
func (ins *insertion) add(args ...any) (full bool) {
	ins.args, ins.rows = append(ins.args, args...), ins.rows+1
	return ins.rows >= rowsAtOnce
}

// write writes the rows.
func (ins *insertion) write(t *tx) error {
	_, err := ins.count(t)
	return err
}

// count writes the rows, and returns how many there were not yet.
func (ins *insertion) count(t *tx) (int64, error) {
	if ins.rows == 0 {
		return 0, nil
	}
	more := strings.Repeat(", "+marks(len(ins.args)/ins.rows), ins.rows-1)
	n, err := t.execCount(insertQuery(ins.into)+more+ins.or, ins.args...)
	ins.rows, ins.args = 0, ins.args[:0]
	return n, err
}

// insertNew inserts a row, and returns its ID. It is 0 if query has it that such a row is there.
func (t *tx) insertNew(query string, args ...any) (id int64, err error) {
	st, err := t.prepare(query)
	if err != nil {
		return 0, err
	}
	res, err := st.ExecContext(t.bare, args...)
	if err != nil {
		return 0, err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return 0, err
	}
	return res.LastInsertId()
}

// insertQuery returns the INSERT of a row into the columns in parentheses.
func insertQuery(into string) string {
	return "INSERT " + into + " VALUES " + marks(strings.Count(into, ",")+1)
}

// execCount is exec, and returns the number of rows that the statement changed.
func (t *tx) execCount(query string, args ...any) (int64, error) {
	st, err := t.prepare(query)
	if err != nil {
		return 0, err
	}
	res, err := st.ExecContext(t.bare, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// Hit runs a statement that must change a row. It fails with missing if it changes none.
func (t *tx) Hit(missing error, query string, args ...any) error {
	n, err := t.execCount(query, args...)
	if err == nil && n == 0 {
		return missing
	}
	return err
}

// Get reads one row with a statement that is prepared once a transaction.
func (t *tx) Get(query string, args []any, into ...any) error {
	st, err := t.prepare(query)
	if err != nil {
		return err
	}
	return st.QueryRowContext(t.bare, args...).Scan(into...)
}

// prepared is a queryer that prepares each query once a transaction.
type prepared struct{ *tx }

// QueryContext is queryer's.
func (p prepared) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	st, err := p.prepare(query)
	if err != nil {
		return nil, err
	}
	return st.QueryContext(ctx, args...)
}

// Each calls fn for every row of a query that is prepared once a transaction.
func (t *tx) Each(query string, args []any, fn func(scan scanner) error) error {
	return each(t.bare, prepared{t}, query, args, fn)
}

// Equals is the condition that a column equals the next argument.
func (t *tx) Equals(column string) string { return column + " = ?" }

// NextGen returns the generation that the transaction starts, if it starts one.
func (t *tx) NextGen() (gen int64, err error) {
	err = t.Get("SELECT gen + 1 FROM meta", nil, &gen)
	return gen, err
}

// Find is Get for a row that may be missing.
func (t *tx) Find(query string, args []any, into ...any) (bool, error) {
	return rows.IsFound(t.Get(query, args, into...))
}

// dataVersion changes with every write of another connection than q's.
func dataVersion(ctx context.Context, q queryer) (v int64, err error) {
	err = q.QueryRowContext(ctx, "PRAGMA data_version").Scan(&v)
	return v, err
}

// limit returns the LIMIT of a query. SQLite prepares a query with a bound LIMIT again when it runs, which takes more
// time than reading a page of URLs.
func limit(n int) string { return " LIMIT " + strconv.Itoa(n) }

// scanner reads the columns of a row.
type scanner = rows.Scan

// each calls fn for every row of the query.
func each(ctx context.Context, q queryer, query string, args []any, fn func(scan scanner) error) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(rows.Scan); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err // the rows would end later
		}
	}
	return rows.Err()
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

// snapshot runs fn in a transaction that reads: all of its queries see one state.
func (r *reader) snapshot(ctx context.Context, doing string, fn func(queryer) error) error {
	sqlTx, err := r.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return r.failed(ctx, doing, err)
	}
	defer sqlTx.Rollback()
	return r.failed(ctx, doing, fn(sqlTx))
}

// readNow returns the result of fn in a snapshot.
func readNow[T any](ctx context.Context, r *reader, doing string, fn func(queryer) (T, error)) (out T, err error) {
	err = r.snapshot(ctx, doing, func(q queryer) (err error) {
		out, err = fn(q)
		return err
	})
	return out, err
}

// collectNow is collect in a snapshot.
func collectNow[T any](ctx context.Context, r *reader, doing, query string, args []any,
	read func(row *T, scan scanner) error) ([]T, error) {
	return readNow(ctx, r, doing, func(q queryer) ([]T, error) { return collect(ctx, q, query, args, read) })
}

// listOf is collect for one query that needs no snapshot.
func listOf[T any](ctx context.Context, r *reader, doing, query string, args []any,
	read func(row *T, scan scanner) error) ([]T, error) {
	rows, err := collect(ctx, r, query, args, read)
	return rows, r.failed(ctx, doing, err)
}
