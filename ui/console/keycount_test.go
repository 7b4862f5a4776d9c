package console_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"visto/review"
	"visto/store/sqlite"
	"visto/ui/cli"
	"visto/ui/console"
)

// keyScript is a review as keys, in the format of testdata/keys/README.md.
type keyScript struct {
	name  string
	lines []string
}

func readScript(t *testing.T, file string) keyScript {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return keyScript{filepath.Base(file), strings.Split(strings.TrimSpace(string(data)), "\n")}
}

// play presses the keys, calls pressed after each of them, and returns their number. A line names the URL or the cause
// under the cursor: a script that decides about another one is wrong, however few its keys.
func (s keyScript) play(t *testing.T, k console.Keyboard, pressed func(key string)) (keys int) {
	t.Helper()
	for i, line := range s.lines {
		line, _, _ = strings.Cut(line, "#")
		want, presses, _ := strings.Cut(line, "|")
		if want = strings.TrimSpace(want); want != "" && !strings.Contains(underCursor(k.Screen()), want) {
			t.Fatalf("%s:%d: %q is not under the cursor:\n%s", s.name, i+1, want, k.Screen())
		}
		for _, key := range strings.Fields(presses) {
			n, err := k.Press(strings.ReplaceAll(key, "_", " "))
			if err != nil {
				t.Fatalf("%s:%d: %v", s.name, i+1, err)
			}
			keys += n
			pressed(key)
		}
	}
	return keys
}

// underCursor is the row under the cursor, its columns one space apart.
func underCursor(screen string) string {
	for line := range strings.Lines(screen) {
		if _, row, ok := strings.Cut(line, "▌"); ok {
			return strings.Join(strings.Fields(row), " ")
		}
	}
	return ""
}

// measure plays the script on a database and logs the keys for each decided URL. No URL may be left.
func measure(t *testing.T, db string, s keyScript) float64 {
	t.Helper()
	store, err := sqlite.Open(t.Context(), db, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	desk, err := review.Open(t.Context(), store, "ana", nil)
	if err != nil {
		t.Fatal(err)
	}
	before, err := desk.Totals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	keys := s.play(t, console.NewKeyboard(t.Context(), desk, 120, 40), func(string) {})
	after, err := desk.Totals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if after.Open > 0 {
		left, _ := desk.Page(t.Context(), review.Query{Filter: review.Filter{Open: true}}, nil, 20)
		for _, it := range left {
			t.Logf("left: %s", it.Original)
		}
		t.Errorf("%d URLs are left", after.Open)
	}
	ratio := float64(keys) / float64(before.Open-after.Open)
	fmt.Printf("%s: %d keys settle %d URLs: %.2f keys a URL\n", s.name, keys, before.Open-after.Open, ratio)
	return ratio
}

// command runs a command line of visto.
func command(t *testing.T, args ...string) {
	t.Helper()
	var out, errs bytes.Buffer
	env := []string{"HOME=" + t.TempDir(), "VISTO_REVIEWER=ana"}
	if status := cli.Run(args, strings.NewReader(""), &out, &errs, env); status != 0 {
		t.Fatalf("visto %s: status %d: %s", strings.Join(args, " "), status, errs.String())
	}
}

// TestKeysOfTheDemo brings the queue of visto demo to zero.
func TestKeysOfTheDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	db := filepath.Join(t.TempDir(), "demo.db")
	command(t, "demo", "--keep", db)
	if ratio := measure(t, db, readScript(t, "../../testdata/keys/demo.keys")); ratio > 1.2 {
		t.Errorf("%.2f keys a URL", ratio)
	}
}

// TestKeysOfTheShapes brings the queue of files in the shapes of Clara's other data to zero: towns, offices and a
// procedure.
func TestKeysOfTheShapes(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	db := filepath.Join(t.TempDir(), "shapes.db")
	const files = "../../testdata/lint/"
	command(t, "add", "--db", db, files+"local.yaml", files+"oficinas.json", files+"tramite.json")
	if ratio := measure(t, db, readScript(t, "../../testdata/keys/shapes.keys")); ratio > 0.9 {
		t.Errorf("%.2f keys a URL", ratio)
	}
}

// A newcomer settles a class of URLs of the demo with keys that the screen names before they are pressed.
func TestNewcomerSettlesAClass(t *testing.T) {
	db := filepath.Join(t.TempDir(), "demo.db")
	command(t, "demo", "--keep", db)
	store, err := sqlite.Open(t.Context(), db, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	desk, err := review.Open(t.Context(), store, "ana", nil)
	if err != nil {
		t.Fatal(err)
	}
	k := console.NewKeyboard(t.Context(), desk, 80, 24)
	for _, step := range []struct{ named, key string }{
		{"2  settle 13 of 75: unknown-param plaza on sede.valencia.es", "2"},
		{"tab reads them in full", "tab"},
		{". , scroll", "."},
		{" D  drop plaza on sede.valencia.es", "D"},
		{"13 URLs settled", ""},
	} {
		if !strings.Contains(k.Screen(), step.named) {
			t.Fatalf("%q is not named:\n%s", step.named, k.Screen())
		}
		if step.key == "" {
			continue
		}
		if _, err := k.Press(step.key); err != nil {
			t.Fatal(err)
		}
	}
}
