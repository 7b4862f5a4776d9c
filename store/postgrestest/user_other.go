//go:build !unix

package postgrestest

import (
	"errors"
	"syscall"
)

// unprivileged fails: only a server that runs already is used here.
func unprivileged(string) (*syscall.SysProcAttr, error) {
	return nil, errors.New("no server is started here, and " + urlVariable + " names none")
}
