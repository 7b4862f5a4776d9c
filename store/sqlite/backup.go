package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"

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
