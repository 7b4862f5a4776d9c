package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"
	"visto/review"
)

// queryer reads: a pool, a connection or a transaction.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
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
	kept            *statements // prepared by earlier transactions
	deltas          countDeltas // added to the counts at the end
	stagedDeltas    countDeltas // the same for the staged counts
	stage           stage       // the current row
}

// update runs fn in an interactive transaction and sets its time. If fn fails nothing is written.
func (s *Store) update(ctx context.Context, doing string, fn func(*tx) error) error {
	return s.transact(ctx, doing, s.beginInteractive, func(t *tx) error {
		t.at = time.UnixMilli(s.now().UnixMilli()).UTC()
		return fn(t)
	})
}

func (s *Store) transact(ctx context.Context, doing string, begin func(context.Context) (*sql.Tx, error),
	fn func(*tx) error) error {
	if s.readOnly {
		return fmt.Errorf("%s: %s: %w", doing, s.path, review.ErrReadOnly)
	}
	sqlTx, err := begin(ctx)
	if err != nil {
		return s.failed(ctx, doing, err)
	}
	defer sqlTx.Rollback()
	t := &tx{Tx: sqlTx, ctx: ctx, bare: context.WithoutCancel(ctx), maxItems: s.maxItems,
		stmts: map[string]*sql.Stmt{}, kept: s.kept, deltas: countDeltas{}, stagedDeltas: countDeltas{}}
	if t.stage, err = readStage(ctx, sqlTx); err != nil {
		return s.failed(ctx, doing, err)
	}
	if err := fn(t); err != nil {
		return s.failed(ctx, doing, err)
	}
	if err := t.writeCounts(); err != nil {
		return s.failed(ctx, doing, err)
	}
	if err := sqlTx.Commit(); err != nil {
		return s.failed(ctx, doing, err)
	}
	s.checkpointLater()
	s.keep(t.stmts)
	return nil
}

// snapshot runs fn in a transaction that reads: all of its queries see one state.
func (s *Store) snapshot(ctx context.Context, doing string, fn func(queryer) error) error {
	sqlTx, err := s.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return s.failed(ctx, doing, err)
	}
	defer sqlTx.Rollback()
	q, err := overlaid(ctx, sqlTx)
	if err == nil {
		err = fn(q)
	}
	return s.failed(ctx, doing, err)
}

func (t *tx) prepare(query string) (*sql.Stmt, error) {
	if err := t.ctx.Err(); err != nil {
		return nil, err
	}
	if st := t.stmts[query]; st != nil {
		return st, nil
	}
	if kept := t.kept.get(query); kept != nil {
		t.stmts[query] = t.StmtContext(t.bare, kept)
		return t.stmts[query], nil
	}
	st, err := t.PrepareContext(t.bare, query)
	if err == nil {
		t.stmts[query] = st
	}
	return st, err
}

// exec runs a statement that is prepared once a transaction.
func (t *tx) exec(query string, args ...any) (sql.Result, error) {
	st, err := t.prepare(query)
	if err != nil {
		return nil, err
	}
	return st.ExecContext(t.bare, args...)
}

// get reads one row with a statement that is prepared once a transaction.
func (t *tx) get(query string, args []any, into ...any) error {
	st, err := t.prepare(query)
	if err != nil {
		return err
	}
	return st.QueryRowContext(t.bare, args...).Scan(into...)
}

// hit runs a statement that must change a row. It fails with missing if it changes none.
func (t *tx) hit(missing error, query string, args ...any) error {
	res, err := t.exec(query, args...)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return missing
}

// run runs one statement as an interactive transaction.
func (s *Store) run(ctx context.Context, doing, query string, args ...any) error {
	return s.update(ctx, doing, func(t *tx) error {
		_, err := t.exec(query, args...)
		return err
	})
}

// isFound reports whether a row was found: sql.ErrNoRows is no error.
func isFound(err error) (bool, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// find is get for a row that may be missing.
func (t *tx) find(query string, args []any, into ...any) (bool, error) {
	return isFound(t.get(query, args, into...))
}

// scanner reads the columns of a row.
type scanner func(into ...any) error

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

// collect returns the rows of the query, each as read fills it in.
func collect[T any](ctx context.Context, q queryer, query string, args []any,
	read func(row *T, scan scanner) error) (rows []T, err error) {
	err = each(ctx, q, query, args, func(scan scanner) error {
		var row T
		err := read(&row, scan)
		rows = append(rows, row)
		return err
	})
	return rows, err
}

// readNow returns the result of fn in a snapshot.
func readNow[T any](ctx context.Context, s *Store, doing string, fn func(queryer) (T, error)) (out T, err error) {
	err = s.snapshot(ctx, doing, func(q queryer) (err error) {
		out, err = fn(q)
		return err
	})
	return out, err
}

// collectNow is collect in a snapshot.
func collectNow[T any](ctx context.Context, s *Store, doing, query string, args []any,
	read func(row *T, scan scanner) error) ([]T, error) {
	return readNow(ctx, s, doing, func(q queryer) ([]T, error) { return collect(ctx, q, query, args, read) })
}

// column returns the rows of a query for one column.
func column[T any](ctx context.Context, q queryer, query string, args ...any) ([]T, error) {
	return collect(ctx, q, query, args, func(value *T, scan scanner) error { return scan(value) })
}

// eachNow calls fn for every row of the query, in a snapshot.
func (s *Store) eachNow(ctx context.Context, doing, query string, args []any,
	fn func(scan scanner) error) error {
	return s.snapshot(ctx, doing, func(q queryer) error { return each(ctx, q, query, args, fn) })
}

// statements are the prepared statements of the writing connection. A decision needs some thirty, and preparing them
// was a third of its work.
type statements struct {
	mu      sync.Mutex
	byQuery map[string]*sql.Stmt
}

func newStatements() *statements { return &statements{byQuery: map[string]*sql.Stmt{}} }

// get returns the statement for a query, nil if none is kept.
func (k *statements) get(query string) *sql.Stmt {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.byQuery[query]
}

// lacks returns the queries without a kept statement.
func (k *statements) lacks(used map[string]*sql.Stmt) (list []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for query := range used {
		if k.byQuery[query] == nil {
			list = append(list, query)
		}
	}
	return list
}

// keep prepares the queries of a transaction for later ones, in the background: the connection may be in use again.
func (s *Store) keep(used map[string]*sql.Stmt) {
	list := s.kept.lacks(used)
	if len(list) == 0 {
		return
	}
	s.background.Go(func() {
		for _, query := range list {
			st, err := s.write.PrepareContext(s.working, query)
			if err != nil {
				return // the next user prepares it, and gets the error
			}
			s.kept.put(query, st)
		}
	})
}

func (k *statements) put(query string, st *sql.Stmt) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.byQuery[query] != nil {
		st.Close()
		return
	}
	k.byQuery[query] = st
}
