package postgrestest

import (
	"os/exec"
	"runtime"
	"syscall"
)

// startTied starts a program that ends with this process, also if this is killed, and closes ended when it has ended.
// The kernel watches the thread that started it, so that one stays.
func startTied(cmd *exec.Cmd, ended chan struct{}) error {
	attr := *cmd.SysProcAttr
	attr.Pdeathsig = syscall.SIGQUIT
	cmd.SysProcAttr = &attr
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(ended)
		err := cmd.Start()
		started <- err
		if err == nil {
			cmd.Wait()
		}
	}()
	return <-started
}
