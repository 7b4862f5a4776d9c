package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Backup writes a copy to path, which must not exist, while others go on reading and writing. The copy is of one moment. It is
// written beside path and gets its name when it is whole and on disk: whatever happens before that, there is no file of
// that name. A program that is killed meanwhile leaves a file .NAME.* behind.
func (s *Store) Backup(ctx context.Context, path string) error {
	if err := s.backup(ctx, path); err != nil {
		return fmt.Errorf("backing up to %s: %w", path, plainly(explain(ctx, err)))
	}
	return nil
}

func (s *Store) backup(ctx context.Context, path string) error {
	if _, err := os.Lstat(path); err == nil {
		return ErrExists
	}
	part, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		os.Remove(part.Name())
		os.Remove(part.Name() + "-journal") // which SQLite leaves where the disk is full
	}()
	if err = s.vacuumInto(ctx, part.Name()); err == nil {
		err = s.finish(part) // VACUUM leaves to the caller that it is on disk
	}
	if err := errors.Join(err, part.Close()); err != nil {
		return err
	}
	return name(part.Name(), path)
}

// vacuumInto writes the copy through a connection of its own: one with query_only cannot, though it reads alone.
func (s *Store) vacuumInto(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", s.readerDSN())
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", path)
	return err
}

// finish makes the copy as readable as the database, and durable.
func (s *Store) finish(part *os.File) error {
	info, err := os.Stat(s.path)
	if err == nil {
		err = part.Chmod(info.Mode().Perm() | 0o600)
	}
	if err == nil {
		err = part.Sync()
	}
	return err
}

// name gives a file that is whole the name that it is to have, durably. It fails with ErrExists rather than replace another one.
func name(whole, path string) error {
	err := os.Link(whole, path)
	switch {
	case errors.Is(err, fs.ErrExist):
		return ErrExists
	case err != nil: // a file system without links
		err = os.Rename(whole, path)
	}
	if err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder makes the names in a folder durable. Where folders cannot be synced, as on Windows, they need not be.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer folder.Close()
	folder.Sync()
	return nil
}

// plainly drops the name of the file, which the message around the error has.
func plainly(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}
