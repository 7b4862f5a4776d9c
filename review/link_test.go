package review_test

import (
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/health"
	"visto/review/probe"
	"visto/review/probe/extract"
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
		return probe.Report{Evidence: &canon.Evidence{Status: 200, Title: title},
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
	_, err = d.KeepCheck(t.Context(), 1, probe.Report{Evidence: &canon.Evidence{Status: 410}}, noon.Add(6*time.Hour))
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
