package cli_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"visto/ui/cli"
)

// program is visto with a database of its own, run within this process.
type program struct {
	t   testing.TB
	db  string
	env []string
}

func newProgram(t testing.TB) *program {
	dir := t.TempDir()
	db := filepath.Join(dir, "visto.db")
	return &program{t, db, []string{
		"HOME=" + dir, "VISTO_DB=" + db, "VISTO_REVIEWER=ana", "XDG_CACHE_HOME=" + userCache(),
		"GOGC=" + os.Getenv("GOGC"), "GORACE=" + os.Getenv("GORACE"), // for processes of its own
	}}
}

// userCache returns the place of the user's caches. Tests share it, for filling it takes seconds.
func userCache() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return dir
}

// run runs a command line and returns its output; it must end with the given status.
func (p *program) run(status int, stdin io.Reader, args ...string) (stdout, stderr string) {
	p.t.Helper()
	var out, err bytes.Buffer
	if got := cli.Run(args, stdin, &out, &err, p.env); got != status {
		p.t.Fatalf("visto %s: exit status %d, want %d\n%s", strings.Join(args, " "), got, status, err.String())
	}
	return out.String(), err.String()
}

// ok runs a command line that must succeed, without input, and returns its stdout.
func (p *program) ok(args ...string) string {
	p.t.Helper()
	stdout, _ := p.run(0, strings.NewReader(""), args...)
	return stdout
}

// TestRunLeavesTheProcess: Run can be started many times in one process, so no command limits the memory of that.
func TestRunLeavesTheProcess(t *testing.T) {
	limit := debug.SetMemoryLimit(-1)
	newProgram(t).run(0, strings.NewReader("https://www.boe.es/a\n"), "add", "-")
	if now := debug.SetMemoryLimit(-1); now != limit {
		t.Errorf("the memory limit is %d, it was %d", now, limit)
	}
}

// lines splits output into its lines.
func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}
