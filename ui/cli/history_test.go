package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"visto/canon/suite"
	"visto/review/probe/testnet"
	"visto/store/postgrestest"
	"visto/ui/cli"
)

// TestHistories plays random histories of two reviewers on the program and on the reference, which is the program as it
// was at an earlier commit, on both databases. All print the same for every command, and a user sees the same: the
// export, statuses, counts, causes, rules, the log without hashes and times, and what undo takes. The long run, of
// so many histories of 200 steps:
//
//	VISTO_HISTORIES=500 go test ./ui/cli -run 'TestHistories$' -v -timeout 0
func TestHistories(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector does not see into the reference")
	}
	t.Parallel()
	histories, steps := 2*suite.Rounds(1, 2), suite.Rounds(6, 40)
	if n, err := strconv.Atoi(os.Getenv("VISTO_HISTORIES")); err == nil {
		histories, steps = n, 200
	}
	reference := startReference(t)
	sites := testnet.Crowd(2, 6, 0)
	net := newProcess(t, internet(t, sites, testnet.Options{}))
	for seed := range uint64(histories) {
		for _, database := range []struct {
			name string
			make func(t *testing.T) string
		}{
			{"SQLite", func(t *testing.T) string { return filepath.Join(t.TempDir(), "visto.db") }},
			{"PostgreSQL", func(t *testing.T) string { return postgrestest.Empty(t) }}, // the reference makes its own tables
		} {
			t.Run(fmt.Sprint(database.name, seed), func(t *testing.T) {
				large := seed%2 > 0
				if histories == 2 && large != (database.name == "SQLite") {
					suite.Repeats(t, "one history on each database, of many URLs or few")
				}
				h := &history{T: t, Rand: rand.New(rand.NewPCG(seed, 0)), folder: t.TempDir(),
					probed: urlsOf(sites), toNet: net.flags}
				h.players = [2]player{{database.make(t), reference}, {database.make(t), runHere}}
				h.found(large)
				for range steps {
					h.step()
				}
				h.look()
				h.unwind()
				h.sound()
			})
		}
	}
}

// said is what a command line says, and its exit status.
type said struct {
	Status         int
	Stdout, Stderr string
}

// runner runs a command line.
type runner func(t *testing.T, args []string, stdin string, env []string) said

// runHere runs the program as it is now.
func runHere(_ *testing.T, args []string, stdin string, env []string) (p said) {
	var stdout, stderr bytes.Buffer
	p.Status = cli.Run(args, strings.NewReader(stdin), &stdout, &stderr, env)
	p.Stdout, p.Stderr = stdout.String(), stderr.String()
	return p
}

// startReference starts the reference. It builds it first, unless an earlier run has.
func startReference(t *testing.T) runner {
	t.Helper()
	build := exec.Command(filepath.Join(root, ".ci", "reference"))
	var errs bytes.Buffer
	build.Stderr = &errs
	path, err := build.Output()
	if build.ProcessState != nil && build.ProcessState.ExitCode() == 3 {
		t.Skip(errs.String()) // as in an archive of the sources
	}
	if err != nil {
		t.Fatal(err, errs.String())
	}
	cmd := exec.Command(strings.TrimSpace(string(path)))
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	in, out := json.NewEncoder(stdin), json.NewDecoder(stdout)
	return func(t *testing.T, args []string, text string, env []string) (p said) {
		t.Helper()
		err := in.Encode(map[string]any{"Args": args, "Stdin": text, "Env": env})
		if err == nil {
			err = out.Decode(&p)
		}
		if err != nil {
			t.Fatalf("the reference ended: %v", err)
		}
		return p
	}
}

// player is a program with its database.
type player struct {
	db  string
	run runner
}

// history is a random history. The reference plays first.
type history struct {
	*testing.T
	*rand.Rand
	folder  string
	players [2]player
	batches int // at least as many as there are
	large   bool
	probed  string   // the URLs of a test internet
	toNet   []string // flags that lead visto probe there
}

// both runs a command line on both programs, which must print the same, and returns what they print.
func (h *history) both(stdin string, args ...string) said {
	h.Helper()
	var all [2]said
	for i, p := range h.players {
		env := []string{"HOME=" + h.folder, "VISTO_DB=" + p.db, "VISTO_REVIEWER=ana", "XDG_CACHE_HOME=" + userCache()}
		all[i] = p.run(h.T, args, stdin, env)
		for _, text := range []*string{&all[i].Stdout, &all[i].Stderr} {
			*text = strings.ReplaceAll(*text, p.db, "DB")
		}
	}
	steadyApart(&all[0].Stdout, &all[1].Stdout)
	steadyApart(&all[0].Stderr, &all[1].Stderr)
	if before, now := all[0], all[1]; before != now {
		h.Fatalf("visto %q <%.300q\nreference: %d %s\nnow:       %d %s", args, stdin, before.Status,
			apart(before.Stdout+before.Stderr, now.Stdout+now.Stderr), now.Status,
			apart(now.Stdout+now.Stderr, before.Stdout+before.Stderr))
	}
	return all[1]
}

// Two runs differ in these: times, what is computed from them, hashes over them, and the numbers of the log entries
// between which the time decides where a large addition is cut.
var volatile = []struct {
	is *regexp.Regexp
	as string
}{
	{regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d| UTC)?`), "TIME"},
	{regexp.MustCompile(`"(pace|last_hour)":(\{[^}]*\}|\[[^]]*\])`), ""},
	{regexp.MustCompile(`"active_seconds":[\d.]+|"decisions_per_minute":[\d.]+`), ""},
	{regexp.MustCompile(`"\w*_ms":([\d.]+|null)|asked in \d+s`), ""},
	{regexp.MustCompile(`"body":\{"(added|records|occurrences|changed|gone|back|moved)":.*?\},"prev"`), `"prev"`},
	{regexp.MustCompile(`"(prev|hash)":"[0-9a-f]{64}"`), ""},
	{regexp.MustCompile(`"(seq|run)":\d+,`), ""},
}

// steady is a text without what differs in any two runs.
func steady(text string) string {
	for _, v := range volatile {
		text = v.is.ReplaceAllString(text, v.as)
	}
	return text
}

// steadyApart makes the lines of two texts steady that differ: most do not, and to look through all takes long.
func steadyApart(before, now *string) {
	a, b := strings.Split(*before, "\n"), strings.Split(*now, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			a[i], b[i] = steady(a[i]), steady(b[i])
		}
	}
	*before, *now = strings.Join(a, "\n"), strings.Join(b, "\n")
}

// apart is the part of a text around the place where it differs from another one.
func apart(text, other string) string {
	n := 0
	for n < min(len(text), len(other)) && text[n] == other[n] {
		n++
	}
	return text[max(0, n-200):min(len(text), n+300)]
}

// look compares what a user sees.
func (h *history) look() {
	h.Helper()
	for _, args := range [][]string{
		{"export", "--status", "all"}, {"list", "--status", "all", "--gone", "--json"},
		{"list", "--json", "--sort", "host"}, {"stats", "--json"}, {"causes", "--json"}, {"override", "list", "--json"},
		{"log", "--limit", "0", "--json"}, {"health", "--json"}, {"show", h.id(), "--json"},
	} {
		h.both("", args...)
	}
}

// unwind takes back what each reviewer may, and brings it back again.
func (h *history) unwind() {
	h.Helper()
	for _, verb := range []string{"undo", "redo"} {
		for _, reviewer := range reviewers {
			for range suite.Rounds(1, 10) {
				if h.both("", verb, "--reviewer", reviewer).Status != 0 {
					break
				}
			}
		}
		h.look()
	}
}

// sound has both programs check what they wrote.
func (h *history) sound() {
	h.Helper()
	if checked := h.both("", "check", "--replay"); checked.Status != 0 {
		h.Errorf("visto check: %s", checked.Stdout)
	}
}
