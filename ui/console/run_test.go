//go:build unix

package console

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"

	"visto/review"
	"visto/review/candidate"
	"visto/review/probe"
	"visto/ui/config"
	"visto/ui/dialog"
)

// sitting is a console on a pseudo-terminal of its own.
type sitting struct {
	t        *testing.T
	keyboard *os.File
	probed   atomic.Int32
	faulty   atomic.Bool // a probe panics
	opened   atomic.Value
	ended    chan error

	mu     sync.Mutex
	screen strings.Builder
}

// sit runs a console in this process.
func sit(ctx context.Context, t *testing.T, desk Desk, env ...string) *sitting {
	t.Helper()
	return sitWith(ctx, t, desk, Keymap{}, env...)
}

// sitWith runs a console with keys and commands of the reviewer's own.
func sitWith(ctx context.Context, t *testing.T, desk Desk, keys Keymap, env ...string) *sitting {
	t.Helper()
	return sitOn(ctx, t, desk, Options{Keys: keys, Env: env})
}

// sitOn runs a console with options. Those of the terminal, the browser and the prober are the sitting's.
func sitOn(ctx context.Context, t *testing.T, desk Desk, opts Options) *sitting {
	t.Helper()
	keyboard, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(keyboard, &pty.Winsize{Rows: 30, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	s := &sitting{t: t, keyboard: keyboard, ended: make(chan error, 1)}
	go s.read()
	opts.In, opts.Out, opts.Prober = terminal, terminal, s
	opts.OpenBrowser = func(url string) error {
		s.opened.Store(url)
		return nil
	}
	go func() {
		s.ended <- Run(ctx, desk, opts)
		terminal.Close()
		keyboard.Close()
	}()
	return s
}

func (s *sitting) read() {
	buf := make([]byte, 64<<10)
	for {
		n, err := s.keyboard.Read(buf)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.screen.Write(buf[:n])
		s.mu.Unlock()
	}
}

// Probe makes the sitting its own prober.
func (s *sitting) Probe(context.Context, int64, func(probe.Event)) (review.ProbeResult, error) {
	if s.probed.Add(1); s.faulty.Load() {
		panic("a fault of the probe")
	}
	return review.ProbeResult{}, errors.New("the host is down")
}

func (s *sitting) Candidates(
	context.Context, candidate.Question, func(probe.Event),
) ([]candidate.Candidate, error) {
	return nil, errors.New("the host is down")
}

func (s *sitting) written() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screen.String()
}

func (s *sitting) keys(keys string) {
	if _, err := s.keyboard.WriteString(keys); err != nil {
		s.t.Error(err)
	}
}

// until waits for a condition, and reports the output if it never holds.
func (s *sitting) until(holds func() bool) {
	s.t.Helper()
	for end := time.Now().Add(patient); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("it never came; the output is\n%s", ansi.Strip(s.written()))
		}
	}
}

func (s *sitting) shows(text string) {
	s.t.Helper()
	s.until(func() bool { return strings.Contains(ansi.Strip(s.written()), text) })
}

// opens waits until the first URL is on screen in full: a key before that has no URL to act on.
func (s *sitting) opens() {
	s.t.Helper()
	s.shows("reviewed 0 of 10")
	s.shows("#requisitos removed and noted")
}

func (s *sitting) end() error {
	s.t.Helper()
	select {
	case err := <-s.ended:
		return err
	case <-time.After(patient):
		s.t.Fatalf("the console does not end; the output is\n%s", ansi.Strip(s.written()))
		return nil
	}
}

// The screen goes to Out. Without one it is discarded: it must not go to the program's stdout.
func TestScreenGoesToOut(t *testing.T) {
	var out strings.Builder
	for _, opts := range []Options{{Out: &out}, {}} {
		if got, want := opts.withDefaults().Out, cmp.Or[io.Writer](opts.Out, io.Discard); got != want {
			t.Errorf("it goes to %T, want %T", got, want)
		}
	}
}

// Two consoles run in one process at once, each with its own terminal, environment, browser and prober, on one
// database. Both see the work of the other.
func TestTwoConsolesInOneProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	if err := os.WriteFile(path, filled(), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	first := openDesk(t, path, "ana")
	ana := sit(t.Context(), t, first, "TERM=xterm-256color", "NO_COLOR=1")
	berta := sit(ctx, t, openDesk(t, path, "berta"), "TERM=xterm-256color", "COLORTERM=truecolor", "SSH_TTY=/dev/pts/9")
	ana.opens()
	berta.opens()

	ana.keys("x")
	ana.until(func() bool { return ana.opened.Load() != nil })
	berta.keys("x")
	berta.shows("no browser is opened over SSH")
	berta.keys("p")
	berta.shows("could not be asked about: the host is down")
	time.Sleep(2 * grace) // the first URL can have been read
	berta.keys("d")
	berta.shows("deferred: URL 1")
	ana.shows("berta: defer URL 1")
	if got := item(t, first, 1).Decision; got == nil || got.Reviewer != "berta" {
		t.Errorf("stored: %+v", got)
	}
	if berta.opened.Load() != nil || ana.probed.Load() != 0 || berta.probed.Load() != 1 {
		t.Error("a console used the browser or the prober of the other")
	}
	const coloured = "\x1b[38;2;"
	if strings.Contains(ana.written(), coloured) || !strings.Contains(berta.written(), coloured) {
		t.Error("each console must follow its own environment")
	}

	cancel()
	if err := berta.end(); err == nil {
		t.Error("a console whose context ended returns no error")
	}
	ana.keys("\x03") // ctrl+c
	if err := ana.end(); err != nil {
		t.Error(err)
	}
}

// faultyDesk panics while it computes an effect.
type faultyDesk struct{ Desk }

func (faultyDesk) Effect(
	_ context.Context, _ []review.OverrideChange, progress func(review.Effect),
) (*review.Effect, error) {
	progress(review.Effect{Total: 100, Scanned: 50})
	panic("a fault of the effect")
}

// A fault in the background of a console ends it, and not the process, in which there may be others.
func TestFaultsEndOneConsole(t *testing.T) {
	if testing.Short() { // as under the race detector
		t.Skip("after a panic Bubble Tea closes the terminal while it still reads it")
	}
	other := sit(t.Context(), t, newDesk(t), "TERM=xterm")
	for _, keys := range []string{"p", "od"} {
		s := sit(t.Context(), t, faultyDesk{newDesk(t)}, "TERM=xterm")
		s.faulty.Store(true)
		s.opens()
		s.keys(keys)
		if err := s.end(); !errors.Is(err, tea.ErrProgramPanic) {
			t.Errorf("%s: %v", keys, err)
		}
	}
	other.keys("\x03")
	if err := other.end(); err != nil {
		t.Error(err)
	}
}

// own is a configuration of commands.
const own = `commands:
- {name: Tell, key: W, run: [printf, "%s|", "{id}", "{url}", "\x1b[1mbold", "{host}"], output: reader}
- {name: Fail, key: F, where: [detail], run: [sh, -c, "exit 3"], output: none}
- {name: Absent, run: [/no/such/program]}
- {name: Record, run: [printf, "%s|", "{record}", "{record-name}", "{field}"], output: reader}
- {name: Cause, key: W, where: [causes], run: [printf, "%s|", "{flag}", "{param}", "{host}"], output: reader}
`

// Commands run on the URL or the cause under the cursor, from a key or by name, and tell their output and their end.
func TestCommands(t *testing.T) {
	keys, err := configured(t, own)
	if err != nil {
		t.Fatal(err)
	}
	opts := Options{Keys: keys, Env: []string{"TERM=xterm"}}
	s := openScreenWith(t, newDesk(t), opts, 120, 24, "j", "W").shows("╭─ Tell",
		"2|https://sede.ejemplo.gob.es/tramites/cita-previa?plaza=sur|bold|sede.ejemplo.gob.es|")
	s.keys("esc").shows("Tell: done").keys("enter", "F").shows("! Fail failed: exit status 3")
	s.keys(":", "type:record", "enter").lacks("╭─").shows("! Record: there is no record here")
	s.keys("2", "W").shows("╭─ Cause", "unknown-param|plaza|sede.ejemplo.gob.es|").keys("esc")
	s.keys("1", "?", "type:tell").shows("W", "run printf %s| {id} {url}")

	desk := newDesk(t)
	addCited(t, desk)
	s = openScreenWith(t, desk, opts, 120, 24, ":", "type:go 13", "enter", ":", "type:record", "enter")
	s.shows("╭─ Record", "local-villa|Ayuntamiento de Villainventada|portal_url|")

	// A hostile URL stays one argument, and harmless on the screen.
	s = openScreenWith(t, newDesk(t, samples()[8]), opts, 120, 24, "W")
	s.shows("1|https://sede.hostil.gob.es/%E2%80%AEgnp")
	harmless(t, ansi.Strip(s.model.View().Content))
}

// Output that comes while a dialog is open waits until that is closed.
func TestOutputOfACommandWaits(t *testing.T) {
	keys, err := configured(t, own)
	if err != nil {
		t.Fatal(err)
	}
	s := openScreenWith(t, newDesk(t), Options{Keys: keys}, 120, 24, "r")
	s.model.programs.output = &dialog.Reader{Title: "Tell", Text: "the output"}
	s.keys("type:x").shows("╭─ Reject").lacks("the output").keys("esc").shows("╭─ Tell", "the output").keys("esc")

	s.model.writer.await(func() {}) // the effect of a change is computed, which closes dialogs
	s.model.programs.output = &dialog.Reader{Title: "Tell", Text: "the output"}
	s.send(nil)
	s.lacks("╭─ Tell").model.writer.drop()
	s.send(nil)
	s.shows("╭─ Tell")
}

// The first part of a long output is kept, and the rest is told to be left out.
func TestLongOutputOfACommand(t *testing.T) {
	l := &limited{}
	for _, text := range []string{strings.Repeat("x", maxOutput-1), "y"} {
		if n, err := l.Write([]byte(text)); n != len(text) || err != nil || l.cut {
			t.Errorf("%d bytes, %v, cut %v", n, err, l.cut)
		}
	}
	if n, err := l.Write([]byte("zz")); n != 2 || err != nil || !l.cut || l.Len() != maxOutput {
		t.Errorf("%d bytes, %v, cut %v, %d are kept", n, err, l.cut, l.Len())
	}
}

// Keys that were typed into a program of the terminal settle no cause and no marked URL.
func TestKeysAfterACommandInTheTerminal(t *testing.T) {
	s := openScreen(t, newDesk(t), 120, 24, "space", "2")
	for _, key := range []string{"D", "1", "A"} {
		s.model.programs.back(config.Command{Name: "Ask"}, nil)
		again, _ := keyPress(key)
		s.send(again)
		s.shows("! "+key+" came too early").shows("Ask has only just ended", "[2 Causes]")
	}
}

// A session that is served to others runs no commands.
func TestServedSessionHasNoCommands(t *testing.T) {
	keys, err := configured(t, own)
	if err != nil {
		t.Fatal(err)
	}
	s := openScreenWith(t, newDesk(t), Options{Keys: keys, Served: true}, 120, 24, "W").lacks("Tell", "╭─")
	for _, c := range keys.commands {
		if find(s.model.keys, idOf(c.Name)) != nil {
			t.Errorf("%s is an action", c.Name)
		}
	}
}

// A command that wants the terminal gets it, and the console comes back.
func TestCommandInTheTerminal(t *testing.T) {
	keys, err := configured(t, `
commands: [{name: Ask, key: W, run: [sh, -c, "read x; echo got $x for $1; exit 4", sh, "{id}"]}]`)
	if err != nil {
		t.Fatal(err)
	}
	s := sitWith(t.Context(), t, newDesk(t), keys, "TERM=xterm-256color", "PATH="+os.Getenv("PATH"))
	s.opens()
	s.keys("W")
	s.until(func() bool { return strings.Contains(s.written(), "\x1b[?1049l") }) // the screen is the program's
	s.keys("seven\n")
	s.shows("got seven for 1")
	s.shows("Ask failed: exit status 4")
	time.Sleep(2 * grace) // until then keys may have been meant for the program
	s.keys("q")
	if err := s.end(); err != nil {
		t.Error(err)
	}
}
