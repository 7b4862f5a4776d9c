//go:build linux

package cli_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"visto/review"
	"visto/store/sqlite"
	"visto/store/storetest"
)

// start measures the time from the start of the program to its first frame with URLs, and its largest memory (VmHWM).
func (t *table) start(b *testing.B) {
	var first []time.Duration
	var memory float64
	var used time.Duration
	server := t.serverTime(b)
	for b.Loop() {
		s := newSitting(b, t.visto, t.db)
		first = append(first, s.until("reviewed"))
		memory = max(memory, s.memory())
		s.quit()
		used += s.cpu()
	}
	report(b, first, "")
	t.reportTime(b, used, t.serverTime(b)-server)
	b.ReportMetric(memory, "MB")
}

// consoleKeys names the keys by their actions. The keys before lead to the screen of the action and those after lead
// back; neither are measured.
var consoleKeys = []struct{ name, before, key, after string }{
	{"down", "", "j", ""}, {"up", "j", "k", ""},
	{"page down", "", "\x1b[6~", ""}, {"page up", "\x1b[6~", "\x1b[5~", ""},
	{"end", "", "G", "g"}, {"start", "G", "g", ""}, {"approve", "", "a", "u"}, {"detail", "", "\r", "\x1b"},
	{"facets", "", "f", "\x1b"},
	{"search, first letter", "/", "p", "\x1b"}, {"search, next letter", "/ayt", "o", "\x1b"},
	{"override form", "", "o", "\x1b"}, {"help", "", "?", "\x1b"}, {"mark", "", " ", ""},
	{"causes", "", "2", "1"}, {"overrides", "", "3", "1"}, {"log", "", "4", "1"}, {"stats", "", "5", "1"},
}

// keys measures the time from a key to its first frame and to its last one: the median and the 99th percentile of each
// key, and then of all keys together. The console is at rest before each key.
func (t *table) keys(b *testing.B) {
	s := newSitting(b, t.visto, t.db)
	s.until("reviewed")
	s.rest()
	var all []time.Duration
	for _, k := range consoleKeys {
		b.Run(k.name, func(b *testing.B) {
			var first, last []time.Duration
			for b.Loop() {
				for range *tablePresses {
					s.typed(k.before)
					f, l := s.press(k.key)
					first, last = append(first, f), append(last, l)
					s.typed(k.after)
				}
			}
			all = append(all, first...)
			report(b, first, "")
			report(b, last, "whole-")
		})
	}
	b.Run("all", func(b *testing.B) {
		report(b, all, "")
		b.ReportMetric(s.memory(), "MB")
	})
	s.quit()
}

// report reports the median and the 99th percentile of times.
func report(b *testing.B, times []time.Duration, of string) {
	slices.Sort(times)
	at := func(share float64) float64 {
		return float64(times[int(share*float64(len(times)-1)+0.5)].Microseconds()) / 1000
	}
	b.ReportMetric(at(0.5), of+"p50-ms")
	b.ReportMetric(at(0.99), of+"p99-ms")
	b.ReportMetric(0, "ns/op")
}

// benchProgram returns the paths of the program and of the generated database, indexed for the search.
func benchProgram(b *testing.B) (visto, db string) {
	b.Helper()
	visto = filepath.Join(b.TempDir(), "visto")
	if out, err := exec.Command("go", "build", "-o", visto, "visto").CombinedOutput(); err != nil {
		b.Fatalf("building visto: %v\n%s", err, out)
	}
	return visto, storetest.Generated(b, func(path string, n int) {
		s, err := sqlite.Open(b.Context(), path, sqlite.Options{Create: true})
		noError(b, err)
		d, err := review.Open(b.Context(), s, "ana", nil)
		noError(b, err)
		_, err = d.Add(b.Context(), review.Input{}, storetest.Corpus(1, n))
		noError(b, err)
		noError(b, s.Close())
	})
}

// sitting is a console on a terminal of its own.
type sitting struct {
	b        *testing.B
	began    time.Time
	terminal *os.File
	out      chan output
	cmd      *exec.Cmd
	ended    chan struct{}
}

// output is one write of the console and its time.
type output struct {
	at   time.Time
	text []byte
}

func newSitting(b *testing.B, visto, db string) *sitting {
	b.Helper()
	terminal, end, err := pty.Open()
	noError(b, err)
	noError(b, pty.Setsize(terminal, &pty.Winsize{Rows: 48, Cols: 160}))
	s := &sitting{b: b, began: time.Now(), terminal: terminal, out: make(chan output, 1000), ended: make(chan struct{})}
	env := []string{"TERM=xterm-256color", "COLORTERM=truecolor", "VISTO_REVIEWER=ana", "HOME=" + filepath.Dir(visto)}
	s.cmd = exec.Command(visto, "--db", db)
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr, s.cmd.Env = end, end, end, env
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	noError(b, s.cmd.Start())
	end.Close()
	go func() {
		s.cmd.Wait()
		close(s.ended)
	}()
	go s.read()
	return s
}

func (s *sitting) read() {
	for {
		buf := make([]byte, 64<<10)
		n, err := s.terminal.Read(buf)
		if err != nil {
			close(s.out)
			return
		}
		s.out <- output{time.Now(), buf[:n]}
	}
}

// until waits for a text on the screen and returns its time since the start.
func (s *sitting) until(text string) time.Duration {
	s.b.Helper()
	var all []byte
	for {
		select {
		case o, ok := <-s.out:
			if all = append(all, o.text...); bytes.Contains(all, []byte(text)) {
				return o.at.Sub(s.began)
			}
			if !ok {
				s.b.Fatalf("it ended without %q; what came: %q", text, all)
			}
		case <-time.After(time.Minute):
			s.b.Fatalf("%q does not come; what came: %q", text, all)
		}
	}
}

// A console that has written nothing for quiet is at rest. That is longer than the time in which a new dialog takes no
// key. frame is the shortest time between two frames.
const (
	quiet = 300 * time.Millisecond
	frame = time.Second / 120
)

// rest waits until the console is at rest, and returns the times of its first and its last write.
func (s *sitting) rest() (first, last time.Time) {
	for {
		select {
		case o, ok := <-s.out:
			if !ok {
				return first, last
			}
			if first.IsZero() {
				first = o.at
			}
			last = o.at
		case <-time.After(quiet):
			return first, last
		}
	}
}

// press types a key, and returns the time from it to the first and to the last write. It waits for a random part of a
// frame first, as rest always ends at the same time after a frame.
func (s *sitting) press(key string) (first, last time.Duration) {
	s.b.Helper()
	time.Sleep(rand.N(frame))
	at := time.Now()
	s.write(key)
	f, l := s.rest()
	if f.IsZero() { // the screen stays as it is
		return 0, 0
	}
	return f.Sub(at), l.Sub(at)
}

func (s *sitting) write(text string) {
	_, err := s.terminal.WriteString(text)
	noError(s.b, err)
}

// typed types keys and waits until the console is at rest.
func (s *sitting) typed(keys string) {
	if keys != "" {
		s.write(keys)
		s.rest()
	}
}

// memory returns the largest memory of the console so far, in MB.
func (s *sitting) memory() float64 {
	s.b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	noError(s.b, err)
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	var kB float64
	_, err = fmt.Sscan(rest, &kB)
	noError(s.b, err)
	return kB / 1000
}

func (s *sitting) quit() {
	s.write("\x03")
	select {
	case <-s.ended:
	case <-time.After(time.Minute):
		s.b.Fatal("the console does not end")
	}
	s.terminal.Close()
}

// cpu returns the processor time of the console.
func (s *sitting) cpu() time.Duration {
	return s.cmd.ProcessState.UserTime() + s.cmd.ProcessState.SystemTime()
}

func noError(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
