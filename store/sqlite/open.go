package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/pressly/goose/v3"
	lib "modernc.org/sqlite/lib"

	"visto/review"
	"visto/store/file"
	"visto/store/migrations"
)

// busyTimeout is how long a connection waits for another program that writes.
const busyTimeout = 5 * time.Second

// Options says how a database is opened.
type Options struct {
	ReadOnly bool             // write nothing, not even a newer schema
	Create   bool             // make the file, and its folder, if it is not there
	Now      func() time.Time // the clock; nil: the system's

	// Upgrading, if not nil, is called before a database of an older schema is brought up to date, which may take a while.
	Upgrading func(from, to int)
}

// Open opens the database at path. What is not a database of this program, or is one of a newer schema, is refused
// before anything is written. A file that cannot be written is opened read-only: see Store.ReadOnly.
func Open(ctx context.Context, path string, opt Options) (*Store, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	abs = realPath(abs)
	s := &Store{path: abs, now: opt.Now, readOnly: opt.ReadOnly, waits: maxWait, kept: newStatements(),
		atOnce: maxAtOnce, most: maxPiece, patience: abandonedAfter, absent: absentAfter, closing: closingTime, upgrading: opt.Upgrading}
	s.working, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	if s.now == nil {
		s.now = time.Now
	}
	if err := s.open(ctx, claim(abs), opt.Create && !opt.ReadOnly); err != nil {
		s.Close()
		return nil, fmt.Errorf("opening %s: %w", path, explain(ctx, err))
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, index walIndex, create bool) error {
	if err := lookAt(s.path, create); err != nil {
		return err
	}
	if err := checkLog(s.path, index); err != nil {
		return err
	}
	if err := inspect(ctx, s.path, create, s.readOnly); err != nil {
		return err
	}
	if !s.readOnly {
		if err := s.openWriter(ctx, create); err != nil {
			return err
		}
	}
	return s.openReaders(ctx)
}

// lookAt checks what the file system says, so that SQLite is not asked to open what it cannot. It does not open the
// file: closing it would drop the locks that this process may hold on it.
func lookAt(path string, create bool) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) && create {
		if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
			return nil
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ErrMissing
	case errors.Is(err, fs.ErrPermission):
		return review.ErrDenied
	case err != nil:
		return err
	case info.IsDir():
		return ErrDirectory
	case !info.Mode().IsRegular():
		return ErrNotFile
	}
	return nil
}

// inspect refuses a file that is not for this program. It leaves no trace: the file is read as if nobody could change it,
// which creates neither locks nor a write-ahead log. Where there already is such a log, the newest state is in it, and it
// is read the usual way.
func inspect(ctx context.Context, path string, create, readOnly bool) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	db, err := sql.Open("sqlite", inspectDSN(path))
	if err != nil {
		return err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return unreadable(err)
	}
	defer conn.Close()
	st, err := readState(ctx, conn)
	if err != nil {
		return unreadable(err)
	}
	if err := st.judge(create); err != nil || !readOnly || st.version == migrations.Latest {
		return err
	}
	return ErrOlder
}

func inspectDSN(path string) string {
	if hasLog(path) {
		return dsn(path, "mode=ro", pragma("busy_timeout(%d)", busyTimeout.Milliseconds()))
	}
	return dsn(path, "mode=ro", "immutable=1")
}

// hasLog reports whether there is a write-ahead log with something in it.
func hasLog(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err == nil && info.Size() > 0
}

// unreadable says what it means that a file cannot be read at all.
func unreadable(err error) error {
	switch code(err) & 0xff {
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB, lib.SQLITE_IOERR:
		return explained{ErrNotSQLite, err}
	}
	return err
}

// state is what a database file says of itself.
type state struct {
	application int64
	version     int64
	tables      int64
}

func readState(ctx context.Context, q queryer) (state, error) {
	var st state
	err := q.QueryRowContext(ctx, `SELECT
		(SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version),
		(SELECT count(*) FROM sqlite_schema)`).Scan(&st.application, &st.version, &st.tables)
	return st, err
}

// judge accepts a database of ours that is not too new, and an empty one where a new one may be made.
func (st state) judge(create bool) error {
	switch {
	case st.application == 0 && st.tables == 0 && create:
		return nil
	case st.application == 0 && st.tables == 0:
		return fmt.Errorf("it is empty: %w", ErrMissing)
	case st.application != migrations.ApplicationID:
		return ErrNotOurs
	case st.version > migrations.Latest:
		return fmt.Errorf("its schema is version %d, this program's is %d: %w", st.version, migrations.Latest, ErrNewer)
	}
	return nil
}

// openWriter opens the connection that writes and brings the schema up to date. A file that cannot be written makes the
// store read-only.
func (s *Store) openWriter(ctx context.Context, create bool) error {
	if create {
		if err := makeFile(ctx, s.path); err != nil {
			return err
		}
	}
	db, err := connectWriter(s.path, "mode=rw")
	if err != nil {
		return err
	}
	writable, err := canWrite(ctx, db)
	if err != nil || !writable {
		db.Close()
		s.readOnly = true
		return err
	}
	s.write = db
	if err := migrate(ctx, db, s.upgrading); err != nil {
		return err
	}
	if s.copier, err = sql.Open("sqlite", dsn(s.path, "mode=rw", "_dqs=0", pragma("busy_timeout(%d)", readersTime.Milliseconds()))); err != nil {
		return err
	}
	s.copier.SetMaxOpenConns(1)
	s.queue = openQueue(s.path)
	if _, err := db.ExecContext(ctx, "PRAGMA busy_timeout = 0"); err != nil { // from here on it waits in begin
		return err
	}
	return db.QueryRowContext(ctx, "PRAGMA data_version").Scan(&s.version)
}

// How much of the database the connection that writes keeps in memory, in KiB. SQLite counts the caches of all connections together, and
// those of readers that were stopped halfway grow into what this one does not use: only who adds many URLs, in the order of no index, has much.
const (
	writerCache = 8 << 10
	addingCache = 64 << 10
)

// widenCache gives the connection that writes the cache for adding. It is slower without, no more.
func (s *Store) widenCache(ctx context.Context) {
	s.wide.Do(func() { s.write.ExecContext(ctx, fmt.Sprintf("PRAGMA cache_size = %d", -addingCache)) })
}

func connectWriter(path, mode string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", writerDSN(path, mode))
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

func writerDSN(path, mode string) string {
	return dsn(path, mode, "_txlock=immediate", "_dqs=0",
		pragma("busy_timeout(%d)", busyTimeout.Milliseconds()), pragma("journal_mode(WAL)"), pragma("synchronous(FULL)"),
		pragma("foreign_keys(1)"), pragma("cache_size(%d)", -writerCache), pragma("journal_size_limit(67108864)"),
		pragma("wal_autocheckpoint(%d)", backstop), pragma("temp_store(MEMORY)"))
}

// makeFile makes a new database if there is no file. It appears whole, so that of two
// programs that do so at once neither meets the half of the other's work.
func makeFile(ctx context.Context, path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	draft, err := file.NewDraft(path)
	if errors.Is(err, fs.ErrPermission) {
		return review.ErrDenied
	}
	if err != nil {
		return err
	}
	defer draft.Close()
	db, err := connectWriter(draft.Path, "mode=rwc")
	if err != nil {
		return err
	}
	if err := errors.Join(migrate(ctx, db, nil), db.Close()); err != nil {
		return err
	}
	if err = published(draft); errors.Is(err, ErrExists) {
		return nil // another program was quicker
	}
	return err
}

// canWrite reports whether the connection may write, without writing or waiting for anyone.
func canWrite(ctx context.Context, db *sql.DB) (bool, error) {
	conn, err := db.Conn(ctx)
	if c := code(err) & 0xff; c == lib.SQLITE_READONLY || c == lib.SQLITE_CANTOPEN {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer conn.Close()
	var readOnly bool
	err = conn.Raw(func(c any) error {
		var err error
		readOnly, err = c.(interface{ IsReadOnly(string) (bool, error) }).IsReadOnly("main")
		return err
	})
	return !readOnly, err
}

// openReaders opens the connections that read. How many are in use at once is not limited, for a caller may ask for one
// item while it goes through others; a few are kept.
func (s *Store) openReaders(ctx context.Context) error {
	readers, err := newReaders(s.readerDSN(pragma("query_only(1)")))
	if err != nil {
		return err
	}
	db := sql.OpenDB(readers)
	s.read = db
	db.SetMaxIdleConns(4)
	if s.watch, err = db.Conn(ctx); err != nil {
		return err
	}
	st, err := readState(ctx, s.watch)
	if err != nil {
		return err
	}
	if err := st.judge(false); err != nil {
		return err
	}
	if st.version < migrations.Latest {
		return ErrOlder
	}
	return nil
}

// readerDSN opens a file that nobody can write, and that has no log, as one that does not change: SQLite could not
// create the files that it needs to share it.
func (s *Store) readerDSN(params ...string) string {
	params = append(params, "mode=ro", "_dqs=0", pragma("busy_timeout(%d)", busyTimeout.Milliseconds()))
	if s.readOnly && !hasLog(s.path) && !folderWritable(s.path) {
		params = append(params, "immutable=1")
	}
	return dsn(s.path, params...)
}

// folderWritable reports whether files can be made beside path.
func folderWritable(path string) bool {
	folder, err := file.NewFolder(filepath.Dir(path))
	if err != nil {
		return false
	}
	return folder.Close() == nil
}

// dsn returns a data source name. The path is escaped for a URI, where "?", "#" and "%" mean something.
func dsn(path string, params ...string) string {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	text := u.String() + "?_error_rc=1"
	for _, p := range params {
		text += "&" + p
	}
	return text
}

func pragma(format string, args ...any) string {
	return "_pragma=" + fmt.Sprintf(format, args...)
}

// migrate brings the schema up to date, step by step, each of which is one transaction: who is killed meanwhile leaves the database
// at the step before, and the next program goes on. Where two programs do so at once, one of them finds the work done. upgrading,
// if not nil, is called before an older database is touched.
func migrate(ctx context.Context, db *sql.DB, upgrading func(from, to int)) error {
	st, err := readState(ctx, db)
	if err != nil || st.version >= migrations.Latest {
		return err // a newer schema is refused by openReaders
	}
	if upgrading != nil && st.version > 0 {
		upgrading(int(st.version), migrations.Latest)
	}
	if st.application == 0 {
		if _, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", migrations.ApplicationID)); err != nil {
			return err
		}
	}
	steps, err := goose.NewProvider(goose.DialectSQLite3, db, migrations.FS,
		goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return fmt.Errorf("reading the schema's steps: %w", err)
	}
	if _, err := steps.Up(ctx); err != nil {
		if st, stErr := readState(ctx, db); stErr == nil && st.version == migrations.Latest {
			return nil
		}
		return fmt.Errorf("bringing the schema up to date: %w", err)
	}
	return nil
}
