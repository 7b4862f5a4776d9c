package file

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Reasons why Update refuses a file.
var (
	errChanged = errors.New("it changed since it was read")
	errLinks   = errors.New("it has several names (hard links), which would become different files")
	errOwner   = errors.New("it belongs to another user or group, which cannot be kept")

	errAttributes = errors.New("it has access rules (ACL) or extended attributes, which cannot be kept")
)

// Update replaces the contents of a file, whole or not at all, if they are still the old ones. It keeps mode,
// owner, ACL and extended attributes, and follows links to the file. Its errors do not name the file.
//
// Update compares the contents just before the replacement. A write by another program between the two is lost; no
// system has a rename that compares.
func Update(name string, old, contents []byte) error {
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return Reason(err)
	}
	before, err := updatable(target)
	if err != nil {
		return Reason(err)
	}
	d, err := NewDraft(target)
	if err != nil {
		return Reason(err)
	}
	defer d.Close()
	err = writeTo(d.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, func(f *os.File) error {
		if _, err := f.Write(contents); err != nil {
			return err
		}
		return errors.Join(keepOwner(f, before), keepMode(f, before), keepAttributes(f, target), f.Sync())
	})
	if err == nil {
		err = unchanged(target, before, old)
	}
	if err == nil {
		err = d.Replace()
	}
	return Reason(err)
}

// updatable returns the state of a file that may be replaced.
func updatable(target string) (fs.FileInfo, error) {
	info, err := os.Lstat(target)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errors.New("it is a directory")
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no regular file")
	case links(info) > 1:
		return nil, errLinks
	}
	f, err := os.OpenFile(target, os.O_WRONLY, 0) // a file that may not be written is not to be replaced either
	if err != nil {
		return nil, err
	}
	return info, f.Close()
}

// keepMode gives the new file the mode of the one before, after keepOwner: a new owner clears setuid and setgid.
func keepMode(f *os.File, before fs.FileInfo) error {
	return f.Chmod(before.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky))
}

// unchanged returns errChanged unless the file is the one before, with the old contents.
func unchanged(target string, before fs.FileInfo, old []byte) error {
	contents, err := os.ReadFile(target)
	if err != nil {
		return err
	}
	now, err := os.Lstat(target)
	switch {
	case err != nil:
		return err
	case !os.SameFile(before, now) || now.Mode() != before.Mode() || !bytes.Equal(contents, old):
		return errChanged
	case links(now) > 1:
		return errLinks
	}
	return nil
}
