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
	"strings"
	"syscall"
	"time"

	lib "modernc.org/sqlite/lib"

	"visto/review"
	"visto/store/file"
	"visto/store/rows"
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
	return openPath(ctx, path, realPath(abs), opt, thisSchema)
}

func openPath(ctx context.Context, path, abs string, opt Options, known *schema) (*Store, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	s := newStore(ctx, abs, opt.Now, known)
	o := opener{path: abs, known: known, readOnly: opt.ReadOnly, create: opt.Create && !opt.ReadOnly}
	if err := o.open(ctx, s); err != nil {
		s.Close()
		return nil, fmt.Errorf("opening %s: %w", path, explain(ctx, err))
	}
	return s, nil
}

// opener opens the connections of a store.
type opener struct {
	path             string
	known            *schema
	readOnly, create bool
}

func (o opener) open(ctx context.Context, s *Store) error {
	err := statFile(o.path, o.create)
	if err == nil {
		err = o.inspect(ctx)
	}
	if err == nil && !o.readOnly {
		err = o.openWriter(ctx, s)
	}
	if err != nil {
		return err
	}
	if err = o.openReaders(ctx, s); err != nil || s.ReadOnly() {
		return err
	}
	if err = s.write.coverOld(ctx); err == nil {
		err = s.write.settleOld(ctx)
	}
	if err != nil {
		return err
	}
	if err = s.write.buildLeftIndexes(ctx, s.known); err != nil {
		return err
	}
	return s.large.goOn(ctx)
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

// openWriter opens the connection that writes and migrates the schema. Without it, for a file that cannot be written,
// the store is read-only.
func (o opener) openWriter(ctx context.Context, s *Store) error {
	c := s.write
	if o.create {
		if err := o.makeFile(); err != nil {
			return err
		}
	}
	db, err := connect(writerDSN(o.path, "mode=rw"))
	if err != nil {
		return err
	}
	writable, err := canWrite(ctx, db)
	if noRoom(err) { // reading goes on, and each write fails with this reason
		c.reason, err = review.ErrFull, nil
	}
	if err != nil || !writable {
		db.Close()
		return err
	}
	c.DB, s.opened = db, append(s.opened, db)
	if err := s.read.remember(1); err != nil { // before the schema, which may take long
		return err
	}
	if err := o.known.migrate(ctx, db); err != nil {
		return err
	}
	c.checkpoints.DB, err = connect(dsn(o.path, "mode=rw", "_dqs=0", busyPragma(readerWait)))
	if err != nil {
		return err
	}
	c.lock = openWriteLock(o.path)
	s.opened = append(s.opened, c.checkpoints)
	if c.lock.file != nil {
		s.opened = append(s.opened, c.lock.file)
	}
	if _, err := db.ExecContext(ctx, "PRAGMA busy_timeout = 0"); err != nil { // from here on begin waits
		return err
	}
	c.version, err = dataVersion(ctx, db)
	return err
}

// The cache of the connection that writes, in KiB. SQLite counts the caches of all connections together, and the
// caches of interrupted readers grow into the unused part of this one. Therefore only adding many URLs, whose order
// suits no index, gets a large cache. It takes nearly twice its size: the allocator of the driver rounds a page and
// its header up to 8 KiB.
const (
	writerCache = 8 << 10
	addingCache = 32 << 10
)

// widenCache gives the writing connection the cache for adding. A failure only makes adding slower.
func (c *writeConn) widenCache(ctx context.Context) {
	if c.DB != nil {
		c.widened.Do(func() { c.ExecContext(ctx, fmt.Sprintf("PRAGMA cache_size = %d", -addingCache)) })
	}
}

// connect opens a pool of one connection.
func connect(dsn string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", dsn)
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

func writerDSN(path, mode string) string {
	return dsn(path, mode, "_txlock=immediate", "_dqs=0", busyPragma(busyTimeout), pragma("journal_mode(WAL)"),
		pragma("synchronous(FULL)"), pragma("foreign_keys(1)"), pragma("cache_size(%d)", -writerCache),
		pragma("journal_size_limit(67108864)"), pragma("wal_autocheckpoint(%d)", autoCheckpoint),
		pragma("temp_store(MEMORY)"))
}

// makeFile makes a new database if there is no file. It appears whole, so that of two programs that do so at once
// neither meets half of the other's work.
func (o opener) makeFile() error {
	if _, err := os.Stat(o.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	draft, err := file.NewDraft(o.path)
	if errors.Is(err, fs.ErrPermission) {
		return review.ErrDenied
	}
	if err != nil {
		return full(err)
	}
	defer draft.Close()
	fresh, err := o.known.fresh()
	if err != nil {
		return err
	}
	if err := writeDurably(draft.Path, fresh.file); err != nil {
		return err
	}
	if err = published(draft); errors.Is(err, ErrExists) {
		return nil // another program was quicker
	}
	return full(err)
}

// writeDurably writes a file. SQLite would make it with 0644: here the umask alone says whether a group may write.
func writeDurably(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return full(err)
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return full(errors.Join(err, f.Close()))
}

// full explains the error of an operation that found no room on the disk.
func full(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return rows.Explain(review.ErrFull, err)
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
	err = conn.Raw(func(c any) (err error) {
		readOnly, err = c.(interface{ IsReadOnly(string) (bool, error) }).IsReadOnly("main")
		return err
	})
	return !readOnly, err
}

// noRoom reports whether SQLite could not make the file with which programs share a database, for want of room.
func noRoom(err error) bool {
	return code(err) == lib.SQLITE_IOERR_SHMSIZE || code(err)&0xff == lib.SQLITE_FULL
}

// openReaders opens the connections that read. Without room on the disk they do without sharing, if nobody else has the
// database open.
func (o opener) openReaders(ctx context.Context, s *Store) error {
	err := o.openReading(ctx, s)
	if noRoom(err) && s.ReadOnly() && !hasLog(o.path) {
		s.read.unshared = true
		err = o.openReading(ctx, s)
	}
	return err
}

// openReading opens the connections that read. Their number is not limited, for a caller may ask for one item while it
// goes through others; those of a screen stay open, for opening one takes longer than most queries.
func (o opener) openReading(ctx context.Context, s *Store) error {
	readers, err := newReaders(s.readerDSN(pragma("query_only(1)")), &s.read.place)
	if err != nil {
		return err
	}
	if err := s.read.remember(1); err != nil {
		return err
	}
	s.read.DB = sql.OpenDB(readers)
	if s.ReadOnly() {
		s.opened = append(s.opened, shared(o.path))
	}
	s.opened = append(s.opened, s.read)
	s.read.SetMaxIdleConns(16)
	if s.read.watch, err = s.read.Conn(ctx); err != nil {
		return err
	}
	s.opened = append(s.opened, s.read.watch)
	st, err := readHeader(ctx, s.read.watch)
	if err == nil {
		err = o.known.judge(st, false)
	}
	if err == nil && st.version < o.known.steps.Latest() {
		return ErrOlder
	}
	if err == nil && !s.ReadOnly() { // a file that is only read may be without the others, or lose them
		err = s.read.remember(len(parts))
	}
	return err
}

// shared are the files through which programs share the database at a path. Connections that only read make them, but
// only one that may write removes them, if it is the last.
type shared string

// Close removes the files if nobody else has the database open and the write-ahead log is empty.
func (s shared) Close() error {
	if info, err := os.Stat(string(s) + "-wal"); err != nil || info.Size() > 0 {
		return nil
	}
	db, err := connect(dsn(string(s), "mode=rw"))
	if err == nil {
		db.Exec("SELECT 1 FROM sqlite_schema") // a failure leaves the files where they are
		err = db.Close()
	}
	return err
}

// readerDSN returns the data source name for reading the file.
func (s *Store) readerDSN(params ...string) string {
	if params = append(params, "_dqs=0"); s.read.unshared {
		params = append(params, "immutable=1")
	}
	return readDSN(s.Path(), s.ReadOnly(), params...)
}

// readDSN opens a file as immutable if it is only read, it has no write-ahead log and its folder cannot be written:
// SQLite could not make the files there that it shares a database with.
func readDSN(path string, readOnly bool, params ...string) string {
	params = append(params, "mode=ro", busyPragma(busyTimeout))
	if readOnly && !hasLog(path) && !folderWritable(path) {
		params = append(params, "immutable=1")
	}
	return dsn(path, params...)
}

// folderWritable reports whether files can be made beside path.
func folderWritable(path string) bool {
	folder, err := file.NewFolder(filepath.Dir(path))
	return err == nil && folder.Close() == nil
}

// dsn returns a data source name. The path is escaped for a URI, where "?", "#" and "%" have a meaning.
func dsn(path string, params ...string) string {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	return u.String() + "?_error_rc=1&" + strings.Join(params, "&")
}

func pragma(format string, args ...any) string {
	return "_pragma=" + fmt.Sprintf(format, args...)
}

func busyPragma(wait time.Duration) string { return pragma("busy_timeout(%d)", wait.Milliseconds()) }

// realPath returns the path behind links: SQLite keeps the other files of a database beside it. A missing file has
// none.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
