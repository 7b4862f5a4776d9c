package sqlite

import (
	"context"
	"errors"
	"fmt"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"visto/review"
)

// What can be wrong with a database file. Each says what to do about it; the error around it names the file.
var (
	ErrMissing   = errors.New("there is no such file: check the name, or create the database by adding URLs to it")
	ErrDirectory = errors.New("it is a directory: name a file in it")
	ErrNotFile   = errors.New("it is not a regular file: name another one")
	ErrNotSQLite = errors.New("it is not a SQLite database, or it is damaged: name another file")
	ErrNotOurs   = errors.New("it is a SQLite database of another program: name another file")
	ErrNewer     = errors.New("it was written by a newer visto: use that version or a later one; nothing was changed")
	ErrOlder     = errors.New("its schema is of an older visto and it cannot be written: make it writable once, to bring it up to date")
	ErrDenied    = errors.New("permission denied: check who owns the file and its folder")
	ErrFull      = errors.New("the disk is full, nothing was written: free some space and try again")
	ErrLocked    = errors.New("another program keeps it locked: close that program, or try again")
	ErrDamaged   = errors.New("the file is damaged: restore a backup")
	ErrExists    = errors.New("the file is there already: name one that is not")
)

// known maps the result codes of SQLite, without their extension, to errors that say what to do.
var known = map[int]error{
	lib.SQLITE_FULL:     ErrFull,
	lib.SQLITE_BUSY:     ErrLocked,
	lib.SQLITE_LOCKED:   ErrLocked,
	lib.SQLITE_READONLY: review.ErrReadOnly,
	lib.SQLITE_PERM:     ErrDenied,
	lib.SQLITE_CANTOPEN: ErrDenied,
	lib.SQLITE_NOTADB:   ErrNotSQLite,
	lib.SQLITE_CORRUPT:  ErrDamaged,
}

// code returns SQLite's extended result code, 0 for any other error.
func code(err error) int {
	var e *driver.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}

// explain puts the error that says what to do in the place of the one that SQLite gave, which stays wrapped.
func explain(ctx context.Context, err error) error {
	switch c := code(err); {
	case c == 0:
		return err
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case c == lib.SQLITE_IOERR_SHMSIZE: // the index of the write-ahead log could not grow
		return explained{ErrFull, err}
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
func (s *Store) failed(ctx context.Context, doing string, err error) error {
	if err == nil {
		return nil
	}
	meant := explain(ctx, err)
	if _, ok := meant.(explained); ok {
		return fmt.Errorf("%s: %s: %w", doing, s.path, meant)
	}
	return fmt.Errorf("%s: %w", doing, meant)
}
