package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"slices"

	"modernc.org/sqlite"
)

// readers makes the connections that read: SQLite's own, with the function matches(pattern, text), each with the
// statements that it prepared last.
type readers struct {
	driver *sqlite.Driver
	dsn    string
	place  *place
}

func newReaders(dsn string, at *place) (*readers, error) {
	r := &readers{driver: &sqlite.Driver{}, dsn: dsn, place: at}
	p := &patterns{}
	return r, errors.Join(r.driver.RegisterDeterministicScalarFunction("matches", 2, p.matches),
		r.driver.RegisterDeterministicScalarFunction("contains", 2, contains))
}

func (r *readers) Driver() driver.Driver { return r.driver }

// Connect opens a connection to the file that the others are open on.
func (r *readers) Connect(ctx context.Context) (driver.Conn, error) {
	if err := errors.Join(ctx.Err(), r.place.check()); err != nil {
		return nil, err
	}
	c, err := r.driver.Open(r.dsn)
	if err != nil {
		return nil, err
	}
	own, ok := c.(sqliteConn)
	if !ok {
		return nil, errors.Join(errors.New("the driver of SQLite lacks a method"), c.Close())
	}
	return &readConn{sqliteConn: own}, nil
}

// sqliteConn has the methods of SQLite's connections that database/sql uses to read.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.Pinger
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
}

// maxStatements is the number of statements that a connection keeps. Those of the console's keys are fewer.
const maxStatements = 64

// readConn is a connection that keeps the statements of its last queries. To prepare one takes longer than to run it.
type readConn struct {
	sqliteConn
	kept []*statement // the last used one at the end
}

// statement is a prepared query.
type statement struct {
	driver.StmtQueryContext
	stmt  driver.Stmt
	query string
	inUse bool // until its rows are closed
}

// QueryContext is driver.QueryerContext's.
func (c *readConn) QueryContext(
	ctx context.Context, query string, args []driver.NamedValue,
) (driver.Rows, error) {
	st, err := c.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	if st == nil {
		return c.sqliteConn.QueryContext(ctx, query, args)
	}
	rows, err := st.QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	st.inUse = true
	return &statementRows{rows, st}, nil
}

// statement returns the statement of a query, nil if it is in use: a statement has one set of rows at a time.
func (c *readConn) statement(ctx context.Context, query string) (*statement, error) {
	i := slices.IndexFunc(c.kept, func(st *statement) bool { return st.query == query })
	if i >= 0 {
		st := c.kept[i]
		if st.inUse {
			return nil, nil
		}
		c.kept = append(slices.Delete(c.kept, i, i+1), st)
		return st, nil
	}
	if err := c.makeRoom(); err != nil {
		return nil, err
	}
	stmt, err := c.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	st := &statement{stmt.(driver.StmtQueryContext), stmt, query, false}
	c.kept = append(c.kept, st)
	return st, nil
}

// makeRoom closes the statement that was not in use for longest.
func (c *readConn) makeRoom() error {
	if len(c.kept) < maxStatements {
		return nil
	}
	i := slices.IndexFunc(c.kept, func(st *statement) bool { return !st.inUse })
	if i < 0 {
		return nil
	}
	st := c.kept[i]
	c.kept = slices.Delete(c.kept, i, i+1)
	return st.stmt.Close()
}

// Close is driver.Conn's.
func (c *readConn) Close() error {
	var errs []error
	for _, st := range c.kept {
		errs = append(errs, st.stmt.Close())
	}
	return errors.Join(append(errs, c.sqliteConn.Close())...)
}

// statementRows are the rows of a statement, which can be used again once they are closed.
type statementRows struct {
	driver.Rows
	of *statement
}

// Close is driver.Rows'.
func (r *statementRows) Close() error {
	r.of.inUse = false
	return r.Rows.Close()
}
