package console

import (
	"fmt"
	"testing"
)

// The first screen at 80 by 24 has the cause that would settle most with its key in one line, and the first URL before
// and after. esc ends the line and nothing else, another key does its work too, and it does not come back.
func TestStart(t *testing.T) {
	const first = "2  settle 2 of 10: unknown-param plaza on"
	s := openScreen(t, newDesk(t), 80, 24).shows(first, "- http", "+ http", "2 Causes", "? help")
	s.keys("esc").lacks(first).at(1).keys("2", "1").lacks(first)
	openScreen(t, newDesk(t), 80, 24, "j").lacks(first).at(2)
	openScreen(t, newDesk(t, samples()[3]), 80, 24).shows("2  shows what many of the waiting URLs share")
	openScreen(t, openDesk(t, t.TempDir()+"/visto.db", "ana"), 80, 24).lacks("waiting URLs share", "settle")
	s = openScreenWith(t, newDesk(t), Options{Mouse: true}, 80, 24).shows(first)
	s.clickOn("sepe.es/HomeSepe").lacks(first).at(5)
	s = openScreenWith(t, newDesk(t), Options{Mouse: true}, 80, 24).shows(first).clickOn("2 Causes")
	s.clickOn("1 Queue").lacks(first)
	s = openScreenWith(t, readOnly{newDesk(t), t}, Options{}, 80, 24).shows("read-only: nothing can be decided")
	s.lacks("settle")
}

// The line is cut where it is too long. A click hits its row below it.
func TestNarrowStart(t *testing.T) {
	s := openScreenWith(t, newDesk(t), Options{Mouse: true}, 40, 12).shows(" 2  settle 2 of 10: unknown-param plaza…\n")
	s.clickOn("www.sepe.es").lacks("settle").at(4)
}

// Home pages are named as such.
func TestStartNamesHomePages(t *testing.T) {
	list := samples()[3:5]
	for i := range list {
		list[i].URL, list[i].Place.Field = fmt.Sprintf("https://www.a%d.gob.es/", i), "portal_url"
	}
	openScreen(t, newDesk(t, list...), 80, 24).shows("2  settle 2 of 2: home pages in field portal_url on 2 hosts")
}

// Very many URLs are not grouped into causes before the reviewer asks for these.
func TestStartGroupsFewURLs(t *testing.T) {
	for open, want := range map[int]bool{maxGrouped: true, maxGrouped + 1: false} {
		m := openScreen(t, newDesk(t), 80, 24).model
		m.start.asked, m.queue.totals.Open = false, open
		if grouped := m.start.follow() != nil; grouped != want {
			t.Errorf("%d URLs: grouped %v", open, grouped)
		}
	}
}
