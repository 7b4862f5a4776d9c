package serve

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CheckOwners reports an error if others than root and the user who runs the server can put another file in the place
// of a file, or write it: if it, or a folder above it, belongs to them or is writable for them. That is StrictModes of
// sshd_config(5), up to the root. A folder with the sticky bit is in order, for in it only owners replace what is
// theirs. A symbolic link is checked with the folders that hold it and those that hold its target. The file need not be
// there.
func CheckOwners(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if target, err := filepath.EvalSymlinks(path); err == nil && target != path {
		if err := checkAbove(target); err != nil {
			return err
		}
	}
	return checkAbove(path)
}

// checkAbove checks a file, if it is there, and the folders above it.
func checkAbove(at string) error {
	for {
		info, err := os.Stat(at)
		if err == nil {
			err = checkOwner(at, info)
		} else if os.IsNotExist(err) {
			err = nil
		}
		above := filepath.Dir(at)
		if err != nil || above == at {
			return err
		}
		at = above
	}
}

// checkOwner checks one file or folder. On Windows a mode tells nothing of others.
func checkOwner(path string, info fs.FileInfo) error {
	if whose, others := ownedByOthers(info); others {
		return fmt.Errorf("%s belongs to %s, not to you or root: chown it, or choose another place", path, whose)
	}
	if filepath.Separator == '\\' || info.Mode().Perm()&0o022 == 0 || info.IsDir() && info.Mode()&fs.ModeSticky != 0 {
		return nil
	}
	return fmt.Errorf("others than the owner may write %s: chmod go-w %[1]s", path)
}
