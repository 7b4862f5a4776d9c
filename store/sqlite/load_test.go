package sqlite_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/store/sqlite"
	"visto/store/storetest"
)

var (
	loadFor   = flag.Duration("load", 2*time.Second, "how long the writers and readers of TestLoad go on")
	loadURLs  = flag.Int("urls", 5_000, "how many URLs they begin with")
	loadPace  = flag.Duration("pace", 0, "how long each of them rests in between, on average")
	loadLimit = flag.Duration("limit", 0, "the longest time allowed for 99 % of the decisions; 0: any")
	loadSeed  = flag.Uint64("seed", 0, "the seed of their actions; 0: another one each time")
)

// Of the writers and the readers there are two in each program.
const loadPrograms = 4

// TestLoad has eight writers and eight readers, in four programs, work on one file as fast as they can. Each
// confirmed write happened once, no other write happened, and refusals name the work of somebody else. The long run,
// at the pace of a held key, also reports how long each operation waited, and how long the machine alone makes one
// wait:
//
//	go test ./store/sqlite -run 'TestLoad$' -v -timeout 0 -load 5m -pace 33ms -urls 200000 -limit 100ms
func TestLoad(t *testing.T) {
	seed := *loadSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("seed %d", seed)
	path := filepath.Join(t.TempDir(), "visto.db")
	fillFor(t, path, seed)
	var group sync.WaitGroup
	reports := make([]loadReport, loadPrograms)
	for i := range reports {
		group.Go(func() { reports[i] = runLoad(t, loadTask{path, seed + uint64(i), *loadFor, *loadPace}) })
	}
	group.Wait()
	if t.Failed() {
		return
	}
	nothingLost(t, path, reports)
	summarize(t, reports)
}

func fillFor(t *testing.T, path string, seed uint64) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{Create: true})
	must(t, err)
	d, err := review.Open(t.Context(), s, "setup", nil)
	must(t, err)
	_, err = d.Add(t.Context(), review.Input{}, storetest.Corpus(seed, *loadURLs))
	must(t, err)
	must(t, s.Close())
}

// loadTask is the task of one of the programs.
type loadTask struct {
	Path string
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

// TestLoadProgram is one of the programs of TestLoad, and nothing when it is run by itself.
func TestLoadProgram(t *testing.T) {
	text := os.Getenv("VISTO_LOAD")
	if text == "" {
		t.Skip("run by TestLoad")
	}
	var task loadTask
	must(t, json.Unmarshal([]byte(text), &task))
	s, err := sqlite.Open(t.Context(), task.Path, sqlite.Options{})
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
	store *sqlite.Store
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

func (p *loadProgram) writer(ctx context.Context, name string, random *rand.Rand) {
	desk, err := review.Open(p.ctx, p.store, name, nil)
	if err != nil {
		p.failed("opening", err)
		return
	}
	w := &loadWriter{loadProgram: p, Rand: random, desk: desk}
	for ; ctx.Err() == nil; p.rest(random) {
		action, do := w.choose()
		if err := p.timed(action, do); err != nil {
			p.failed(name+", "+action, err)
			return
		}
	}
}

// loadWriter is one reviewer.
type loadWriter struct {
	*loadProgram
	*rand.Rand
	desk *review.Desk
	n    int // URLs added
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

func (w *loadWriter) choose() (string, func() error) {
	n := w.IntN(1000)
	for _, row := range []struct {
		below int
		name  string
		do    func() error
	}{
		{900, "decide", func() error { return w.decide(1) }},
		{940, "decide on 20", func() error { return w.decide(20) }},
		{960, "note", w.note},
		{980, "undo", w.undo},
		{990, "override", w.override},
	} {
		if n < row.below {
			return row.name, row.do
		}
	}
	return "add 500", w.add
}

// done notes the confirmations of a receipt.
func (w *loadWriter) done(action review.Action, r review.Receipt) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.report.Conflicts += len(r.Conflicts)
	if r.Seq > 0 {
		w.report.Done = append(w.report.Done, loadDone{r.Seq, w.desk.Reviewer(), action, r.Decided})
	}
}

// decide decides on n URLs as they were a moment ago. A refusal names the other reviewer and the time.
func (w *loadWriter) decide(n int) error {
	m, err := w.store.Meta(w.ctx)
	if err != nil {
		return err
	}
	from, some := w.Int64N(m.LastID), 100+w.IntN(200) // all writers pick here, so that they meet
	if w.IntN(2) == 0 {
		from = 0
	}
	var targets []review.Target
	for range n {
		it, err := w.store.Item(w.ctx, min(from+w.Int64N(int64(some))+1, m.LastID))
		if err != nil {
			return err
		}
		targets = append(targets, review.Target{ID: it.ID, Rev: it.Rev})
	}
	kind := []review.Kind{review.Reject, review.Defer, review.Reopen}[w.IntN(3)]
	r, err := w.desk.Decide(w.ctx, review.Choice{Kind: kind}, targets...)
	for _, c := range r.Conflicts {
		if d := c.Item.Decision; d != nil && (d.Reviewer == "" || d.At.IsZero() ||
			!strings.Contains(c.Error(), d.Reviewer)) {
			return fmt.Errorf("a conflict that does not say who and when: %v", c)
		}
	}
	w.done(review.Action(kind.String()), r)
	return err
}

func (w *loadWriter) note() error {
	r, err := w.desk.Note(w.ctx, "una nota", 1+w.Int64N(100))
	w.done(review.ActNote, r)
	return err
}

// refused reports whether the error is due to somebody else's work, which is no failure.
func (w *loadWriter) refused(err error) error {
	if errors.Is(err, review.ErrStale) || errors.Is(err, review.ErrNotFound) || err != nil &&
		strings.Contains(err.Error(), "take that back first") {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.report.Conflicts++
		return nil
	}
	return err
}

func (w *loadWriter) undo() error {
	_, r, err := w.desk.Undo(w.ctx, 0)
	if err == nil {
		w.done(review.ActUndo, r)
	}
	return w.refused(err)
}

// override makes a rule for a host, or removes the existing one.
func (w *loadWriter) override() error {
	m, err := w.store.Meta(w.ctx)
	if err != nil {
		return err
	}
	it, err := w.store.Item(w.ctx, 1+w.Int64N(m.LastID))
	if err != nil || it.Computed.Host == "" {
		return err
	}
	c, err := w.desk.Amend(w.ctx, canon.Override{Match: canon.Match{Host: it.Computed.Host},
		DropQueryParams: []string{"plaza"}})
	if err == nil && c.Before != nil {
		c.After = nil
	}
	if err == nil {
		var r review.Receipt
		r, _, err = w.desk.SaveOverrides(w.ctx, []review.OverrideChange{c}, "")
		w.done(review.ActOverride, r)
	}
	return w.refused(err)
}

func (w *loadWriter) add() error {
	w.n += 500
	_, err := w.desk.Add(w.ctx, review.Input{}, func(yield func(review.Found) error) error {
		for i := range 500 {
			url := fmt.Sprintf("https://nuevo%d.gob.es/tramite/%s/%d?plaza=%d", w.IntN(50),
				strings.ReplaceAll(w.desk.Reviewer(), " ", "-"), w.n+i, i)
			if err := yield(review.Found{URL: url}); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

// reader reads like a console, and checks that each read is consistent.
func (p *loadProgram) reader(ctx context.Context, random *rand.Rand) {
	for ; ctx.Err() == nil; p.rest(random) {
		name, do := "page", p.page
		switch random.IntN(20) {
		case 0:
			name, do = "facets", p.facets
		case 1:
			name, do = "totals", p.totals
		}
		if err := p.timed(name, do); err != nil {
			p.failed("reading a "+name, err)
			return
		}
	}
}

func (p *loadProgram) page() error {
	list, err := p.store.Page(p.ctx, review.Query{Filter: review.Filter{Open: true}}, nil, 50)
	for _, it := range list {
		status, flags := review.ResolveStatus(it.Computed, it.Link, it.Decision)
		if status != it.Status || flags != it.Computed.Flags {
			return fmt.Errorf("URL %d is %s, and by its decision %s", it.ID, it.Status, status)
		}
	}
	return err
}

func (p *loadProgram) facets() error {
	_, err := p.store.Facets(p.ctx, review.Filter{Open: true})
	return err
}

func (p *loadProgram) totals() error {
	_, err := p.store.Totals(p.ctx)
	return err
}

// nothingLost compares the confirmations with the log: each entry was confirmed to one writer, and each confirmed
// entry is there.
func nothingLost(t *testing.T, path string, reports []loadReport) {
	t.Helper()
	s := open(t, path)
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
func summarize(t *testing.T, reports []loadReport) {
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
		2*loadPrograms, loadPrograms, *loadFor, *loadURLs, entries, conflicts, decided)
	if *loadLimit > 0 && decided > *loadLimit {
		t.Errorf("99 %% of decisions are within %v, and not %v; the machine itself kept who asked for nothing "+
			"waiting for %v", decided, *loadLimit, slowest(took[napping], 990))
	}
}

// slowest returns the longest of that many in a thousand of the sorted durations.
func slowest(list []time.Duration, share int) time.Duration {
	if len(list) == 0 {
		return 0
	}
	return list[len(list)*share/1000].Round(10 * time.Microsecond)
}

// TestDecideWhileMany has one reviewer decide a few times a second, while another one writes a rule, and then a
// decision, for all URLs of a large host. The long run reports how long the first one waited:
//
//	go test ./store/sqlite -run 'TestDecideWhileMany$' -v -timeout 0 -urls 100000
func TestDecideWhileMany(t *testing.T) {
	const host, elsewhere = "sede.grande.gob.es", "sede.chica.gob.es"
	path := filepath.Join(t.TempDir(), "visto.db")
	s, other := open(t, path), open(t, path)
	ana, err := review.Open(t.Context(), s, "ana", nil)
	must(t, err)
	_, err = ana.Add(t.Context(), review.Input{}, func(yield func(review.Found) error) error {
		for i := range *loadURLs + 50 {
			at := host
			if i < 50 {
				at = elsewhere
			}
			if err := yield(review.Found{URL: fmt.Sprintf("https://%s/catalogo/tramites/%d?plaza=1", at,
				i)}); err != nil {
				return err
			}
		}
		return nil
	})
	must(t, err)
	var undo int64
	for _, step := range []struct {
		name string
		do   func() (review.Receipt, error)
	}{
		{"nothing", func() (review.Receipt, error) {
			time.Sleep(100 * time.Millisecond)
			return review.Receipt{}, nil
		}},
		{"a rule", func() (review.Receipt, error) {
			rule := canon.Override{Match: canon.Match{Host: host}, DropQueryParams: []string{"plaza"}}
			r, _, err := ana.SaveOverrides(t.Context(), []review.OverrideChange{{After: &rule}}, "")
			return r, err
		}},
		{"a decision on all", func() (review.Receipt, error) {
			r, err := ana.DecideAll(t.Context(), review.Choice{Kind: review.Reject, Note: "retirada"},
				review.Filter{Hosts: []string{host}})
			undo = r.Batch
			return r, err
		}},
		{"its undo", func() (review.Receipt, error) {
			_, r, err := ana.Undo(t.Context(), undo)
			return r, err
		}},
	} {
		stop := make(chan struct{})
		waits := decideUntil(t, other, stop)
		start := time.Now()
		r, err := step.do()
		inForce := time.Since(start)
		sqlite.WaitApplied(s)
		applied := time.Since(start)
		close(stop)
		list := <-waits
		must(t, err)
		if n := r.Decided + r.Updated; n != *loadURLs && step.name != "nothing" {
			t.Errorf("%s: of %d URLs", step.name, n)
		}
		slices.Sort(list)
		t.Logf("%-18s in force after %8v, applied after %8v; %4d decisions meanwhile: half within %8v, "+
			"99 %% within %8v, all within %v", step.name,
			inForce.Round(time.Millisecond), applied.Round(time.Millisecond), len(list),
			list[len(list)/2].Round(10*time.Microsecond),
			list[len(list)*99/100].Round(10*time.Microsecond), list[len(list)-1].Round(time.Millisecond))
	}
}

// decideUntil decides on one URL after the other, and sends the durations when it is confirmed to stop.
func decideUntil(t *testing.T, s *sqlite.Store, stop <-chan struct{}) <-chan []time.Duration {
	waits := make(chan []time.Duration, 1)
	go func() {
		var list []time.Duration
		defer func() { waits <- list }()
		desk, err := review.Open(t.Context(), s, "berta", nil)
		for i := int64(0); err == nil; i++ {
			start := time.Now()
			_, err = desk.Decide(t.Context(), review.Choice{Kind: review.Defer}, review.Target{ID: i%50 + 1})
			list = append(list, time.Since(start))
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
		t.Errorf("deciding meanwhile: %v", err)
	}()
	return waits
}
