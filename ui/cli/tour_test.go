package cli_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"visto/review"
	"visto/store/sqlite"
	"visto/ui/cli"
	"visto/ui/console"
)

var update = flag.Bool("update", false, "write the pictures and golden files anew")

// The pictures of the README: the first screen, and a review in motion.
const (
	consoleFile = "../../testdata/screen/console.svg"
	tourFile    = "../../testdata/screen/tour.svg"
)

// stop is one picture of the tour: the keys pressed since the one before, and a line about it.
type stop struct {
	keys []string
	says string
}

// tour is a review of the demo, from the first look at the queue to its numbers.
var tour = []stop{
	{nil, "The queue: each URL before and after, the reason why it waits, and its trace"},
	{[]string{"2"}, "2: the causes. The URLs that one rule would settle, the largest group first"},
	{[]string{"D"}, "D: drop the parameter. Settled at once, as one batch: more than 200 URLs would be asked about"},
	{[]string{"u"}, "u: taken back whole, also after a restart"},
	{[]string{"ctrl+r"}, "ctrl+r: done again"},
	{[]string{"1", "o"}, "o: a rule of one's own, its effect counted while it is typed"},
	{[]string{"esc", "/", "type:apostilla", "enter"}, "/: a search, its matches marked"},
	{[]string{"enter"}, "enter: one URL whole, with the way that was found to the page"},
	{[]string{"t"}, "t: the trace. Why is this URL like this?"},
	{[]string{"c"}, "c: other URLs to cite, each checked"},
	{[]string{"esc", "esc", "esc", "a", "a"}, "a: approved as shown; the cursor is on the next one"},
	{[]string{"5"}, "5: the progress, the waiting URLs, and who settled the others"},
}

// TestPictures draws the tour on the demo, compares the pictures of the README with it, and tells if one is out of date.
func TestPictures(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	const width, height = 110, 34
	clock, demo := tourClock{time.Date(2026, 2, 18, 9, 0, 0, 0, time.UTC)}, filepath.Join(t.TempDir(), "demo.db")
	if err := cli.FillDemo(t.Context(), demo, clock.now); err != nil {
		t.Fatal(err)
	}
	var pressed []string
	var shots []shot
	for _, s := range tour {
		pressed = append(pressed, s.keys...)
		screen := demoScreen(t, demo, clock, width, height, pressed)
		if len(shots) > 0 && screen == shots[len(shots)-1].screen {
			t.Fatalf("%q changes nothing on the screen", s.keys)
		}
		shots = append(shots, shot{screen, s.says})
	}
	comparePicture(t, consoleFile, svg(width, height, shots[:1]))
	comparePicture(t, tourFile, svg(width, height, shots))
}

// comparePicture compares a picture with its file; -update writes the file anew.
func comparePicture(t *testing.T, path, have string) {
	t.Helper()
	if *update {
		write(t, path, have)
	}
	if have != read(t, path) {
		t.Errorf("%s shows another console than this one; go test ./ui/cli -run TestPictures -update draws it anew", path)
	}
}

// tourClock is a clock that goes on by 7 s with each look, so that the pictures are the same every day.
type tourClock struct{ time.Time }

func (c *tourClock) now() time.Time {
	c.Time = c.Add(7 * time.Second)
	return c.Time
}

// demoScreen returns the console on a copy of the demo after the keys. The clock goes on from the time given.
func demoScreen(t *testing.T, demo string, clock tourClock, width, height int, keys []string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "visto.db")
	write(t, path, read(t, demo))
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{Now: clock.now})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	desk, err := review.Open(t.Context(), store, "ana", nil)
	if err != nil {
		t.Fatal(err)
	}
	opts := console.Options{DBPath: "visto.db", Env: []string{"TERM=xterm-256color", "COLORTERM=truecolor"}}
	screen, err := console.Snapshot(t.Context(), desk, opts, width, height, keys...)
	if err != nil {
		t.Fatal(fmt.Errorf("pressing %s: %w", strings.Join(keys, " "), err))
	}
	return screen
}
