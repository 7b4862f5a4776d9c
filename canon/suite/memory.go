package suite

import "os"

// InMemory are tests whose temporary folders lie in memory if there is room: a commit to one of their databases does
// not wait for the disk. No test depends on what a loss of power leaves. Whoever sets TMPDIR or GOTMPDIR decides.
//
//	func TestMain(m *testing.M) { os.Exit(suite.InMemory{m}.Run()) }
type InMemory struct{ Tests interface{ Run() int } }

// Run runs the tests, and returns the exit status.
func (t InMemory) Run() int {
	if folder := memory(); folder != "" && os.Getenv("TMPDIR") == "" && os.Getenv("GOTMPDIR") == "" {
		os.Setenv("TMPDIR", folder)
	}
	return t.Tests.Run()
}
