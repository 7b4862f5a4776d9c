package cli

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
)

// stateFile returns the file for a reviewer's last position in a database; empty if there is no folder for it.
func (g *globalFlags) stateFile(db, reviewer string) string {
	if real, err := filepath.EvalSymlinks(db); err == nil {
		db = real
	}
	sum := sha256.Sum256([]byte(db + "\x00" + reviewer))
	file := g.baseFile("XDG_STATE_HOME", ".local/state", fmt.Sprintf("console-%x.json", sum[:8]))
	if !filepath.IsAbs(file) {
		return ""
	}
	return file
}
