//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// A pipe is read as stdin is: what it does not hold is not gone, although the next one has the same name.
func TestAddFromPipes(t *testing.T) {
	p := newProgram(t)
	pipe := filepath.Join(t.TempDir(), "pipe")
	ok(t, syscall.Mkfifo(pipe, 0o600))
	for _, url := range []string{"https://www.boe.es/ficha-1", "https://www.boe.es/ficha-2"} {
		go os.WriteFile(pipe, []byte(url+"\n"), 0o600) // waits for add
		p.ok("add", pipe)
	}
	if all := p.ok("list", "--status", "all", "--ids"); strings.Count(all, "\n") != 2 {
		t.Errorf("%q, want both URLs", all)
	}
}

// An interrupt ends a command that waits for a small file, which a named pipe may be too.
func TestInterruptedAtSmallFile(t *testing.T) {
	visto := linkVisto(t)
	p := newProgram(t)
	p.run(0, strings.NewReader("https://sede.gob.es/\n"), "add", "-")
	pipe := filepath.Join(t.TempDir(), "pipe")
	ok(t, syscall.Mkfifo(pipe, 0o600))
	for _, args := range []string{
		"policy check PIPE", "policy show PIPE", "policy diff clara PIPE", "recanon --policy PIPE", "list --policy PIPE",
		"canon --policy PIPE x", "canon --overrides PIPE x", "override import PIPE", "suggest --from PIPE",
		"lint --registry PIPE x", "lint --overrides PIPE x", "probe --ca-file PIPE", "keys --config PIPE",
		"review --plain --config PIPE",
	} {
		words := strings.Fields(strings.ReplaceAll(args, "PIPE", pipe))
		if text := p.interruptAt(pipe, os.O_WRONLY, visto, words...); !strings.Contains(text, "interrupted") {
			t.Errorf("%s: %s", args, text)
		}
	}
}

// An interrupt ends a command that writes to a named pipe from which nobody reads.
func TestInterruptedAtOutput(t *testing.T) {
	visto := linkVisto(t)
	p := newProgram(t)
	var urls strings.Builder
	for i := range 1000 { // more than a pipe holds
		fmt.Fprintf(&urls, "https://sede.gob.es/tramites/%d?sesion=%d\n", i, i)
	}
	p.run(0, strings.NewReader(urls.String()), "add", "-")
	pipe := filepath.Join(t.TempDir(), "pipe")
	ok(t, syscall.Mkfifo(pipe, 0o600))
	text := p.interruptAt(pipe, os.O_RDONLY, visto, "export", "--status", "all", "-o", pipe)
	if !strings.Contains(text, "interrupted") {
		t.Error(text)
	}
}

// interruptAt starts a process, interrupts it once it has opened the pipe, of which the test opens the other end, and
// returns its messages. It kills a process that does not end by itself.
func (p *program) interruptAt(pipe string, end int, visto string, args ...string) string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 20*time.Second)
	defer cancel()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, visto, args...)
	cmd.Env, cmd.Stderr = p.env, &stderr
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	f, err := os.OpenFile(pipe, end, 0) // returns once visto has opened it
	if err != nil {
		p.t.Fatal(err)
	}
	defer f.Close()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		p.t.Fatal(err)
	}
	cmd.Wait()
	return stderr.String()
}

// A named pipe is neither a file of keys nor a private key: the server would wait for somebody who writes.
func TestServeOfPipe(t *testing.T) {
	p := newProgram(t)
	p.run(0, strings.NewReader("https://sede.gob.es/\n"), "add", "-")
	pipe := filepath.Join(t.TempDir(), "pipe")
	ok(t, syscall.Mkfifo(pipe, 0o600))
	for _, flags := range [][]string{{"--authorized-keys", pipe}, {"--authorized-keys", p.db, "--host-key", pipe}} {
		_, text := p.run(1, nil, slices.Concat([]string{"serve", "--ssh", ":0"}, flags)...)
		if !strings.Contains(text, "regular file") {
			t.Error(text)
		}
	}
}
