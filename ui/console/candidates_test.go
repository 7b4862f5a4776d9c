package console

import (
	"context"
	"errors"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/review/candidate"
	"visto/review/probe"
	"visto/review/probe/extract"
)

// fakeFinder knows the same pages for every URL.
type fakeFinder struct {
	*fakeNet
	pages []candidate.Candidate
	err   error
	asked []candidate.Question
}

func (f *fakeFinder) Candidates(
	_ context.Context, q candidate.Question, _ func(probe.Event),
) ([]candidate.Candidate, error) {
	f.asked = append(f.asked, q)
	return f.pages, f.err
}

const (
	bestPage  = "https://sede.ejemplo.gob.es/tramites/beca-comedor"
	otherPage = "https://sede.ejemplo.gob.es/tramites/beca-comedor-2024"
)

// somePages are two pages; the content of the first is known.
func somePages() *fakeFinder {
	report := func(url string) probe.Report {
		works := true
		return probe.Report{
			Evidence: &canon.Evidence{URL: url, Asked: url, Status: 200, Title: "Beca de comedor", Language: "es",
				HTTPS: &works, FetchedAt: "2026-11-21T10:00:00Z", TTLHours: 24, Method: "get"},
			Content: &extract.Document{Title: "Beca de comedor", Text: "## Requisitos\n\nVivir \x1b[31mcerca."},
		}
	}
	return &fakeFinder{pages: []candidate.Candidate{
		{URL: bestPage, Title: "Beca de comedor", Score: 8.25, Report: report(bestPage),
			Why: []string{"title has «beca»", "in Spanish", "linked"}},
		{URL: otherPage, Title: "Beca 2024", Score: 3.5, Why: []string{"older: 2024"}},
	}}
}

func openFinder(t *testing.T, desk *review.Desk, f *fakeFinder, keys ...string) *screen {
	opts := Options{DBPath: "/tmp/visto.db", Env: []string{"TERM=xterm-256color"}, Prober: f}
	return openScreenWith(t, desk, opts, 120, 40, keys...)
}

// Spec 15: candidates are shown with score and why; one key looks at one, one cites it: a correction, with the evidence
// of the candidate stored.
func TestCandidates(t *testing.T) {
	f, desk := somePages(), newDesk(t)
	s := openFinder(t, desk, f, "C").shows("pages to cite in the place of URL 1 were found: C shows them")
	s.keys("C").shows("╭─ Pages to cite", "1    8.25  Beca de comedor", "2    3.50  Beca 2024",
		"title has «beca»; in Spanish; linked", "✓ valid")
	s.keys("l").shows("╭─ Beca de comedor", "## Requisitos", "Vivir ").lacks("\x1b[31mcerca")
	s.keys("esc").shows("╭─ Pages to cite").keys("j").shows("older: 2024", "l look at it")
	s.keys("k", "enter").shows("corrected and approved: URL 1 as " + bestPage)
	if len(f.asked) != 1 || f.asked[0].Item != 1 {
		t.Errorf("asked: %+v", f.asked)
	}
	status(t, desk, 1, review.Approved)
	stored, err := desk.Find(t.Context(), bestPage)
	if err != nil || stored[0].Original != bestPage || stored[0].Title != "Beca de comedor" {
		t.Errorf("stored: %+v, %v", stored, err)
	}
	s.keys("u").shows("took back")
	status(t, desk, 1, review.Pending)
}

// A page without a text, and a search that found none or failed, are told.
func TestCandidatesFail(t *testing.T) {
	f := somePages()
	openFinder(t, newDesk(t), f, "C", "C", "2", "l").shows("nothing can be read in it")
	openFinder(t, newDesk(t), &fakeFinder{}, "C").shows("no page was found that fits in the place of URL 1")
	openFinder(t, newDesk(t), &fakeFinder{err: probe.ErrOffline}, "C").shows("no network")
	openFinder(t, newDesk(t), &fakeFinder{err: errors.New("broken")}, "C").shows("broken")
}

// Where several records cite the URL, the reviewer says for which a page is wanted; citing it is for that one alone.
func TestCandidatesForOneRecord(t *testing.T) {
	f, desk := somePages(), aloneDesk(t)
	f.pages[0].URL = "https://www.boe.es/buscar/act.php?id=BOE-A-2015-10565"
	s := openFinder(t, desk, f, "C").shows("2 records cite this URL: a page for which one?")
	s.keys("2", "enter").shows("were found").keys("C", "2", "enter").shows("╭─ Pages to cite").keys("enter")
	s.shows("corrected and approved: URL 1", "for local-otra:")
	it := citedItem(t, desk, 1)
	citers := it.Citers(nil)
	if first := it.For(citers[0].Number); len(f.asked) != 1 || f.asked[0].Citer != citers[1].Number ||
		first.Canonical() == f.pages[0].URL {
		t.Errorf("%+v, %s", f.asked, first.Canonical())
	}
}
