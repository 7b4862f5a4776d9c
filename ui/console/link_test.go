package console

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/health"
	"visto/review/probe"
	"visto/review/probe/extract"
	intake "visto/review/read"
)

// checkLink keeps a check of the link of an item, so many days after 1969-12-20: the clock of the tests begins in 1970.
func checkLink(t *testing.T, desk *review.Desk, id int64, days, status int, text string) {
	t.Helper()
	at := time.Date(1969, 12, 20, 3, 0, 0, 0, time.UTC).AddDate(0, 0, days)
	report := probe.Report{Target: probe.Target{URL: item(t, desk, id).Original},
		Evidence: &canon.Evidence{Status: status, FetchedAt: at.Format(time.RFC3339)}}
	if status == http.StatusOK {
		report.Content = &extract.Document{Title: "Ayudas", Text: text}
		report.Evidence.Title = "Ayudas"
	}
	if _, err := desk.KeepCheck(t.Context(), id, report, at); err != nil {
		t.Fatal(err)
	}
}

const (
	before = "La ayuda es de 400 euros al mes para personas mayores de 52 años"
	after  = "La ayuda es de 480 euros al mes para personas mayores de 52 años"
)

// Spec 16: "opens an approved or accepted URL for a person again, with before and after … a says it is fine as it is
// now". The approved URL stays the one that was approved before, and u brings the flag back.
func TestApproveAsItIsNow(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 120, 40)
	decideAs(t, desk, review.Approve, 1)
	first := item(t, desk, 1)
	was := first.Canonical()
	checkLink(t, desk, 1, 0, http.StatusOK, before)
	checkLink(t, desk, 1, 1, http.StatusOK, after)
	s.poll()
	s.keys("v", "type:links", "enter").shows("! & content-changed +1", "the words are the same; amounts, counts or")
	s.keys("enter").shows("approved, but it changed since", "2 of 2 answered", "next check", "D in the page (P)")
	s.keys("a").shows("approved: URL 1 as it is now, content-changed (u takes it back)")
	if it := item(t, desk, 1); it.Open() || it.Canonical() != was {
		t.Errorf("%s, open %v, %s", it.Status, it.Open(), it.Canonical())
	}
	s.keys("u").shows("! approved, but it changed since", "! content-changed: the page no longer says")
	if it := item(t, desk, 1); !it.Open() || it.Canonical() != was {
		t.Errorf("undone: %s, open %v, %s", it.Status, it.Open(), it.Canonical())
	}
}

// A decision about the link leaves the decisions for single records: the approval is for the record that waits.
func TestApproveAsItIsNowBesideAnotherDecision(t *testing.T) {
	const url = "https://sede.ejemplo.gob.es/tramites/ayudas/alquiler"
	var found []review.Found
	for _, id := range []string{"imv", "paro"} {
		r := &intake.Record{ID: id, Name: "Name of " + id, Path: "/" + id}
		found = append(found, review.Found{URL: url, Record: r,
			Place: intake.Place{File: "r.yaml", Field: "url", Path: r.Path + "/url"}})
	}
	desk := newDesk(t, found...)
	it := item(t, desk, 1)
	reject := review.Choice{Kind: review.Reject, Record: it.Citers(nil)[1].Number}
	if _, err := desk.Decide(t.Context(), reject, review.Target{ID: 1}); err != nil {
		t.Fatal(err)
	}
	checkLink(t, desk, 1, 0, http.StatusGone, "")
	s := openScreen(t, desk, 120, 40, "v", "type:links", "enter").shows("! link-broken")
	s.keys("a").shows("approved: URL 1 for imv: Name of imv alone as it is now, link-broken")
	it = item(t, desk, 1)
	if own := it.For(reject.Record); it.Open() || own.Status != review.Rejected {
		t.Errorf("open %v, the rejection is %s", it.Open(), own.Status)
	}
}

// Spec 16: "inactive only by a person after a check that succeeds".
func TestApproveInactive(t *testing.T) {
	desk := newDesk(t)
	decideAs(t, desk, review.Approve, 1)
	checkLink(t, desk, 1, 0, http.StatusGone, "")
	s := openScreen(t, desk, 120, 40, "v", "type:links", "enter").shows("! link-broken")
	s.keys("enter").shows("! approved, link inactive", "an approval makes it active once it answers")
	s.keys("a").shows("as it is now, link-broken; its link stays inactive until it answers")
	s.keys("esc", "v", "type:all", "enter")
	if it := item(t, desk, 1); it.Open() || it.LinkState() != health.Inactive {
		t.Errorf("open %v, %s", it.Open(), it.LinkState())
	}
	checkLink(t, desk, 1, 1, http.StatusOK, before)
	s.poll()
	s.keys("v", "type:links", "enter").shows("! link-broken").keys("a").shows("link-broken; its link is active again")
	if it := item(t, desk, 1); it.Open() || it.LinkState() != health.Active {
		t.Errorf("open %v, %s", it.Open(), it.LinkState())
	}
}

// A narrow window names the tab on screen, and shows the counts.
func TestNarrowStats(t *testing.T) {
	mine, _ := two(t)
	s := openScreen(t, mine, 40, 12)
	s.shows("[1 Queue]").keys("5").shows("[5 Stats]")
	if !regexp.MustCompile(`(?m)^  pending +10  ▇`).MatchString(s.text()) {
		t.Errorf("no count:\n%s", s.text())
	}
	if s.model.clickTab(len(" visto   1  2  3  ")); s.model.scope != inLog {
		t.Errorf("a click on the 4 shows %s", s.model.scope)
	}
}

// summingDesk counts how often the health of the links is read.
type summingDesk struct {
	Desk
	read int
	wait func()
}

func (d *summingDesk) Trends(ctx context.Context, f review.Filter, now time.Time) (health.Summary, error) {
	d.read++
	if d.wait != nil {
		d.wait()
	}
	return d.Desk.Trends(ctx, f, now)
}

// Spec 16: "in the console in Stats, with a sparkline for each domain". The health of the links is read again only
// after somebody has written, and the counts do not wait for it.
func TestHealthOfTheLinks(t *testing.T) {
	mine, theirs := two(t)
	checkLink(t, mine, 2, 0, http.StatusNotFound, "") // which waits: it is not in the registry
	decideAs(t, theirs, review.Approve, 1)
	checkLink(t, mine, 1, 0, http.StatusNotFound, "")
	desk := &summingDesk{Desk: mine}
	s := openScreen(t, desk, 80, 120)
	cmd := s.model.stats.links.load(s.model.stats.takeLinks)
	s.keys("5").shows("Where they stand", "reading the checks")
	s.run(cmd)
	s.shows("Links, last checked 1969-12-20 04:00 CET", "the last check failed", "Links by domain, the worst first",
		"sede.ejemplo.gob.es").lacks("reading the checks")
	if !regexp.MustCompile(`the last check failed +1 `).MatchString(s.text()) {
		t.Errorf("the failing links are not those of the registry:\n%s", s.text())
	}
	if trend := strings.Count(s.text(), "▁") + strings.Count(s.text(), "·"); trend < health.Days {
		t.Errorf("the trend has %d days", trend)
	}
	s.keys("1", "5", "1", "5")
	read := desk.read
	if decideAs(t, theirs, review.Approve, 2); read > 2 {
		t.Errorf("read %d times", read)
	}
	if s.keys("1", "5"); desk.read != read+1 {
		t.Errorf("read %d times after a write, and %d before", desk.read, read)
	}
	desk.wait = func() { s.now = s.now.Add(time.Second) }
	decideAs(t, theirs, review.Approve, 3)
	s.keys("1", "5")
	read = desk.read
	release, _ := s.hold()
	if s.keys("1", "a", "j", "a").shows("approved: ").keys("5"); desk.read != read {
		t.Errorf("read %d times at once after a write of its own", desk.read-read)
	}
	s.now = s.now.Add(10 * time.Second)
	if release(); desk.read != read+1 {
		t.Errorf("read %d times some time after a write of its own", desk.read-read)
	}
}
