package console

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
	intake "visto/review/read"
	"visto/ui/pane"
	"visto/ui/term"
)

func TestChooseAnotherURL(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 120, 40, "j", "j", "j", "j", "j", "j", "enter").shows("Other URLs to cite",
		"where the Spanish version may be: a guess")
	s.keys("c").shows("╭─ Another URL", "▌ 1  where the Spanish version may be",
		"+ https://web.gencat.cat/es/tramits/tramit-12345", "✓ valid")
	s.keys("esc").lacks("Another URL").keys("c",
		"enter").shows("corrected and approved: URL 7 as https://web.gencat.cat/es/tramits/tramit-12345")
	if it := item(t, desk, 7); it.Canonical() != "https://web.gencat.cat/es/tramits/tramit-12345" ||
		it.Status != review.Approved {
		t.Errorf("%+v", it)
	}
}

func TestChooseByDigit(t *testing.T) {
	desk := newDesk(t, review.Found{URL: "http://sede.ejemplo.gob.es/tramites/alta/?raro=1"})
	s := openScreen(t, desk, 80, 24, "c").shows("1  with the slash", "2  over http").keys("2").shows("▌ 2  over http",
		"enter approves it unchanged", "ctrl+o takes it as typed: http://sede.ejemplo.gob.es/tramites/alta?raro=1")
	s.keys("9").shows("▌ 2 ").keys("j").shows("▌ 3  as it came").keys("j").shows("▌ 1 ").keys("k", "k", "ctrl+o")
	if it := item(t, desk, 1); it.Canonical() != "http://sede.ejemplo.gob.es/tramites/alta?raro=1" {
		t.Errorf("%+v", it)
	}
	openScreen(t, newDesk(t), 80, 24, "j", "c").shows("nothing else is known that could be cited")
}

// Spec 13: "A decision may be for one occurrence where several records cite the URL": c asks for whom the other URL is,
// esc goes back to the choice, and undo takes it back.
func TestChooseAlone(t *testing.T) {
	const url = "http://sede.ejemplo.gob.es/tramites/alta/?raro=1"
	const chosen = "http://sede.ejemplo.gob.es/tramites/alta?raro=1"
	var found []review.Found
	for _, id := range []string{"a", "b"} {
		r := &intake.Record{Path: "/" + id, ID: id, Name: "Name of " + id}
		found = append(found, review.Found{URL: url, Record: r,
			Place: intake.Place{File: "r.yaml", Field: "url", Path: r.Path + "/url"}})
	}
	desk := newDesk(t, found...)
	s := openScreen(t, desk, 120, 40, "c", "3").shows("▌ 3 ").keys("ctrl+o")
	s.shows("2 records cite this URL: for all, or for one alone?", "for b: Name of b alone")
	s.keys("esc").shows("╭─ Another URL").keys("ctrl+o", "2", "enter").shows("corrected, as typed, and approved: URL 1",
		"for b: Name of b alone")
	it := citedItem(t, desk, 1)
	citers := it.Citers(nil)
	first, second := it.For(citers[0].Number), it.For(citers[1].Number)
	if it.Status != review.Pending || first.Status != review.Pending || second.Canonical() != url {
		t.Errorf("stored: %s, %s, %s", it.Status, first.Status, second.Canonical())
	}
	s.keys("u").shows("took back")
	if it := citedItem(t, desk, 1); it.ByRecord != nil {
		t.Errorf("taken back: %+v", it.ByRecord)
	}
	s.keys("c", "2", "ctrl+o", "enter").lacks("alone")
	if it := citedItem(t, desk, 1); it.Canonical() != chosen || it.ByRecord != nil {
		t.Errorf("for all: %s", it.Canonical())
	}
}

// A host that was typed and chosen has its count, though it is not among the most frequent ones.
func TestFacetOfRareHost(t *testing.T) {
	var found []review.Found
	for i := range 501 {
		for page := range 2 {
			found = append(found, review.Found{URL: fmt.Sprintf("https://h%d.gob.es/a/b/%d?x=1", i, page)})
		}
	}
	found = append(found, review.Found{URL: "https://rara.gob.es/a/b/1?x=1"})
	s := openScreen(t, newDesk(t, found...), 120, 40, "f", "type:rara.gob.es", "space")
	s.shows("[x] rara.gob.es")
	for row := range strings.Lines(s.text()) {
		if strings.Contains(row, "[x] rara.gob.es") && !strings.HasSuffix(strings.TrimRight(row, " │\n"), " 1") {
			t.Errorf("the row is %q", row)
		}
	}
}

func TestRelatedRootHasItsURL(t *testing.T) {
	desk := newDesk(t, review.Found{URL: "https://www.sepe.es"}, review.Found{URL: "http://www.sepe.es/?utm_source=x"},
		review.Found{URL: "https://www.sepe.es/a"})
	openScreen(t, desk, 80, 24, "enter", "m").shows("?  https://www.sepe.es  the same page, 2")
}

func TestLongRelatedURLIsCutInTheMiddle(t *testing.T) {
	path := "/tramites/" + strings.Repeat("abcdefghi/", 8) + "ultimo"
	desk := newDesk(t, review.Found{URL: "https://sede.ejemplo.gob.es/tramites/alta?raro=1"},
		review.Found{URL: "https://sede.ejemplo.gob.es" + path + "?raro=1"})
	openScreen(t, desk, 120, 30, "enter", "m").shows("?  " + term.Middle(path+"?raro=1", 60) + "  near it, 2")
}

func TestRelatedURLsAreOpened(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 120, 40, "enter").shows("Under /tramites/ on this host",
		"? 2  https://sede.ejemplo.gob.es/tramites/cita-previa?plaza=sur")
	s.keys("m").shows("╭─ Related URLs", "near it, 2").keys("type:sur", "enter").shows("pending  URL 2").at(1)
	s.keys("m", "type:certificado", "enter").shows("pending  URL 3").keys("esc").shows("pending  URL 2")
	s.keys("a").shows("approved: URL 2", "pending  URL 1").at(1) // the visit ends
	status(t, desk, 2, review.Approved)
	status(t, desk, 1, review.Pending)
	s.keys("m", "type:certificado", "enter", "]").shows("pending  URL 3").keys("esc").shows("[1 Queue]", "2 of 9")
	s.keys("k", "enter", "m", "type:certificado", "enter", "1").shows("pending  URL 1")
}

func TestPageTellsHowItsRulesCameAbout(t *testing.T) {
	desk := newDesk(t)
	save := func(params ...string) {
		change, err := desk.Amend(t.Context(),
			canon.Override{Match: canon.Match{Host: "*.ejemplo.gob.es"}, KeepQueryParams: params, Note: "por qué"})
		if err == nil {
			_, _, err = desk.SaveOverrides(t.Context(), []review.OverrideChange{change}, "")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	save("uno")
	save("dos")
	if _, _, err := desk.Undo(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	s := openScreen(t, desk, 120, 60, "enter")
	s.shows("How the overrides for it came about", "added by ana\n", "changed by ana (taken back)",
		"*.ejemplo.gob.es: keep uno, dos", "por qué")
}

func TestWayToThePageNamesLoops(t *testing.T) {
	url := "https://sede.ejemplo.gob.es/tramites/alta-padron"
	desk := newDesk(t, review.Found{URL: url, Evidence: &canon.Evidence{Hops: []canon.Hop{
		{Status: 302, URL: url + "?paso=1"}, {Status: 302, URL: url + "?paso=2"},
		{Status: 302, URL: url + "?paso=1"}}}})
	s := openScreen(t, desk, 120, 50, "enter").shows("  The redirects\n", "302 ↳        "+url+"?paso=2",
		"where redirect 1 led already: a loop",
		"followed 3 redirects, then stopped: they come back, and lead to no page").lacks("The way to the page")
	if n := strings.Count(s.text(), "302 → "); n != 0 {
		t.Errorf("told twice:\n%s", s.text())
	}
}

// A wide screen has what is to be decided beside what is known. The text for the line mode has no columns.
func TestWideDetailHasTwoColumns(t *testing.T) {
	s := openScreen(t, newDesk(t), 160, 16, "/", "type:imv", "enter", "enter")
	beside := regexp.MustCompile(`(?m)^  Cited by +Trace$`)
	if !beside.MatchString(s.text()) || beside.MatchString(openScreen(t, newDesk(t), 140, 16, "enter").text()) {
		t.Errorf("no columns, or too early:\n%s", s.text())
	}
	for _, heads := range []string{"Cited by +Trace", "Why it is here", "! redirect.*  The redirects"} {
		top := strings.Split(s.keys("J").text(), "\n")[1]
		if !regexp.MustCompile("^↑ " + heads).MatchString(top) {
			t.Errorf("the next section is not %q but %q", heads, top)
		}
	}
	if lines := pane.Lines(s.model.detail.pane.Data(), 200); !slices.Contains(lines, "Trace") {
		t.Errorf("%q", lines)
	}
}

func TestLongURLsAreFolded(t *testing.T) {
	long := "https://sede.ejemplo.gob.es/tramites/" + strings.Repeat("abcdefghi/", 100) +
		"ultimo?plaza=norte&utm_source=x"
	s := openScreen(t, newDesk(t, review.Found{URL: long}), 80, 24, "enter")
	s.shows("lines in which nothing changed: Z shows them", "utm_source=x", "Why it is here")
	s.keys("Z").lacks("nothing changed").keys("Z").shows("nothing changed")
}

func TestSectionsAreGoneTo(t *testing.T) {
	var found []review.Found
	for i := range 12 {
		found = append(found, review.Found{URL: fmt.Sprintf("https://sede.ejemplo.gob.es/tramites/alta-%d?raro=1", i),
			Place: intake.Place{File: "r.yaml"}})
	}
	s := openScreen(t, newDesk(t, found...), 80, 16, "enter")
	top := func() string { return strings.TrimLeft(strings.Split(s.text(), "\n")[1], "↑ ") }
	s.keys("J")
	if top() != "Cited by" {
		t.Errorf("%q", top())
	}
	if s.keys("J"); top() != "Why it is here" {
		t.Errorf("%q", top())
	}
	if s.keys("K"); top() != "Cited by" {
		t.Errorf("%q", top())
	}
	s.keys("K").shows("pending  URL 1")
}
