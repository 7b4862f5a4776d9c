package review_test

import (
	"fmt"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/health"
	"visto/review/probe"
	"visto/review/probe/extract"
	"visto/review/read"
)

// link returns the history of an item's link; without a check it has none.
func (d *desk) link(id int64) health.Record {
	d.Helper()
	r, err := d.LinkRecord(d.Context(), id)
	d.must(err)
	if r == nil {
		return health.Record{}
	}
	return *r
}

// contentIs checks the newest content of an item, "" for none.
func (d *desk) contentIs(id int64, want string) {
	d.Helper()
	list, err := d.Contents(d.Context(), id)
	d.must(err)
	got := ""
	if len(list) > 0 {
		got = list[0].Document.Text
	}
	if got != want {
		d.Errorf("the content of URL %d is %q, want %q", id, got, want)
	}
}

// A check of a correction's URL goes to the history and the contents of the item, and leaves its evidence, which is
// about its original. A probe of the original then is no check: it does not ask for the page that the item cites.
// Each of the two pages has a history of its own.
func TestKeepCheck(t *testing.T) {
	d := newDesk(t)
	d.add(alta)
	report := func(title, text string) probe.Report {
		return probe.Report{Target: probe.Target{URL: padron}, Evidence: &canon.Evidence{Status: 200, Title: title},
			Content: &extract.Document{Title: title, Text: text}}
	}
	original := &script{answers: map[string]canon.Evidence{alta: {Status: 200, Title: "Alta"}},
		contents: map[string]*extract.Document{alta: {Title: "Alta", Text: "alta"}}}
	probed := func(at time.Time) {
		t.Helper()
		jobs, err := d.ProbeJobs(t.Context(), review.Filter{}, review.ProbeJobOptions{})
		d.must(err)
		d.must(review.NewProbing(d.Desk, original, func() time.Time { return at }).Run(t.Context(), jobs,
			func(review.ProbeResult) error { return nil }))
	}
	checks := func(when string, n int, content string) {
		t.Helper()
		if r := d.link(1); len(r.Checks) != n || r.Flags != 0 {
			t.Errorf("%s: %d checks, want %d, with %v", when, len(r.Checks), n, r.Flags.Codes())
		}
		d.contentIs(1, content)
		d.sound()
		d.replaysSame()
	}
	probed(noon)
	probed(noon.Add(time.Hour))
	checks("probed", 2, "alta")

	d.must(d.correct(review.Correct, alta, padron))
	probed(noon.Add(2 * time.Hour))
	checks("its original is probed", 2, "alta")
	for i := range 2 {
		_, err := d.KeepCheck(t.Context(), 1, report("Padrón", "padrón"), noon.Add(time.Duration(3+i)*time.Hour))
		d.must(err)
	}
	checks("the correction is checked", 2, "padrón")
	probed(noon.Add(5 * time.Hour))
	checks("its original is probed again", 2, "padrón")
	detail, err := d.Detail(t.Context(), 1)
	d.must(err)
	if detail.Evidence.Title != "Alta" {
		t.Errorf("the evidence is of %q", detail.Evidence.Title)
	}
	gone := probe.Report{Target: probe.Target{URL: padron}, Evidence: &canon.Evidence{Status: 410}}
	_, err = d.KeepCheck(t.Context(), 1, gone, noon.Add(6*time.Hour))
	d.must(err)
	if it := d.item("1"); it.LinkState() != health.Inactive || !it.Open() || it.Canonical() != padron {
		t.Errorf("gone: %s, %s", state(&it), it.LinkState())
	}
	_, _, err = d.Undo(t.Context(), 0)
	d.must(err)
	probed(noon.Add(7 * time.Hour))
	checks("taken back", 1, "alta")
}

// Spec 15: "--no-content keeps none"; the sketch of the text is kept, by which drift is measured.
func TestNoContent(t *testing.T) {
	d := newDesk(t)
	d.add(alta)
	s := &script{noContent: true, answers: map[string]canon.Evidence{alta: {Status: 200}},
		contents: map[string]*extract.Document{alta: {Text: "Uno dos tres cuatro cinco seis siete ocho"}}}
	d.probe(s, noon)
	d.contentIs(1, "")
	if r := d.link(1); len(r.Page.Sketch) == 0 || r.Checks[0].Text == 0 {
		t.Errorf("nothing is kept of the text: %+v", r.Page)
	}
}

// dueJobs returns the jobs of the links that are due at a time.
func (d *desk) dueJobs(at time.Time) []review.ProbeJob {
	d.Helper()
	jobs, _, err := d.DueLinks(d.Context(), review.Filter{}, at, review.DueOptions{})
	d.must(err)
	return jobs
}

// runDue asks for the links of jobs at a time.
func (d *desk) runDue(s *script, at time.Time, jobs []review.ProbeJob) {
	d.Helper()
	p := review.NewProbing(d.Desk, s, func() time.Time { return at })
	d.must(p.RunDue(d.Context(), jobs, func(review.ProbeResult) error { return nil }))
}

// A round takes its time. A person who corrects an item meanwhile puts another page in the place of the one that is
// asked: the answer is no check of that, and the new page is due at once.
func TestACorrectionWhileAsking(t *testing.T) {
	d := newDesk(t)
	d.add(alta)
	const other = "https://a.ejemplo.gob.es/tramite/otro"
	s := &script{answers: map[string]canon.Evidence{padron: {Status: 410}, other: {Status: 200}}}
	d.must(d.correct(review.Correct, alta, padron))
	s.interrupt = func(int) { d.must(d.correct(review.Correct, "1", other)) }
	d.runDue(s, noon, d.dueJobs(noon))
	s.interrupt = nil
	if r, it := d.link(1), d.item("1"); len(r.Checks) > 0 || it.LinkState() != health.Active {
		t.Errorf("%d checks, %s", len(r.Checks), it.LinkState())
	}
	d.runDue(s, noon, d.dueJobs(noon))
	if r := d.link(1); len(r.Checks) != 1 || r.Last().Status != 200 {
		t.Errorf("the new page has the checks %+v", r.Checks)
	}
	if n := len(d.jobs(review.Filter{Due: noon})); n != 1 {
		t.Error("the original is put off, because its correction was asked")
	}
	d.sound()
}

// A page that is gone is corrected to another one: that was never checked. So its link is active, is in the export, and
// is due at once, also after an approval. To approve the correction after its check changes no state.
func TestACorrectionOfADeadLink(t *testing.T) {
	d := newDesk(t)
	d.add(alta)
	s := &script{answers: map[string]canon.Evidence{alta: {Status: 410}, padron: {Status: 410}}}
	state := func(when string, want health.State, due int) {
		t.Helper()
		it := d.item("1")
		n, err := d.Count(t.Context(), review.Filter{LinkStates: []health.State{want}})
		d.must(err)
		if jobs := d.dueJobs(noon.Add(time.Hour)); it.LinkState() != want || n != 1 || len(jobs) != due {
			t.Errorf("%s: %s, counted %d, due %d", when, it.LinkState(), n, len(jobs))
		}
	}
	d.runDue(s, noon, d.dueJobs(noon))
	state("gone", health.Inactive, 0)
	d.must(d.correct(review.Correct, alta, padron))
	state("corrected", health.Active, 1)
	d.decide(review.Approve, "1")
	state("approved before a check", health.Active, 1)
	d.must(d.correct(review.Correct, "1", padron))
	state("corrected to the same", health.Active, 1)
	sum, err := d.Health(t.Context(), review.Filter{}, noon.Add(time.Hour))
	d.must(err)
	if sum.Unchecked != 1 || len(sum.Issues) > 0 {
		t.Errorf("health: %+v", sum)
	}
	d.runDue(s, noon.Add(time.Hour), d.dueJobs(noon.Add(time.Hour)))
	state("the other one is gone, too", health.Inactive, 0)
	d.decide(review.Approve, "1")
	state("approved", health.Inactive, 0)
	d.proven()
}

// The clock was ahead at the last check: the link is due, and the next check counts.
func TestChecksOfTheFuture(t *testing.T) {
	d := newDesk(t)
	d.add(alta)
	s := &script{answers: map[string]canon.Evidence{alta: {Status: 200, Title: "Alta"}}}
	ahead := noon.Add(40 * day)
	d.runDue(s, ahead, d.dueJobs(ahead))
	s.answers[alta] = canon.Evidence{Status: 404}
	d.runDue(s, noon, d.dueJobs(noon))
	detail, err := d.Detail(t.Context(), 1)
	d.must(err)
	if r := d.link(1); len(r.Checks) != 2 || !r.Last().At.Equal(noon) || r.Failures != 1 ||
		detail.Evidence.Status != 200 {
		t.Errorf("checks %+v, evidence %+v", r.Checks, detail.Evidence)
	}
	if n := len(d.dueJobs(noon.Add(time.Hour - time.Second))); n > 0 {
		t.Error("due before the retry")
	}
	if n := len(d.dueJobs(noon.Add(time.Hour))); n != 1 {
		t.Error("no retry")
	}
}

// While a check is stored, somebody else stores one of the same link, or decides. Both checks are kept (section 16:
// "Every check is kept"), a decision before a check is known accepts nothing of it, and a page that is no longer cited
// gets none.
func TestChecksAtOnce(t *testing.T) {
	o := newOffice(t)
	luis, s := o.desk("luis"), &busy{Store: o.store()}
	ana, err := review.Open(t.Context(), s, "ana", nil)
	o.must(err)
	d, url := &desk{ana, o}, ""
	ask := func(d *desk, status int, at time.Time) {
		it := d.item(url)
		d.runDue(&script{answers: map[string]canon.Evidence{url: {Status: status}}}, at,
			[]review.ProbeJob{{Target: probe.Target{ID: it.ID, URL: url}, URL: url, IDs: []int64{it.ID}}})
	}
	keep := func(r probe.Report) {
		r.Target.URL = url
		_, err := d.KeepCheck(t.Context(), d.item(url).ID, r, noon.Add(2*time.Hour))
		d.must(err)
	}
	checks := map[string]func(){
		"imported": func() {
			ev := canon.Evidence{Status: 410, FetchedAt: noon.Add(2 * time.Hour).Format(time.RFC3339)}
			d.addFound(review.Found{URL: url, Checks: []read.Check{{Evidence: ev}}})
		},
		"asked": func() { ask(d, 410, noon.Add(2*time.Hour)) },
		"cited": func() { keep(probe.Report{Evidence: &canon.Evidence{Status: 410}}) },
		"put off": func() {
			keep(probe.Report{Until: noon.Add(3 * time.Hour),
				Exchanges: []probe.Exchange{{Purpose: "page", Status: 503}}})
		},
	}
	others := []struct {
		name   string
		checks int // in the end
		write  func()
	}{
		{"a check", 3, func() { ask(luis, 404, noon.Add(time.Hour)) }},
		{"an approval", 2, func() { luis.decide(review.Approve, url) }},
		{"a correction", 1, func() { luis.must(luis.correct(review.Correct, url, padron)) }},
	}
	for name, check := range checks {
		for _, other := range others {
			url = fmt.Sprintf("%s?id=%d", alta, len(luis.items(review.Filter{})))
			luis.add(url)
			ask(luis, 200, noon)
			if s.others = []func(){other.write}; name == "imported" { // its URL is added before
				s.others = []func(){func() {}, other.write}
			}
			check()
			it := luis.item(url)
			if n := len(luis.link(it.ID).Checks); n != other.checks || len(s.others) > 0 {
				t.Errorf("%s, and %s: %d checks, want %d", name, other.name, n, other.checks)
			}
			if it.LinkState() == health.Inactive && !it.Open() {
				t.Errorf("%s, and %s: nobody has seen that it is inactive", name, other.name)
			}
		}
	}
	luis.sound()
}
