package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"time"

	"visto/store/rows"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Errors of a connection that broke.
var (
	ErrLost    = errors.New("the connection to the server broke")
	ErrUnknown = errors.New("the connection to the server broke, and it does not tell whether the change was written")
)

// isLost reports whether the error is that of a connection that broke, or whose server stops.
func isLost(err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return known[e.Code] == ErrLost
	}
	_, isNet := errors.AsType[net.Error](err)
	return isNet || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, pgconn.ErrConnClosed)
}

// acquire returns a connection on which fn has run. If the connection turns out to be broken it runs fn on a new one:
// after a restart of the server all kept connections are. fn must do nothing that may not be done twice.
func (r *reader) acquire(ctx context.Context, fn func(*pgxpool.Conn) error) (*pgxpool.Conn, error) {
	for again := false; ; again = true {
		r.awaitEnding(ctx)
		conn, err := r.Acquire(ctx)
		if err != nil {
			return nil, err
		}
		if err = fn(conn); err == nil {
			return conn, nil
		}
		rollback(ctx, conn.Conn())
		conn.Release()
		if again || ctx.Err() != nil || !isLost(err) {
			return nil, err
		}
		r.Reset()
	}
}

// settleTime is how long a store asks what became of a transaction whose connection broke during the commit, and
// settlePoll how long it waits between two questions.
const (
	settleTime = 30 * time.Second
	settlePoll = 100 * time.Millisecond
)

// settled asks the server what became of a transaction whose commit failed with lost. It returns lost if nothing was
// written, nil if everything was. Error: ErrUnknown.
func (t *tx) settled(ctx context.Context, lost error) error {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	for {
		status, err := t.status(ctx)
		switch {
		case err == nil && status == "committed":
			return nil
		case err == nil && status == "aborted":
			return lost
		case err == nil && status == "in progress":
			endTransaction(ctx, t.updater.read, t.head.xid)
		case err == nil:
			return rows.Explain(ErrUnknown, lost)
		}
		select {
		case <-ctx.Done():
			return rows.Explain(ErrUnknown, lost)
		case <-time.After(settlePoll):
		}
	}
}

// txNumber names a transaction: a server that crashed gives the number of one that wrote nothing to another one.
type txNumber struct {
	xid string
	run string // of the server, from its start or the repair after a crash
}

// readNumber are the columns of a number.
const (
	readNumber = "pg_current_xact_id()::text::bytea, " + serverRun
	serverRun  = "concat(pg_postmaster_start_time(), ' ', pg_stat_get_bgwriter_stat_reset_time())::bytea"
)

// status asks the server whether the transaction is committed, aborted, in progress or forgotten. After a crash another
// transaction may have its number, or none has it yet: then the log lacks the entry. Of a transaction without an entry
// nobody can tell then whether it was committed.
func (t *tx) status(ctx context.Context) (status string, err error) {
	var inRun, found bool
	err = get(ctx, t.updater.read, `SELECT coalesce(pg_xact_status(convert_from(?, 'UTF8')::xid8), 'forgotten')::bytea,
		`+serverRun+` = ?, EXISTS (SELECT 1 FROM log WHERE seq = ? AND hash = ?)`,
		[]any{t.head.xid, t.head.run, t.head.LastSeq, t.head.lastHash}, &status, &inRun, &found)
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == inFuture {
		return "aborted", nil
	}
	switch {
	case status == "in progress" && !inRun, status == "committed" && t.logged && !found:
		return "aborted", err
	case status == "committed" && !t.logged && !inRun:
		return "forgotten", err
	}
	return status, err
}

// inFuture is the code of the error for a number that no transaction has yet.
const inFuture = "22023"

// endTransaction ends a transaction for which the server waits on the broken connection. If that fails settled asks
// again.
func endTransaction(ctx context.Context, q queryer, xid string) {
	var n int
	get(ctx, q, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
		WHERE backend_xid = (convert_from(?, 'UTF8')::xid8)::xid`, []any{xid}, &n)
}
