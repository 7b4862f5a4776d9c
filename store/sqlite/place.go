package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"visto/review"
)

// place remembers which files are open at a path. SQLite would go on writing to a file whose name is gone, where nobody
// ever looks again. All looks are os.Stat: to open and close the file would drop the locks of this process.
type place struct {
	path string
	seen [len(parts)]fs.FileInfo // nil: none was seen
}

// parts are what the names of a database's files add to its path.
var parts = [...]string{"", "-wal", "-shm"}

// Files returns the paths of all files that the database at path may consist of, whether they exist or not.
func Files(path string) (list []string) {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	for _, part := range append(parts[:], "-journal") {
		list = append(list, realPath(path)+part)
	}
	return list
}

// remember remembers the first n files that are there and not yet known. Those that are known have to be there still.
func (p *place) remember(n int) error {
	if err := p.check(); err != nil {
		return err
	}
	for i := range n {
		info, err := os.Stat(p.path + parts[i])
		if err == nil {
			p.seen[i] = info
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// check reports whether each file is still the one that was opened. Error: review.ErrGone.
func (p *place) check() error {
	for i, seen := range p.seen {
		if seen == nil {
			continue
		}
		now, err := os.Stat(p.path + parts[i])
		switch {
		case errors.Is(err, fs.ErrNotExist), err == nil && !os.SameFile(seen, now):
			return fmt.Errorf("%s: %w", p.path+parts[i], review.ErrGone)
		case err != nil:
			return err
		}
	}
	return nil
}
