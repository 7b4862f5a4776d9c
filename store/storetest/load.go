package storetest

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"visto/review"
)

// Load are the options of a load test, which the tests of a store share.
type Load struct {
	URLs  int           // at the beginning
	For   time.Duration // how long the writers and readers go on
	Pace  time.Duration // how long each of them rests in between, on average
	Limit time.Duration // the longest time allowed for 99 % of the decisions; 0: any
	Seed  uint64        // of their actions; 0: another one each time
}

// LoadFlags returns the options as the flags of the test have them. It is called before the flags are parsed.
func LoadFlags() *Load {
	var l Load
	flag.DurationVar(&l.For, "load", 2*time.Second, "how long the writers and readers of TestLoad go on")
	flag.IntVar(&l.URLs, "urls", 5_000, "how many URLs they begin with")
	flag.DurationVar(&l.Pace, "pace", 0, "how long each of them rests in between, on average")
	flag.DurationVar(&l.Limit, "limit", 0, "the longest time allowed for 99 % of the decisions; 0: any")
	flag.Uint64Var(&l.Seed, "seed", 0, "the seed of their actions; 0: another one each time")
	return &l
}

// Loaded is a store that a load test closes.
type Loaded interface {
	review.Store
	Close() error
}

// Of the writers and the readers there are two in each program.
const loadPrograms = 4

// Run has eight writers and eight readers, in four programs, work on one database as fast as they can. Each confirmed
// write happened once, no other write happened, and refusals name the work of somebody else. It reports how long each
// operation waited, and how long the machine alone makes one wait.
//
// The programs are the test TestLoadProgram of the package, which calls LoadProgram. open opens the empty database of
// that name, and is called by each of them.
func (l *Load) Run(t *testing.T, name string, open func(name string) (Loaded, error)) {
	seed := l.Seed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("seed %d", seed)
	s, err := open(name)
	must(t, err)
	defer s.Close()
	l.fill(t, s, seed)
	var group sync.WaitGroup
	reports := make([]loadReport, loadPrograms)
	for i := range reports {
		group.Go(func() { reports[i] = runLoad(t, loadTask{name, seed + uint64(i), l.For, l.Pace}) })
	}
	group.Wait()
	if t.Failed() {
		return
	}
	nothingLost(t, s, reports)
	l.summarize(t, reports)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (l *Load) fill(t *testing.T, s review.Store, seed uint64) {
	t.Helper()
	d, err := review.Open(t.Context(), s, "setup", nil)
	must(t, err)
	_, err = d.Add(t.Context(), review.Input{}, Corpus(seed, l.URLs))
	must(t, err)
}

// loadTask is the task of one of the programs.
type loadTask struct {
	Name string // of the database
	Seed uint64
	For  time.Duration
	Pace time.Duration
}

// loadReport is its report.
type loadReport struct {
	Done      []loadDone
	Took      map[string][]time.Duration
	Conflicts int // refused decisions, and rules
	Errors    []string
}

// loadDone is a log entry that was confirmed to a writer.
type loadDone struct {
	Seq      int64
	Reviewer string
	Action   review.Action
	Decided  int
}

func runLoad(t *testing.T, task loadTask) (report loadReport) {
	text, err := json.Marshal(task)
	if err != nil {
		t.Error(err)
		return report
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestLoadProgram$", "-test.timeout=0")
	cmd.Env = append(os.Environ(), "VISTO_LOAD="+string(text))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		line, _, _ := strings.Cut(string(out), "\n") // the output of the test binary follows
		err = json.Unmarshal([]byte(line), &report)
	}
	if err != nil {
		t.Errorf("%v\n%s%s", err, out, stderr.String())
	}
	for _, e := range report.Errors {
		t.Error(e)
	}
	return report
}

// LoadProgram is one of the programs of Load.Run, and nothing when it is run by itself.
func LoadProgram(t *testing.T, open func(name string) (Loaded, error)) {
	text := os.Getenv("VISTO_LOAD")
	if text == "" {
		t.Skip("run by TestLoad")
	}
	var task loadTask
	must(t, json.Unmarshal([]byte(text), &task))
	s, err := open(task.Name)
	must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), task.For)
	defer cancel()
	w := &loadProgram{store: s, ctx: t.Context(), pace: task.Pace,
		report: loadReport{Took: map[string][]time.Duration{}}}
	var group sync.WaitGroup
	for i := range 2 {
		random := rand.New(rand.NewPCG(task.Seed, uint64(i)))
		group.Go(func() { w.writer(ctx, fmt.Sprintf("reviewer %d.%d", task.Seed, i), random) })
		group.Go(func() { w.reader(ctx, rand.New(rand.NewPCG(task.Seed, uint64(i+2)))) })
	}
	group.Go(func() { w.nap(ctx) })
	group.Wait()
	must(t, s.Close())
	must(t, json.NewEncoder(os.Stdout).Encode(w.report))
}

// loadProgram is shared by the writers and readers of one program: its store, like in a console.
type loadProgram struct {
	store review.Store
	ctx   context.Context
	pace  time.Duration

	mu     sync.Mutex
	report loadReport
}

func (p *loadProgram) failed(name string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.report.Errors = append(p.report.Errors, name+": "+err.Error())
}

// timed runs fn and notes its duration.
func (p *loadProgram) timed(name string, fn func() error) error {
	start := time.Now()
	err := fn()
	took := time.Since(start)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.report.Took[name] = append(p.report.Took[name], took)
	return err
}

// rest waits for roughly the pace.
func (p *loadProgram) rest(random *rand.Rand) {
	if p.pace > 0 {
		time.Sleep(time.Duration(random.Int64N(2 * int64(p.pace))))
	}
}

// nap measures how long the machine delays an idle program. No duration can be better than that.
func (p *loadProgram) nap(ctx context.Context) {
	for ; ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
		p.timed(napping, func() error {
			time.Sleep(time.Millisecond)
			return nil
		})
	}
}

const napping = "nap of 1 ms"

// nothingLost compares the confirmations with the log: each entry was confirmed to one writer, and each confirmed
// entry is there.
func nothingLost(t *testing.T, s review.Store, reports []loadReport) {
	t.Helper()
	confirmed := map[int64]loadDone{}
	for _, r := range reports {
		for _, d := range r.Done {
			if _, twice := confirmed[d.Seq]; twice {
				t.Errorf("entry %d was two writers'", d.Seq)
			}
			confirmed[d.Seq] = d
		}
	}
	must(t, s.EachEntry(t.Context(), func(e review.Entry) error {
		d, ok := confirmed[e.Seq]
		delete(confirmed, e.Seq)
		if e.Reviewer == "setup" || e.Action == review.ActAdd {
			return nil
		}
		body, err := e.Read()
		if !ok || err != nil || d.Reviewer != e.Reviewer || d.Action != e.Action ||
			d.Decided != len(body.Decisions) && e.Action != review.ActUndo {
			t.Errorf("entry %d is of %s (%s), and the confirmation %+v", e.Seq, e.Reviewer, e.Action, d)
		}
		return err
	}))
	for seq, d := range confirmed {
		t.Errorf("entry %d of %s is lost", seq, d.Reviewer)
	}
	desk, err := review.Open(t.Context(), s, "setup", nil)
	must(t, err)
	problems, err := desk.Check(t.Context())
	must(t, err)
	for _, p := range problems {
		t.Errorf("check: %s: %s", p.What, p.Text)
	}
}

// summarize prints the durations. With a limit it fails if a decision took longer.
func (l *Load) summarize(t *testing.T, reports []loadReport) {
	took := map[string][]time.Duration{}
	entries, conflicts := 0, 0
	for _, r := range reports {
		entries, conflicts = entries+len(r.Done), conflicts+r.Conflicts
		for name, list := range r.Took {
			took[name] = append(took[name], list...)
		}
	}
	for _, list := range took {
		slices.Sort(list)
	}
	for _, name := range []string{"decide", "decide on 20", "note", "undo", "override", "add 500", "page", "facets",
		"totals", napping} {
		if list := took[name]; len(list) > 0 {
			t.Logf("%-14s %7d times, half within %8v, 99 %% within %8v, 99.9 %% within %8v, all within %v", name,
				len(list),
				slowest(list, 500), slowest(list, 990), slowest(list, 999), list[len(list)-1].Round(time.Millisecond))
		}
	}
	decided := slowest(took["decide"], 990)
	t.Logf("%d writers and as many readers in %d programs for %v on %d URLs: %d entries confirmed, "+
		"each of them found once, none without a confirmation; 0 lock errors; %d refused because somebody else was "+
		"first; 99 %% of decisions within %v",
		2*loadPrograms, loadPrograms, l.For, l.URLs, entries, conflicts, decided)
	if l.Limit > 0 && decided > l.Limit {
		t.Errorf("99 %% of decisions are within %v, and not %v; the machine itself kept who asked for nothing "+
			"waiting for %v", decided, l.Limit, slowest(took[napping], 990))
	}
}

// slowest returns the longest of that many in a thousand of the sorted durations.
func slowest(list []time.Duration, share int) time.Duration {
	if len(list) == 0 {
		return 0
	}
	return list[len(list)*share/1000].Round(10 * time.Microsecond)
}
