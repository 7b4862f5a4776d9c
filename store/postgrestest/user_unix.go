//go:build unix

package postgrestest

import (
	"errors"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// unprivileged returns how to start a program as a user who is not root, which PostgreSQL insists on, and gives that
// user the folder.
func unprivileged(folder string) (*syscall.SysProcAttr, error) {
	attr := &syscall.SysProcAttr{}
	if os.Geteuid() != 0 {
		return attr, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errUID := strconv.ParseUint(u.Uid, 10, 32)
		gid, errGID := strconv.ParseUint(u.Gid, 10, 32)
		if errUID == nil && errGID == nil {
			attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
			return attr, os.Chown(folder, int(uid), int(gid))
		}
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is neither a user postgres nor nobody")
}
