package review_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/health"
)

// registry selects the URLs of these tests.
var registry = review.Filter{Statuses: []review.Status{review.Accepted, review.Approved}}

// healthIs compares the active, new and resolved issues of links, as "kind domain/path", at a time.
func (d *desk) healthIs(at time.Time, active, fresh, resolved []string) health.Summary {
	d.Helper()
	s, err := d.Health(d.Context(), registry, at)
	d.must(err)
	for _, c := range []struct {
		name      string
		got, want any
	}{{"active", names(s.Issues), active}, {"new", names(s.New), fresh}, {"resolved", names(s.Resolved), resolved}} {
		if fmt.Sprint(c.got) != fmt.Sprint(c.want) {
			d.Errorf("at %v, %s: %v, want %v", at, c.name, c.got, c.want)
		}
	}
	return s
}

func names(list []health.Issue) []string {
	names := []string{}
	for _, i := range list {
		names = append(names, i.Kind.String()+" "+i.Domain+i.Path)
	}
	slices.Sort(names)
	return names
}

// TestHealthOfAHomePage has "/" for the path of a home page, which the canonical URL leaves out.
func TestHealthOfAHomePage(t *testing.T) {
	d := newDesk(t)
	d.add("https://www.boe.es/")
	_, err := d.Decide(t.Context(), review.Choice{Kind: review.Approve}, review.Target{ID: 1})
	d.must(err)
	if rows := d.healthIs(noon, []string{}, []string{}, []string{}).Rows; len(rows) != 1 || rows[0].Link.Path != "/" {
		t.Errorf("%+v", rows)
	}
}

// TestHealthWithoutAnApproval has a link that the program accepted, which no decision approves.
func TestHealthWithoutAnApproval(t *testing.T) {
	d := newDesk(t)
	d.add(alta, "https://www.boe.es/")
	rows := d.healthIs(noon, []string{}, []string{}, []string{}).Rows
	if len(rows) != 1 || rows[0].Link.URL != alta || !rows[0].Link.Approved.IsZero() {
		t.Errorf("%+v", rows)
	}
}

// TestHealthOfOnePage has two URLs of one canonical URL. They count once, as the one that does worst.
func TestHealthOfOnePage(t *testing.T) {
	d := newDesk(t)
	const old, other = "https://a.ejemplo.gob.es/antiguo", "https://a.ejemplo.gob.es/nuevo"
	d.add(old, alta, other)
	jobs, err := d.ProbeJobs(t.Context(), review.Filter{}, review.ProbeJobOptions{})
	d.must(err)
	moved := canon.Evidence{Status: 200, FinalURL: alta, Hops: []canon.Hop{{Status: 301, URL: alta}}}
	s := &script{answers: map[string]canon.Evidence{old: moved, alta: {Status: 503}, other: moved}}
	d.must(review.NewProbing(d.Desk, s, func() time.Time { return noon }).Run(t.Context(), jobs,
		func(review.ProbeResult) error { return nil }))
	sum, err := d.Health(t.Context(), review.Filter{}, noon)
	d.must(err)
	if sum.URLs != 1 || sum.Failing != 1 || len(sum.Rows) != 1 || sum.Rows[0].Link.ID != 2 || sum.Domains[0].URLs != 1 {
		t.Errorf("%+v", sum)
	}
}

// TestHealthComparesWithTheLastReport follows a link that leaves the allowlist (the link-checking document: a domain
// that redirects to another one off the allowlist is flagged), and one whose redirect a person accepts, with reports in
// between.
func TestHealthComparesWithTheLastReport(t *testing.T) {
	d := newDesk(t)
	const leaves, moves = "https://www.boe.es/tramites/ayudas", "https://www.sepe.es/tramites/paro"
	d.add(leaves, moves)
	approve := func(ids ...int64) {
		t.Helper()
		for _, id := range ids {
			_, err := d.Decide(t.Context(), review.Choice{Kind: review.Approve}, review.Target{ID: id})
			d.must(err)
		}
	}
	approve(1, 2)
	at := func(days int) time.Time { return noon.AddDate(0, 0, days) }
	answers := func(day int, hops map[string]string) {
		t.Helper()
		s := &script{answers: map[string]canon.Evidence{leaves: {Status: 200}, moves: {Status: 200}}}
		for from, to := range hops {
			s.answers[from] = canon.Evidence{Status: 200, Hops: []canon.Hop{{Status: 301, URL: to}}}
		}
		jobs, err := d.ProbeJobs(t.Context(), review.Filter{}, review.ProbeJobOptions{})
		d.must(err)
		d.must(review.NewProbing(d.Desk, s, func() time.Time { return at(day) }).Run(t.Context(), jobs,
			func(review.ProbeResult) error { return nil }))
	}
	none := []string{}
	if s := d.healthIs(at(0), none, none, none); s.URLs != 2 || s.Unchecked != 2 || s.Domains[0].Name != "boe.es" {
		t.Errorf("before the first check: %+v", s)
	}
	answers(0, nil)
	redirects := map[string]string{leaves: "https://evil.example.com/x", moves: "https://www.sepe.es/otra/paro"}
	away := []string{"off-allowlist-redirect boe.es/tramites/ayudas", "redirect-changed boe.es/tramites/ayudas"}
	all := append(away[:2:2], "redirect-changed sepe.es/tramites/paro")
	answers(2, redirects)
	d.healthIs(at(3), all, all, none)
	d.healthIs(at(10), all, none, none) // without a report, with 7 days before
	d.must(d.KeepReport(t.Context(), registry, at(1)))
	d.healthIs(at(10), all, all, none)
	d.must(d.KeepReport(t.Context(), registry, at(4)))
	d.healthIs(at(5), all, none, none)
	if s, err := d.Health(t.Context(), review.Filter{}, at(5)); err != nil || len(s.New) != len(all) {
		t.Errorf("another filter has reports of its own: %v %v", names(s.New), err)
	}
	d.now = at(6)
	approve(2)
	d.healthIs(at(7), away, none, []string{"redirect-changed sepe.es/otra/paro"})
	d.must(d.KeepReport(t.Context(), registry, at(8)))
	d.healthIs(at(9), away, none, none)
	answers(10, redirects)
	d.healthIs(at(11), away, none, none)
	answers(12, nil)
	returned := []string{"redirect-changed sepe.es/otra/paro"}
	d.healthIs(at(13), returned, returned, []string{"redirect-changed boe.es/tramites/ayudas"})
}

// TestReturnForACookie takes a chain that ends where it began for the same, whether the return is recorded as a hop, as
// it was once, or not.
func TestReturnForACookie(t *testing.T) {
	d := newDesk(t)
	const page, check = "https://www.boe.es/tramites/ayudas", "https://sso.boe.es/check"
	d.add(page)
	_, err := d.Decide(t.Context(), review.Choice{Kind: review.Approve}, review.Target{ID: 1})
	d.must(err)
	returned := []canon.Hop{{Status: 302, URL: check}, {Status: 302, URL: page}}
	for day, hops := range [][]canon.Hop{returned, returned[:1], returned} {
		s := &script{answers: map[string]canon.Evidence{page: {Status: 200, Hops: hops, FinalURL: page}}}
		at := noon.AddDate(0, 0, 2*day)
		jobs, err := d.ProbeJobs(t.Context(), review.Filter{}, review.ProbeJobOptions{})
		d.must(err)
		d.must(review.NewProbing(d.Desk, s, func() time.Time { return at }).Run(t.Context(), jobs,
			func(review.ProbeResult) error { return nil }))
		d.healthIs(at, []string{}, []string{}, []string{})
	}
}
