package console

import (
	"testing"

	intake "visto/review/read"
)

// The first screen names the open URLs and the cause that would settle most. esc ends it and nothing else, another key
// does its work too, and it does not come back.
func TestStart(t *testing.T) {
	const first = "10 URLs wait for your decision"
	s := openScreen(t, newDesk(t), 80, 24).shows(first, "2 settles many at once: 2 URLs by unknown-param plaza on",
		"/ search", "f facets", "2 Causes", "registry.yaml (fuente_url)")
	s.keys("esc").lacks(first).at(1).keys("2", "1").lacks(first)
	openScreen(t, newDesk(t), 80, 24, "j").lacks(first).at(2)
	one := samples()[3]
	one.Record = &intake.Record{ID: "sepe"}
	openScreen(t, newDesk(t, one), 80, 24).shows("1 URL waits for your decision, of 1 record in 1 file.",
		"2 shows what many of them share")
	openScreen(t, openDesk(t, t.TempDir()+"/visto.db", "ana"), 80, 24).lacks("for your decision", "settles many")
	s = openScreenWith(t, newDesk(t), Options{Mouse: true}, 80, 24).shows(first)
	s.clickOn("sepe.es/HomeSepe").lacks(first).at(5)
	s = openScreenWith(t, newDesk(t), Options{Mouse: true}, 80, 24).shows(first).clickOn("2 Causes")
	s.clickOn("1 Queue").lacks(first)
	s = openScreenWith(t, readOnly{newDesk(t), t}, Options{}, 80, 24).shows(first, "? shows all keys, esc closes this")
	s.lacks("decide on one URL", "settles")
}

// Where the lines of the first screen are too long they are wrapped, and cut only where that leaves too few rows. A
// click hits its row below them.
func TestNarrowStart(t *testing.T) {
	s := openScreenWith(t, newDesk(t), Options{Mouse: true}, 40, 24)
	s.shows("10 URLs wait for your decision, of 2\n files.\n", "sede.ejemplo.gob.es.\n", "keys, esc closes this.\n")
	s.clickOn("www.sepe.es…").lacks("for your decision").at(5)
	s = openScreenWith(t, newDesk(t), Options{Mouse: true}, 40, 12).shows("10 URLs wait for your decision, of 2 f…\n")
	s.clickOn("www.sepe.es").lacks("for your decision").at(4)
}

// Very many URLs are not grouped into causes before the reviewer asks for these.
func TestStartGroupsFewURLs(t *testing.T) {
	for open, want := range map[int]bool{maxGrouped: true, maxGrouped + 1: false} {
		m := openScreen(t, newDesk(t), 80, 24).model
		m.start.asked, m.queue.totals.Open = false, open
		if grouped := m.start.follow()().(answer)() != nil; grouped != want {
			t.Errorf("%d URLs: grouped %v", open, grouped)
		}
	}
}
