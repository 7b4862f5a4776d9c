package console

import (
	"path/filepath"
	"testing"

	"visto/review"
	intake "visto/review/read"
)

// Spec 10: b shows the other URLs of the same record, in the queue and on the page of a URL, and esc comes back.
func TestURLsOfTheRecord(t *testing.T) {
	desk := openDesk(t, filepath.Join(t.TempDir(), "visto.db"), "ana")
	addCited(t, desk)
	s := openScreen(t, desk, 120, 30).shows("Ayuntamiento", "+1")
	s.keys("j", "j", "b").shows("the URLs of local-villa: Ayuntamiento de Villainventada", "▽ all, the same record",
		"3 of 3").keys("k").shows("2 of 3")
	s.keys("esc").shows("▽ waiting").at(3)
	s.keys("b", "b").shows("▽ waiting").at(3)

	s.keys("enter").shows("pending  URL 3").keys("b").shows("pending  URL 1", "two records cite this URL")
	s.keys("b").shows("pending  URL 2").keys("esc").shows("pending  URL 3")
	s.keys("b", "b", "b").shows("pending  URL 3", "this is where you began").keys("esc").shows("[1 Queue]")
}

// Spec 13: facets offer any attribute with few values. The values of one attribute are alternatives, those of two must
// hold both; each attribute is counted under the choices of the others.
func TestFacetsByAttribute(t *testing.T) {
	var found []review.Found
	for _, of := range [][3]string{{"padrón", "Norte", "1"}, {"becas, y más", "Norte", "2"},
		{"becas, y más", "Sur", "1"}} {
		r := &intake.Record{Path: "/" + of[0] + of[1], ID: of[0] + of[1], Attributes: []intake.Attribute{
			{Name: "topic", Values: of[:1]}, {Name: "territory", Values: of[1:2]}, {Name: "tier", Values: of[2:]}}}
		found = append(found, review.Found{URL: "https://sede.es/a?x=" + of[1] + of[2], Record: r,
			Place: intake.Place{File: "r.yaml", Field: "url", Path: r.Path + "/url"}})
	}
	s := openScreen(t, newDesk(t, found...), 100, 40, "f")
	s.shows("attribute [ ] territory=Norte", "topic=becas, y más", "tier=1")
	s.keys("type:topic=becas", "space", "ctrl+u", "type:topic").shows("[x] topic=becas, y más", "topic=padrón")
	s.keys("enter").shows("▽ waiting, topic=becas, y más", "1 of 2").lacks("x=Norte1")
	s.keys("f", "type:territory=Norte", "!", "enter").shows("topic=becas, y más, not territory=Norte", "1 of 1",
		"x=Sur1")
	s.keys("v", "type:save", "enter", "type:sur", "enter", "esc", "v", "type:sur", "enter").shows("x=Sur1",
		"not territory=Norte")
	s.keys("f", "type:attribute").shows("[!] territory=Norte                                      1",
		"[x] topic=becas, y más                                   1")
}
