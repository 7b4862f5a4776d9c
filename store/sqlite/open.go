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

	lib "modernc.org/sqlite/lib"

	"visto/review"
	"visto/store/file"
)

// busyTimeout is how long a connection waits for another program that writes.
const busyTimeout = 5 * time.Second

// Options are the options of Open.
type Options struct {
	ReadOnly bool             // write nothing, not even a newer schema
	Create   bool             // make the file and its folder if missing
	Now      func() time.Time // the clock; nil: the system's
}

// Open opens the database at path. A file that is not a database of this program, has another schema, or has the
// write-ahead log of another file is refused before anything is written. A file that cannot be written is opened
// read-only: see Store.ReadOnly.
func Open(ctx context.Context, path string, opt Options) (*Store, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	return openPath(ctx, path, realPath(abs), opt, thisSchema())
}

func openPath(ctx context.Context, path, abs string, opt Options, known schema) (*Store, error) {
	s := &Store{path: abs, known: known, now: opt.Now, readOnly: opt.ReadOnly, maxWait: maxWait, kept: newStatements(),
		atOnce: maxAtOnce, maxItems: maxChunk, stalledAfter: stalledAfter, idleAfter: idleAfter, closing: closingTime}
	s.working, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	if s.now == nil {
		s.now = time.Now
	}
	if err := s.open(ctx, opt.Create && !opt.ReadOnly); err != nil {
		s.Close()
		return nil, fmt.Errorf("opening %s: %w", path, explain(ctx, err))
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, create bool) error {
	if err := statFile(s.path, create); err != nil {
		return err
	}
	if err := s.inspect(ctx, create); err != nil {
		return err
	}
	if !s.readOnly {
		if err := s.openWriter(ctx, create); err != nil {
			return err
		}
	}
	return s.openReaders(ctx)
}

// statFile refuses paths that SQLite should not open. It does not open the file: closing it would drop the locks that
// this process may hold on it.
func statFile(path string, create bool) error {
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

// openWriter opens the connection that writes and migrates the schema. A file that cannot be written makes the store
// read-only.
func (s *Store) openWriter(ctx context.Context, create bool) error {
	if create {
		if err := s.makeFile(ctx); err != nil {
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
	if err := s.known.migrate(ctx, db); err != nil {
		return err
	}
	if s.checkpointer, err = sql.Open("sqlite", dsn(s.path, "mode=rw", "_dqs=0",
		pragma("busy_timeout(%d)", readerWait.Milliseconds()))); err != nil {
		return err
	}
	s.checkpointer.SetMaxOpenConns(1)
	s.lock = openWriteLock(s.path)
	if _, err := db.ExecContext(ctx, "PRAGMA busy_timeout = 0"); err != nil { // from here on begin waits
		return err
	}
	return db.QueryRowContext(ctx, "PRAGMA data_version").Scan(&s.version)
}

// The cache of the connection that writes, in KiB. SQLite counts the caches of all connections together, and the
// caches of interrupted readers grow into the unused part of this one. Therefore only adding many URLs, whose order
// suits no index, gets a large cache.
const (
	writerCache = 8 << 10
	addingCache = 64 << 10
)

// widenCache gives the writing connection the cache for adding. A failure only makes adding slower.
func (s *Store) widenCache(ctx context.Context) {
	s.widened.Do(func() { s.write.ExecContext(ctx, fmt.Sprintf("PRAGMA cache_size = %d", -addingCache)) })
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
		pragma("busy_timeout(%d)", busyTimeout.Milliseconds()), pragma("journal_mode(WAL)"),
		pragma("synchronous(FULL)"),
		pragma("foreign_keys(1)"), pragma("cache_size(%d)", -writerCache), pragma("journal_size_limit(67108864)"),
		pragma("wal_autocheckpoint(%d)", autoCheckpoint), pragma("temp_store(MEMORY)"))
}

// makeFile makes a new database if there is no file. It appears whole, so that of two programs that do so at once
// neither meets half of the other's work.
func (s *Store) makeFile(ctx context.Context) error {
	if _, err := os.Stat(s.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	draft, err := file.NewDraft(s.path)
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
	if err := errors.Join(s.known.migrate(ctx, db), db.Close()); err != nil {
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

// openReaders opens the connections that read. Their number is not limited, for a caller may ask for one item while
// it goes through others; a few stay open.
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
	if err := s.known.judge(st, false); err != nil {
		return err
	}
	if st.version < s.known.latest {
		return ErrOlder
	}
	return nil
}

// readerDSN opens a file as immutable if nobody can write it and it has no write-ahead log: SQLite could not create
// the files that it shares a database with.
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

// dsn returns a data source name. The path is escaped for a URI, where "?", "#" and "%" have a meaning.
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

// realPath returns the path behind links: SQLite keeps the other files of a database beside it. A missing file has
// none.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
