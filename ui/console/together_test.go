package console

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"visto/review"
)

var minute = flag.Duration("minute", 2*time.Second, "how long two consoles decide at random on one database")

// patient is the limit of a wait that usually ends much sooner.
const patient = time.Minute

// Two consoles on one database, each a process of its own, decide at random. Nothing is lost, nothing is decided
// twice, and both show the truth.
func TestTwoConsolesAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	desk := openDesk(t, path, "clerk")
	add(t, desk, many())
	consoles := []*process{startConsole(t, path, "ana"), startConsole(t, path, "berta")}
	for _, c := range consoles {
		c.wait("ready")
	}
	for _, c := range consoles {
		c.send("decide " + minute.String())
	}
	var shown []saw
	for _, c := range consoles {
		shown = append(shown, c.seen()...)
	}
	for _, c := range consoles {
		c.send("truth")
	}
	for _, c := range consoles {
		c.truth()
	}
	compareWithLog(t, desk, shown)
}

// saw is the outcome of a decision on a console: a write, or a conflict with an earlier one.
type saw struct {
	Reviewer, Kind string
	ID             int64
	Conflict       bool
}

// compareWithLog checks that the log has each shown decision once and no other, and that no URL is decided twice.
func compareWithLog(t *testing.T, desk *review.Desk, shown []saw) {
	t.Helper()
	left, conflicts := map[saw]int{}, 0
	for _, s := range shown {
		if s.Conflict {
			conflicts++
			continue
		}
		left[s]++
	}
	decided := map[int64]string{}
	err := desk.EachEntry(t.Context(), func(e review.Entry) error {
		body, err := e.Read()
		for _, d := range body.Decisions {
			left[saw{Reviewer: e.Reviewer, Kind: d.Kind.String(), ID: d.Item}]--
			if by := decided[d.Item]; by != "" {
				t.Errorf("URL %d is decided by %s and by %s", d.Item, by, e.Reviewer)
			}
			decided[d.Item] = e.Reviewer
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for s, n := range left {
		if n != 0 {
			t.Errorf("%+v: shown %+d times more often than it is in the log", s, n)
		}
	}
	t.Logf("%d decided, %d times somebody else was first", len(decided), conflicts)
	if len(decided) == 0 {
		t.Error("nothing was decided")
	}
	if problems, err := desk.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("check: %v, %v", problems, err)
	}
}

// process is a console in a process of its own. It takes commands line by line.
type process struct {
	t    *testing.T
	name string
	in   io.Writer
	out  *bufio.Scanner
	cmd  *exec.Cmd
	errs *bytes.Buffer
}

func startConsole(t *testing.T, path, reviewer string) *process {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestConsoleProcess$", "-test.v=false")
	cmd.Env = append(os.Environ(), "VISTO_TEST_CONSOLE="+path, "VISTO_TEST_REVIEWER="+reviewer)
	errs := &bytes.Buffer{}
	cmd.Stderr = errs
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	return &process{t, reviewer, in, bufio.NewScanner(out), cmd, errs}
}

func (p *process) send(line string) { fmt.Fprintln(p.in, line) }

// wait reads lines until one begins with the word, and returns the rest of it.
func (p *process) wait(word string) string {
	p.t.Helper()
	for p.out.Scan() {
		if rest, ok := strings.CutPrefix(p.out.Text(), word); ok {
			return rest
		}
	}
	p.t.Fatalf("%s: ended without %q: %v\n%s", p.name, word, p.out.Err(), p.errs)
	return ""
}

func (p *process) seen() (list []saw) {
	p.t.Helper()
	if err := json.Unmarshal([]byte(p.wait("seen ")), &list); err != nil {
		p.t.Fatal(err)
	}
	return list
}

// truth waits until the console shows the same as a new one.
func (p *process) truth() {
	p.t.Helper()
	text := p.wait("truth ")
	if took, err := time.ParseDuration(text); err == nil {
		p.t.Logf("%s shows the truth %v after the last decision", p.name, took.Round(time.Millisecond))
		return
	}
	screens, err := strconv.Unquote(text)
	p.t.Errorf("%s does not show the truth: %v\n%s", p.name, err, screens)
}

// TestConsoleProcess is the process of startConsole.
func TestConsoleProcess(t *testing.T) {
	path := os.Getenv("VISTO_TEST_CONSOLE")
	if path == "" {
		t.Skip("it is started by TestTwoConsolesAtOnce")
	}
	desk := openDesk(t, path, os.Getenv("VISTO_TEST_REVIEWER"))
	w := &witness{Model: newModel(t.Context(), desk, plainOptions())}
	program := tea.NewProgram(w, tea.WithContext(t.Context()), tea.WithInput(nil), tea.WithOutput(io.Discard),
		tea.WithoutSignalHandler(), tea.WithWindowSize(100, 30))
	over := make(chan error)
	go func() {
		_, err := program.Run()
		over <- err
	}()
	c := conductor{t: t, desk: desk, witness: w, program: program}
	c.until(func() bool {
		return w.look(func(m *Model) bool {
			return m.queue.pane.Current() != nil && m.watcher.version != unknownVersion && m.watcher.updates.known
		})
	})
	fmt.Println("ready")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		c.do(lines.Text())
	}
	program.Quit()
	if err := <-over; err != nil {
		t.Error(err)
	}
}

func plainOptions() Options {
	return Options{DBPath: "/tmp/visto.db", Env: []string{"TERM=xterm-256color", "NO_COLOR=1"}}
}

// mark is a message that is closed when the console has taken all messages before it.
type mark chan struct{}

// witness is a console that keeps the outcomes of its decisions.
type witness struct {
	*Model
	mu   sync.Mutex
	list []saw
}

var (
	doneText     = regexp.MustCompile(`^(approved|rejected|deferred): URL (\d+)`)
	conflictSays = regexp.MustCompile(`^URL (\d+) was decided meanwhile`)
	kindsByText  = map[string]string{"approved": "approve", "rejected": "reject", "deferred": "defer"}
)

func (w *witness) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if reached, ok := msg.(mark); ok {
		close(reached)
		return w, nil
	}
	_, cmd := w.Model.Update(msg)
	if _, ok := msg.(wrote); ok { // the message of the confirmed write
		w.note(w.message.text)
	}
	return w, cmd
}

func (w *witness) note(text string) {
	if f := doneText.FindStringSubmatch(text); f != nil {
		id, _ := strconv.ParseInt(f[2], 10, 64)
		w.list = append(w.list, saw{Reviewer: w.who.Reviewer(), Kind: kindsByText[f[1]], ID: id})
	}
	if f := conflictSays.FindStringSubmatch(text); f != nil {
		id, _ := strconv.ParseInt(f[1], 10, 64)
		w.list = append(w.list, saw{Reviewer: w.who.Reviewer(), ID: id, Conflict: true})
	}
}

func (w *witness) look(fn func(m *Model) bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return fn(w.Model)
}

// screen is the screen without the message, which may take two lines.
func (w *witness) screen() (text string) {
	w.look(func(m *Model) bool {
		said := m.message
		m.message = message{}
		text = withoutMessages(m.draw().Content)
		m.message = said
		m.draw()
		return true
	})
	return text
}

func withoutMessages(screen string) string {
	lines := strings.Split(trimmed(ansi.Strip(screen)), "\n")
	if len(lines) < 3 {
		return screen
	}
	return strings.Join(slices.Delete(lines, len(lines)-3, len(lines)-2), "\n")
}

// conductor sends commands to a console.
type conductor struct {
	t       *testing.T
	desk    *review.Desk
	witness *witness
	program *tea.Program
}

func (c *conductor) until(is func() bool) bool {
	for end := time.Now().Add(patient); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if is() {
			return true
		}
	}
	return false
}

func (c *conductor) do(line string) {
	if text, ok := strings.CutPrefix(line, "decide "); ok {
		long, err := time.ParseDuration(text)
		if err != nil {
			c.t.Fatal(err)
		}
		c.decide(long)
		return
	}
	c.truth()
}

// decide presses keys at random for a while, then waits for the last write.
func (c *conductor) decide(long time.Duration) {
	for end := time.Now().Add(long); time.Now().Before(end); {
		c.keys([][]string{{"a"}, {"a"}, {"d"}, {"r", "type:no", "enter"}, {"j"}, {"g", "a"}, {"g", "d"}, {"k"},
			{"ctrl+d"}, {"G"}}[rand.IntN(10)]...)
		time.Sleep(time.Duration(rand.IntN(300)) * time.Millisecond)
	}
	c.settle()
	c.keys("esc")
	var list []byte
	c.witness.look(func(*Model) bool {
		list, _ = json.Marshal(c.witness.list)
		return true
	})
	fmt.Printf("seen %s\n", list)
}

// settle waits until the console has taken all keys and is done with their writes: it drops keys that waited long.
func (c *conductor) settle() {
	reached := make(mark)
	c.program.Send(reached)
	<-reached
	c.until(func() bool { return c.witness.look(func(m *Model) bool { return !m.writer.active }) })
}

func (c *conductor) keys(keys ...string) {
	for _, key := range keys {
		if text, ok := strings.CutPrefix(key, "type:"); ok {
			for _, r := range text {
				c.program.Send(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
			continue
		}
		msg, err := keyPress(key)
		if err != nil {
			c.t.Error(err)
		}
		if key == "enter" { // a question takes no answer before it can have been read
			time.Sleep(grace)
		}
		c.program.Send(msg)
	}
}

// truth measures the time until the console shows the same as a new one.
func (c *conductor) truth() {
	since := time.Now()
	var want, have string
	shown := c.until(func() bool {
		c.keys("esc", "g") // again if they were refused, because the other had just settled the URL under the cursor
		time.Sleep(grace)
		var err error
		if want, err = Snapshot(c.t.Context(), c.desk, plainOptions(), 100, 30, "esc"); err != nil {
			c.t.Fatal(err)
		}
		want, have = withoutMessages(want), c.witness.screen()
		return want == have
	})
	if shown {
		fmt.Printf("truth %v\n", time.Since(since))
		return
	}
	fmt.Printf("truth %q\n", "it shows:\n"+have+"\n\nand not:\n"+want)
}
