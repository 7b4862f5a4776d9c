package suite

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
)

// InMemory runs tests that spend memory to save time. If there is room, their temporary folders are in memory, where a
// commit waits for no disk: no test cuts the power. TMPDIR and GOTMPDIR choose another place. The collector runs at
// gcPercent, in the programs that they start too, unless GOGC is set.
//
//	func TestMain(m *testing.M) { os.Exit(suite.InMemory{m}.Run()) }
type InMemory struct{ Tests interface{ Run() int } }

// Run runs the tests, and returns the exit status. What they leave in memory is removed at their end, or, if they are
// killed, by the next tests that run.
func (t InMemory) Run() int {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
		os.Setenv("GOGC", strconv.Itoa(gcPercent))
	}
	if root := memory(); root != "" && os.Getenv("TMPDIR") == "" && os.Getenv("GOTMPDIR") == "" {
		clearDead(root)
		if folder, err := own(root); err == nil {
			defer os.RemoveAll(folder)
			os.Setenv("TMPDIR", folder)
		}
	}
	return t.Tests.Run()
}

// gcPercent takes a fifth off the processor time of the tests that allocate most, those of the console.
const gcPercent = 400

// prefix and the ID of a process are the name of its folder.
const prefix = "visto-test-"

// own makes the folder of this process. Other users pass through it: PostgreSQL does not run as root.
func own(root string) (string, error) {
	folder := filepath.Join(root, prefix+strconv.Itoa(os.Getpid()))
	if err := os.Mkdir(folder, 0o700); err != nil {
		return "", err
	}
	return folder, os.Chmod(folder, 0o711)
}

// clearDead removes the folders of processes that have ended.
func clearDead(root string) {
	list, _ := filepath.Glob(filepath.Join(root, prefix+"*"))
	for _, folder := range list {
		pid, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(folder), prefix))
		if err == nil && ended(pid) {
			os.RemoveAll(folder)
		}
	}
}
