package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"visto/review"
)

// Store is review.Store on a SQLite file. It is safe for concurrent use, by any number of programs.
type Store struct {
	path     string
	write    *sql.DB   // one connection; nil when the store is read-only
	read     *sql.DB   // several, which cannot write
	copier   *sql.DB   // one connection, which copies the write-ahead log into the database; nil when the store is read-only
	watch    *sql.Conn // of read, for Version alone: data_version tells a connection about all others
	now      func() time.Time
	waits    time.Duration // how long to wait for others that write
	queue    *queue        // nil when the store is read-only
	readOnly bool

	upgrading  func(from, to int) // nil: nobody wants to know
	closed     sync.Once
	background sync.WaitGroup  // what goes on after a large change has come to stand
	working    context.Context // of the background
	stop       func()          // ends it
	closing    time.Duration   // for how long Close lets the background go on
	atOnce     int             // the most items that a piece is about that cannot end halfway
	most       int             // the most items that any piece is about
	version    int64           // of the file, when the writing connection last looked
	others     time.Time       // when it was another one than before: other programs had written
	absent     time.Duration   // after how long without a write of theirs nobody else is at work
	patience   time.Duration   // how long a change that is being staged may stand still
	between    func()          // if not nil, called after each piece of a change
	nextLook   atomic.Int64    // at the write-ahead log, in ns since 1970
	kept       *statements     // of the writing connection
	wide       sync.Once       // its cache has been made larger
	stageAll   bool            // stage every change of the rules, and leave it unfolded
}

var _ review.Store = (*Store)(nil)

// ReadOnly reports whether the store was opened read-only, or the file cannot be written.
func (s *Store) ReadOnly() bool { return s.readOnly }

// Path returns the absolute path of the file.
func (s *Store) Path() string { return s.path }

// Close closes the connections, after giving what goes on in the background a moment to come to its end. The last one to close a
// database folds its write-ahead log into the file.
func (s *Store) Close() error {
	s.endBackground()
	var errs []error
	if s.watch != nil {
		errs = append(errs, s.watch.Close())
	}
	if s.read != nil {
		errs = append(errs, s.read.Close())
	}
	if s.copier != nil {
		errs = append(errs, s.copier.Close())
	}
	if s.write != nil {
		errs = append(errs, s.write.Close())
	}
	errs = append(errs, s.queue.close())
	s.closed.Do(func() { release(s.path) })
	return errors.Join(errs...)
}

// closingTime is for how long a program that ends goes on folding and indexing. Nothing is lost if it stops: what stands, stands, and
// whoever changes a rule next, adds URLs or opens the console takes it up again.
const closingTime = time.Second

// endBackground has what goes on in the background come to its end, or else take back the piece that it is at.
func (s *Store) endBackground() {
	late := time.AfterFunc(s.closing, s.stop)
	s.background.Wait()
	late.Stop()
	s.stop()
}

// queryer is what reads: a pool, a connection or a transaction.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// tx is a transaction that writes. It keeps the statements that it has prepared.
type tx struct {
	*sql.Tx
	ctx         context.Context
	bare        context.Context // ctx, but nothing ends it: the driver starts a goroutine for each statement that could be ended
	most, items int             // of a piece: how many items it is about, at the most and so far
	room        func() bool     // of a piece: whether others can wait for more of it
	at          time.Time       // when it began, in whole milliseconds
	stmts       map[string]*sql.Stmt
	kept        *statements // prepared by earlier transactions
	moved       moves       // what to add to the tally at the end
	stagedMoves moves       // the same for what is staged
	stage       stage       // as it is
}

// update runs fn in a transaction that writes, with the time at which it began. If fn fails nothing is written. It comes before
// the pieces of other work.
func (s *Store) update(ctx context.Context, doing string, fn func(*tx) error) error {
	return s.transact(ctx, doing, s.first, func(t *tx) error {
		t.at = time.UnixMilli(s.now().UnixMilli()).UTC()
		return fn(t)
	})
}

func (s *Store) transact(ctx context.Context, doing string, begin func(context.Context) (*sql.Tx, error), fn func(*tx) error) error {
	if s.readOnly {
		return fmt.Errorf("%s: %s: %w", doing, s.path, review.ErrReadOnly)
	}
	sqlTx, err := begin(ctx)
	if err != nil {
		return s.failed(ctx, doing, err)
	}
	defer sqlTx.Rollback()
	t := &tx{Tx: sqlTx, ctx: ctx, bare: context.WithoutCancel(ctx), most: s.most, stmts: map[string]*sql.Stmt{}, kept: s.kept, moved: moves{}, stagedMoves: moves{}}
	if t.stage, err = readStage(ctx, sqlTx); err != nil {
		return s.failed(ctx, doing, err)
	}
	if err := fn(t); err != nil {
		return s.failed(ctx, doing, err)
	}
	if err := t.writeTally(); err != nil {
		return s.failed(ctx, doing, err)
	}
	if err := sqlTx.Commit(); err != nil {
		return s.failed(ctx, doing, err)
	}
	s.tendLog()
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

// find is get for a row that may not be there.
func (t *tx) find(query string, args []any, into ...any) (bool, error) {
	err := t.get(query, args, into...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// each calls fn for every row of the query; scan reads the row's columns.
func each(ctx context.Context, q queryer, query string, args []any, fn func(scan func(...any) error) error) error {
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
			return err // the rows would end some time later
		}
	}
	return rows.Err()
}

// eachNow calls fn for every row of the query, of the state as it is now.
func (s *Store) eachNow(ctx context.Context, doing, query string, args []any, fn func(scan func(...any) error) error) error {
	return s.snapshot(ctx, doing, func(q queryer) error { return each(ctx, q, query, args, fn) })
}

// Meta returns what the store knows of itself.
func (s *Store) Meta(ctx context.Context) (review.Meta, error) {
	m, err := readMeta(ctx, s.read)
	return m, s.failed(ctx, "reading the store's rules", err)
}

func readMeta(ctx context.Context, q queryer) (review.Meta, error) {
	var m review.Meta
	err := q.QueryRowContext(ctx, `SELECT coalesce(p.name, ''), coalesce(p.digest, ''), p.yaml, m.gen, m.rules_gen, m.hosts_gen,
		coalesce((SELECT max(id) FROM item), 0)
		FROM meta m LEFT JOIN policy p ON p.id = m.policy_id`).
		Scan(&m.PolicyID, &m.PolicyDigest, &m.PolicyYAML, &m.Gen, &m.RulesGen, &m.HostsGen, &m.LastID)
	return m, err
}

// Version changes whenever any connection, of this program or another, has written.
func (s *Store) Version(ctx context.Context) (int64, error) {
	var v int64
	err := s.watch.QueryRowContext(ctx, "PRAGMA data_version").Scan(&v)
	return v, s.failed(ctx, "asking whether the store changed", err)
}
