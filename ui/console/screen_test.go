package console

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/teatest/v2"

	"visto/canon/suite"
	"visto/review"
)

// golden is the folder of the golden screens. -update (a flag of teatest) writes them anew.
const golden = "../../testdata/screen"

// sizes are the sizes at which golden screens are drawn, the first of them in every run.
var sizes = []struct {
	name          string
	width, height int
}{{"80x24", 80, 24}, {"120x40", 120, 40}, {"200x60", 200, 60}}

func TestScreens(t *testing.T) {
	t.Parallel()
	drawn := sizes[:suite.Rounds(1, len(sizes))]
	if testing.Short() {
		drawn = sizes[:1]
	}
	for _, sc := range scenes() {
		for _, size := range drawn {
			t.Run(sc.name+"-"+size.name, func(t *testing.T) {
				t.Parallel()
				content := sc.open(t, size.width, size.height, "NO_COLOR=yes").model.View().Content
				fits(t, content, size.width, size.height)
				compare(t, sc.name+"-"+size.name+".txt", trimmed(ansi.Strip(content)))
			})
		}
	}
}

// looks are the terminals for which a few screens are compared with their styling.
var looks = []struct {
	name    string
	profile colorprofile.Profile
	light   bool
	env     string
}{
	{"truecolor-dark", colorprofile.TrueColor, false, "TERM=xterm"},
	{"truecolor-light", colorprofile.TrueColor, true, "TERM=xterm"},
	{"256-dark", colorprofile.ANSI256, false, "TERM=xterm"},
	{"256-light", colorprofile.ANSI256, true, "TERM=xterm"},
	{"16-dark", colorprofile.ANSI, false, "TERM=xterm"},
	{"16-light", colorprofile.ANSI, true, "TERM=xterm"},
	{"nocolor", colorprofile.TrueColor, false, "NO_COLOR=yes"},
}

func TestStyledScreens(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	for _, look := range looks {
		for _, size := range sizes[:suite.Rounds(1, len(sizes))] {
			name := "queue-" + size.name + "-" + look.name
			t.Run(name, func(t *testing.T) {
				s := openScreenWith(t, newDesk(t), Options{DBPath: "/home/ana/visto.db", Env: []string{look.env}},
					size.width, size.height)
				s.send(tea.ColorProfileMsg{Profile: look.profile})
				if look.light {
					s.send(tea.BackgroundColorMsg{Color: lipgloss.Color("#ffffff")})
				}
				s.keys("space", "k")
				content := s.model.View().Content
				if look.name == "nocolor" && strings.Contains(content, "38;") {
					t.Error("a colour in spite of NO_COLOR")
				}
				compare(t, name+".ansi", content)
			})
		}
	}
}

// fits checks that a screen has the size of the terminal.
func fits(t *testing.T, content string, width, height int) {
	t.Helper()
	lines := strings.Split(content, "\n")
	if len(lines) > height {
		t.Errorf("%d lines in %d:\n%s", len(lines), height, content)
	}
	for _, line := range lines {
		if w := ansi.StringWidth(line); w > width {
			t.Errorf("%d cells in %d: %q", w, width, line)
		}
	}
}

func compare(t *testing.T, name, have string) {
	t.Helper()
	file := filepath.Join(golden, name)
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		if err := os.WriteFile(file, []byte(have+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if have+"\n" != string(want) {
		t.Errorf("%s is another one; -update accepts this:\n%s", name, have)
	}
}

// resized are the sizes to which every scene is resized, the first five in every run.
var resized = [][2]int{{20, 5}, {300, 100}, {1, 1}, {0, 0}, {80, 24}, {40, 10}, {41, 11}, {80, 10}, {40, 60}, {110, 20},
	{119, 24}}

// TestSizes draws every scene in terminals of many sizes, and resizes it while it is open.
func TestSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("TestScreens opens the same scenes")
	}
	t.Parallel()
	eachScene(t, func(t *testing.T, _ string, s *screen) {
		for _, size := range resized[:suite.Rounds(5, len(resized))] {
			s.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			if size[0] > 0 {
				fits(t, s.model.View().Content, size[0], size[1])
			}
		}
	})
}

func TestTooSmall(t *testing.T) {
	s := openScreen(t, newDesk(t), 20, 5).shows("visto needs 40 by")
	s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	s.shows("1 of 10")
}

func TestResizeKeepsWhatWasTyped(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 120, 40, "r", "type:half a rea")
	s.send(tea.WindowSizeMsg{Width: 20, Height: 5})
	s.send(tea.WindowSizeMsg{Width: 60, Height: 16})
	s.shows("half a rea").keys("type:son", "enter")
	if d := item(t, desk, 1).Decision; d == nil || d.Note != "half a reason" {
		t.Errorf("stored: %+v", d)
	}
}

// TestHostile visits every place that shows a hostile URL, title, file name or note, and checks every rune on its
// way to the terminal.
func TestHostile(t *testing.T) {
	desk := newDesk(t, samples()[8])
	if _, err := desk.Note(t.Context(), "note \x1b[2J\u202e\r\u009b1m\x00", 1); err != nil {
		t.Fatal(err)
	}
	opts := Options{DBPath: "/tmp/\x1b]0;x\x07\u202e.db", Env: []string{"TERM=xterm"}}
	s := openScreenWith(t, desk, opts, 120, 40)
	for _, keys := range [][]string{
		nil, {"enter"}, {"t", "G"}, {"g", "r"}, {"esc", "n"}, {"esc", "e"}, {"type:\u202e\u200b"}, {"esc", "o"}, {"d"},
		{"up", "type:\u2066"}, {"down", "type:\u2066"},
		{"esc", "y"}, {"Y"}, {"esc", "f"}, {"type:\u202e"}, {"esc", "/", "type:\u202eb", "enter"}, {"esc"}, {"2"},
		{"3"}, {"1", "a"},
		{"4"}, {"enter"}, {"esc", "u"}, {"esc", "5"}, {"1", "u"}, {"?"}, {"esc", "o", "d", "ctrl+s"},
		{"3"}, {"enter"},
	} {
		s.keys(keys...)
		v := s.model.View()
		harmless(t, ansi.Strip(v.Content))
		harmless(t, v.WindowTitle)
		onlyStyles(t, v.Content)
	}
	s.send(tea.PasteMsg{Content: "\x1b[31m\u202e"})
	harmless(t, ansi.Strip(s.model.View().Content))
}

func TestHostileIsReadable(t *testing.T) {
	s := openScreen(t, newDesk(t, samples()[8]), 120, 40, "enter")
	s.shows(`\u{202e}gnp\u{200b}/a\x1b[31mb\x1b]0;owned\x07?q=\u{9b}2J\u{2066}\x00z\xff&r=`, `\u{e0041}\rtop`,
		`hostile \x1b[31m\u{202e}title`, `crawl\x1b[2J.txt`)
	if title := s.model.View().WindowTitle; !strings.HasPrefix(title,
		"visto: https://sede.hostil.gob.es/%E2%80%AEgnp") {
		t.Errorf("title %q", title)
	}
}

// harmless checks text for anything that a terminal would obey, hide or reorder.
func harmless(t *testing.T, text string) {
	t.Helper()
	for _, r := range text {
		if r != '\n' && (unicode.In(r, unicode.C, unicode.Zl, unicode.Zp) || r == unicode.ReplacementChar) {
			t.Fatalf("%U reaches the terminal in %q", r, text)
		}
	}
}

// onlyStyles checks that the escape sequences of a screen are styles and nothing else.
func onlyStyles(t *testing.T, content string) {
	t.Helper()
	for i, part := range strings.Split(content, "\x1b")[1:] {
		end := strings.IndexFunc(part, func(r rune) bool { return r >= '@' && r != '[' })
		if !strings.HasPrefix(part, "[") || end < 0 || part[end] != 'm' {
			t.Fatalf("escape sequence %d is %q", i, part[:min(20, len(part))])
		}
	}
}

func TestNoColorIsHonouredWithAnyValue(t *testing.T) {
	for _, env := range []string{"NO_COLOR=1", "NO_COLOR=yes", "NO_COLOR=0", "NO_COLOR=false"} {
		s := openScreenWith(t, newDesk(t), Options{Env: []string{env}}, 80, 24)
		s.send(tea.ColorProfileMsg{Profile: colorprofile.TrueColor})
		if content := s.model.View().Content; strings.Contains(content, "38;") || strings.Contains(content, "\x1b[3") {
			t.Errorf("%s: %q", env, content[:200])
		}
	}
}

// TestProgram runs the whole program, renderer and all. A key that comes as the screen changes by itself is refused and
// asked for again, so each is given until it has done its work. The clock stands still but for the time between two keys:
// as long as a URL takes to be read.
func TestProgram(t *testing.T) {
	desk := newDesk(t)
	var read atomic.Int64
	opts := Options{Env: []string{"TERM=xterm"}, clock: clock{
		now: func() time.Time { return time.Unix(read.Load(), 0) }, after: tick,
	}}
	tm := teatest.NewTestModel(t, newModel(t.Context(), desk, opts),
		teatest.WithInitialTermSize(80, 24))
	teatest.WaitFor(t, tm.Output(), func(b []byte) bool { return strings.Contains(string(b), "plaza=norte") },
		teatest.WithDuration(20*time.Second))
	given := func(key string, done func() bool) {
		t.Helper()
		for range 200 {
			read.Add(60)
			tm.Type(key)
			for range 5 {
				if done() {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
		}
		t.Fatalf("%s did nothing in 20 s", key)
	}
	given("a", func() bool { return item(t, desk, 1).Status == review.Approved })
	teatest.WaitFor(t, tm.Output(), func(b []byte) bool { return strings.Contains(string(b), "approved") },
		teatest.WithDuration(20*time.Second))
	ended := make(chan tea.Model)
	go func() { ended <- tm.FinalModel(t) }()
	var m *Model
	given("q", func() bool {
		select {
		case final := <-ended:
			m = final.(*Model)
			return true
		default:
			return false
		}
	})
	if m.queue.pane.Current() == nil {
		t.Error("no queue")
	}
}

func TestHostileTitle(t *testing.T) {
	s := openScreen(t, newDesk(t, review.Found{URL: "ftp://h/\x1b]0;x\x07\u202e\u009d-"}), 80, 24, "f", "space",
		"enter").at(1)
	if title := s.model.View().WindowTitle; title != `visto: ftp://h/\x1b]0;x\x07\u{202e}\u{9d}-` {
		t.Errorf("title %q", title)
	}
}

func TestLongURLLeavesRoomForItsFlags(t *testing.T) {
	long := "https://sede.ejemplo.gob.es/tramites/" + strings.Repeat("abcdefghi/", 180) + "ultimo?plaza=norte"
	s := openScreen(t, newDesk(t, review.Found{URL: long}), 80, 24)
	s.shows("ultimo?plaza=norte\n", "lines in which nothing changed",
		"! unknown-param: ").keys("Z").shows("ultimo?plaza=norte\n", "more lines: enter shows all", "! unknown-param: ")
	if n := strings.Count(s.text(), "ultimo?plaza=norte"); n != 2 {
		t.Errorf("the end of the URL is shown %d times, not in the list and below it:\n%s", n, s.text())
	}
}
