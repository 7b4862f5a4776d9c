package review_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/health"
	"visto/review/probe"
	"visto/review/probe/extract"
)

// script is a prober with an answer for each URL. It calls interrupt before each answer.
type script struct {
	answers   map[string]canon.Evidence
	contents  map[string]*extract.Document
	noContent bool
	interrupt func(n int)
	fetched   []string
}

func (s *script) Run(ctx context.Context, targets []probe.Target, sink func(probe.Report) error) error {
	for i, target := range targets {
		if s.interrupt != nil {
			s.interrupt(i)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		s.fetched = append(s.fetched, target.URL)
		if err := sink(s.report(target)); err != nil {
			return err
		}
	}
	return nil
}

func (s *script) report(target probe.Target) probe.Report {
	ev, ok := s.answers[target.URL]
	if !ok {
		return probe.Report{Target: target, Deferred: "Retry-After", Until: noon.Add(time.Hour)}
	}
	r := probe.Report{Target: target, Evidence: &ev, Content: s.contents[target.URL], NoContent: s.noContent}
	if ev.IsPutOff() {
		r.Deferred, r.Until = "429", noon.Add(time.Hour)
	}
	return r
}

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// probe probes all items that are due at a time.
func (d *desk) probe(s *script, at time.Time) []review.ProbeResult {
	d.Helper()
	var list []review.ProbeResult
	d.must(d.probeUntil(d.Context(), s, at, func(l review.ProbeResult) error {
		list = append(list, l)
		return nil
	}))
	return list
}

func (d *desk) probeUntil(ctx context.Context, s *script, at time.Time, done func(review.ProbeResult) error) error {
	d.Helper()
	p := review.NewProbing(d.Desk, s, func() time.Time { return at })
	return p.Run(ctx, d.jobs(review.Filter{Due: at}), done)
}

func (d *desk) jobs(f review.Filter) []review.ProbeJob {
	d.Helper()
	jobs, err := d.ProbeJobs(d.Context(), f, review.ProbeJobOptions{})
	d.must(err)
	return jobs
}

const alta = "https://a.ejemplo.gob.es/tramite/alta-de-padron"

// A report is stored with the new result, as one log entry.
func TestProbe(t *testing.T) {
	d := newDesk(t)
	d.add("http://a.ejemplo.gob.es/viejo/ficha-del-padron")
	results := d.probe(&script{answers: map[string]canon.Evidence{"http://a.ejemplo.gob.es/viejo/ficha-del-padron": {
		Hops: []canon.Hop{{Status: 301, URL: alta}}, FinalURL: alta, Status: 200, Title: "Alta", TTLHours: 48,
	}}}, noon)
	l := results[0]
	if len(results) != 1 || l.Before.Computed.Canonical == alta || l.After.Computed.Canonical != alta ||
		l.After.Title != "Alta" || l.Postponed != nil {
		t.Errorf("results %+v", results)
	}
	if it := d.item("1"); it.Computed.Canonical != alta || it.Title != "Alta" || it.Status != review.Accepted {
		t.Errorf("item %s, %q", state(&it), it.Title)
	}
	if log := d.entries(); log[len(log)-1] != "evidence of URL 1: 200 at "+alta {
		t.Errorf("log %q", log)
	}
	detail, err := d.Detail(t.Context(), 1)
	d.must(err)
	if detail.Evidence.URL != "http://a.ejemplo.gob.es/viejo/ficha-del-padron" || detail.Evidence.Status != 200 {
		t.Errorf("evidence %+v", detail.Evidence)
	}
	for _, at := range []struct {
		after time.Duration
		due   int
	}{{0, 0}, {48*time.Hour - 1, 0}, {48 * time.Hour, 1}} {
		if jobs := d.jobs(review.Filter{Due: noon.Add(at.after)}); len(jobs) != at.due {
			t.Errorf("after %v: jobs %+v", at.after, jobs)
		}
	}
	d.sound()
}

// A redirect of an approved URL opens it again. The approval stays in effect.
func TestProbeApproved(t *testing.T) {
	d := newDesk(t)
	d.add("https://a.ejemplo.gob.es/")
	d.decide(review.Approve, "https://a.ejemplo.gob.es/")
	d.probe(&script{answers: map[string]canon.Evidence{"https://a.ejemplo.gob.es/": {FinalURL: alta, Status: 200}}},
		noon)
	it := d.item("1")
	if it.Status != review.Approved || it.Canonical() != "https://a.ejemplo.gob.es" ||
		!it.Computed.Flags.Has(canon.ChangedSinceApproval) || !it.Open() {
		t.Errorf("item %s", state(&it))
	}
	d.decide(review.Approve, "1")
	if it := d.item("1"); it.Canonical() != alta || it.Open() {
		t.Errorf("item %s", state(&it))
	}
	d.sound()
}

// A report with the same content only changes when the evidence is due.
func TestProbeAgain(t *testing.T) {
	d := newDesk(t)
	d.add(alta)
	s := &script{answers: map[string]canon.Evidence{alta: {Status: 200, ETag: "1", FetchedAt: "2026-11-21T12:00:00Z",
		HTTPS: yes()}}}
	d.probe(s, noon)
	log, before := d.entries(), d.item("1")
	meta, err := d.Meta(t.Context())
	d.must(err)
	s.answers[alta] = canon.Evidence{Status: 200, ETag: "2", LastModified: "x", SHA256: "y", Size: 3, Method: "get",
		FetchedAt: "2026-11-22T12:00:00Z", HTTPS: yes(), TTLHours: 720}
	if n := len(d.probe(s, noon.Add(24*time.Hour-1))); n != 0 {
		t.Errorf("%d fetched that are not due", n)
	}
	d.probe(s, noon.Add(24*time.Hour))
	if now := d.entries(); len(now) != len(log) {
		t.Errorf("log %q", now)
	}
	if now, err := d.Meta(t.Context()); err != nil || now.Gen != meta.Gen {
		t.Errorf("generation %d, was %d", now.Gen, meta.Gen)
	}
	if it := d.item("1"); it.Rev != before.Rev {
		t.Errorf("revision %d, was %d", it.Rev, before.Rev)
	}
	detail, err := d.Detail(t.Context(), 1)
	d.must(err)
	if detail.Evidence.ETag != "2" || detail.Evidence.FetchedAt != "2026-11-22T12:00:00Z" {
		t.Errorf("evidence %+v", detail.Evidence)
	}
	if jobs := d.jobs(review.Filter{Due: noon.Add(25 * time.Hour)}); len(jobs) != 0 {
		t.Errorf("jobs %+v", jobs)
	}
	d.sound()
}

// "A check that matters … changes no status by itself (it stays exported)" (spec section 16): a failure of a page that
// answered before changes neither its evidence nor its result, and the third in a row opens it. A page that never
// answered is unreachable.
func TestProbeFails(t *testing.T) {
	d := newDesk(t)
	d.add(alta)
	s := &script{answers: map[string]canon.Evidence{alta: {Status: 503}}}
	fails := func(hours int, want string) {
		t.Helper()
		d.probe(s, noon.Add(time.Duration(hours)*time.Hour))
		it := d.item("1")
		detail, err := d.Detail(t.Context(), 1)
		d.must(err)
		got := fmt.Sprint(detail.Evidence.Status, " ", it.Status, " ", it.LinkState(), " ", it.Computed.Flags.Codes(),
			it.Open())
		if got != want {
			t.Errorf("after %d hours: %s, want %s", hours, got, want)
		}
	}
	fails(0, "503 pending active [unreachable] true")
	s.answers[alta] = canon.Evidence{Status: 200, Title: "Alta"}
	fails(24, "200 accepted active [] false")
	for i, ev := range []canon.Evidence{{Status: 404}, {Error: "no such host"}, {Robots: "blocked"}, {Status: 429}} {
		s.answers[alta] = ev
		fails(48+24*i, "200 accepted active [] false")
	}
	s.answers[alta] = canon.Evidence{Status: 410, Alternative: padron}
	fails(200, "410 accepted inactive [link-broken] true")
	if it := d.item("1"); it.Canonical() != padron {
		t.Errorf("not at its alternative: %s", state(&it))
	}
	d.sound()
}

// A server that asks for a long pause has answered: with 503 that is a failure, with 429 it is none (spec section 16).
// So is a robots.txt that answers 503, which says nothing about the page.
func TestProbePutOff(t *testing.T) {
	answered := func(purpose string, status int) probe.Report {
		return probe.Report{Exchanges: []probe.Exchange{{Purpose: purpose, Status: status}}}
	}
	unready := func(status int) probe.Report {
		return probe.Report{Evidence: &canon.Evidence{Robots: "blocked"}, Unready: status}
	}
	for name, test := range map[string]struct {
		report probe.Report
		want   health.Outcome
		status int
	}{
		"429":              {answered("page", 429), health.Excused, 429},
		"503":              {answered("robots", 503), health.Failed, 503},
		"robots.txt":       {unready(503), health.Failed, 503},
		"robots.txt, busy": {unready(429), health.Excused, 0},
	} {
		d := newDesk(t)
		d.add(alta)
		test.report.Until = noon.Add(time.Hour)
		run := func(ctx context.Context, list []probe.Target, sink func(probe.Report) error) error {
			test.report.Target = list[0]
			return sink(test.report)
		}
		p := review.NewProbing(d.Desk, proberFunc(run), func() time.Time { return noon })
		d.must(p.Run(t.Context(), d.jobs(review.Filter{}), func(review.ProbeResult) error { return nil }))
		r, err := d.LinkRecord(t.Context(), 1)
		d.must(err)
		if r == nil || len(r.Checks) != 1 || r.Last().Outcome != test.want || r.Last().Status != test.status {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// proberFunc is a prober.
type proberFunc func(context.Context, []probe.Target, func(probe.Report) error) error

func (f proberFunc) Run(ctx context.Context, list []probe.Target, sink func(probe.Report) error) error {
	return f(ctx, list, sink)
}

func yes() *bool {
	b := true
	return &b
}

// Originals with the same URL to fetch share a job, and all of them get its evidence. Items without such a URL have
// no job.
func TestProbeJobs(t *testing.T) {
	d := newDesk(t)
	urls := []string{alta + "?utm_source=x#top", "http://A.ejemplo.gob.es/tramite/alta-de-padron/",
		"ftp://a.ejemplo.gob.es/x", "http://127.0.0.1/x", alta + "?id=3"}
	d.add(urls...)
	jobs := d.jobs(review.Filter{})
	if len(jobs) != 2 || !slices.Equal(jobs[0].IDs, []int64{1, 2}) || jobs[0].URL != alta ||
		jobs[1].URL != alta+"?id=3" ||
		jobs[0].Target != (probe.Target{ID: 1, URL: urls[0]}) {
		t.Errorf("jobs %+v", jobs)
	}
	if fresh, err := d.ProbeJobs(t.Context(), review.Filter{IDs: []int64{5}},
		review.ProbeJobOptions{Fresh: true}); err != nil || len(fresh) != 1 || !fresh[0].Target.Fresh {
		t.Errorf("jobs %+v, %v", fresh, err)
	}
	if private, err := d.ProbeJobs(t.Context(), review.Filter{IDs: []int64{3, 4}},
		review.ProbeJobOptions{Private: true}); err != nil || len(private) != 1 || private[0].URL != urls[3] {
		t.Errorf("jobs %+v, %v", private, err)
	}
	s := &script{answers: map[string]canon.Evidence{urls[0]: {Status: 410}, urls[4]: {Status: 200}}}
	if results := d.probe(s, noon); len(results) != 3 || len(s.fetched) != 2 {
		t.Errorf("results %+v, fetched %q", results, s.fetched)
	}
	for _, it := range d.items(review.Filter{}) {
		if it.Computed.Flags.Has(canon.Unreachable) != (it.ID <= 2) {
			t.Errorf("item %d: %s", it.ID, state(&it))
		}
	}
	d.sound()
}

// A postponed item is not probed before its time.
func TestProbePostponed(t *testing.T) {
	d := newDesk(t)
	d.add(alta)
	l := d.probe(&script{}, noon)[0]
	if l.Postponed == nil || *l.Postponed != (review.Postponed{ID: 1, Until: noon.Add(time.Hour),
		Why: "Retry-After"}) || l.After.ID != 1 {
		t.Errorf("results %+v", l)
	}
	for at, want := range map[time.Duration]int{time.Hour - time.Millisecond: 0, time.Hour: 1} {
		if jobs := d.jobs(review.Filter{Due: noon.Add(at)}); len(jobs) != want {
			t.Errorf("after %v: %+v", at, jobs)
		}
	}
	d.sound()
}

// A URL that gets nothing but 429 keeps its verdict and is asked again soon, and is flagged after the third run.
func TestProbeRefused(t *testing.T) {
	d := newDesk(t)
	d.add(alta)
	for runs := 1; runs <= canon.MaxPutOff; runs++ {
		refusal := canon.Evidence{Status: 429, Blocked: "rate-limited", TTLHours: 24, PutOff: runs}
		at := noon.Add(time.Duration(runs-1) * time.Hour)
		r, waits := d.probe(&script{answers: map[string]canon.Evidence{alta: refusal}}, at)[0], runs < canon.MaxPutOff
		if r.After.Computed.Flags.Has(canon.Unreachable) == waits || (r.Postponed != nil) != waits {
			t.Errorf("run %d: %s, postponed %+v", runs, state(&r.After), r.Postponed)
		}
		lookup, err := d.Lookup(t.Context())
		d.must(err)
		known, err := lookup.Find(t.Context(), alta, "", func(*review.Item) int64 { return 0 })
		if d.must(err); known.Result.PutOff != waits {
			t.Errorf("run %d: the lookup has put off %t", runs, known.Result.PutOff)
		}
		d.sound()
	}
}

// Reports before the end of ctx are stored. The next run probes exactly the remaining items.
func TestProbeStopped(t *testing.T) {
	d := newDesk(t)
	urls := many(40)
	d.add(urls...)
	s := &script{answers: map[string]canon.Evidence{}}
	for _, u := range urls {
		s.answers[u] = canon.Evidence{Status: 200, HTTPS: yes()}
	}
	ctx, cancel := context.WithCancel(t.Context())
	s.interrupt = func(n int) {
		if n == 17 {
			cancel()
		}
	}
	if err := d.probeUntil(ctx, s, noon, func(review.ProbeResult) error { return nil }); !errors.Is(err,
		context.Canceled) {
		t.Errorf("error %v", err)
	}
	if len(s.fetched) != 17 {
		t.Errorf("%d asked", len(s.fetched))
	}
	s.interrupt = nil
	if n := len(d.probe(s, noon)); n != 23 {
		t.Errorf("%d results", n)
	}
	if slices.Sort(s.fetched); len(slices.Compact(s.fetched)) != 40 {
		t.Errorf("fetched %q", s.fetched)
	}
	d.sound()
}

// Host evidence reaches all URLs on the host, and others can write in between.
func TestProbePropagates(t *testing.T) {
	var waiting []int
	o := newOffice(t)
	var urls []string
	for i := range 1100 {
		urls = append(urls, fmt.Sprintf("http://b.ejemplo.gob.es/tramite/ficha-del-padron-%d", i))
	}
	luis := o.desk("luis")
	luis.add(urls...)
	before := func() {
		only := luis.items(review.Filter{Flags: canon.SetOf(canon.HTTPOnly)})
		waiting = append(waiting, len(only))
		luis.decide(review.Reject, urls[1099-len(waiting)])
	}
	ana, err := review.Open(t.Context(), &busy{Store: o.store(), others: []func(){before, before, before, before}},
		"ana", nil)
	o.must(err)
	d := &desk{ana, o}
	d.probe(&script{answers: map[string]canon.Evidence{urls[0]: {Status: 200, HTTPS: no()}}}, noon)
	if !slices.Equal(waiting, []int{0, 1, 501, 1001}) {
		t.Errorf("HTTP only before each transaction: %v", waiting)
	}
	if n := len(d.items(review.Filter{Flags: canon.SetOf(canon.HTTPOnly)})); n != 1100 {
		t.Errorf("%d HTTP only", n)
	}
	if n := len(d.items(review.Filter{Statuses: []review.Status{review.Rejected}})); n != 4 {
		t.Errorf("%d rejected", n)
	}
	d.sound()
}

// The next probe, and Maintain, propagate the evidence that a killed probe did not.
func TestPropagateContinues(t *testing.T) {
	for name, goOn := range map[string]func(*desk){
		"probe": func(d *desk) {
			d.must(review.NewProbing(d.Desk, &script{}, time.Now).Run(t.Context(), nil, nil))
		},
		"console": func(d *desk) { d.must(d.Maintain(t.Context())) },
		"replay": func(d *desk) {
			if found := d.replayed(); found != "" {
				t.Error(found)
			}
		},
	} {
		t.Run(name, func(t *testing.T) { propagateContinues(t, goOn) })
	}
}

func propagateContinues(t *testing.T, goOn func(*desk)) {
	d := newDesk(t)
	d.add("http://a.ejemplo.gob.es/tramite/alta-de-padron", "http://a.ejemplo.gob.es/tramite/baja-de-padron")
	_, err := d.store().Commit(t.Context(), review.AddEvidence{Reviewer: "ana",
		Evidence: []review.ItemEvidence{{ID: 1, Evidence: &canon.Evidence{HTTPS: no()}}}})
	d.must(err)
	if n := len(d.items(review.Filter{Flags: canon.SetOf(canon.HTTPOnly)})); n != 0 {
		t.Fatalf("%d HTTP only", n)
	}
	d.pending(2)
	d.sound()
	goOn(d)
	d.pending(0)
	if n := len(d.items(review.Filter{Flags: canon.SetOf(canon.HTTPOnly)})); n != 2 {
		t.Errorf("%d HTTP only", n)
	}
	d.sound()
}

// Check finds damaged results of URLs that new evidence about other hosts does not concern.
func TestCheckWhilePending(t *testing.T) {
	d := newDesk(t)
	d.add("http://a.ejemplo.gob.es/tramite/alta-de-padron", "http://b.ejemplo.gob.es/tramite/baja-de-padron")
	_, err := d.store().Commit(t.Context(), review.AddEvidence{Reviewer: "ana",
		Evidence: []review.ItemEvidence{{ID: 1, Evidence: &canon.Evidence{HTTPS: no()}}}})
	d.must(err)
	db, err := sql.Open("sqlite", d.path)
	d.must(err)
	_, err = db.Exec("UPDATE item SET canonical = canonical || 'x'")
	d.must(errors.Join(err, db.Close()))
	problems, err := d.Check(t.Context())
	d.must(err)
	var state []string
	for _, p := range problems {
		if strings.Contains(p.Text, "the rules give") {
			state = append(state, p.Text)
		}
	}
	if len(state) != 1 || !strings.HasPrefix(state[0], "URL 2 ") {
		t.Errorf("problems %q", state)
	}
}

// Check waits for the evidence about a host to which a rule leads too.
func TestCheckWhileTheHostOfARuleIsPending(t *testing.T) {
	d := newDesk(t)
	d.add("http://a.ejemplo.gob.es/tramite/alta-de-padron", "http://b.ejemplo.gob.es/tramite/baja-de-padron")
	d.save(canon.Override{Match: canon.Match{Host: "a.ejemplo.gob.es"}, CanonicalHost: "b.ejemplo.gob.es"})
	_, err := d.store().Commit(t.Context(), review.AddEvidence{Reviewer: "ana",
		Evidence: []review.ItemEvidence{{ID: 2, Evidence: &canon.Evidence{HTTPS: no()}}}})
	d.must(err)
	d.pending(2)
	d.sound()
}

// Check during a probe finds a sound store sound, although evidence arrives while it reads.
func TestCheckWhileProbing(t *testing.T) {
	o := newOffice(t)
	luis := o.desk("luis")
	for i := range 20 {
		luis.add(fmt.Sprintf("http://h%d.ejemplo.gob.es/tramite/alta-de-padron", i))
	}
	ana, err := review.Open(t.Context(), &probed{Store: o.store(), other: luis}, "ana", nil)
	o.must(err)
	(&desk{ana, o}).sound()
}

// probed is a store in which another program stores evidence of the next host after each reading of the log, and
// propagates it before each question for pending hosts.
type probed struct {
	review.Store
	other *desk
	id    int64
}

func (p *probed) EachEntry(ctx context.Context, fn func(review.Entry) error) error {
	err := p.Store.EachEntry(ctx, fn)
	p.id++
	_, errEvidence := p.other.store().Commit(ctx, review.AddEvidence{Reviewer: "luis",
		Evidence: []review.ItemEvidence{{ID: p.id, Evidence: &canon.Evidence{HTTPS: no()}}}})
	return errors.Join(err, errEvidence)
}

func (p *probed) PendingHosts(ctx context.Context) ([]string, error) {
	p.other.must(p.other.Propagate(ctx))
	return p.Store.PendingHosts(ctx)
}

// A rule saved while a probe stores evidence succeeds, and applies to the new results.
func TestSaveWhileProbing(t *testing.T) {
	led := canon.Evidence{Status: 200, FinalURL: "https://a.ejemplo.gob.es/tramite/alta-nueva?plaza=9", HTTPS: yes()}
	probes := func(luis *desk) {
		luis.probe(&script{answers: map[string]canon.Evidence{luis.item("1").Original: led}}, noon)
	}
	d := busyDesk(t, probes, probes)
	receipt, e := d.save(rules["drop"])
	if receipt.Updated != 1 || e.Changed != 1 || e.Scanned != 1 {
		t.Errorf("updated %d, effect %+v", receipt.Updated, e)
	}
	if it := d.item("1"); it.Computed.Canonical != "https://a.ejemplo.gob.es/tramite/alta-nueva" {
		t.Errorf("item %s", state(&it))
	}
	d.sound()
}

// Evidence stored while a rule is saved is computed under that rule.
func TestProbeWhileSaving(t *testing.T) {
	d := busyDesk(t, func(luis *desk) { luis.save(rules["drop"]) })
	d.probe(&script{answers: map[string]canon.Evidence{d.item("1").Original: {Status: 200, HTTPS: yes()}}}, noon)
	if it := d.item("1"); strings.Contains(it.Computed.Canonical, "plaza") {
		t.Errorf("item %s", state(&it))
	}
	d.sound()
}

// Check finds stored evidence that differs from the log.
func TestCheckEvidence(t *testing.T) {
	d := newDesk(t)
	d.add(alta)
	d.probe(&script{answers: map[string]canon.Evidence{alta: {Status: 200, HTTPS: yes()}}}, noon)
	d.sound()
	d.must(d.store().Refresh(t.Context(),
		[]review.ItemEvidence{{ID: 1, Evidence: &canon.Evidence{Status: 200, RelCanonical: alta}}}))
	problems, err := d.Check(t.Context())
	d.must(err)
	if len(problems) != 1 || problems[0].Text != "URL 1 has not the evidence that the log has" {
		t.Errorf("problems %+v", problems)
	}
}

// Added evidence with a time and a TTL is due after them; other evidence is due at once.
func TestAddedEvidenceIsDue(t *testing.T) {
	d := newDesk(t)
	d.addFound(
		review.Found{URL: alta,
			Evidence: &canon.Evidence{Status: 200, FetchedAt: "2026-11-21T12:00:00Z", TTLHours: 24}},
		review.Found{URL: alta + "?id=2", Evidence: &canon.Evidence{Status: 200, TTLHours: 24}},
		review.Found{URL: alta + "?id=3", Evidence: &canon.Evidence{Status: 200, FetchedAt: "2026-11-21T12:00:00Z"}},
	)
	for at, want := range map[time.Duration][]int64{0: {2, 3}, 24 * time.Hour: {1, 2, 3}} {
		var ids []int64
		for _, it := range d.items(review.Filter{Due: noon.Add(at)}) {
			ids = append(ids, it.ID)
		}
		if !slices.Equal(ids, want) {
			t.Errorf("after %v: %v", at, ids)
		}
	}
}

func TestProbeAlone(t *testing.T) {
	d := newDesk(t)
	luisDesk := d.desk("luis").Desk
	lease := func(d *review.Desk, pid int, now time.Time) *review.ProbeLease {
		return review.NewProbeLease(d, review.Holder{Machine: "pc", PID: pid}, func() time.Time { return now })
	}
	ana, luis := lease(d.Desk, 1, noon), lease(luisDesk, 2, noon.Add(time.Second))
	heir := lease(luisDesk, 2, noon.Add(time.Minute))
	ran := false
	run := func(context.Context) error { ran = true; return nil }
	broken := errors.New("broken")
	err := ana.Alone(t.Context(), func(ctx context.Context) error {
		var held *review.LeaseError
		if err := luis.Alone(ctx, run); !errors.As(err, &held) || held.Held.Reviewer != "ana" || held.Held.PID != 1 ||
			ran {
			t.Errorf("the second one: %v, %v", err, ran)
		}
		if err := heir.Alone(ctx, run); err != nil || !ran {
			t.Errorf("after the first one's lease ran out: %v, %v", err, ran)
		}
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	ran = false
	if err := luis.Alone(t.Context(), run); err != nil || !ran {
		t.Errorf("after the first one ended: %v, %v", err, ran)
	}
}

// Probes in one program share its lease, which ends with the last of them.
func TestProbeLeaseIsShared(t *testing.T) {
	d := newDesk(t)
	clock := func() time.Time { return noon }
	ana := review.NewProbeLease(d.Desk, review.Holder{Machine: "pc", PID: 1}, clock)
	luis := review.NewProbeLease(d.desk("luis").Desk, review.Holder{Machine: "pc", PID: 2}, clock)
	keptOut := func(when string) {
		var held *review.LeaseError
		if err := luis.Alone(t.Context(), func(context.Context) error { return nil }); !errors.As(err, &held) {
			t.Errorf("%s: %v", when, err)
		}
	}
	began, end, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		ended <- ana.Alone(t.Context(), func(context.Context) error { close(began); <-end; return nil })
	}()
	<-began
	err := ana.Alone(t.Context(), func(context.Context) error {
		close(end)
		if err := <-ended; err != nil {
			t.Error(err)
		}
		keptOut("the first is done, the second not")
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if err := luis.Alone(t.Context(), func(context.Context) error { return nil }); err != nil {
		t.Errorf("after the last: %v", err)
	}
}

// Host evidence that another desk stores at the same time applies to the report, and vice versa.
func TestProbeWhileHostsChange(t *testing.T) {
	d := busyDesk(t, func(luis *desk) {
		luis.addFound(review.Found{URL: "http://a.ejemplo.gob.es/otra/ficha-del-padron",
			Evidence: &canon.Evidence{HTTPS: no()}})
	})
	original := d.item("1").Original
	led := canon.Evidence{Status: 200, FinalURL: alta, Title: "Alta", Robots: "allowed"}
	after := d.probe(&script{answers: map[string]canon.Evidence{original: led}}, noon)[0].After
	if after.Computed.Canonical != strings.Replace(alta, "https", "http", 1) ||
		!after.Computed.Flags.Has(canon.HTTPOnly) || after.Title != "Alta" {
		t.Errorf("item %s, %q", state(&after), after.Title)
	}
	d.sound()
}

// A report updates known host evidence. After propagation no host is pending.
func TestProbeAddsToWhatIsKnown(t *testing.T) {
	d := newDesk(t)
	d.addFound(review.Found{URL: "https://a.ejemplo.gob.es/otra/ficha-del-padron", Evidence: &canon.Evidence{
		Hosts: canon.Hosts{"a.ejemplo.gob.es": {PreferredHost: "www.a.ejemplo.gob.es",
			Reached: canon.Reach{By: canon.ByFile}}}}})
	d.add(alta)
	answer := canon.Evidence{Status: 200, Hosts: canon.Hosts{"a.ejemplo.gob.es": {HTTPS: yes()}}}
	for _, l := range d.probe(&script{answers: map[string]canon.Evidence{alta: answer}}, noon) {
		if l.Postponed == nil && l.After.Computed.Host != "www.a.ejemplo.gob.es" {
			t.Errorf("item %s", state(&l.After))
		}
	}
	if pending, err := d.store().PendingHosts(t.Context()); err != nil || len(pending) != 0 {
		t.Errorf("pending: %q, %v", pending, err)
	}
	d.sound()
}

// Spec 15: "probe keeps what a person would look at", of all items that share the answer. Of two versions one is the
// newest and one the accepted one, or the first: spec 16, a check opens a URL "with before and after". An answer
// without content leaves them. User and password of a URL in a content are masked.
func TestProbeContents(t *testing.T) {
	d := newDesk(t)
	d.add(alta, alta+"/#top", alta+"?id=3")
	s := &script{answers: map[string]canon.Evidence{alta: {Status: 200}, alta + "?id=3": {Status: 200}},
		contents: map[string]*extract.Document{}}
	at := noon
	probed := func(text string, want ...string) {
		t.Helper()
		if s.contents[alta] = nil; text != "" {
			s.contents[alta] = &extract.Document{Title: "Alta", Text: text, Pages: 3}
		}
		at = at.Add(9000 * time.Hour)
		d.probe(s, at)
		for id, want := range map[int64][]string{1: want, 2: want, 3: nil} {
			list, err := d.Contents(t.Context(), id)
			d.must(err)
			var got []string
			for _, v := range list {
				got = append(got, v.Document.Text)
				if v.Document.Title != "Alta" || v.Document.Pages != 3 {
					t.Errorf("content %+v", v.Document)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("contents of URL %d: %q, want %q", id, got, want)
			}
		}
	}
	const masked = "a https://***@www.boe.es/\n(bob@boe.es)\n/\nana@boe.es"
	probed("")
	probed("first", "first")
	probed("", "first")
	probed("first", "first")
	probed("a https://bob:S3cret@www.boe.es/\n(bob@boe.es)\n/\nana@boe.es", masked, "first")
	s.answers[alta] = canon.Evidence{Status: 404}
	probed("", masked, "first")
	s.answers[alta] = canon.Evidence{Status: 200}
	probed("third", "third", "first")
	d.decide(review.Approve, alta, alta+"/#top")
	probed("fourth", "fourth", "third")
	d.sound()
}
