//go:build unix

package serve

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// ownedByOthers says whose a file is, unless it is root's or that of the user who runs the server.
func ownedByOthers(info fs.FileInfo) (whose string, others bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok || s.Uid == 0 || int(s.Uid) == os.Geteuid() {
		return "", false
	}
	return fmt.Sprintf("user %d", s.Uid), true
}
