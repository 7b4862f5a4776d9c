package console

import (
	"path/filepath"
	"strings"
	"testing"

	"visto/review"
	intake "visto/review/read"
)

const shared = "https://www.villainventada.es/"

// aloneDesk is a desk with the URLs of addCited. The first is cited by two records.
func aloneDesk(t *testing.T) *review.Desk {
	desk := openDesk(t, filepath.Join(t.TempDir(), "visto.db"), "ana")
	addCited(t, desk)
	return desk
}

// citedItem returns an item with its occurrences.
func citedItem(t *testing.T, desk *review.Desk, id int64) *review.Item {
	t.Helper()
	d, err := desk.Detail(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return &d.Item
}

// Spec 13: "A decision may be for one occurrence where several records cite the URL": r asks for whom the
// rejection is, esc goes back to the reason, and the URL waits for the other record.
func TestRejectAlone(t *testing.T) {
	desk := aloneDesk(t)
	s := openScreen(t, desk, 120, 40, "r", "type:of the other", "enter")
	s.shows("2 records cite this URL: for all, or for one alone?", "for all of them",
		"for local-villa: Ayuntamiento de Villainventada alone", "for local-otra: Ayuntamiento de Otra alone")
	s.keys("esc").shows("of the other", "enter").keys("enter", "2", "enter")
	s.shows("rejected: URL 1 for local-otra: Ayuntamiento de Otra alone")
	it := citedItem(t, desk, 1)
	citers := it.Citers(nil)
	if first, second := it.For(citers[0].Number), it.For(citers[1].Number); it.Status != review.Pending ||
		first.Status != review.Pending || second.Status != review.Rejected || second.Decision.Note != "of the other" {
		t.Errorf("stored: %+v", it.ByRecord)
	}
	s.keys(":", "type:go 1", "enter", "enter").shows("rejected for this record alone by ana at", ": of the other",
		"rejected for local-otra: Ayuntamiento de Otra alone by ana")
	s.keys("esc", "r", "type:of both", "enter", "enter").shows("rejected: URL 1 (")
	if it := citedItem(t, desk, 1); it.Status != review.Rejected || it.ByRecord != nil {
		t.Errorf("for all: %s, %+v", it.Status, it.ByRecord)
	}
	s.keys("u", "u").shows("took back")
	if it := citedItem(t, desk, 1); it.Status != review.Pending || it.ByRecord != nil {
		t.Errorf("taken back: %s, %+v", it.Status, it.ByRecord)
	}
}

// The correction asks too, and a palette command does.
func TestCorrectAlone(t *testing.T) {
	desk := aloneDesk(t)
	const better = "https://www.boe.es/buscar/act.php?id=BOE-A-2015-10565"
	s := openScreen(t, desk, 120, 40, "e", "ctrl+u", "type:"+better, "enter")
	s.shows("for all, or for one alone?").keys("down", "enter")
	s.shows("corrected and approved: URL 1 as "+better, "alone")
	it := citedItem(t, desk, 1)
	if own := it.For(it.Citers(nil)[0].Number); own.Canonical() != better || it.Canonical() == better {
		t.Errorf("stored: %s, %s", own.Canonical(), it.Canonical())
	}
	s.keys(":", "type:go 1", "enter", ":", "type:reject of the other", "enter")
	s.shows("for all, or for one alone?").keys("2", "enter")
	if it := citedItem(t, desk, 1); it.Status != review.Approved || it.Canonical() != better {
		t.Errorf("both: %s, %s", it.Status, it.Canonical())
	}
	s.keys("f", "space", "enter", "g", "enter").shows("approved  URL 1", "approved as", "BOE-A-2015-10565")
}

// A URL that one record cites, and an approval, ask nothing.
func TestNotAlone(t *testing.T) {
	desk := aloneDesk(t)
	s := openScreen(t, desk, 120, 40, "a").shows("approved: URL 1")
	s.keys("r", "type:gone", "enter").shows("rejected: URL 2")
}

// The name of a record cannot do anything to the terminal.
func TestAloneIsSafe(t *testing.T) {
	var found []review.Found
	for _, id := range []string{"a", "b"} {
		r := &intake.Record{Path: "/" + id, ID: id, Name: "x\x1b[31m\u202e" + strings.Repeat("y", 500)}
		found = append(found, review.Found{URL: shared, Record: r,
			Place: intake.Place{File: "r.yaml", Field: "url", Path: r.Path + "/url"}})
	}
	s := openScreen(t, newDesk(t, found...), 80, 24, "r", "type:why", "enter").shows("for a: x")
	if view := s.model.View().Content; strings.Contains(view, "\x1b[31m\u202e") || strings.Contains(view, "\u202e") {
		t.Errorf("a hostile name comes through: %q", view)
	}
	s.keys("1", "enter").shows("rejected: URL 1 for a: x")
}
