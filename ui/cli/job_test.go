//go:build linux

package cli_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// underShell is a script that starts a console, waits for a line each time that it is stopped, and brings it back.
const underShell = `set -m
./visto
jobs -p > pid; : > stopped-1; read line; fg
: > stopped-2; read line; fg
: > ended`

// onTerminal is a shell with a console on a terminal of its own. Nothing waits for what it writes: a screen may come in
// any pieces.
type onTerminal struct {
	*testing.T
	ctx     context.Context // ends what takes too long
	dir     string
	master  *os.File
	written bytes.Buffer
	drained chan struct{} // all is written
}

func startOnTerminal(t *testing.T, term, script string) *onTerminal {
	t.Helper()
	p := newProgram(t)
	p.run(0, strings.NewReader("https://www.boe.es/buscar/lista.php?p=1\n"), "add", "-")
	exe, err := os.Executable()
	noErr(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	s := &onTerminal{T: t, ctx: ctx, dir: t.TempDir(), drained: make(chan struct{})}
	noErr(t, os.Symlink(exe, filepath.Join(s.dir, "visto"))) // TestMain makes it the program
	cmd := exec.CommandContext(ctx, "sh", "-c", script)
	cmd.Dir, cmd.Env = s.dir, append(p.env, "TERM="+term)
	s.master, err = pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	noErr(t, err)
	go func() {
		defer close(s.drained)
		_, _ = io.Copy(&s.written, s.master) // it fails when the last process is gone
	}()
	t.Cleanup(func() {
		cancel()
		s.master.Close()
		_ = cmd.Wait()
		<-s.drained
	})
	return s
}

func noErr(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// until waits for a condition.
func (s *onTerminal) until(what string, holds func() bool) {
	s.Helper()
	for !holds() {
		select {
		case <-s.ctx.Done():
			s.Fatalf("in vain waited until %s", what)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (s *onTerminal) hasFile(name string) bool {
	_, err := os.Stat(filepath.Join(s.dir, name))
	return err == nil
}

// isRaw reports whether the terminal gives each key at once, as a console needs it.
func (s *onTerminal) isRaw() bool {
	s.Helper()
	raw := false
	conn, err := s.master.SyscallConn()
	noErr(s.T, err)
	noErr(s.T, conn.Control(func(fd uintptr) {
		mode, err := unix.IoctlGetTermios(int(fd), unix.TCGETS)
		raw = err == nil && mode.Lflag&unix.ICANON == 0
	}))
	return raw
}

// output returns all that was written, once the shell has ended.
func (s *onTerminal) output() string {
	s.Helper()
	select {
	case <-s.ctx.Done():
		s.Fatal("in vain waited until the shell ends")
	case <-s.drained:
	}
	return s.written.String()
}

func (s *onTerminal) types(keys string) {
	s.Helper()
	_, err := io.WriteString(s.master, keys)
	noErr(s.T, err)
}

// Ctrl+z and SIGTSTP stop the console and leave the terminal and its title to the shell as they were; fg brings the
// console back.
func TestSuspend(t *testing.T) {
	t.Parallel()
	s := startOnTerminal(t, "xterm-256color", underShell)
	isCooked := func() bool { return !s.isRaw() }
	s.until("the console has the terminal", s.isRaw)
	s.types("\x1a")
	s.until("ctrl+z stops the console", func() bool { return s.hasFile("stopped-1") })
	s.until("the shell has the terminal", isCooked)
	job, err := os.ReadFile(filepath.Join(s.dir, "pid"))
	noErr(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(job)))
	noErr(t, err)
	s.types("\n")
	s.until("fg gives the console the terminal", s.isRaw)
	noErr(t, syscall.Kill(pid, syscall.SIGTSTP))
	s.until("SIGTSTP stops the console", func() bool { return s.hasFile("stopped-2") })
	s.until("the shell has the terminal again", isCooked)
	s.types("\n")
	s.until("fg gives the console the terminal again", s.isRaw)
	s.until("q ends the console", func() bool {
		_, _ = io.WriteString(s.master, "q") // again and again: it reads keys a moment after it has the terminal
		return s.hasFile("ended")
	})
	const saved, restored = "\x1b[22;2t", "\x1b[23;2t"
	out := s.output()
	if strings.Count(out, saved) != 3 || strings.Count(out, restored) != 3 ||
		strings.LastIndex(out, restored) < strings.LastIndex(out, saved) {
		t.Errorf("the title was saved %d times and restored %d times, not 3 times each", strings.Count(out, saved),
			strings.Count(out, restored))
	}
}

// A terminal that can move no cursor gets the line mode.
func TestDumbTerminal(t *testing.T) {
	t.Parallel()
	s := startOnTerminal(t, "dumb", "./visto")
	s.types("q\n")
	if out := s.output(); !strings.Contains(out, "URL 1, pending") || strings.Contains(out, "\x1b") {
		t.Errorf("%q", out)
	}
}
