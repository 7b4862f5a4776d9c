//go:build linux

package cli_test

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"visto/canon/suite"
	"visto/review"
	"visto/review/probe/testnet"
	"visto/store/postgres"
	"visto/store/sqlite"
	"visto/store/storetest"
)

var (
	faultRounds = flag.Int("rounds", 0, "how many faults TestFaults makes; 0: each kind once, or more if all tests run")
	faultOnly   = flag.String("fault", "", "make only faults with this in their name")
	faultSeed   = flag.Uint64("seed", 0,
		"the seed of the faults, except for their moment to the microsecond; 0: a random one")
)

// TestFaults exposes the real program, run as a process, to one fault after the other on one database. After each
// fault every confirmed write is there, an unconfirmed write is there whole or not at all, and visto check finds the
// database sound. The long run:
//
//	go test ./ui/cli -run 'TestFaults$' -v -timeout 0 -rounds 500
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector does not see into the processes that are killed")
	}
	t.Parallel()
	seed := *faultSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("seed %d", seed)
	visto := linkVisto(t)
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		town := newTown(newProgram(t), visto, seed)
		faults := town.faults()
		town.suffer(seed, rounds(len(faults), 2*len(faults)), faults)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		town := newServerTown(t, visto, seed)
		faults := town.faults()
		town.suffer(seed, rounds(serverKinds, len(faults)), faults)
	})
}

// rounds returns the number of faults to make.
func rounds(few, many int) int { return cmp.Or(*faultRounds, suite.Rounds(few, many)) }

// suffer makes one fault after the other.
func (w *town) suffer(seed uint64, rounds int, faults []fault) {
	w.t.Helper()
	faults = slices.DeleteFunc(faults, func(f fault) bool { return !strings.Contains(f.name, *faultOnly) })
	if len(faults) == 0 {
		return
	}
	for round := range rounds {
		if round%townRounds == 0 {
			w.found(seed)
		}
		w.Rand = rand.New(rand.NewPCG(seed, uint64(round)+1)) // one round's draws do not change the next
		f := w.choose(round, faults)
		f.make()
		w.count[f.name]++
		w.sound()
		if w.t.Failed() {
			w.t.Fatalf("in round %d (%s), seed %d", round, f.name, seed)
		}
		if (round+1)%50 == 0 {
			w.t.Logf("%d rounds", round+1)
		}
	}
	w.summarize(rounds)
}

// townRounds is how many rounds one database goes through: it grows, and each round looks at all of it.
const townRounds = 50

// townURLs is the number of URLs at the start: more than one transaction recomputes.
const townURLs = 1200

// town is a database under faults, with the facts that must hold for it.
type town struct {
	*program
	*rand.Rand
	visto   string                   // the path of the program
	folder  string                   // of new files
	log     []review.Entry           // all entries found so far
	took    map[string]time.Duration // the duration of an undisturbed operation, by name
	count   map[string]int           // faults by name
	flips   map[string]int           // flipped bits, by place and outcome
	backups []string
	net     *process       // visto on a test internet of these sites
	probed  []testnet.Site // nil until they are needed
	killed  int            // processes
	done    int            // confirmed log entries
	decided int            // decisions in them
	file    int

	killer func(operation) killer        // chooses the moment of a fault
	fresh  func(name string) (db string) // names a new database
	broke  atomic.Bool                   // the last fault is one that an operation may survive, or fail for
}

// killer kills a process at some moment before the channel is closed. Nil kills none.
type killer func(*os.Process, <-chan struct{})

func newTown(p *program, visto string, seed uint64) *town {
	town := &town{program: p, Rand: rand.New(rand.NewPCG(seed, 0)), visto: visto, folder: filepath.Dir(p.db),
		took: map[string]time.Duration{}, count: map[string]int{}, flips: map[string]int{}}
	town.killer, town.fresh = town.killOnWrite, town.path
	return town
}

// found makes a database, and adds the first URLs.
func (w *town) found(seed uint64) {
	w.t.Helper()
	w.db = w.fresh("visto.db")
	w.env = append(w.env, "VISTO_DB="+w.db)
	w.run(0, strings.NewReader(corpus(seed, townURLs)), "add", "-")
	w.log = w.entries()
}

// fault is a kind of fault, with its share of the rounds.
type fault struct {
	name  string
	share int
	make  func()
}

// faults are the faults of a database in a file.
func (w *town) faults() []fault {
	return []fault{
		{"killed while deciding", 10, func() { w.killed1(w.decide()) }},
		{"killed while deciding on many", 6, func() { w.killed1(w.decideMany()) }},
		{"killed while deciding on all of a host", 8, func() { w.killed1(w.decideAll()) }},
		{"killed in a review", 6, w.killReview},
		{"killed while adding", 8, w.killAdd},
		{"killed while a rule is written", 10, func() { w.killed1(w.override()) }},
		{"killed while undoing", 8, func() { w.killed1(w.undo()) }},
		{"killed while recanonizing", 5, func() { w.killed1(w.recanon()) }},
		{"killed while probing", 4, w.killProbe},
		{"killed while the search is indexed", 5, w.killIndexing},
		{"killed while a database is made", 6, w.killCreation},
		{"killed while backing up", 6, w.killBackup},
		{"killed while restoring", 6, w.killRestore},
		{"killed while exporting", 3, w.killExport},
		{"disk full", 6, w.fullDisk},
		{"file too large", 4, w.fileLimit},
		{"file read-only", 3, w.readOnly},
		{"locked by another program", 4, w.locked},
		{"many programs at once", 5, w.crowd},
		{"bit flipped in the database", 8, w.flipDatabase},
		{"bit flipped in the write-ahead log", 4, w.flipLog},
		{"bit flipped in an exported log", 3, w.flipExport},
		{"restored from a backup", 4, w.restore},
	}
}

// choose returns the fault of a round. Each comes up once early, and then by its share.
func (w *town) choose(round int, faults []fault) fault {
	if round < len(faults) {
		return faults[round]
	}
	all := 0
	for _, f := range faults {
		all += f.share
	}
	n := w.IntN(all)
	for _, f := range faults {
		if n -= f.share; n < 0 {
			return f
		}
	}
	panic("unreachable")
}

// entries reads the log.
func (w *town) entries() []review.Entry { return entriesOf(w.t, w.db) }

func entriesOf(t testing.TB, db string) (list []review.Entry) {
	t.Helper()
	if strings.HasPrefix(db, "postgres:") {
		untilAlone(t, db)
	}
	s := openStore(t, db)
	defer s.Close()
	err := s.EachEntry(context.Background(), func(e review.Entry) error {
		list = append(list, e)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// openStore opens a database of either kind.
func openStore(t testing.TB, db string) storetest.Loaded {
	t.Helper()
	var s storetest.Loaded
	var err error
	if strings.HasPrefix(db, "postgres:") {
		s, err = postgres.Open(context.Background(), db, postgres.Options{})
	} else {
		s, err = sqlite.Open(context.Background(), db, sqlite.Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sound checks that every entry ever found is unchanged, and that the database is sound.
func (w *town) sound() {
	w.t.Helper()
	if now := w.entries(); len(now) < len(w.log) || !samePast(w.log, now) {
		w.t.Errorf("the log had %d entries and now has %d, or others", len(w.log), len(now))
	}
	w.check(w.db)
	w.searched()
}

// searched compares a search with a look into every URL.
func (w *town) searched() {
	w.t.Helper()
	ctx := context.Background()
	s := openStore(w.t, w.db)
	defer s.Close()
	word := []string{"padron", "plaza", "nota 7", "grande", "nuevo.gob", "tramite/1"}[w.IntN(6)]
	var found, there []int64
	err := s.Each(ctx, review.Filter{Search: word}, func(it review.Item) error {
		found = append(found, it.ID)
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	err = s.Each(ctx, review.Filter{}, func(it review.Item) error {
		texts := []string{it.Original, it.Computed.Canonical, it.Title}
		if d := it.Decision; d != nil {
			texts = append(texts, d.Note)
		}
		if strings.Contains(strings.ToLower(strings.Join(texts, "\n")), word) {
			there = append(there, it.ID)
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	if !slices.Equal(found, there) {
		w.t.Errorf("the search for %q finds %d URLs, and there are %d", word, len(found), len(there))
	}
}

// check runs visto check.
func (w *town) check(db string) {
	w.t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(w.visto, "check", "--db", db)
	cmd.Env, cmd.Stdout, cmd.Stderr = w.env, &out, &errs
	if err := cmd.Run(); err != nil {
		w.t.Errorf("visto check: %v\n%s%s", err, out.String(), errs.String())
	}
}

// withoutAdds leaves out the entries of added URLs, which no program confirms.
func withoutAdds(list []review.Entry) []review.Entry {
	return slices.DeleteFunc(slices.Clone(list), func(e review.Entry) bool { return e.Action == review.ActAdd })
}

func samePast(past, now []review.Entry) bool {
	return slices.EqualFunc(past, now[:len(past)], func(a, b review.Entry) bool { return a.Hash == b.Hash })
}

// grown compares the log with the one before an operation. The confirmed entries must be there, and at most one more,
// which was about to be confirmed. The rows that an add appends are left out.
func (w *town) grown(op operation, confirmed []string) {
	w.t.Helper()
	now := w.entries()
	if len(now) < len(w.log) || !samePast(w.log, now) {
		w.t.Fatalf("the log had %d entries and now has %d, or others", len(w.log), len(now))
	}
	news := withoutAdds(now[len(w.log):])
	if len(news) < len(confirmed) || len(news) > len(confirmed)+1 || op.finished && len(news) != len(confirmed) {
		w.t.Fatalf("visto %v (status %d) confirmed %q, and the log has %d new entries: %v\n%s%s", op.args, op.status,
			confirmed, len(news), summaries(news), op.out, op.err)
	}
	for i, batch := range confirmed {
		if fmt.Sprint(news[i].Batch) != batch {
			w.t.Fatalf("visto %v confirmed batch %s, and the log has batch %d", op.args, batch, news[i].Batch)
		}
		body, err := news[i].Read()
		if err != nil {
			w.t.Fatal(err)
		}
		w.done++
		w.decided += len(body.Decisions)
	}
	w.log = now
}

func summaries(list []review.Entry) (all []string) {
	for _, e := range list {
		all = append(all, fmt.Sprintf("%d %s %q", e.Seq, e.Action, e.Summary))
	}
	return all
}

func (w *town) summarize(rounds int) {
	for _, name := range slices.Sorted(maps.Keys(w.count)) {
		w.t.Logf("%4d %s", w.count[name], name)
	}
	for _, name := range slices.Sorted(maps.Keys(w.flips)) {
		w.t.Logf("%4d bits flipped in %s", w.flips[name], name)
	}
	w.t.Logf("%d rounds with %d kinds of fault, %d processes killed; "+
		"%d log entries with %d decisions confirmed, and all of them found after every round",
		rounds, len(w.count), w.killed, w.done, w.decided)
}

// operation is one run of the program, and its outcome.
type operation struct {
	name     string
	args     []string
	stdin    string
	watch    string // a file, or its folder, that changes when the operation begins to write
	finished bool   // it was not killed, and knows what it wrote
	time     time.Duration
	status   int
	out      string
	err      string
}

// start runs the program, killed by kill at some moment unless that is nil, and counts the outcome.
func (w *town) start(op operation, kill killer) operation {
	w.t.Helper()
	op = w.runs(op, kill)
	switch {
	case op.status < 0:
		w.killed++
	case op.status == 0:
		w.took[op.name] = op.time
	}
	return op
}

// runs is start without counting: many may call it at once.
func (w *town) runs(op operation, kill killer) operation {
	w.t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(w.visto, op.args...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = w.env, strings.NewReader(op.stdin), &out, &errs
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		w.t.Error(err)
		return op
	}
	ended := make(chan struct{})
	killer := make(chan struct{})
	go func() {
		defer close(killer)
		if kill != nil {
			kill(cmd.Process, ended)
		}
	}()
	cmd.Wait() // its state has the outcome
	close(ended)
	<-killer
	op.out, op.err, op.status = out.String(), errs.String(), cmd.ProcessState.ExitCode()
	if strings.Contains(op.out+op.err, "is locked") || strings.Contains(op.out+op.err, "keeps it locked") {
		w.t.Errorf("visto %v was turned away by a lock: %s%s", op.args, op.out, op.err)
	}
	if strings.Contains(op.err, "goroutine ") {
		w.t.Errorf("visto %v crashed: %s", op.args, op.err)
	}
	op.finished, op.time = op.status >= 0 && !strings.Contains(op.err, postgres.ErrUnknown.Error()), time.Since(begin)
	return op
}

// killOnWrite kills the process of op: half the time at a random moment of its usual duration, once that is known, else
// shortly after it begins to write.
func (w *town) killOnWrite(op operation) killer {
	if took, known := w.took[op.name]; known && w.IntN(2) == 0 {
		wait := time.Duration(w.Int64N(int64(took) * 11 / 10))
		return func(p *os.Process, ended <-chan struct{}) {
			select {
			case <-ended:
			case <-time.After(wait):
				p.Kill()
			}
		}
	}
	wait, before := time.Duration(w.Int64N(int64(time.Millisecond<<w.IntN(8)))), footprint(op.watch)
	return func(p *os.Process, ended <-chan struct{}) {
		for footprint(op.watch) == before {
			select {
			case <-ended:
				return
			case <-time.After(50 * time.Microsecond):
			}
		}
		time.Sleep(wait)
		p.Kill()
	}
}

// footprint changes at the first write to a file, and when a file appears in a folder.
func footprint(path string) int64 {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return 0
	case info.IsDir():
		return info.ModTime().UnixNano()
	}
	return info.Size()
}

// failed reports whether an operation failed without a fault.
func (w *town) failed(op operation) bool { return op.status > 0 && !w.broke.Load() }

// confirmed returns the batches that the output confirms.
func (op *operation) confirmed() (batches []string) {
	for line := range strings.Lines(op.out) {
		for _, before := range []string{"(batch ", "saved as batch ", "undid batch ", "redid batch "} {
			if _, rest, ok := strings.Cut(line, before); ok && strings.HasSuffix(line, "\n") {
				n := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
				if _, err := strconv.Atoi(rest[:max(n, 0)]); err == nil {
					batches = append(batches, rest[:n])
					break
				}
			}
		}
	}
	return batches
}
