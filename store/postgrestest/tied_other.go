//go:build !linux

package postgrestest

import "os/exec"

// startTied starts a program, and closes ended when it has ended.
func startTied(cmd *exec.Cmd, ended chan struct{}) error {
	if err := cmd.Start(); err != nil {
		close(ended)
		return err
	}
	go func() {
		defer close(ended)
		cmd.Wait()
	}()
	return nil
}
