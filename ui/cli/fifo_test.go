//go:build unix

package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// An interrupt ends a command that waits for a named pipe: for somebody who opens its other end, or who writes.
func TestInterruptedAtPipe(t *testing.T) {
	visto := linkVisto(t)
	for _, writer := range []bool{false, true} {
		p := newProgram(t)
		pipe := filepath.Join(t.TempDir(), "pipe")
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		cmd := exec.CommandContext(t.Context(), visto, "add", pipe)
		cmd.Env, cmd.Stderr = p.env, &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if writer {
			f, err := os.OpenFile(pipe, os.O_WRONLY, 0) // returns once visto has opened it
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
		}
		for { // the database is made before the pipe is opened
			if _, err := os.Stat(p.db); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		cmd.Wait() // without the interrupt it would wait for ever
		if !strings.Contains(stderr.String(), "interrupted") {
			t.Errorf("with a writer %v: %s", writer, stderr.String())
		}
	}
}

// A named pipe is no file of keys: each login would wait for somebody who writes.
func TestServeOfPipe(t *testing.T) {
	p := newProgram(t)
	p.run(0, strings.NewReader("https://sede.gob.es/\n"), "add", "-")
	pipe := filepath.Join(t.TempDir(), "pipe")
	ok(t, syscall.Mkfifo(pipe, 0o600))
	_, text := p.run(1, nil, "serve", "--ssh", ":0", "--authorized-keys", pipe)
	if !strings.Contains(text, "regular file") {
		t.Error(text)
	}
}
