package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"visto/review"
)

// What can be wrong with a database file. The error around it names the file.
var (
	ErrMissing   = errors.New("there is no database yet")
	ErrDirectory = errors.New("it is a directory")
	ErrNotFile   = errors.New("it is not a regular file")
	ErrNotSQLite = errors.New("it is not a SQLite database, or it is damaged")
	ErrNotOurs   = errors.New("it is a SQLite database of another program")
	ErrNewer     = errors.New("it was written by a newer visto; nothing was changed")
	ErrOlder     = errors.New("its schema is of an older visto, and it may not be written to bring it up to date")
	// ErrLogDamaged comes before anything is read or written: with the damaged log in its place nothing more gets lost.
	ErrLogDamaged = errors.New("its write-ahead log is damaged")
	ErrExists     = errors.New("the file is there already")
)

// known maps the result codes of SQLite, without their extension, to errors that say what they mean.
var known = map[int]error{
	lib.SQLITE_FULL:     review.ErrFull,
	lib.SQLITE_IOERR:    review.ErrIO,
	lib.SQLITE_BUSY:     review.ErrLocked,
	lib.SQLITE_LOCKED:   review.ErrLocked,
	lib.SQLITE_PROTOCOL: review.ErrLocked,
	lib.SQLITE_READONLY: review.ErrReadOnly,
	lib.SQLITE_PERM:     review.ErrDenied,
	lib.SQLITE_CANTOPEN: review.ErrDenied,
	lib.SQLITE_NOTADB:   ErrNotSQLite,
	lib.SQLITE_CORRUPT:  review.ErrDamaged,
}

// code returns SQLite's extended result code, 0 for any other error.
func code(err error) int {
	var e *driver.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}

// explain puts the error that says what it means in the place of the one that SQLite gave, which stays wrapped.
func explain(ctx context.Context, err error) error {
	switch c := code(err); {
	case errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil: // it was taken back when ctx ended
		return context.Cause(ctx)
	case c == 0:
		return err
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case c == lib.SQLITE_IOERR_SHMSIZE: // the index of the write-ahead log could not grow
		return explained{review.ErrFull, err}
	case known[c&0xff] != nil:
		return explained{known[c&0xff], err}
	}
	return err
}

// explained reads as what it means and still is what it was.
type explained struct{ means, was error }

func (e explained) Error() string   { return e.means.Error() }
func (e explained) Unwrap() []error { return []error{e.means, e.was} }

// failed wraps an error of an operation on the store. The file's name is part of it, for a person may have several.
// What was not found is for the caller to name, who knows what was asked for.
func (s *Store) failed(ctx context.Context, doing string, err error) error {
	if err == nil || err == review.ErrNotFound {
		return err
	}
	meant := explain(ctx, err)
	if _, ok := meant.(explained); ok {
		return fmt.Errorf("%s: %s: %w", doing, s.path, meant)
	}
	return fmt.Errorf("%s: %w", doing, meant)
}
