package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"testing"
)

// Asked calls fn and returns the plan of each query that the store asks meanwhile of a connection that reads, as it asks it.
func Asked(t *testing.T, s *Store, fn func()) []AskedQuery {
	t.Helper()
	r := &recorder{driver: s.read.Driver(), dsn: s.readerDSN(pragma("query_only(1)"))}
	real, recording := s.read, sql.OpenDB(r)
	s.read = recording
	fn()
	s.read = real
	recording.Close()
	var list []AskedQuery
	for _, q := range r.asked {
		list = append(list, AskedQuery{q.query, plan(t, s, q.query, q.args)})
	}
	return list
}

// AskedQuery is a query with its plan, a step a line.
type AskedQuery struct {
	Query string
	Plan  []string
}

// A recorder makes connections that note what is asked of them.
type recorder struct {
	driver driver.Driver
	dsn    string
	asked  []recorded
}

type recorded struct {
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
	list := make([]any, len(args))
	for i, a := range args {
		list[i] = a.Value
	}
	c.recorder.asked = append(c.recorder.asked, recorded{query, list})
	return c.Conn.(driver.QueryerContext).QueryContext(ctx, query, args)
}

func (c *recordingConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	return c.Conn.(driver.ConnBeginTx).BeginTx(ctx, opts)
}
