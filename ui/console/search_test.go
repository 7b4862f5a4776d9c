package console

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/pane"
)

// heldDesk keeps the search texts of the pages that are read.
type heldDesk struct {
	Desk
	texts []string
}

func (d *heldDesk) Page(ctx context.Context, q review.Query, from *review.Cursor, n int) ([]review.Item, error) {
	d.texts = append(d.texts, q.Filter.Search)
	return d.Desk.Page(ctx, q, from, n)
}

// hold keeps the later messages of the model's clock until release.
func (s *screen) hold() (release func(), waits *[]time.Duration) {
	waits = new([]time.Duration)
	s.model.opts.clock.after = func(d time.Duration, msg tea.Msg) tea.Cmd {
		s.later, *waits = append(s.later, msg), append(*waits, d)
		return nil
	}
	return func() {
		for _, msg := range s.later {
			s.send(msg)
		}
		s.later = nil
	}, waits
}

// The finds of a text and their number are shown while it is typed, and the field covers none of the list.
func TestSearchShowsWhatItFindsWhileItIsTyped(t *testing.T) {
	s := openColourless(t, newDesk(t)).keys("esc") // the text of the first screen
	rows := strings.Count(s.text(), "\n  ? ")
	s.keys("/")
	if n := strings.Count(s.text(), "\n  ? "); n != rows {
		t.Errorf("%d rows are in view, not %d:\n%s", n, rows, s.text())
	}
	s.shows("/ ", "10 URLs", "enter keep").keys("type:se").shows("with “se”", "1 of 8", "8 found")
	s.keys("type:pe").shows("with “sepe”", "1 of 2", "2 found").lacks("cita-previa").marks("sepe", "sepe", "Sepe",
		"SEPE", "sepe").at(4)
	s.keys("down").at(5).keys("up").at(4).keys("type:zz").shows("nothing found", "Nothing matches")
	s.keys("backspace", "backspace").shows("2 found").keys("ctrl+u").shows("10 URLs", "1 of 10")
	s.keys("type:re:sepe|ncat").shows("3 found", "re:sepe|ncat")
	if c := s.model.View().Cursor; c == nil || c.Y != 22 || c.X != len(" / re:sepe|ncat") {
		t.Errorf("the cursor is at %+v", c)
	}
}

// Letters that come at once after the key are part of the text.
func TestSearchTakesLettersAtOnce(t *testing.T) {
	for _, place := range []string{"1", "2"} {
		s := openScreen(t, newDesk(t), 80, 24, place)
		for _, k := range []string{"/", "q", "a"} {
			key, _ := keyPress(k)
			s.send(key)
		}
		s.shows(" / qa ")
	}
}

// The store is asked once, after typing has paused.
func TestSearchWaitsForTheLastLetter(t *testing.T) {
	desk := &heldDesk{Desk: newDesk(t)}
	s := openScreen(t, desk, 80, 24)
	release, waits := s.hold()
	desk.texts = nil
	s.keys("/", "type:sepe").shows("with “sepe”", "cita-previa") // the rows that were there stay meanwhile
	if n := strings.Count(s.text(), "searching…"); n != 2 {
		t.Errorf("it says searching… %d times:\n%s", n, s.text())
	}
	if desk.texts != nil {
		t.Errorf("asked for %q", desk.texts)
	}
	release()
	s.shows("2 found").lacks("searching…", "cita-previa")
	if !slices.Equal(desk.texts, []string{"sepe"}) {
		t.Errorf("asked for %q", desk.texts)
	}
	for _, d := range *waits {
		if d < 60*time.Millisecond || d > 100*time.Millisecond {
			t.Errorf("waits for %v", d)
		}
	}
}

// A letter cancels the search for the text before it, without a trace.
func TestALetterEndsTheSearchBeforeIt(t *testing.T) {
	desk := &slowDesk{Desk: newDesk(t)}
	s := openScreen(t, desk, 80, 24, "/", "type:z")
	release, _ := s.hold()
	s.keys("type:z")
	slow := s.model.lookup.keep()
	s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	s.shows("searching…")
	s.keys("ctrl+u", "type:sepe")
	for _, cmd := range slow().(tea.BatchMsg) { // the answers come after the end
		s.send(cmd())
	}
	if len(desk.ended) != 1 || !errors.Is(desk.ended[0], context.Canceled) {
		t.Errorf("the search ended with %v", desk.ended)
	}
	s.shows("searching…").lacks("canceled")
	release()
	s.shows("2 found", "1 of 2").lacks("canceled", "searching…")
}

// Esc restores the list at once: filter, order, cursor, marks, and a range in progress.
func TestEscBringsBackWhatWasShown(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	for name, keys := range map[string][]string{
		"at the start":    {"esc"},
		"marks":           {"space", "j", "space", "j", "j"},
		"a range":         {"j", "V", "j", "j"},
		"a filter":        {"f", "type:unknown-param", "space", "enter", "j", "j"},
		"another search":  {"/", "type:re:sede|sepe", "enter", "j", "j", "s", "down", "enter", "j"},
		"a cause":         {"2", "enter", "j"},
		"only the marked": {"space", "space", "space", "F", "j"},
		"nothing":         {"/", "type:zzz", "enter"},
	} {
		t.Run(name, func(t *testing.T) {
			desk := newDesk(t, append(samples(), many()...)...)
			s := openScreen(t, desk, 80, 24, keys...)
			s.model.message = message{}
			s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
			before, shown, marked := s.text(), s.model.queue.shown, s.model.queue.before != nil
			s.keys("/", "type:plaza", "down", "pgdown", "down", "ctrl+u", "type:re:.*", "down")
			s.now = s.now.Add(time.Second)
			esc, _ := keyPress("esc")
			_, cmd := s.model.Update(esc)
			if text := rowsOf(s.text()); text != rowsOf(before) {
				t.Errorf("shown is\n%s\nand not\n%s", text, before)
			}
			s.run(cmd)
			now := s.model.queue.shown
			same := now.query.Filter.String() == shown.query.Filter.String() && now.cause == shown.cause
			if s.text() != before || !same || marked != (s.model.queue.before != nil) {
				t.Errorf("shown is\n%s\nand not\n%s", s.text(), before)
			}
		})
	}
}

// rowsOf is the screen without the preview of the URL, which is read again.
func rowsOf(text string) string {
	lines := strings.Split(text, "\n")
	return strings.Join(append(lines[:12:12], lines[21:]...), "\n")
}

// After esc the work of others is on screen, and marks that were made meanwhile stay.
func TestEscShowsWhatOthersDid(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 80, 24, "space", "j", "/", "type:sepe")
	decideAs(t, theirs, review.Approve, 2)
	s.keys("esc").shows("1 marked").lacks("plaza=sur")
	s.keys("/", "type:sepe").model.queue.pane.MarkAll(review.Filter{Open: true}, 9) // asked for before
	s.keys("esc").shows("9 marked")
}

func TestEnterKeepsWhatIsShown(t *testing.T) {
	desk := &heldDesk{Desk: newDesk(t)}
	s := openScreen(t, desk, 80, 24, "/", "type:sepe", "down")
	desk.texts = nil
	s.keys("enter").at(5).shows("2 of 2", "with “sepe”", "a approve").lacks("enter keep")
	if desk.texts != nil {
		t.Errorf("it is asked again: %q", desk.texts)
	}
	release, _ := s.hold()
	s.keys("/", "ctrl+u", "type:gencat", "enter").shows("1 of 1", "with “gencat”").at(7) // which does not wait
	desk.texts = nil
	release()
	if desk.texts != nil {
		t.Errorf("it is asked again: %q", desk.texts)
	}
	s.keys("/", "enter").at(7).keys("/", "esc").at(7).shows("with “gencat”")
}

// The error in an incomplete regular expression stands beside the field, and the finds before it stay.
func TestSearchForWhatIsNotWhole(t *testing.T) {
	s := openScreen(t, newDesk(t), 80, 24, "/", "type:re:sepe").shows("2 found")
	s.keys("type:(").shows("! at character 8: missing closing )", "1 of 2", "re:sepe").lacks("found", "searching…")
	s.keys("enter").shows("enter keep").keys("type:/home)").shows("nothing found").keys("ctrl+u", "type:re:[",
		"esc").shows("1 of 10")
	s.keys("M").shows("nothing has been said yet")
	s.keys("esc", ":", "type:search re:sepe|ncat", "enter").shows("re:sepe|ncat", "1 of 3")
}

// No key does anything else while a text is typed.
func TestNothingIsDoneWhileASearchIsTyped(t *testing.T) {
	for _, place := range []string{"1", "2"} {
		desk := newDesk(t)
		s := openScreen(t, desk, 80, 24, place)
		before := s.text()
		s.keys("/")
		for _, b := range bindings() {
			for _, k := range b.keys {
				if k != "esc" && k != "enter" && b.name != "Suspend" { // which works anywhere
					s.keys(k)
				}
			}
		}
		s.now = s.now.Add(time.Second)
		for y := range 22 {
			s.send(tea.MouseClickMsg{X: 30, Y: y, Button: tea.MouseLeft})
		}
		s.keys("esc")
		if s.quit || s.text() != before || s.model.queue.pane.Marks() > 0 {
			t.Errorf("shown is\n%s\nand not\n%s", s.text(), before)
		}
		if log, err := desk.Log(t.Context(), 0, 10); err != nil || len(log) != 2 {
			t.Errorf("the log has %d entries, %v", len(log), err)
		}
	}
}

// A key decides nothing about a URL that came under the cursor after it was pressed.
func TestNothingIsSettledWhileItIsSearched(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 80, 24, "/")
	s.hold()
	s.keys("type:sepe")
	s.now = s.now.Add(time.Second)
	enter, _ := keyPress("enter")
	_, slow := s.model.Update(enter)
	s.keys("a").shows("not so fast")
	s.read().run(slow)
	approve, _ := keyPress("a")
	s.send(approve) // in the same moment
	s.at(4).shows("! a came too early for this URL: press it again")
	for _, id := range []int64{1, 4} {
		status(t, desk, id, review.Pending)
	}
	s.keys("a")
	status(t, desk, 4, review.Approved)
}

// failingDesk fails to read the queue.
type failingDesk struct {
	Desk
	fail error
}

func (d *failingDesk) Page(ctx context.Context, q review.Query, from *review.Cursor, n int) ([]review.Item, error) {
	if d.fail != nil {
		return nil, d.fail
	}
	return d.Desk.Page(ctx, q, from, n)
}

// An error is told beside the field.
func TestSearchThatFails(t *testing.T) {
	desk := &failingDesk{Desk: newDesk(t)}
	s := openScreen(t, desk, 80, 24, "/", "type:sep")
	desk.fail = errors.New("no \x1b disk")
	s.keys("type:e").shows(`! no \x1b disk`)
	desk.fail = nil
	s.keys("type:x").lacks("disk")
}

// A text that is being typed when the console ends is not kept.
func TestQuittingWhileTypingKeepsTheFilter(t *testing.T) {
	desk, state := newDesk(t), filepath.Join(t.TempDir(), "state.json")
	opts := Options{StateFile: state, Env: []string{"NO_COLOR=1"}}
	s := openScreenWith(t, desk, opts, 80, 24, "j", "j", "/", "type:sepe", "ctrl+c")
	if err := s.model.leave(); err != nil || !s.quit {
		t.Fatal(err)
	}
	openScreenWith(t, desk, opts, 80, 24).at(3).shows("3 of 10").lacks("sepe”")
}

// After a kill the console opens at the reviewer's place, with the filter without its temporary parts.
func TestAKilledConsoleKeepsThePlace(t *testing.T) {
	desk, state := newDesk(t), filepath.Join(t.TempDir(), "state.json")
	opts := Options{StateFile: state, Env: []string{"NO_COLOR=1"}}
	s := openScreenWith(t, desk, opts, 80, 24, "/", "type:sepe", "enter", "j").at(5).poll()
	s.keys("/", "type:zz").poll()
	openScreenWith(t, desk, opts, 80, 24).at(5).shows("2 of 2", "with “sepe”").keys("esc", "esc", "a").poll().poll()
	openScreenWith(t, desk, opts, 80, 24).at(6).shows("5 of 9").lacks("sepe”")
}

// The place is kept also while others write all the time, and not by a console that is only opened.
func TestThePlaceIsKeptWhileOthersWork(t *testing.T) {
	mine, theirs := two(t)
	path := filepath.Join(t.TempDir(), "state.json")
	s := openScreenWith(t, mine, Options{StateFile: path}, 80, 24).at(1).poll()
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a console that was only opened wrote its place: %v", err)
	}
	s.keys("j")
	decideAs(t, theirs, review.Approve, 5)
	s.poll().keptAt(path, 2)
}

// A write that comes late does not put an older place back.
func TestALateWriteKeepsNoOlderPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	s := openScreenWith(t, newDesk(t), Options{StateFile: path}, 80, 24, "j")
	late := s.model.keepPlace()
	if err := s.keys("j").model.leave(); err != nil {
		t.Fatal(err)
	}
	late()
	s.keptAt(path, 3)
}

// keptAt checks the URL in a state file.
func (s *screen) keptAt(path string, id int64) {
	s.t.Helper()
	if kept, err := readState(path); err != nil || kept.URL != id {
		s.t.Errorf("the file has URL %d, not %d: %v", kept.URL, id, err)
	}
}

// A console removes the temporary files of killed consoles, but not one that is being written.
func TestAKilledWriteLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	for name, at := range map[string]time.Time{".console-1": time.Unix(-61, 0), ".console-2": time.Unix(-1, 0)} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	openScreenWith(t, newDesk(t), Options{StateFile: filepath.Join(dir, "state.json")}, 80, 24)
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 || left[0].Name() != ".console-2" {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestCausesAreFoundWhileTyped(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 80, 24, "2")
	rows := s.model.causes.pane.Len()
	s.keys("space", "k", "l").shows("cita-previa")
	before := s.text()
	s.keys("/").shows(" in all").keys("type:genc").shows("1 found", "on web.gencat.cat",
		"lead /ca/ to /es/").lacks("plaza on")
	s.keys("type:zz").shows("nothing found", "No cause with “genczz”").keys("esc")
	if s.text() != before || s.model.causes.pane.Len() != rows {
		t.Errorf("shown is\n%s\nand not\n%s", s.text(), before)
	}
	s.keys("/", "type:ORIGEN on unknown sede").shows("1 found", "origen on sede").keys("esc")
	s.model.causes.pane, s.model.causes.all.version = pane.Causes{}, unknownVersion // not read yet
	s.keys("/", "type:x").shows("/ x", "loading…").lacks("nothing found").keys("esc", "1", "2")
	s.keys("/", "type:unknown-param", "down").shows("3 found").keys("enter").lacks("enter keep", "http-only")
}

// The finds of an earlier text come too late. Enter does not wait for those of the last one.
func TestCausesAreFoundForTheLastLetter(t *testing.T) {
	s := openScreen(t, newDesk(t), 80, 24, "2", "/")
	key, _ := keyPress("g")
	_, slow := s.model.Update(key)
	s.shows("searching…").keys("type:encat").shows("1 found", "on web.gencat.cat")
	s.send(slow())
	s.shows("1 found")
	key, _ = keyPress("z")
	_, slow = s.model.Update(key)
	s.keys("enter").lacks("on web.gencat.cat", "enter keep")
	s.send(slow())
	s.keys("/", "ctrl+u")
	key, _ = keyPress("x")
	_, slow = s.model.Update(key)
	s.keys("esc").lacks("on web.gencat.cat")
	s.send(slow())
	if text := s.model.causes.pane.Searched(); text != "gencatz" {
		t.Errorf("looked for is %q", text)
	}
}

func TestSearchAnswersTheMouse(t *testing.T) {
	s := withMouse(t, newDesk(t), 80, 24, "/", "type:sepe").clickOn("enter keep").shows("1 of 2", "a approve")
	s.keys("/").clickOn("esc as").shows("1 of 2").lacks("enter keep")
	s.keys("/")
	s.now = s.now.Add(time.Second)
	s.send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	s.at(5)
}
