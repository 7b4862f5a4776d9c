package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"visto/review"
	"visto/store/rows"
)

// updater runs the transactions that write.
type updater struct {
	read     *reader // also for the methods of Store that call nobody back
	now      func() time.Time
	readOnly bool
	large    int // the number of items from which on a change is large
	listener listener
}

// tx is a transaction that writes. Statements without a result wait, and go to the server together with the next one
// that has a result, or at the end: a server may be 20 ms away.
type tx struct {
	conn    *pgx.Conn
	ctx     context.Context
	updater *updater
	at      time.Time // in whole milliseconds; with a head, when that was read
	waiting *pgx.Batch
	head    head             // of update
	deltas  rows.CountDeltas // added to the counts at the end
	logged  bool             // it appends to the log
	beside  bool             // of updateBeside
	sets    fieldSets
}

// head is what the rows that are numbered or chained go on from. update reads it under the lock of the row of meta, and
// whoever writes such rows keeps it up to date.
type head struct {
	review.Meta        // without PolicyYAML
	lastHash    []byte // of the log; nil: it is empty
	lastBatch   int64  // the newest one
	txNumber
}

// Reads are READ COMMITTED: from the lock on, each statement sees everything that other writers committed.
const (
	lockHead = "SELECT 1 FROM meta FOR UPDATE"
	readHead = `SELECT coalesce(p.name, ''), coalesce(p.digest, ''), m.gen, m.rules_gen, m.hosts_gen,
		coalesce((SELECT max(id) FROM item), 0), coalesce((SELECT max(seq) FROM log), 0),
		(SELECT hash FROM log ORDER BY seq DESC LIMIT 1), coalesce((SELECT max(id) FROM batch), 0),
		` + readNumber + `
		FROM meta m LEFT JOIN policy p ON p.id = m.policy_id`
)

// update runs fn in a transaction that has the lock of the head: no other one writes anything numbered or chained
// meanwhile, and no large change is written (large.go). If fn fails nothing is written.
func (u *updater) update(ctx context.Context, doing string, fn func(*tx) error) error {
	return u.updateAsking(ctx, doing, func(*tx) {}, fn)
}

// updateAsking is update for an fn that needs what ask asks (tx.ask): the answers come with the head.
func (u *updater) updateAsking(ctx context.Context, doing string, ask func(*tx), fn func(*tx) error) error {
	return u.transact(ctx, doing, func(t *tx) error {
		t.Exec(waitLarge)
		return t.lockHead(ask)
	}, fn)
}

// updateBeside is updateAsking while a large change may be written. It fails if that has written the same rows
// (isBehindLarge).
func (u *updater) updateBeside(ctx context.Context, doing string, ask func(*tx), fn func(*tx) error) error {
	return u.transact(ctx, doing, func(t *tx) error {
		t.beside = true
		return t.lockHead(func(t *tx) {
			t.Exec(yieldToLarge)
			ask(t)
		})
	}, fn)
}

// lockHead locks the head and reads it, and the clock.
func (t *tx) lockHead(ask func(*tx)) error {
	t.Exec(lockHead)
	ask(t)
	err := t.readHead()
	t.readClock()
	return err
}

func (t *tx) readHead() error {
	h := &t.head
	return t.Get(readHead, nil, &h.PolicyID, &h.PolicyDigest, &h.Gen, &h.RulesGen, &h.HostsGen, &h.LastID,
		&h.LastSeq, &h.lastHash, &h.lastBatch, &h.xid, &h.run)
}

// Now returns the time of the transaction.
func (t *tx) Now() time.Time { return t.at }

func (t *tx) readClock() { t.at = time.UnixMilli(t.updater.now().UnixMilli()).UTC() }

// updateUnlocked is update for rows that are neither numbered nor chained: it waits for no other writer. The
// transaction has no head but its number.
func (u *updater) updateUnlocked(ctx context.Context, doing string, fn func(*tx) error) error {
	return u.transact(ctx, doing, func(t *tx) error {
		err := t.Get("SELECT "+readNumber, nil, &t.head.xid, &t.head.run)
		t.readClock()
		return err
	}, fn)
}

func (u *updater) transact(ctx context.Context, doing string, lock, fn func(*tx) error) error {
	if u.readOnly {
		return fmt.Errorf("%s: %s: %w", doing, u.read.name, review.ErrReadOnly)
	}
	var t *tx
	conn, err := u.read.acquire(ctx, func(conn *pgxpool.Conn) error {
		t = &tx{conn: conn.Conn(), ctx: ctx, updater: u, waiting: &pgx.Batch{}, deltas: rows.CountDeltas{}}
		t.Exec("begin")
		return lock(t)
	})
	if err != nil {
		return u.read.failed(ctx, doing, err)
	}
	defer conn.Release()
	defer rollback(ctx, conn.Conn())
	err = rows.InOrder(func() error { return fn(t) }, t.writeCounts, t.commit)
	if err == nil || errors.Is(err, ErrUnknown) { // perhaps it was written
		u.listener.version.Add(1)
	}
	return u.read.failed(ctx, doing, err)
}

// commit tells the other programs, and commits. It does not end with the context: whether the change was written would
// not be known.
func (t *tx) commit() error {
	if err := t.ctx.Err(); err != nil {
		return err
	}
	t.ctx = context.WithoutCancel(t.ctx)
	t.waiting.Queue("SELECT pg_notify($1, $2)", channel, t.updater.listener.token)
	last := ""
	t.waiting.Queue("commit").Exec(func(tag pgconn.CommandTag) error {
		last = tag.String()
		return nil
	})
	err := t.flush()
	if err == nil && last != "COMMIT" {
		err = fmt.Errorf("the server ended the transaction with %s", last)
	}
	if isLost(err) {
		return t.settled(t.ctx, err)
	}
	return err
}

// Exec runs a statement without a result, at the latest at the end of the transaction, where its error comes back too.
func (t *tx) Exec(query string, args ...any) error {
	t.waiting.Queue(numbered(query), bound(args)...)
	if t.waiting.Len() < maxWaiting {
		return nil
	}
	return t.flush()
}

// maxWaiting is the largest number of statements that wait.
const maxWaiting = 1000

// flush runs the statements that wait.
func (t *tx) flush() error {
	if t.waiting.Len() == 0 {
		return nil
	}
	batch := t.waiting
	t.waiting = &pgx.Batch{}
	return t.conn.SendBatch(t.ctx, batch).Close()
}

// fieldSets is queryer's. Others do not see yet what this transaction writes.
func (t *tx) fieldSets() *fieldSets { return &t.sets }

// query is queryer's. It runs the statements that wait before.
func (t *tx) query(ctx context.Context, query string, args []any) (*result, error) {
	var r *result
	t.waiting.Queue(numbered(query), bound(args)...).Query(func(rows pgx.Rows) (err error) {
		r, err = readRows(t.conn, rows, nil)
		return err
	})
	err := t.flush()
	return r, err
}

// ask is each for rows that come with the next statement that has a result, or with flush. fn cannot ask for more.
func (t *tx) ask(query string, args []any, fn func(scan scanner) error) {
	t.waiting.Queue(numbered(query), bound(args)...).Query(func(rows pgx.Rows) error {
		r, err := readRows(t.conn, rows, nil)
		if err != nil {
			return err
		}
		return r.each(t.ctx, fn)
	})
}

// Insert inserts a row; into is the rest of INSERT with the columns.
func (t *tx) Insert(into string, args ...any) error { return t.Exec(insertQuery(into), args...) }

// insertQuery returns the INSERT of a row into the columns in parentheses.
func insertQuery(into string) string {
	return "INSERT " + into + " VALUES " + marks(strings.Count(into, ",")+1)
}

// marks returns n marks for arguments in parentheses.
func marks(n int) string { return "(" + strings.Repeat("?, ", n-1) + "?)" }

// execCount is exec, but at once, and returns the number of rows that the statement changed.
func (t *tx) execCount(query string, args ...any) (n int64, err error) {
	t.waiting.Queue(numbered(query), bound(args)...).Exec(func(tag pgconn.CommandTag) error {
		n = tag.RowsAffected()
		return nil
	})
	return n, t.flush()
}

// Hit runs a statement that must change a row. It fails with missing if it changes none.
func (t *tx) Hit(missing error, query string, args ...any) error {
	n, err := t.execCount(query, args...)
	if err == nil && n == 0 {
		return missing
	}
	return err
}

// Get reads one row. Error: pgx.ErrNoRows.
func (t *tx) Get(query string, args []any, into ...any) error {
	return get(t.ctx, t, query, args, into...)
}

// Each calls fn for every row of a query that has few.
func (t *tx) Each(query string, args []any, fn func(scan scanner) error) error {
	return each(t.ctx, t, query, args, fn)
}

// Equals is the condition that a column of texts equals the next argument. The indexes of texts have their hashes.
func (t *tx) Equals(column string) string { return "sha256(" + column + ") = sha256(?)" }

// NextGen returns the generation that the transaction starts, if it starts one.
func (t *tx) NextGen() (int64, error) { return t.head.Gen + 1, nil }

// Find is Get for a row that may be missing.
func (t *tx) Find(query string, args []any, into ...any) (bool, error) {
	return find(t.ctx, t, query, args, into...)
}

// copyRows adds rows to a table by COPY. row returns the values of row i.
func (t *tx) copyRows(table string, columns []string, n int, row func(i int) []any) error {
	if n == 0 {
		return nil
	}
	if err := t.flush(); err != nil {
		return err
	}
	_, err := t.conn.CopyFrom(t.ctx, pgx.Identifier{table}, columns, pgx.CopyFromSlice(n, func(i int) ([]any, error) {
		return row(i), nil
	}))
	return err
}

// RaiseGen starts a new generation, for the rules, for host evidence, or for neither.
func (t *tx) RaiseGen(rules, hosts bool) error {
	t.head.Gen++
	if rules {
		t.head.RulesGen = t.head.Gen
	}
	if hosts {
		t.head.HostsGen = t.head.Gen
	}
	return t.Exec("UPDATE meta SET gen = ?, rules_gen = ?, hosts_gen = ?", t.head.Gen, t.head.RulesGen, t.head.HostsGen)
}

// AppendEntry numbers and chains the entry and appends it to the log.
func (t *tx) AppendEntry(e *review.Entry) error {
	err := rows.AppendEntry(e, t.head.LastSeq, t.head.lastHash, t.Insert)
	t.head.LastSeq, t.head.lastHash, t.logged = e.Seq, e.Hash[:], true
	return err
}
