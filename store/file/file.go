// Package file writes files that appear whole or not at all, and removes the remains of programs that were killed while
// they did. [Write] makes or replaces a file, [Update] (update.go) replaces one only if nobody else has changed it.
//
// A file in the making is in a folder of its own, .visto-tmp-*, beside its target. So no other program takes it for the
// target, the files that SQLite puts beside it are in the folder too, and one rename or link completes it. Its maker
// holds a lock on the folder (flock), which ends with the process. The next maker in the same place removes the folders
// that nobody holds.
package file

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// pattern matches the names of the folders.
const pattern = ".visto-tmp-*"

// Folder is a temporary folder. Close removes it; if its process was killed, the next NewFolder beside it does.
type Folder struct {
	Path string
	lock *os.File
}

// NewFolder makes a folder in dir, and removes the folders that killed programs left there.
func NewFolder(dir string) (*Folder, error) {
	Sweep(dir)
	for {
		path, err := os.MkdirTemp(dir, pattern)
		if err != nil {
			return nil, err
		}
		held, err := openFolder(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // another program swept it away before it was locked
		}
		if err != nil {
			return nil, errors.Join(err, os.Remove(path))
		}
		f := &Folder{path, held}
		if hold(held) && f.isNamed() {
			return f, nil
		}
		f.Close()
	}
}

// isNamed reports whether the locked folder is the one that now has its name.
func (f *Folder) isNamed() bool {
	held, err := f.lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(f.Path)
	return err == nil && os.SameFile(held, named)
}

// Close removes the folder with its contents.
func (f *Folder) Close() error {
	f.lock.Close() // first: some systems remove nothing that is open
	return os.RemoveAll(f.Path)
}

// Sweep removes the folders in dir that killed programs left there: nobody holds them. Its errors are ignored: a folder that cannot be removed stays.
func Sweep(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if ours, _ := filepath.Match(pattern, e.Name()); !ours || !e.IsDir() {
			continue
		}
		path := filepath.Join(dir, e.Name())
		f, err := openFolder(path)
		if err != nil {
			continue
		}
		if abandoned(f) {
			os.RemoveAll(path)
		}
		f.Close()
	}
}

// Draft is a file in the making.
type Draft struct {
	Path   string // the file to write
	target string
	folder *Folder
}

// NewDraft begins a file that will appear at target.
func NewDraft(target string) (*Draft, error) {
	folder, err := NewFolder(filepath.Dir(target))
	if err != nil {
		return nil, err
	}
	return &Draft{filepath.Join(folder.Path, filepath.Base(target)), target, folder}, nil
}

// Close removes the draft if it was neither published nor put in place by Replace.
func (d *Draft) Close() error { return d.folder.Close() }

// Publish gives the file its name at target, durably; the caller has synced its contents. It does not replace another
// file. Error: fs.ErrExist.
func (d *Draft) Publish() error {
	err := os.Link(d.Path, d.target)
	if err != nil && !errors.Is(err, fs.ErrExist) { // a file system without links
		if _, missing := os.Lstat(d.target); missing == nil {
			return fs.ErrExist
		}
		return d.Replace()
	}
	if err == nil {
		syncFolder(filepath.Dir(d.target))
	}
	return err
}

// Replace gives the file its name at target, durably, in the place of any other file; the caller has synced its
// contents.
func (d *Draft) Replace() error {
	err := os.Rename(d.Path, d.target)
	if err == nil {
		syncFolder(filepath.Dir(d.target))
	}
	return err
}

// syncFolder makes the names in a folder durable. Systems that cannot sync folders, such as Windows, do not need it.
func syncFolder(path string) {
	if folder, err := os.Open(path); err == nil {
		folder.Sync()
		folder.Close()
	}
}

// Write writes a file whole or not at all. It replaces a file that exists, keeps its mode, and follows a link to it. It
// writes directly to a pipe or a device, which it stops waiting for as soon as ctx is done. Its errors do not name the
// file.
func Write(ctx context.Context, target string, write func(io.Writer) error) error {
	if real, err := filepath.EvalSymlinks(target); err == nil {
		target = real
	}
	info, err := os.Stat(target)
	switch {
	case err == nil && info.IsDir():
		return errors.New("it is a directory")
	case err == nil && !info.Mode().IsRegular():
		return Reason(writeWaiting(ctx, target, write))
	}
	d, err := NewDraft(target)
	if err != nil {
		return Reason(err)
	}
	defer d.Close()
	err = writeTo(d.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, func(f *os.File) error {
		err := write(f)
		if err == nil && info != nil {
			err = f.Chmod(info.Mode().Perm())
		}
		if err == nil {
			err = f.Sync()
		}
		return err
	})
	if err == nil {
		err = d.Replace()
	}
	return Reason(err)
}

func writeTo(path string, flag int, write func(*os.File) error) error {
	f, err := os.OpenFile(path, flag, 0o666)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// Same reports whether two names are, or would be, of one file, through links too.
func Same(a, b string) bool {
	here, err := os.Stat(a)
	there, errThere := os.Stat(b)
	if err == nil && errThere == nil {
		return os.SameFile(here, there)
	}
	return inFolder(a) == inFolder(b)
}

// inFolder returns the name of a file in the folder behind all links.
func inFolder(name string) string {
	path, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(folder, filepath.Base(path))
	}
	return path
}

// Reason returns the cause of a file operation's error, without the operation and the path, which the caller's message
// names.
func Reason(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok {
		return l.Err
	}
	return err
}
