package sqlite_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"visto/review"
	"visto/store/rows"
)

// The lease of a process that has ended is free before the parent of the process has waited for it.
func TestLeaseOfZombie(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "visto.db"))
	self, err := os.Executable()
	must(t, err)
	cmd := exec.Command(self, "-test.run=^$")
	must(t, cmd.Start())
	defer cmd.Wait()
	const oneProcess = 1 // P_PID of waitid(2)
	if _, _, err := syscall.Syscall6(syscall.SYS_WAITID, oneProcess, uintptr(cmd.Process.Pid), 0,
		syscall.WEXITED|syscall.WNOWAIT, 0, 0); err != 0 {
		t.Fatal(err)
	}
	here, now := rows.ThisProcess(), time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for _, pid := range []int{cmd.Process.Pid, here.PID} {
		holder := review.Holder{Machine: here.Machine, PID: pid}
		must(t, s.Lease(t.Context(), review.Lease{Reviewer: "ana", Holder: holder, Since: now,
			Until: now.Add(time.Minute)}, now))
	}
}
