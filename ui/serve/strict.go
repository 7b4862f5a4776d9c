package serve

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// CheckOwners reports an error if others than root and the user who runs the server can put another file in the place
// of a file, or write it: if it, or a folder above it, belongs to them or is writable for them. That is StrictModes of
// sshd_config(5), up to the root. A folder with the sticky bit is in order, for in it only owners replace what is
// theirs. The way of each symbolic link is checked too. The file need not be there.
func CheckOwners(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	at, names := split(path)
	return checkWay(at, names, maxLinks)
}

// maxLinks is the number of symbolic links that a path may lead through, as on Linux.
const maxLinks = 40

// checkWay checks a file or folder that no link leads to, and then what the names lead to from there.
func checkWay(at string, names []string, links int) error {
	info, err := os.Lstat(at)
	if err == nil {
		err = checkOwner(at, info)
	}
	switch {
	case os.IsNotExist(err):
		return nil
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return checkLink(at, names, links-1)
	case len(names) == 0:
		return nil
	}
	return checkWay(filepath.Join(at, names[0]), names[1:], links)
}

// checkLink checks what a link leads to, and then what the names lead to from there.
func checkLink(link string, names []string, links int) error {
	target, err := os.Readlink(link)
	switch {
	case err != nil:
		return err
	case links < 0:
		return fmt.Errorf("%s leads through too many links", link)
	}
	at, onward := split(target)
	if !filepath.IsAbs(target) {
		at = filepath.Dir(link)
	}
	return checkWay(at, append(onward, names...), links)
}

// split returns the root of an absolute path, and the names below it.
func split(path string) (root string, names []string) {
	volume := filepath.VolumeName(path)
	return volume + string(filepath.Separator), strings.Split(path[len(volume):], string(filepath.Separator))
}

// checkOwner checks one file, folder or link. On Windows a mode tells nothing of others, and a link has none anywhere.
func checkOwner(path string, info fs.FileInfo) error {
	if whose, others := ownedByOthers(info); others {
		return fmt.Errorf("%s belongs to %s, not to you or root: chown it, or choose another place", path, whose)
	}
	if filepath.Separator == '\\' || info.Mode()&fs.ModeSymlink != 0 || info.Mode().Perm()&0o022 == 0 ||
		info.IsDir() && info.Mode()&fs.ModeSticky != 0 {
		return nil
	}
	return fmt.Errorf("others than the owner may write %s: chmod go-w %[1]s", path)
}
