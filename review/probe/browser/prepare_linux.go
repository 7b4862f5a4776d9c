package browser

import (
	"fmt"
	"os/exec"
	"syscall"
)

// maxMemory is the memory in bytes that each process of Chromium may write to, as RLIMIT_DATA counts it.
const maxMemory = 1 << 30

// prepare gives Chromium a limit of memory, and a process group of its own: an interrupt from the terminal is not for
// it. The kernel kills it with the thread that started it.
func prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	limited := fmt.Sprintf(`ulimit -d %d; exec "$0" "$@"`, maxMemory>>10)
	cmd.Args = append([]string{"sh", "-c", limited, cmd.Path}, cmd.Args[1:]...)
	cmd.Path = "/bin/sh"
}
