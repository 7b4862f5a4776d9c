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
	if err := s.backup(ctx, path); err != nil {
		return fmt.Errorf("backing up to %s: %w", path, file.Reason(explain(ctx, err)))
	}
	return nil
}

func (s *Store) backup(ctx context.Context, path string) error {
	if _, err := os.Lstat(path); err == nil {
		return ErrExists
	}
	draft, err := file.NewDraft(path)
	if err != nil {
		return err
	}
	defer draft.Close()
	if err := s.vacuumInto(ctx, draft.Path); err != nil {
		return err
	}
	if err := s.finish(draft.Path); err != nil {
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
func (s *Store) vacuumInto(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", s.readerDSN())
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", path)
	return err
}

// finish makes the copy durable and as readable as the database. VACUUM leaves both to the caller.
func (s *Store) finish(path string) error {
	info, err := os.Stat(s.path)
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
