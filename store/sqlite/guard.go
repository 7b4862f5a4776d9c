package sqlite

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"visto/review"
	"visto/store/rows"
)

// SQLite applies a write-ahead log (the -wal file) to any file of the matching name. If somebody puts another file
// over the path of a database that was not closed, a backup for instance, SQLite mixes the pages of both. Therefore
// Open first reads the file alone and then through the write-ahead log, and refuses both untouched unless all of this
// holds:
//
//   - The file is in WAL mode. A copy made by Backup is not, until somebody opens it for writing.
//   - The schema cookie through the log is not lower than that of the file. VACUUM raises it in each copy.
//   - The last log entry of the file is there through the log with the same hash, or a restore that is there replaced
//     it.
//
// The comparison never raises a false alarm. A crash during a checkpoint leaves the file half-copied, and another
// program may be copying while the file is read, so the file alone may be torn. Its header is not: it lies in one
// sector. A torn entry either cannot be read or does not match its own hash, and is not compared. An entry that
// matches its hash was committed to this file before the second read began, and a sound write-ahead log has it.
//
// Both reads go through SQLite, which keeps the POSIX locks of this process's other connections when it closes a
// file.

// glimpse is the part of a file that is compared: as the file alone has it, without its write-ahead log.
type glimpse struct {
	version int64         // of the schema
	cookie  int64         // PRAGMA schema_version: rises with every change of the schema
	walMode bool          // the header says so
	last    *review.Entry // the last log entry; nil: none, or it is torn
}

// inspect refuses a file that is not for this program, before anything is written.
func (o opener) inspect(ctx context.Context) error {
	logged := hasLog(o.path)
	if _, err := os.Stat(o.path); errors.Is(err, fs.ErrNotExist) {
		if logged { // SQLite would apply it to the file that is made here
			return ErrLogMismatch
		}
		return nil
	}
	g, err := o.inspectFile(ctx, logged)
	if err == nil && logged {
		g.version, err = o.inspectLogged(ctx, g)
	}
	if err == nil && o.readOnly && g.version < o.known.steps.Latest() {
		return ErrOlder
	}
	return err
}

// inspectFile reads the file as if nobody could change it, which creates neither locks nor a write-ahead log.
func (o opener) inspectFile(ctx context.Context, logged bool) (*glimpse, error) {
	g := &glimpse{walMode: true}
	err := withConn(ctx, dsn(o.path, "mode=ro", "immutable=1"), func(q *sql.Conn) error {
		st, err := readState(ctx, q)
		if err == nil {
			err = o.known.judge(st, o.create || logged)
		}
		if err == nil && st.tables > 0 {
			g = readGlimpse(ctx, q)
			g.version = st.version
		}
		return err
	})
	if c := code(err) & 0xff; logged && (c == lib.SQLITE_CORRUPT || c == lib.SQLITE_IOERR) {
		err = nil // torn: the write-ahead log has the rest
	}
	return g, unreadable(err)
}

// readGlimpse knows nothing of a file that is torn.
func readGlimpse(ctx context.Context, q queryer) *glimpse {
	var g glimpse
	err := q.QueryRowContext(ctx, `SELECT (SELECT schema_version FROM pragma_schema_version),
		substr(data, 19, 1) = x'02' FROM sqlite_dbpage WHERE pgno = 1`).Scan(&g.cookie, &g.walMode)
	if err != nil {
		return &glimpse{walMode: true}
	}
	last := q.QueryRowContext(ctx, "SELECT "+rows.EntryColumns+" FROM log ORDER BY seq DESC LIMIT 1")
	e, err := rows.ScanEntry(last.Scan)
	if err == nil && e.Chain() == e.Hash {
		g.last = &e
	}
	return &g
}

// inspectLogged reads the file through its write-ahead log, and returns the schema version. It fails with
// ErrLogMismatch if the two do not belong together.
func (o opener) inspectLogged(ctx context.Context, g *glimpse) (version int64, err error) {
	if !g.walMode {
		return 0, ErrLogMismatch
	}
	err = withConn(ctx, dsn(o.path, "mode=ro", busyPragma(busyTimeout)), func(q *sql.Conn) error {
		st, err := readState(ctx, q)
		if err != nil {
			return err
		}
		version = st.version
		if err := o.known.judge(st, o.create); err != nil {
			return err
		}
		return g.compare(ctx, q)
	})
	switch code(err) & 0xff {
	case lib.SQLITE_ERROR, lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
		if g.cookie > 0 { // the file alone can be read
			return 0, rows.Explain(ErrLogMismatch, err)
		}
	}
	return version, unreadable(err)
}

func (g *glimpse) compare(ctx context.Context, q queryer) error {
	var cookie int64
	err := q.QueryRowContext(ctx, "SELECT schema_version FROM pragma_schema_version").Scan(&cookie)
	same := true
	if err == nil && g.last != nil {
		err = q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM log WHERE seq = ? AND hash = ?) OR EXISTS (SELECT 1
			FROM log WHERE action = ? AND instr(body, CAST(? AS BLOB)))`, g.last.Seq, g.last.Hash[:], review.ActRestore,
			hex.EncodeToString(g.last.Hash[:])).Scan(&same)
	}
	if err == nil && (cookie < g.cookie || !same) {
		return ErrLogMismatch
	}
	return err
}

// withConn runs fn on one connection of its own.
func withConn(ctx context.Context, dsn string, fn func(*sql.Conn) error) error {
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return unreadable(err)
	}
	defer conn.Close()
	return fn(conn)
}

// hasLog reports whether there is a write-ahead log with content.
func hasLog(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err == nil && info.Size() > 0
}

// unreadable explains the error of a file that cannot be read at all. Without room for the index of the write-ahead log
// it is not the file's fault.
func unreadable(err error) error {
	if noRoom(err) {
		return rows.Explain(review.ErrFull, err)
	}
	switch code(err) & 0xff {
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB, lib.SQLITE_IOERR:
		return rows.Explain(ErrNotSQLite, err)
	}
	return err
}

// place remembers which files are open at a path. SQLite would go on writing to a file whose name is gone, where nobody
// ever looks again. All looks are os.Stat: to open and close the file would drop the locks of this process.
type place struct {
	path string
	seen [len(parts)]fs.FileInfo // nil: none was seen
}

// parts are the suffixes of the names of a database's files.
var parts = [...]string{"", "-wal", "-shm"}

// Files returns the paths of all files that the database at path may consist of, whether they exist or not.
func Files(path string) (list []string) {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	for _, part := range append(parts[:], "-journal") {
		list = append(list, realPath(path)+part)
	}
	return list
}

// remember remembers the first n files that are there and not yet known. Those that are known have to be there still.
func (p *place) remember(n int) error {
	if err := p.check(); err != nil {
		return err
	}
	for i := range n {
		info, err := os.Stat(p.path + parts[i])
		if err == nil {
			p.seen[i] = info
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// check reports whether each file is still the one that was opened. Error: review.ErrGone.
func (p *place) check() error {
	for i, seen := range p.seen {
		if seen == nil {
			continue
		}
		now, err := os.Stat(p.path + parts[i])
		switch {
		case errors.Is(err, fs.ErrNotExist), err == nil && !os.SameFile(seen, now):
			return fmt.Errorf("%s: %w", p.path+parts[i], review.ErrGone)
		case err != nil:
			return err
		}
	}
	return nil
}

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
	// ErrLogMismatch is returned before anything is written.
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
	_, done := errors.AsType[rows.Explained](err)
	switch c := code(err); {
	case done:
		return err
	case errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil: // ctx ended and the transaction was rolled back
		return context.Cause(ctx)
	case c == 0:
		return err
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case noRoom(err):
		return rows.Explain(review.ErrFull, err)
	case known[c&0xff] != nil:
		return rows.Explain(known[c&0xff], err)
	}
	return err
}

// failed wraps an error of an operation on the store with the file's name, because a person may have several.
// ErrNotFound is returned as it is: the caller knows the name of the missing thing.
func (r *reader) failed(ctx context.Context, doing string, err error) error {
	return rows.Failed(doing, r.path, err, func(err error) error { return explain(ctx, err) })
}
