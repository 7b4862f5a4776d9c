package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"visto/store/rows"

	driver "modernc.org/sqlite"

	"visto/review"
	"visto/store/file"
)

// Backup writes a copy of one moment to path, which must not exist, while others go on reading and writing. The copy
// gets its name when it is whole and on disk; until then there is no file of that name.
func (s *Store) Backup(ctx context.Context, path string) error {
	if err := backup(ctx, s.Path(), s.readerDSN(), path); err != nil {
		return fmt.Errorf("backing up to %s: %w", path, file.Reason(explain(ctx, err)))
	}
	return nil
}

func backup(ctx context.Context, from, fromDSN, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return ErrExists
	}
	if slices.ContainsFunc(Files(from), func(name string) bool { return file.Same(name, to) }) {
		return ErrSameFile
	}
	draft, err := file.NewDraft(to)
	if err != nil {
		return err
	}
	defer draft.Close()
	err = vacuumInto(ctx, fromDSN, draft.Path)
	if err == nil {
		err = finish(from, draft.Path)
	}
	if err != nil {
		return err
	}
	return published(draft)
}

// published gives a draft its name.
func published(draft *file.Draft) error {
	err := draft.Publish()
	if errors.Is(err, fs.ErrExist) {
		return ErrExists
	}
	return err
}

// vacuumInto writes the copy through a connection of its own: query_only forbids VACUUM INTO, although it only reads.
func vacuumInto(ctx context.Context, dsn, path string) error {
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", path)
	return err
}

// finish makes the copy durable and as readable as the database. VACUUM leaves both to the caller.
func finish(from, path string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	err = f.Chmod(info.Mode().Perm() | 0o600)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// Restore puts the database of the backup in the place of the one at path, in one transaction, while other programs use
// it: the file stays the same one, and they see a change as by any other writer. They wait until it is done. First a
// copy of the backup is brought up to date and checked, and the present database is copied; kept is the path of that
// copy. The log gets an entry of the reviewer.
//
// A database that is damaged, or without its own write-ahead log, is moved away with the files beside it; kept is its
// new path. Where there is no database, kept is empty. After an error nothing has changed.
func Restore(ctx context.Context, path, from, reviewer string) (kept string, err error) {
	abs, err := filepath.Abs(path)
	if err == nil {
		err = statFile(realPath(abs), true)
	}
	if err != nil {
		return "", fmt.Errorf("restoring %s: %w", path, file.Reason(err))
	}
	entry := review.EntryInfo{Reviewer: reviewer, Action: review.ActRestore, Summary: "restore " + from}
	r := &restorer{path: realPath(abs), from: from, entry: review.Replayed{EntryInfo: entry}, at: time.Now()}
	if kept, err = r.run(ctx); err != nil {
		return "", fmt.Errorf("restoring %s: %w", path, file.Reason(explain(ctx, err)))
	}
	return kept, nil
}

// restorer is one run of Restore.
type restorer struct {
	path, from string
	entry      review.Replayed
	at         time.Time
}

func (r *restorer) run(ctx context.Context) (kept string, err error) {
	draft, err := file.NewDraft(r.path)
	if err != nil {
		return "", err
	}
	defer draft.Close()
	if err := r.prepare(ctx, draft.Path); err != nil {
		return "", fmt.Errorf("%s: %w", r.from, file.Reason(explain(ctx, err)))
	}
	s, err := Open(ctx, r.path, Options{})
	if err == nil {
		kept, err = r.into(ctx, s, draft.Path)
		err = errors.Join(err, s.Close())
	}
	if !unusable(err) {
		return kept, err
	}
	if err = r.record(ctx, draft.Path); err == nil {
		kept, err = r.moveAway()
	}
	if err == nil {
		err = finish(draft.Path, draft.Path)
	}
	if err == nil {
		err = published(draft)
	}
	return kept, err
}

// unusable reports whether the error of a database is one that a restore heals.
func unusable(err error) bool {
	return slices.ContainsFunc([]error{ErrMissing, ErrNotSQLite, ErrLogMismatch, review.ErrDamaged},
		func(one error) bool { return errors.Is(explain(context.Background(), err), one) })
}

// prepare makes a checked copy of the backup with this program's schema.
func (r *restorer) prepare(ctx context.Context, path string) error {
	if err := r.inspect(ctx); err != nil {
		return err
	}
	params := []string{"mode=ro", busyPragma(busyTimeout)}
	if !hasLog(r.from) {
		params = append(params, "immutable=1") // else SQLite would leave files beside it
	}
	if err := vacuumInto(ctx, dsn(r.from, params...), path); err != nil {
		return err
	}
	s, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	problems, err := s.Check(ctx)
	if err == nil && len(problems) > 0 {
		err = fmt.Errorf("%w: %s: %s", review.ErrDamaged, problems[0].What, problems[0].Text)
	}
	return errors.Join(err, s.Close())
}

// inspect refuses a backup that is no database of this program, or the one to be replaced.
func (r *restorer) inspect(ctx context.Context) error {
	if _, err := os.Stat(r.from); err != nil {
		return err
	}
	if file.Same(r.path, r.from) {
		return ErrSameFile
	}
	abs, err := filepath.Abs(r.from)
	if err != nil {
		return err
	}
	r.from = realPath(abs)
	if err := statFile(r.from, false); err != nil {
		return err
	}
	return opener{path: r.from, known: thisSchema}.inspect(ctx)
}

// beside returns a new name beside the database.
func (r *restorer) beside(suffix string) string {
	ext := filepath.Ext(r.path)
	return strings.TrimSuffix(r.path, ext) + "-" + suffix + "-" + r.at.UTC().Format("20060102T150405.000Z") + ext
}

// moveAway moves the files of a database that cannot be used to another name, if there are any.
func (r *restorer) moveAway() (kept string, err error) {
	to := r.beside("damaged")
	for _, part := range parts {
		switch err := os.Rename(r.path+part, to+part); {
		case err == nil:
			kept = to
		case !errors.Is(err, fs.ErrNotExist):
			return kept, err
		}
	}
	return kept, nil
}

// into replaces the contents of an open database by those of another one.
func (r *restorer) into(ctx context.Context, s *Store, from string) (kept string, err error) {
	if s.ReadOnly() {
		return "", review.ErrReadOnly
	}
	s.write.lock.enter()
	defer s.write.lock.leave()
	s.background.Wait() // the connection that writes must be free
	conn, err := s.write.Conn(ctx)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	kept = r.beside("before-restore")
	err = conn.Raw(func(c any) error {
		copying, err := c.(restoring).NewRestore(dsn(from, "mode=ro"))
		if err != nil {
			return err
		}
		err = rows.InOrder(
			func() error { return s.write.lockPages(ctx, copying) },
			func() error { return s.Backup(ctx, kept) },
			func() error { return r.replace(ctx, s, from) },
			func() error { return copyPages(ctx, copying, s.read.check) },
		)
		return errors.Join(err, copying.Finish())
	})
	if err != nil {
		os.Remove(kept)
		return "", err
	}
	return kept, nil
}

// restoring is the connection of the driver.
type restoring interface {
	NewRestore(from string) (*driver.Backup, error)
}

// lockPages copies the first page, as soon as no other program writes. From then on none can.
func (c *writeConn) lockPages(ctx context.Context, copying *driver.Backup) error {
	for end := time.Now().Add(c.maxWait); ; {
		_, err := copying.Step(1)
		if !busy(err) || time.Now().After(end) {
			return err
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

// replace makes the database at path the successor of the store's: results computed for the store are stale there, and
// the log names the entries that the backup lacks.
func (r *restorer) replace(ctx context.Context, s *Store, path string) error {
	m, err := readMeta(ctx, s.read)
	if err != nil {
		return err
	}
	if r.entry.Body.Replaced, err = entriesWithout(ctx, s.read, path); err != nil {
		return err
	}
	return r.record(ctx, path, func(t *tx) error {
		return t.Exec(`UPDATE meta SET gen = max(gen, ?1) + 1, rules_gen = max(gen, ?1) + 1,
			hosts_gen = max(gen, ?1) + 1`, m.Gen)
	})
}

// entriesWithout returns the hashes, in hex, of the log entries of r that the database at path does not have.
func entriesWithout(ctx context.Context, r *reader, path string) (list []string, err error) {
	err = withConn(ctx, dsn(path, "mode=ro"), func(q *sql.Conn) error {
		has, err := column[string](ctx, q, "SELECT lower(hex(hash)) FROM log")
		if err != nil {
			return err
		}
		known := map[string]bool{}
		for _, hash := range has {
			known[hash] = true
		}
		list, err = column[string](ctx, r, "SELECT lower(hex(hash)) FROM log ORDER BY seq")
		list = slices.DeleteFunc(list, func(hash string) bool { return known[hash] })
		return err
	})
	return list, err
}

// record appends the entry of the restore to the log at path, and does the steps before.
func (r *restorer) record(ctx context.Context, path string, steps ...func(*tx) error) error {
	s, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	err = rows.ForEach(steps, func(step func(*tx) error) error { return s.write.update(ctx, "restoring", step) })
	if err == nil {
		_, err = s.Replay(ctx, r.entry)
	}
	return errors.Join(err, s.Close())
}

// copyPages copies the rest. The last step commits, if check allows it.
func copyPages(ctx context.Context, copying *driver.Backup, check func() error) error {
	const pages = 1000
	for more := true; more; {
		err := errors.Join(ctx.Err(), check())
		if err == nil {
			more, err = copying.Step(pages)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
