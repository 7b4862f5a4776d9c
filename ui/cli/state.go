package cli

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
)

// stateFile returns the file for a reviewer's last position in a database; empty if there is no folder for it.
func (a *app) stateFile(db, reviewer string) string {
	dir := a.getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(dir) {
		home := a.getenv("HOME")
		if !filepath.IsAbs(home) {
			return ""
		}
		dir = filepath.Join(home, ".local", "state")
	}
	if real, err := filepath.EvalSymlinks(db); err == nil {
		db = real
	}
	sum := sha256.Sum256([]byte(db + "\x00" + reviewer))
	return filepath.Join(dir, "visto", fmt.Sprintf("console-%x.json", sum[:8]))
}
