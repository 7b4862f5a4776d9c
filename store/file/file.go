// Package file writes files that appear whole or not at all, and cleans up after programs that were killed while they did.
//
// What is in the making is in a folder of its own, .visto-tmp-*, beside the file that it is to become: so nobody takes it for that,
// whatever else SQLite puts beside it is in there too, and naming it at the end is one step. Its maker holds a lock on the folder
// (flock), which ends with the process however that ends. Who makes the next one in the same place removes the folders that
// nobody holds.
package file

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// pattern is what the folders are called.
const pattern = ".visto-tmp-*"

// Folder is a folder that is gone when it is closed or, after its process was killed, when the next one is made beside it.
type Folder struct {
	Path string
	lock *os.File
}

// NewFolder makes a folder in dir, and removes what killed programs left there.
func NewFolder(dir string) (*Folder, error) {
	sweep(dir)
	for {
		path, err := os.MkdirTemp(dir, pattern)
		if err != nil {
			return nil, err
		}
		held, err := openFolder(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // somebody else took it for left behind
		}
		if err != nil {
			return nil, errors.Join(err, os.Remove(path))
		}
		f := &Folder{path, held}
		if hold(held) && f.stands() {
			return f, nil
		}
		f.Close()
	}
}

// stands reports whether the locked folder is the one of that name.
func (f *Folder) stands() bool {
	held, err := f.lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(f.Path)
	return err == nil && os.SameFile(held, named)
}

// Close removes the folder with all that is in it.
func (f *Folder) Close() error {
	f.lock.Close() // first: some systems remove nothing that is open
	return os.RemoveAll(f.Path)
}

// sweep removes the folders in dir that nobody holds. What cannot be removed stays.
func sweep(dir string) {
	left, _ := filepath.Glob(filepath.Join(escaped(dir), pattern))
	for _, path := range left {
		if info, err := os.Lstat(path); err != nil || !info.IsDir() {
			continue
		}
		f, err := openFolder(path)
		if err != nil {
			continue
		}
		if free(f) {
			os.RemoveAll(path)
		}
		f.Close()
	}
}

// escaped returns a path as a pattern that matches it alone.
func escaped(path string) string {
	var out []byte
	for i := range len(path) {
		switch c := path[i]; c {
		case '*', '?', '[':
			out = append(out, '[', c, ']')
		case '\\':
			out = append(out, '[', '\\', '\\', ']')
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

// Draft is a file in the making.
type Draft struct {
	Path   string // where to write it
	target string
	folder *Folder
}

// NewDraft begins a file that is to appear at target.
func NewDraft(target string) (*Draft, error) {
	folder, err := NewFolder(filepath.Dir(target))
	if err != nil {
		return nil, err
	}
	return &Draft{filepath.Join(folder.Path, filepath.Base(target)), target, folder}, nil
}

// Close gives the draft up, unless it was published.
func (d *Draft) Close() error { return d.folder.Close() }

// Publish has the file appear, durably: the caller has seen to it that what is in it is on disk. It fails with fs.ErrExist rather
// than replace another one.
func (d *Draft) Publish() error {
	err := os.Link(d.Path, d.target)
	if err != nil && !errors.Is(err, fs.ErrExist) { // a file system without links
		if _, missing := os.Lstat(d.target); missing == nil {
			return fs.ErrExist
		}
		err = os.Rename(d.Path, d.target)
	}
	if err == nil {
		syncFolder(filepath.Dir(d.target))
	}
	return err
}

// Replace has the file appear, durably, in the place of what is at target.
func (d *Draft) Replace() error {
	err := os.Rename(d.Path, d.target)
	if err == nil {
		syncFolder(filepath.Dir(d.target))
	}
	return err
}

// syncFolder makes the names in a folder durable. Where folders cannot be synced, as on Windows, they need not be.
func syncFolder(path string) {
	if folder, err := os.Open(path); err == nil {
		folder.Sync()
		folder.Close()
	}
}

// Write writes a file whole or not at all. One that is there is replaced, and keeps its mode; behind a link it is the file that the
// link leads to. A pipe or a device is written to. Its errors do not name the file.
func Write(target string, write func(io.Writer) error) error {
	if real, err := filepath.EvalSymlinks(target); err == nil {
		target = real
	}
	info, err := os.Stat(target)
	switch {
	case err == nil && info.IsDir():
		return errors.New("it is a directory")
	case err == nil && !info.Mode().IsRegular():
		return Reason(writeTo(target, os.O_WRONLY, write))
	}
	d, err := NewDraft(target)
	if err != nil {
		return Reason(err)
	}
	defer d.Close()
	err = writeTo(d.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, func(w io.Writer) error {
		if err := write(w); err != nil {
			return err
		}
		if info != nil {
			if err := w.(*os.File).Chmod(info.Mode().Perm()); err != nil {
				return err
			}
		}
		return w.(*os.File).Sync()
	})
	if err == nil {
		err = d.Replace()
	}
	return Reason(err)
}

func writeTo(path string, flag int, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, flag, 0o666)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// Reason returns why an operation on a file failed, without the operation and the path, which the message around it names.
func Reason(err error) error {
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
