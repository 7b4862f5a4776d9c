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

// The reasons for refusing a database file. The error around them names the file.
var (
	ErrMissing   = errors.New("there is no database yet")
	ErrDirectory = errors.New("it is a directory")
	ErrNotFile   = errors.New("it is not a regular file")
	ErrNotSQLite = errors.New("it is not a SQLite database, or it is damaged")
	ErrNotOurs   = errors.New("it is a SQLite database of another program")
	ErrNewer     = errors.New("it was written by a newer visto; nothing was changed")
	ErrTooOld    = errors.New("it was made by a development version of visto that this program no longer reads; " +
		"nothing was changed")
	ErrOlder = errors.New("its schema is of an older visto, and it may not be written to bring it up to date")
	// ErrLogMismatch is returned before anything is written (guard.go).
	ErrLogMismatch = errors.New("its write-ahead log (the -wal file) belongs to another file or is damaged; nothing " +
		"was changed")
	ErrExists   = errors.New("the file is there already")
	ErrSameFile = errors.New("that file belongs to the database itself")
)

// known maps SQLite's primary result codes to errors in plain words.
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
	if e, ok := errors.AsType[*driver.Error](err); ok {
		return e.Code()
	}
	return 0
}

// explain replaces an error of SQLite by one in plain words, which still wraps it.
func explain(ctx context.Context, err error) error {
	_, done := errors.AsType[explained](err)
	switch c := code(err); {
	case done:
		return err
	case errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil: // ctx ended and the transaction was rolled back
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

// explained reads as its meaning and wraps the original error too.
type explained struct{ means, was error }

func (e explained) Error() string   { return e.means.Error() }
func (e explained) Unwrap() []error { return []error{e.means, e.was} }

// failed wraps an error of an operation on the store with the file's name, because a person may have several.
// ErrNotFound is returned as it is: the caller knows the name of the missing thing.
func (r *reader) failed(ctx context.Context, doing string, err error) error {
	if err == nil || err == review.ErrNotFound {
		return err
	}
	if caller, ok := errors.AsType[callerError](err); ok {
		return caller.error
	}
	err = explain(ctx, err)
	if _, ok := err.(explained); ok {
		doing += ": " + r.path
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// callerError is an error of a function that the caller passed in: failed returns the error inside as it is.
type callerError struct{ error }

func own(err error) error {
	if err == nil {
		return nil
	}
	return callerError{err}
}
