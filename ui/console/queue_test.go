package console

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"visto/canon/suite"
	"visto/review"
	"visto/ui/desk"
	"visto/ui/pane"
)

// many are more URLs than the queue keeps in memory.
func many() []review.Found {
	var found []review.Found
	for i := range 3*pane.Span + 7 {
		found = append(found, review.Found{URL: fmt.Sprintf("https://h%d.example.gob.es/tramites/x%d?q%d=1", i%7,
			i*7919%1009, i%3)})
	}
	return found
}

func TestLongQueueInEveryOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	t.Parallel()
	d := newDesk(t, many()...)
	for i, o := range desk.Orders {
		whole := i == 0 || suite.All() && !o.Desc // else the rest is as in the first order, or the other direction
		t.Run(o.Name, func(t *testing.T) {
			want := inOrder(t, d, review.Query{Filter: review.Filter{Open: true}, Sort: o.Sort, Desc: o.Desc})
			s := openScreen(t, d, 80, 24, "s", "type:"+o.Name, "enter")
			if o.Desc {
				s.at(want[0])
			}
			at := 0
			for ; at < len(want)-1; at = min(at+pageRows, len(want)-1) {
				s.at(want[at]).keys("pgdown")
				if !whole && at > pane.Span {
					at = len(want) - 1
					s.keys("G")
					break
				}
			}
			s.at(want[at]).keys("g").at(want[0]).keys("G").at(want[at]).shows(fmt.Sprintf("%d of %d", len(want),
				len(want)))
			for ; at > 0; at = max(at-pageRows, 0) {
				s.at(want[at]).keys("pgup")
				if !whole && at < len(want)-pane.Span {
					s.keys("g")
					break
				}
			}
			s.at(want[0]).keys("j", "j", "k").at(want[1])
		})
	}
}

// pageRows are the rows of the list in 24 lines.
const pageRows = 12

// inOrder reads all IDs of a query, page by page.
func inOrder(t *testing.T, desk Desk, q review.Query) []int64 {
	t.Helper()
	var ids []int64
	var from *review.Cursor
	for {
		items, err := desk.Page(t.Context(), q, from, 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range items {
			ids = append(ids, it.ID)
		}
		if len(items) < 100 {
			return ids
		}
		from = q.After(&items[len(items)-1])
	}
}

// A terminal that becomes larger is filled, even where no more was read than the smaller one showed.
func TestLargerTerminalIsFilled(t *testing.T) {
	desk := newDesk(t, many()...)
	for _, end := range []string{"g", "G"} {
		s := openScreen(t, desk, 80, 24, end)
		it := s.model.queue.pane.Current().ID
		s.send(tea.WindowSizeMsg{Width: 80, Height: 180})
		if n := strings.Count(s.text(), ".example.gob.es"); n < 160 {
			t.Errorf("%s: %d URLs on 180 lines", end, n)
		}
		s.at(it)
	}
}

// At an end of the list, where the reviewer waits, less is read than around a URL, but always a screen.
func TestEndsAreReadByTheScreen(t *testing.T) {
	desk := newDesk(t, many()...)
	for _, height := range []int{24, 180} {
		s := openScreen(t, desk, 80, height, "G", "g")
		if n, want := s.model.queue.pane.Kept(), max(pane.Span/2, s.model.queue.rows); n != want {
			t.Errorf("%d lines: %d URLs kept, want %d", height, n, want)
		}
	}
}

func TestQueueKeepsLittleInMemory(t *testing.T) {
	s := openScreen(t, newDesk(t, many()...), 80, 24)
	for range 30 {
		s.keys("pgdown")
	}
	if n := s.model.queue.pane.Kept(); n > 2*pane.Span {
		t.Errorf("%d items kept", n)
	}
	it := *s.model.queue.pane.Current()
	s.keys("a")
	if now := s.model.queue.pane.Current(); now.ID <= it.ID {
		t.Errorf("from URL %d to URL %d", it.ID, now.ID)
	}
	status(t, s.model.who.(*review.Desk), it.ID, review.Approved)
}

func TestSearchAndFacets(t *testing.T) {
	s := openScreen(t, newDesk(t), 80, 24, "/", "type:sepe", "enter").shows("1 of 2", "▽ waiting, with “sepe”")
	s.keys("f", "type:section", "space", "enter").shows("1 of 1", "waiting, section-page, with “sepe”").at(5)
	s.keys("esc").shows("5 of 10")
	s.keys("f", "type:portal", "space", "enter").shows("waiting, portal_url").at(4).keys("esc")
	s.keys("f", "type:registry", "space", "ctrl+u", "type:www.sepe", "space", "enter").shows("1 of 2",
		"waiting, registry.yaml, www.sepe.es")
	s.keys("f", "ctrl+x", "enter").shows("of 12", "▽ all")
	s.keys("f", "type:accepted", "space", "enter").shows("1 of 1", "▽ accepted").at(10)
	s.keys("/", "type:nowhere", "enter").shows("Nothing matches this filter")
	s.keys("a").shows("there is no URL here").keys("enter").shows("[1 Queue]").keys("f", "esc", "esc").shows("1 of 10")
}

func TestFacetsLeaveOutAndGoTogether(t *testing.T) {
	s := openScreen(t, newDesk(t), 120, 40, "f", "type:unknown-param", "!",
		"enter").shows("waiting, not unknown-param", " of 6")
	s.keys("f", "type:section-page", "space", "ctrl+u", "type:home-page", "space", "ctrl+u", "type:portal_url", "!")
	s.keys("enter").shows("waiting, home-page or section-page, not unknown-param, not portal_url", "Nothing matches")
	s.keys("esc", "f", "type:language", "space", "enter").shows("waiting, language ca", "1 of 1").at(7)
	s.keys("esc", "a", "f", "ctrl+x", "type:reviewer", "space", "enter").shows("all, by ana", "1 of 1")
	s.keys("f", "!", "ctrl+u", "type:reviewer", "!", "enter").shows("all, not by ana", "of 11")
	s.keys("f", "ctrl+x", "type:*.sepe.es", "space", "enter").shows("all, *.sepe.es", "of 2")
	s.keys("f", "ctrl+x", "type:waiting", "!", "enter").shows("▽ all") // waiting cannot be excluded
}

// The counts of a group follow each choice in the other groups.
func TestFacetsCountUnderTheOtherChoices(t *testing.T) {
	s := openScreen(t, newDesk(t), 120, 40, "f", "type:www.sepe", "space",
		"ctrl+u").shows("home-page                                            1")
	s.lacks("http-only    ", "parameter ")
	for _, want := range []string{"[x] www.sepe.es                                          2",
		"[ ] sede.ejemplo.gob.es                                  4"} {
		s.shows(want)
	}
	s.keys("type:www.sepe", "space", "ctrl+u").shows("[ ] http-only                                           1")
}

func TestSearchByRegularExpression(t *testing.T) {
	s := openScreen(t, newDesk(t), 80, 24, "/", "type:re:(sepe", "enter").shows("at character 4: missing closing )")
	s.keys("type:|gencat)\\.(ES|cat)", "enter").shows("▽ waiting, re:(sepe|gencat…\\.(ES|cat)", "1 of 3")
	s.keys("/").shows("re:(sepe|gencat)").keys("ctrl+u", "type:sepe", "enter").shows("with “sepe”",
		"1 of 2").lacks("matching")
}

func TestEmptyDatabase(t *testing.T) {
	desk := openDesk(t, filepath.Join(t.TempDir(), "visto.db"), "ana")
	s := openScreen(t, desk, 80, 24).shows("There are no URLs yet")
	for _, b := range bindings() {
		for _, k := range b.keys {
			s.keys(k, "esc", "1")
		}
	}
}

func TestFilterOfACauseStaysInWords(t *testing.T) {
	s := openScreen(t, newDesk(t), 120, 24, "2", "enter").shows("▽ waiting, unknown-param plaza on sede")
	s.keys("f", "enter").shows("unknown-param, parameter plaza").keys("esc").shows(" of 10")
}

func TestClearingTheFilterKeepsTheURL(t *testing.T) {
	openScreen(t, newDesk(t), 80, 24, "/", "type:hostil", "enter").at(9).keys("esc").at(9).shows("of 10")
}

// facetless is a desk whose facets cannot be counted.
type facetless struct{ Desk }

func (facetless) Facets(context.Context, review.Filter) (review.Facets, error) {
	return review.Facets{}, errors.New("no \x1b disk")
}

func TestFacetsThatFail(t *testing.T) {
	openScreen(t, facetless{newDesk(t)}, 80, 24, "f").shows(`! no \x1b disk`).lacks("╭─ Facets")
}

// passingDesk counts how often facets are counted that need a pass over all URLs. Each takes a second.
type passingDesk struct {
	Desk
	passes int
	wait   func()
}

func (d *passingDesk) Facet(ctx context.Context, f review.Filter, by review.Dimension) ([]review.Bucket, error) {
	d.passes++
	d.wait()
	return d.Desk.Facet(ctx, f, by)
}

// Consoles of one process share the counts of facets of the same filter. One's own decisions are in them at once.
func TestFacetsAreShared(t *testing.T) {
	mine, theirs := two(t)
	desk := &passingDesk{Desk: mine}
	opts := Options{Surveys: &Surveys{}}
	first, second := openScreenWith(t, desk, opts, 120, 60), openScreenWith(t, desk, opts, 120, 60)
	desk.wait = func() {
		first.now = first.now.Add(time.Second)
		second.now = first.now
	}
	ask := func(s *screen, keys ...string) (passes int) {
		t.Helper()
		before := desk.passes
		s.keys(keys...).shows("╭─ Show only").keys("esc")
		return desk.passes - before
	}
	const each = 4 // groups that need a pass
	for i, step := range []struct{ got, want int }{
		{ask(first, "f"), each}, {ask(second, "f"), 0}, {ask(first, "/", "type:plaza", "enter", "f"), each},
	} {
		if step.got != step.want {
			t.Errorf("step %d: %d passes, not %d", i, step.got, step.want)
		}
	}
	decideAs(t, theirs, review.Approve, 2)
	if n := ask(first, "f"); n != 0 {
		t.Errorf("%d passes soon after others have written", n)
	}
	if n := ask(first, "a", "f"); n != each {
		t.Errorf("%d passes after a decision of its own, not %d", n, each)
	}
	decideAs(t, theirs, review.Approve, 3)
	first.now = first.now.Add(time.Minute)
	if n := ask(first, "f"); n != each {
		t.Errorf("%d passes a minute after others have written, not %d", n, each)
	}
}

// The status line says why the URL under the cursor stands where it does in the order of doubt.
func TestOrderOfDoubt(t *testing.T) {
	s := openScreen(t, newDesk(t), 200, 30, "s", "type:surest", "enter", "g")
	s.at(1).shows("surest first: unknown-param: one answer settles all that are alike").keys(":", "type:sort -doubt",
		"enter", "g")
	s.at(6).shows("most doubtful first: off-allowlist and 1 more: a person has to find out")
}
