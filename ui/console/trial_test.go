package console_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"visto/review"
	"visto/review/probe/testnet"
	"visto/store/sqlite"
	"visto/ui/console"
)

// wrongKeys is what a wrong decision costs.
const wrongKeys = 10

// TestKeysAURL plays the reviews of testdata/keys and counts them as its README.md says. No review may cost more than
// it does.
func TestKeysAURL(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	registry, offices := []string{keysFile("registry.yaml")}, []string{keysFile("oficinas.json")}
	second := []string{"--field", "sitio_url,registro_url,ficha_url,enlace_url", keysFile("second.jsonl"),
		keysFile("second.csv")}
	local, tramites := writtenBy(t, writeLocal), writtenBy(t, writeTramites)
	for _, c := range []struct {
		set   string
		parts []string // the sets whose .expected files hold, if it is not its own
		input []string // arguments of visto add
		most  float64  // keys a URL
	}{
		{"registry", nil, registry, 0.21},
		{"local", nil, local, 0.40},
		{"tramites", nil, tramites, 1},
		{"union", []string{"registry", "local", "tramites", "oficinas"},
			slices.Concat(registry, local, tramites, offices), 0.22},
		{"second", nil, second, 0.29},
	} {
		t.Run(c.set, func(t *testing.T) {
			if c.parts == nil {
				c.parts = []string{c.set}
			}
			if got := newTrial(t, c.input, readExpected(t, c.parts...)).run(t, c.set); got > c.most {
				t.Errorf("%.2f keys a URL, not at most %.2f", got, c.most)
			}
		})
	}
}

func keysFile(name string) string { return filepath.Join("../../testdata/keys", name) }

// trial is a review on a new database, watched key by key.
type trial struct {
	store *sqlite.Store
	desk  *review.Desk
	want  expected
	start map[string]review.Item
	seen  frames
	kinds map[string]int // keys by what they are for
}

func newTrial(t *testing.T, input []string, want expected) *trial {
	t.Helper()
	store, err := sqlite.Open(t.Context(), addSet(t, input...), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	desk, err := review.Open(t.Context(), store, "ana", nil)
	if err != nil {
		t.Fatal(err)
	}
	tr := &trial{store: store, desk: desk, want: want, seen: frames{}, kinds: map[string]int{}}
	tr.start = tr.items(t)
	want.covers(t, tr.start)
	return tr
}

// items returns all items by their original URLs.
func (tr *trial) items(t *testing.T) map[string]review.Item {
	t.Helper()
	list, err := tr.desk.Page(t.Context(), review.Query{}, nil, 1000)
	if err != nil {
		t.Fatal(err)
	}
	items := map[string]review.Item{}
	for _, it := range list {
		items[it.Original] = it
	}
	return items
}

// run plays the script of the set and returns its keys for each URL that is settled and right.
func (tr *trial) run(t *testing.T, set string) float64 {
	t.Helper()
	var sites []testnet.Site
	for _, b := range bodies {
		sites = append(sites, siteOf(b.host, b.truth, b.name, b.about))
	}
	k := console.NewKeyboardWith(t.Context(), tr.desk, reach(t, tr.desk, sites...), 120, 40)
	tr.seen.see(k.Screen())
	now := tr.start
	keys := readScript(t, keysFile(set+".keys")).play(t, k, func(key string) {
		now = tr.pressed(t, key, now)
		tr.seen.see(k.Screen())
	})
	stored, err := review.Overrides(t.Context(), tr.store)
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range tr.want.unexpectedRules(stored) {
		t.Errorf("a rule that reaches later URLs: %s", rule)
	}
	o := tr.want.compare(tr.start, now)
	if len(o.wrong)+len(o.left) > 0 {
		t.Logf("wrong %d: %s\nleft %d: %s", len(o.wrong), o.wrong, len(o.left), o.left)
	}
	ratio := float64(keys+wrongKeys*len(o.wrong)) / float64(len(o.right))
	fmt.Printf("%s: %d keys settle %d URLs, %d wrong, %d left: %.2f keys a URL; %s\n", set, keys, len(o.right),
		len(o.wrong), len(o.left), ratio, tr.kindsText())
	return ratio
}

// pressed counts a key, and checks that each URL which it settled had been on the screen.
func (tr *trial) pressed(t *testing.T, key string, before map[string]review.Item) (now map[string]review.Item) {
	t.Helper()
	kind, n := kindOf(key)
	tr.kinds[kind] += n
	now = tr.items(t)
	for url, it := range now {
		if was := before[url]; !settled(&was) && settled(&it) && !tr.seen.shows(&it) {
			t.Errorf("%s settled %s → %s, which was not on the screen", key, url, it.Canonical())
		}
	}
	return now
}

// keyKinds are the keys by what they are for. A key of the console that is not here is a verb.
var keyKinds = map[string]string{
	"reading": ". , tab ctrl+d ctrl+u pgdown pgup z",
	"moving":  "1 2 3 4 5 j k g G down up left right home end enter esc l h / n N",
	"marks":   "space * m",
}

func kindOf(key string) (kind string, n int) {
	if text, typed := strings.CutPrefix(key, "type:"); typed {
		return "typing", utf8.RuneCountInString(text)
	}
	for kind, keys := range keyKinds {
		if slices.Contains(strings.Fields(keys), key) {
			return kind, 1
		}
	}
	return "verbs", 1
}

func (tr *trial) kindsText() string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(tr.kinds)) {
		parts = append(parts, fmt.Sprintf("%s %d", kind, tr.kinds[kind]))
	}
	return strings.Join(parts, ", ")
}
