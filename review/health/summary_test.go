package health_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"visto/canon"
	"visto/review/health"
)

// check is one check of a test's link, so many days after the start.
type check struct {
	days   float64
	status int
	took   time.Duration
}

// linkOf returns a link with checks.
func linkOf(id int64, domain string, checks ...check) health.Link {
	var l link
	for _, c := range checks {
		l.Add(health.Observation{Check: health.Check{At: at(c.days), Status: c.status, Took: c.took,
			Outcome: health.OutcomeOf(c.status)}}, 0, settings)
	}
	return asLink(id, domain, &l.Record)
}

func asLink(id int64, domain string, r *health.Record) health.Link {
	path := fmt.Sprintf("/p%d", id)
	return health.Link{ID: id, Domain: domain, Path: path, URL: "https://" + domain + path, State: r.State,
		Flags: r.Flags, Record: r}
}

func at(days float64) time.Time { return start.Add(time.Duration(days * float64(day))) }

// sumUp sums up links so many days after the start, compared with a week before.
func sumUp(days float64, links ...health.Link) health.Summary {
	z := health.Summarize(at(days), at(days-7), settings)
	for _, l := range links {
		z.Add(l)
	}
	return z.Done()
}

// namesOf returns issues as "kind domain/path".
func namesOf(list []health.Issue) (names []string) {
	for _, i := range list {
		names = append(names, fmt.Sprintf("%s %s %s%s", i.Severity, i.Kind, i.Domain, i.Path))
	}
	return names
}

func same(t *testing.T, about string, got []health.Issue, want ...string) {
	t.Helper()
	if names := namesOf(got); !slices.Equal(names, want) {
		t.Errorf("%s:\n got %q\nwant %q", about, names, want)
	}
}

// failing returns one failure a day from a day on.
func failing(from, until float64) (list []check) {
	for d := from; d <= until; d++ {
		list = append(list, check{d, 404, 0})
	}
	return list
}

// TestSummary counts links by state, and their uptime, response times and issues (section 16: counts, what fails, by
// domain, uptime over 30 days, response times).
func TestSummary(t *testing.T) {
	good := []check{{18, 200, 300 * time.Millisecond}, {19.5, 200, 500 * time.Millisecond}}
	never := asLink(5, "boe.es", &health.Record{})
	never.Record = nil
	s := sumUp(20, linkOf(1, "sepe.es", good...), linkOf(2, "sepe.es", append(good[:1:1], failing(19, 19)...)...),
		linkOf(3, "boe.es", append(good[:1:1], failing(18.5, 20)...)...),
		linkOf(4, "sepe.es", append(good[:1:1], check{19, 200, 1001 * time.Millisecond})...), never,
		linkOf(6, "boe.es", append(good[:1:1], failing(5, 20)...)[1:]...))
	if s.URLs != 6 || s.Healthy != 4 || s.Degraded != 0 || s.Inactive != 1 || s.Unchecked != 1 || s.Failing != 3 {
		t.Errorf("%+v", s)
	}
	same(t, "issues", s.Issues, "alert domain-failing boe.es", "notice down sepe.es/p2", "notice slow sepe.es/p4")
	same(t, "new", s.New, "alert domain-failing boe.es", "notice down sepe.es/p2", "notice slow sepe.es/p4")
	same(t, "resolved", s.Resolved)
	d := s.Domains[0]
	if d.Name != "boe.es" || d.URLs != 3 || d.Failing != 2 || d.Inactive != 1 || !d.LastFull.IsZero() {
		t.Errorf("the worst domain: %+v", d)
	}
	sepe := s.Domains[1]
	if u := sepe.Uptime; !u.Known || u.Value < 0.83 || u.Value > 0.84 || !sepe.LastFull.Equal(at(19)) {
		t.Errorf("uptime %v, checked whole %v", u, sepe.LastFull)
	}
	if want := (400*time.Millisecond + 300*time.Millisecond + 650500*time.Microsecond) / 3; sepe.Response !=
		want.Round(time.Millisecond) {
		t.Errorf("response %v", sepe.Response)
	}
	if d := sepe.Days[health.Days-2]; d != (health.Day{Checks: 3, Answered: 2}) {
		t.Errorf("yesterday: %+v", d)
	}
}

// TestUncheckedDomainsLast orders domains without trouble: those that nobody has checked have nothing to show.
func TestUncheckedDomainsLast(t *testing.T) {
	never := asLink(1, "boe.es", &health.Record{})
	never.Record = nil
	s := sumUp(20, never, linkOf(2, "sepe.es", check{19, 200, 0}), linkOf(3, "ine.es", check{19, 404, 0}))
	var names []string
	for i := range s.Domains {
		names = append(names, s.Domains[i].Name)
	}
	if want := []string{"ine.es", "sepe.es", "boe.es"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
}

// TestBriefCountsAlone sums up links with and without their issues: the counts are the same.
func TestBriefCountsAlone(t *testing.T) {
	whole, brief := health.Summarize(at(20), at(20), settings), health.Brief(at(20), settings)
	slow := check{19, 200, 3 * time.Second}
	for i, days := range [][]check{failing(2, 20), failing(15, 19), {slow}} {
		whole.Add(linkOf(int64(i), "boe.es", days...))
		brief.Add(linkOf(int64(i), "boe.es", days...))
	}
	want, got := whole.Done(), brief.Done()
	if len(want.Issues) == 0 || len(want.Rows) == 0 || want.Domains[0].Issues == 0 || want.Failing != 2 {
		t.Fatal("the links of the test have no issues")
	}
	want.Rows, want.Issues, want.New, want.Resolved, want.Domains[0].Issues = nil, nil, nil, nil, 0
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %d URLs, %d failing, %d domains, %d issues, %d rows", got.URLs, got.Failing, len(got.Domains),
			len(got.Issues), len(got.Rows))
	}
}

// TestSpans tells from when to when a flag was raised, by checks and by decisions.
func TestSpans(t *testing.T) {
	var l link
	hops := &health.Page{Hops: []string{"https://a.es/y"}}
	l.check(0, 200)
	l.check(10*day, 200, hops)
	if got := l.Spans.Of(canon.RedirectChanged); got != (health.Span{From: at(10)}) {
		t.Errorf("raised: %+v", got)
	}
	l.batch = 1
	l.check(12*day, 200, hops)
	if got := l.Spans.Of(canon.RedirectChanged); l.Flags != 0 || got != (health.Span{From: at(10)}) {
		t.Errorf("accepted: %+v", got)
	}
	here := asLink(1, "a.es", &l.Record)
	here.Approved = at(11)
	same(t, "resolved by the decision", sumUp(17.5, here).Resolved, "alert redirect-changed a.es/p1")
	same(t, "resolved long ago", sumUp(19, here).Resolved)
	l.check(20*day, 200)
	l.check(21*day, 200, hops)
	if got := l.Spans.Of(canon.RedirectChanged); got != (health.Span{From: at(20), To: at(21)}) {
		t.Errorf("raised and lowered: %+v", got)
	}
	same(t, "not there in time", sumUp(22, asLink(1, "a.es", &l.Record)).Resolved)
	same(t, "resolved by a check", sumUp(27.5, asLink(1, "a.es", &l.Record)).Resolved,
		"alert redirect-changed a.es/p1")
	l.batch = 2
	l.check(22*day, 200, hops)
	if got := l.Spans.Of(canon.RedirectChanged); got != (health.Span{From: at(20), To: at(21)}) {
		t.Errorf("another decision: %+v", got)
	}
}

// TestALaterDecisionEndsNothing has a flag that one decision ended, and another decision weeks later.
func TestALaterDecisionEndsNothing(t *testing.T) {
	var l link
	hops := &health.Page{Hops: []string{"https://a.es/y"}}
	l.check(0, 200)
	l.check(10*day, 200, hops)
	l.batch = 1
	l.check(12*day, 200, hops)
	l.batch = 2
	l.check(31*day, 200, hops)
	accepted := asLink(1, "a.es", &l.Record)
	accepted.Approved = at(30)
	same(t, "resolved", sumUp(32, accepted).Resolved)
}

// TestAPersonEndedInactive has a link that was gone, answers, and was approved before the time to compare with.
func TestAPersonEndedInactive(t *testing.T) {
	var l link
	l.check(0, 410)
	l.check(day, 200)
	l.batch = 1
	for d := range 11 {
		l.check(time.Duration(2+d)*day, 200)
	}
	same(t, "resolved", sumUp(12, asLink(1, "a.es", &l.Record)).Resolved)
}

// TestDomainFailsSince has the time when more than half of the URLs failed.
func TestDomainFailsSince(t *testing.T) {
	s := sumUp(20, linkOf(1, "a.es", failing(10, 20)...), linkOf(2, "a.es", failing(12, 20)...),
		linkOf(3, "a.es", failing(18, 20)...), linkOf(4, "a.es", check{20, 200, 0}),
		linkOf(5, "a.es", check{20, 200, 0}))
	if len(s.Issues) != 1 || !s.Issues[0].Since.Equal(at(18)) || s.Issues[0].URLs != 3 {
		t.Errorf("%+v", s.Issues)
	}
	s = sumUp(30, linkOf(1, "a.es", failing(10, 30)...), linkOf(2, "a.es", failing(14, 30)...))
	if len(s.Issues) != 1 || s.Issues[0].Kind != health.DomainDark || !s.Issues[0].Since.Equal(at(14)) {
		t.Errorf("%+v", s.Issues)
	}
}

// TestADecisionEndsInactive: a person has ended the state since the last check, so that the link answers again is no
// issue any more. Its row has the last success.
func TestADecisionEndsInactive(t *testing.T) {
	l := linkOf(1, "a.es", check{0, 410, 0}, check{1, 200, 0}, check{2, 429, 0})
	same(t, "it waits", sumUp(3, l).Issues, "review answers-again a.es/p1")
	l.State, l.Flags = health.Active, 0
	s := sumUp(3, l)
	same(t, "approved", s.Issues)
	if s.Healthy != 1 || len(s.Rows) != 1 || !s.Rows[0].LastSuccess.Equal(at(1)) {
		t.Errorf("%d healthy, rows %+v", s.Healthy, s.Rows)
	}
}
