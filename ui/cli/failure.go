package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"visto/canon"
	"visto/review"
	"visto/store/postgres"
	"visto/store/rows"
	"visto/store/sqlite"
)

// The exit statuses.
const (
	statusDone    = 0
	statusFailed  = 1
	statusUsage   = 2
	statusSkipped = 3
)

// usageError is a wrong command line; command is the path of the command that refused it.
type usageError struct {
	error
	command string
}

func (e *usageError) Unwrap() error { return e.error }

// quiet is an exit status whose reason has been printed already.
type quiet int

func (q quiet) Error() string { return fmt.Sprintf("exit status %d", int(q)) }

// several is an error that may join many; each is printed on a line of its own.
type several struct {
	doing string
	err   error
}

func (s *several) Error() string { return fmt.Sprintf("%s: %v", s.doing, s.err) }
func (s *several) Unwrap() error { return s.err }

// lines returns the errors, one by one.
func (s *several) lines() (list []string) {
	for _, err := range flat(s.err) {
		list = append(list, fmt.Sprintf("%s: %v", s.doing, err))
	}
	return list
}

func flat(err error) (list []error) {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	for _, one := range joined.Unwrap() {
		list = append(list, flat(one)...)
	}
	return list
}

// hinted is an error with advice for people.
type hinted struct {
	error
	hint string
}

func (h *hinted) Unwrap() error { return h.error }

// withHint attaches a hint that only the present command can give.
func withHint(err error, format string, args ...any) error {
	return &hinted{err, fmt.Sprintf(format, args...)}
}

// status prints err with its hint and returns the exit status for it.
func (a *app) status(ctx context.Context, err error) int {
	q, printed := errors.AsType[quiet](err)
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return statusDone
	case printed:
		return int(q)
	case ctx.Err() != nil:
		a.warn("visto: interrupted; changes written before stay\n")
		return statusFailed
	}
	a.complain(err)
	if _, wrong := errors.AsType[*usageError](err); wrong {
		return statusUsage
	}
	return statusFailed
}

// complain prints err and its hint.
func (a *app) complain(err error) {
	lines := []string{err.Error()}
	if s, ok := errors.AsType[*several](err); ok {
		lines = s.lines()
	}
	for _, line := range lines {
		a.warn("visto: %s\n", safe(masked(line)))
	}
	if h := hint(err); h != "" {
		a.warn("hint: %s\n", safe(masked(h)))
	}
}

// hint returns advice about err; empty if there is none.
func hint(err error) string {
	if h, ok := errors.AsType[*hinted](err); ok {
		return h.hint
	}
	if u, ok := errors.AsType[*usageError](err); ok {
		return u.command + " --help"
	}
	if _, ok := errors.AsType[*canon.LoopError](err); ok {
		return "change the rule so that its result is no longer one that it matches"
	}
	if _, ok := errors.AsType[review.UnfinishedError](err); ok {
		return "open it where it can be written, such as with visto stats: every such command goes on with it"
	}
	for _, row := range []struct { // hints by sentinel
		is   error
		hint string
	}{
		{review.ErrGone, "put the file back, or open the one that is there now; visto restore replaces a database " +
			"that is in use"},
		{sqlite.ErrMissing, "visto add FILE makes the database; visto demo shows samples"},
		{sqlite.ErrDirectory, "name a file in it"},
		{sqlite.ErrNotFile, "name another file"},
		{sqlite.ErrNotSQLite, "name another file"},
		{sqlite.ErrNotOurs, "name another file"},
		{sqlite.ErrNewer, "use that version of visto or a later one"},
		{sqlite.ErrTooOld, "export it with that version, or start anew with another file"},
		{sqlite.ErrOlder, "open it, or a copy, once without --read-only where it can be written"},
		{review.ErrDenied, "check who may read and write the file and its directory; on PostgreSQL, what the role is " +
			"granted"},
		{review.ErrFull, "make room on the disk; nothing was half-written"},
		{review.ErrIO, "look whether the disk is full, over its quota or failing; confirmed changes are kept"},
		{review.ErrLocked, "close the program that keeps it, or try again"},
		{review.ErrDamaged, "visto check names the damage; visto restore BACKUP puts a backup back"},
		{sqlite.ErrLogMismatch, "if another file was put here, move the -wal and -shm files beside it away " +
			"and keep them; else visto restore BACKUP puts a backup back"},
		{sqlite.ErrExists, "name a file that is not there yet"},
		{sqlite.ErrSameFile, "name another file"},
		{postgres.ErrMissing, "visto add FILE makes the tables; visto copy --from FILE --to URL brings a database"},
		{postgres.ErrNewer, "use that version of visto or a later one"},
		{postgres.ErrOlder, "open it once as the role that owns its tables; see visto help postgresql"},
		{postgres.ErrURL, "postgres://HOST:PORT/NAME; @ / ? # in a user or password are %40 %2F %3F %23; see visto " +
			"help postgresql"},
		{postgres.ErrUnreachable, "check the host and the port, and whether the server runs"},
		{postgres.ErrLogin, "check the user, the password ($PGPASSWORD or ~/.pgpass) and the server's pg_hba.conf"},
		{postgres.ErrNoDatabase, "createdb NAME makes one"},
		{postgres.ErrEncoding, "createdb -E UTF8 -T template0 NAME makes one"},
		{postgres.ErrBusy, "wait until others leave, or raise max_connections of the server"},
		{postgres.ErrUnknown, "look into visto log before you run the command again"},
		{postgres.ErrLost, "look whether the server runs; confirmed changes are kept"},
		{rows.ErrNotEmpty, "name a file that is not there yet, or a database without tables"},
		{errInput, "name another file"},
		{sqlite.ErrWrites, "use a SELECT"},
		{review.ErrPolicy, "visto recanon --policy ... shows the changes, and with --apply makes them"},
		{review.ErrStale, "someone else wrote at the same time; run the command again"},
		{review.ErrReadOnly, "leave out --read-only, or make the file writable"},
		{review.ErrNotFound, "visto list --status all shows all URLs"},
		{fs.ErrPermission, "check who may read and write the file and its directory"},
		{syscall.EFBIG, "look whether the disk allows larger files; nothing was half-written"},
		{syscall.EDQUOT, "make room in the quota; nothing was half-written"},
		{syscall.ENOSPC, "make room on the disk; nothing was half-written"},
	} {
		if errors.Is(err, row.is) {
			return row.hint
		}
	}
	return ""
}
