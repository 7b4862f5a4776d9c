package console_test

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"visto/review"
	"visto/review/probe/testnet"
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

// play presses the keys and returns their number. A line names the URL or the cause under the cursor: a script
// that decides about another one is wrong, however few its keys.
func (s keyScript) play(t *testing.T, k console.Keyboard) (keys int) {
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
	return measureWith(t, db, s, func(desk *review.Desk) console.Keyboard {
		return console.NewKeyboard(t.Context(), desk, 120, 40)
	}, func(*review.Desk) {})
}

// measureWith is measure with a console of its own, and a check of the result.
func measureWith(
	t *testing.T, db string, s keyScript, open func(*review.Desk) console.Keyboard, check func(*review.Desk),
) float64 {
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
	keys := s.play(t, open(desk))
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
	check(desk)
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

// TestKeysOfTheLocalSet brings the queue of the generated set local to zero.
func TestKeysOfTheLocalSet(t *testing.T) {
	db := addSet(t, writeLocal)
	if ratio := measure(t, db, readScript(t, "../../testdata/keys/local.keys")); ratio > 0.28 {
		t.Errorf("%.2f keys a URL", ratio)
	}
}

// TestKeysOfTheProcedures brings the queue of the generated set tramites to zero, with pages that are found for its
// home pages. No wrong page is cited.
func TestKeysOfTheProcedures(t *testing.T) {
	db := addSet(t, writeTramites)
	var sites []testnet.Site
	for _, b := range bodies {
		sites = append(sites, siteOf(b.host, b.truth, b.name, b.about))
	}
	script := readScript(t, "../../testdata/keys/tramites.keys")
	ratio := measureWith(t, db, script, func(desk *review.Desk) console.Keyboard {
		return console.NewKeyboardWith(t.Context(), desk, reach(t, desk, sites...), 120, 40)
	}, func(desk *review.Desk) { citesPages(t, desk) })
	if ratio > 1 {
		t.Errorf("%.2f keys a URL", ratio)
	}
}

// TestKeysOfARegistry brings the queue of a registry of government portals to zero. VISTO_REGISTRY names the file,
// and VISTO_KEYS the script if it is not the one for Clara's registry.
func TestKeysOfARegistry(t *testing.T) {
	file := os.Getenv("VISTO_REGISTRY")
	if file == "" {
		t.Skip("VISTO_REGISTRY names no file")
	}
	db := filepath.Join(t.TempDir(), "registry.db")
	command(t, "add", "--db", db, file)
	script := cmp.Or(os.Getenv("VISTO_KEYS"), "../../testdata/keys/registry.keys")
	if ratio := measure(t, db, readScript(t, script)); ratio > 0.2 {
		t.Errorf("%.2f keys a URL, not at most 0.2", ratio)
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
		{"tab reads them on the whole screen", "tab"},
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
