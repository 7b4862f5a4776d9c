package console

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"visto/canon"
	"visto/review"
	"visto/review/candidate"
	"visto/review/probe"
	"visto/review/probe/extract"
	intake "visto/review/read"
)

// fakeFinder knows the same pages for every URL.
type fakeFinder struct {
	*fakeNet
	pages []candidate.Candidate
	err   error

	mu    sync.Mutex // several URLs are asked about at once
	asked []candidate.Question
}

func (f *fakeFinder) Candidates(
	_ context.Context, q candidate.Question, _ func(probe.Event),
) ([]candidate.Candidate, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
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
			Content: &extract.Document{Title: "Beca de comedor", Text: "## Requisitos\n\nVivir **muy** \x1b[31mcerca."},
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
	s.keys("l").shows("╭─ "+bestPage, "Beca de comedor", "## Requisitos", "Vivir muy ").lacks("\x1b[31mcerca", "**")
	s.keys("g", "G", "pgdown").shows("Vivir muy ")
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
	s.keys("2", "enter").shows("were found").keys("C", "enter").shows("╭─ Pages to cite").keys("enter")
	s.shows("corrected and approved: URL 1", "for local-otra:")
	it := citedItem(t, desk, 1)
	citers := it.Citers(nil)
	if first := it.For(citers[0].Number); len(f.asked) != 1 || f.asked[0].Citer != citers[1].Number ||
		first.Canonical() == f.pages[0].URL {
		t.Errorf("%+v, %s", f.asked, first.Canonical())
	}
}

// The page that is looked at follows the size of the screen.
func TestCandidateIsLookedAtAtAnySize(t *testing.T) {
	f := somePages()
	f.pages[0].Report.Content.Text = "| Oficina | Horario |\n| - | - |\n| Norte | " +
		strings.Repeat("mañana ", 30) + "|\n"
	s := openFinder(t, newDesk(t), f, "C", "C", "l").shows("─┼─")
	for _, size := range [][2]int{{160, 48}, {80, 24}, {40, 10}, {20, 5}} {
		s.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		for _, line := range strings.Split(ansi.Strip(s.model.View().Content), "\n") {
			if ansi.StringWidth(line) > size[0] {
				t.Errorf("%v: %q", size, line)
			}
		}
	}
	s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	s.shows("─┼─").keys("esc").shows("╭─ Pages to cite")
}

// Spec 15: enter on a link opens it as a candidate: it is read, shown with the reasons, and cited with its evidence.
func TestLinkIsCandidate(t *testing.T) {
	desk, f := newDesk(t), somePages()
	f.pages = f.pages[:1]
	f.pages[0].Score = 0
	opts := Options{DBPath: "/tmp/visto.db", Env: []string{"TERM=xterm-256color"}, Prober: f}
	s := openScreenWith(t, withPages(desk), opts, 120, 40, "P", "l", "j", "enter")
	if len(f.asked) != 1 || f.asked[0].Link.URL != "https://sede.ejemplo.gob.es/tramites/solicitud" {
		t.Fatalf("asked: %+v", f.asked)
	}
	s.shows("╭─ Pages to cite", "1          Beca de comedor", "title has «beca»", "✓ valid").lacks("is being read")
	s.keys("l").shows("Vivir muy ").keys("esc", "esc").shows("6 links")
	s.keys("enter").shows("╭─ Pages to cite").keys("enter").shows("corrected and approved: URL 1 as " + bestPage)
	if len(f.asked) != 1 {
		t.Errorf("asked again: %+v", f.asked)
	}
	stored, err := desk.Find(t.Context(), bestPage)
	if err != nil || stored[0].Original != bestPage || stored[0].Title != "Beca de comedor" {
		t.Errorf("stored: %+v, %v", stored, err)
	}
}

// A link that could not be read can still be entered as a correction.
func TestLinkCannotBeRead(t *testing.T) {
	opts := Options{DBPath: "/tmp/visto.db", Env: []string{"TERM=xterm-256color"},
		Prober: &fakeFinder{err: errors.New("it answered 404")}}
	s := openScreenWith(t, withPages(newDesk(t)), opts, 120, 40, "P", "l", "j", "enter")
	s.shows("╭─ Correct the canonical URL", "tramites/solicitud", "! it answered 404")
}

// Digits choose a page, and no other character does, however long the list is.
func TestCandidatesDigits(t *testing.T) {
	f := somePages()
	for i := range 18 {
		f.pages = append(f.pages, candidate.Candidate{URL: fmt.Sprintf("%s-%d", otherPage, i), Title: "Beca",
			Score: 1, Why: []string{fmt.Sprintf("reason %d", i)}})
	}
	s := openFinder(t, newDesk(t), f, "C", "C", "9").shows("reason 6")
	s.keys("?", ":", "=", "A", "0").shows("reason 6")
}

// The pages that C finds in Causes are those that C shows in the queue, with no other search.
func TestPagesOfACauseAreKept(t *testing.T) {
	s := openFinder(t, newDesk(t), somePages(), "2", "/", "type:home-page", "enter", "C")
	s.keys("enter", "C").shows("╭─ Pages to cite", "Beca de comedor").lacks("were found: C shows them")
}

// The pages found stand in the row and beside the URL. One of two that leads by twice has a key of its own; approving
// the URL does not cite it.
func TestBestPageIsCited(t *testing.T) {
	f, desk := somePages(), newDesk(t)
	s := openFinder(t, desk, f, "C").shows("→ 2 pages found: E cites the first, C shows them", bestPage,
		"8.25, 2.4 times the next  “Beca de comedor”", " →2")
	s.poll().keys("E").shows("corrected and approved: URL 1 as " + bestPage).poll().lacks("●")
	s.keys("u").shows("took back")
	s.keys("C", "a").shows("approved: URL 1").lacks(bestPage)
	if it := citedItem(t, desk, 1); it.Canonical() == bestPage {
		t.Error("approving the URL cites the page")
	}
	f.pages[0].Score = 2*f.pages[1].Score - 0.1
	s.keys("C").shows("→ 2 pages found: C shows them").lacks("times the next")
	s.keys("E").shows("no page leads the others clearly: C shows what was found")
	s = openFinder(t, newDesk(t), somePages(), "enter", "C").shows("E cites the first", bestPage)
	s.keys("E").shows("corrected")
}

// Of more than ten URLs of a cause pages are looked for in parts, and those that were found stay.
func TestPagesInParts(t *testing.T) {
	var found []review.Found
	for i := range 23 {
		found = append(found, review.Found{URL: fmt.Sprintf("https://sede%d.gob.es/", i),
			Place: intake.Place{File: "a.yaml", Field: "portal_url", Path: fmt.Sprint(i)}})
	}
	f := somePages()
	s := openFinder(t, newDesk(t, found...), f, "2").shows("C pages")
	asked := map[int64]bool{}
	for _, step := range []struct {
		asked int
		key   string
	}{
		{10, "C  look for the pages to cite in the place of 10 more; 10 URLs stay"},
		{20, "C  look for the pages to cite in the place of 3 more; 20 URLs stay"},
		{23, "C  look for the pages to cite in their place again"},
	} {
		s.keys("C").shows(step.key)
		for _, q := range f.asked {
			asked[q.Item] = true
		}
		if len(f.asked) != step.asked || len(asked) != step.asked {
			t.Errorf("%d questions about %d URLs, want %d", len(f.asked), len(asked), step.asked)
		}
	}
	f.pages[0].Score = 17
	s.keys("C").shows("cite the 10 pages found; 13 URLs stay").keys("C").shows("corrected: 10 URLs to the pages found")
}
