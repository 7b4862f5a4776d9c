package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"time"

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
		conn, err := r.Acquire(ctx)
		if err != nil {
			return nil, err
		}
		if err = fn(conn); err == nil {
			return conn, nil
		}
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

// settled asks the server by the number of a transaction what became of it. lost is the error of its commit; settled
// returns it if the transaction was rolled back, nil if it was committed. Error: ErrUnknown.
func (s *Store) settled(ctx context.Context, xid string, lost error) error {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	for {
		var status string
		err := get(ctx, s.read, "SELECT coalesce(pg_xact_status(convert_from(?, 'UTF8')::xid8), 'forgotten')::bytea",
			[]any{xid}, &status)
		switch {
		case err == nil && status == "committed":
			return nil
		case err == nil && status == "aborted":
			return lost
		case err == nil && status == "in progress":
			s.endTransaction(ctx, xid)
		case err == nil:
			return explained{ErrUnknown, lost}
		}
		select {
		case <-ctx.Done():
			return explained{ErrUnknown, lost}
		case <-time.After(settlePoll):
		}
	}
}

// endTransaction ends a transaction for which the server waits on the broken connection. If that fails settled asks
// again.
func (s *Store) endTransaction(ctx context.Context, xid string) {
	var n int
	get(ctx, s.read, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
		WHERE backend_xid = (convert_from(?, 'UTF8')::xid8)::xid`, []any{xid}, &n)
}
