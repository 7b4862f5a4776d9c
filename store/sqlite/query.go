package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"visto/store/rows"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// ErrWrites is Query's error for a statement that is no query.
var ErrWrites = errors.New("the query is not one that only reads")

// reading matches the start of a statement that returns rows, after spaces and comments. It only gives an early and
// clear error: the modes in which the file is opened protect it.
var reading = regexp.MustCompile(`(?is)^(\s|--[^\n]*\n|/\*.*?\*/)*(SELECT|WITH|VALUES)\b`)

// Query runs a query on any SQLite file, without changing it, and calls yield for every row, with the names of the
// columns and the values as text. The first row is 1. NULL is the empty text. The slices are reused for the next row.
func Query(ctx context.Context, path, query string, yield func(cols, vals []string, row int) error) error {
	var stopped error
	err := queryFile(ctx, path, query, func(cols, vals []string, row int) error {
		stopped = yield(cols, vals, row)
		return stopped
	})
	if err == nil || stopped != nil {
		return stopped
	}
	switch code(err) & 0xff {
	case lib.SQLITE_READONLY, lib.SQLITE_AUTH: // the fault of the statement, not of the file
		err = rows.Explain(ErrWrites, err)
	}
	return fmt.Errorf("querying %s: %w", path, explain(ctx, err))
}

func queryFile(ctx context.Context, path, query string, yield func(cols, vals []string, row int) error) error {
	abs, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if err := statFile(abs, false); err != nil {
		return err
	}
	if !reading.MatchString(query) {
		return ErrWrites
	}
	params := []string{pragma("query_only(1)"), pragma("trusted_schema(0)")}
	if atRest(ctx, abs) {
		params = append(params, "immutable=1")
	}
	return withConn(ctx, readDSN(abs, true, params...), func(conn *sql.Conn) error {
		if _, err := readState(ctx, conn); err != nil {
			return unreadable(err)
		}
		// ATTACH would make other files
		if _, err := driver.Limit(conn, lib.SQLITE_LIMIT_ATTACHED, 0); err != nil {
			return err
		}
		rows, err := conn.QueryContext(ctx, query)
		if err != nil {
			return err
		}
		defer rows.Close()
		return eachRow(rows, yield)
	})
}

// atRest reports whether the file is in WAL mode and nobody has it open. SQLite would make files beside it, and leave
// them there.
func atRest(ctx context.Context, path string) bool {
	if _, err := os.Stat(path + "-wal"); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	walMode := false
	err := withConn(ctx, dsn(path, "mode=ro", "immutable=1"), func(q *sql.Conn) error {
		walMode = readGlimpse(ctx, q).walMode
		return nil
	})
	return err == nil && walMode
}

func eachRow(rows *sql.Rows, yield func(cols, vals []string, row int) error) error {
	cols, err := rows.Columns()
	if err != nil {
		return err
	}
	raw := make([]sql.NullString, len(cols))
	into := make([]any, len(cols))
	for i := range raw {
		into[i] = &raw[i]
	}
	vals := make([]string, len(cols))
	for row := 1; rows.Next(); row++ {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i, v := range raw {
			vals[i] = v.String
		}
		if err := yield(cols, vals, row); err != nil {
			return err
		}
	}
	return rows.Err()
}
