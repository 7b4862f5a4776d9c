package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"sync"
	"testing"
)

// Asked calls fn and returns the plan of each query that fn asks of the reading connections.
func Asked(t *testing.T, s *Store, fn func()) []AskedQuery {
	t.Helper()
	return recorded(t, &s.read.DB, s.readerDSN(pragma("query_only(1)")), fn)
}

// AskedToWrite is Asked for the writing connection, including background work.
func AskedToWrite(t *testing.T, s *Store, fn func()) []AskedQuery {
	t.Helper()
	s.background.Wait()
	kept := s.write.kept
	s.write.kept = &sync.Map{} // the kept ones belong to the real connection
	defer func() { s.write.kept = kept }()
	return recorded(t, &s.write.DB, writerDSN(s.Path(), "mode=rw"), func() {
		fn()
		s.background.Wait()
	})
}

// recorded replaces a pool by a recording one while fn runs, and returns its queries.
func recorded(t *testing.T, db **sql.DB, dsn string, fn func()) (list []AskedQuery) {
	t.Helper()
	r := &recorder{driver: (*db).Driver(), dsn: dsn}
	real, recording := *db, sql.OpenDB(r)
	*db = recording
	fn()
	*db = real
	recording.Close()
	for _, q := range r.asked {
		list = append(list, AskedQuery{q.query, plan(t, real, q.query, q.args)})
	}
	return list
}

// AskedQuery is a query with its plan, a step a line.
type AskedQuery struct {
	Query string
	Plan  []string
}

// recorder makes connections that note their queries.
type recorder struct {
	driver driver.Driver
	dsn    string
	asked  []question
}

type question struct {
	query string
	args  []any
}

func (r *recorder) Connect(context.Context) (driver.Conn, error) {
	c, err := r.driver.Open(r.dsn)
	return &recordingConn{c, r}, err
}

func (r *recorder) Driver() driver.Driver { return r.driver }

type recordingConn struct {
	driver.Conn
	recorder *recorder
}

func (c *recordingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	c.recorder.note(query, args)
	return c.Conn.(driver.QueryerContext).QueryContext(ctx, query, args)
}

func (c *recordingConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	st, err := c.Conn.(driver.ConnPrepareContext).PrepareContext(ctx, query)
	return &recordingStmt{st, query, c.recorder}, err
}

func (c *recordingConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	return c.Conn.(driver.ConnBeginTx).BeginTx(ctx, opts)
}

type recordingStmt struct {
	driver.Stmt
	query    string
	recorder *recorder
}

func (s *recordingStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	s.recorder.note(s.query, args)
	return s.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
}

func (s *recordingStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	s.recorder.note(s.query, args)
	return s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
}

// note notes a query.
func (r *recorder) note(query string, args []driver.NamedValue) {
	list := make([]any, len(args))
	for i, a := range args {
		list[i] = a.Value
	}
	r.asked = append(r.asked, question{query, list})
}
