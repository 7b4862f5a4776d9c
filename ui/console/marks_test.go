package console

import (
	"fmt"
	"strings"
	"testing"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/dialog"
)

func TestMarksStayOverFilters(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 80, 24, "space", "/", "type:sepe", "enter").shows("1 of 2",
		"1 marked").keys("*").shows("3 marked")
	s.keys("esc").shows("1 of 2").lacks("marked").keys("*", "/", "ctrl+u", "enter", "j").shows("2 marked", "of 10")
	s.keys("F").shows("▽ 2 marked", "of 2").at(4).keys("space").shows("1 marked", "of 2")
	s.keys("F").shows("of 10", "1 marked").keys("F").shows("of 1").at(5).keys("esc").shows("of 10", "1 marked")
	s.keys("esc", "F").shows("nothing is marked")
}

// All that is shown is marked besides others, however many those are. Once it is, no URL is.
func TestMarkAllBesidesAsMany(t *testing.T) {
	s := openScreen(t, newDesk(t), 80, 24, "space", "/", "type:HomeSepe", "enter").shows("1 of 1", "1 marked")
	s.keys("*").shows("▌*", "2 marked").keys("*").shows("no URL is marked any more").lacks(" marked  ")
	s.keys("space", "/", "ctrl+u", "type:nothing so", "enter", "*").shows("1 marked")
}

// One key decides on all marks, so their number is on the screen at every width and wherever the marked rows are.
func TestNumberOfMarksIsOnEveryScreen(t *testing.T) {
	for _, width := range []int{minWidth, 60, 80, 160} {
		openScreen(t, newDesk(t), width, 14, "space", "space").shows("2 marked").keys("/", "type:sepe",
			"enter").shows("2 marked").keys("2").lacks("marked").keys("space").shows("1 marked").keys("/", "type:zzz",
			"enter").shows("1 marked")
	}
}

func TestRanges(t *testing.T) {
	desk := newDesk(t)
	s := openAsking(t, desk, 80, 24, "j", "V").shows("a range begins here").keys("j", "j", "V").shows("3 URLs marked",
		"3 marked")
	s.keys("k", "V", "k", "k", "space").shows("4 marked")        // upwards, over marks
	s.keys("V", "G", "esc").shows("4 marked").lacks("10 marked") // dropped
	s.keys("esc", "g", "shift+down", "shift+down", "A").shows("Approve 3 URLs").keys("y").shows("approved: 3 URLs")
	for id, want := range map[int64]review.Status{1: review.Approved, 2: review.Approved, 3: review.Approved,
		4: review.Pending} {
		status(t, desk, id, want)
	}
}

// A range may be longer than the part of the list in memory, in any order.
func TestLongRange(t *testing.T) {
	d := newDesk(t, many()...)
	for _, o := range desk.Orders[2:5] {
		want := inOrder(t, d, review.Query{Filter: review.Filter{Open: true}, Sort: o.Sort, Desc: o.Desc})
		s := openScreen(t, d, 80, 24, "s", "type:"+o.Name, "enter", "g", "j", "V", "G", "k", "V")
		s.shows(fmt.Sprintf("%d URLs marked", len(want)-2))
		for _, id := range []int64{want[0], want[len(want)-1]} {
			for _, target := range s.model.queue.pane.Marked() {
				if target.ID == id {
					t.Errorf("%s: URL %d is marked", o.Name, id)
				}
			}
		}
	}
}

// allOf opens a console that marks more than three URLs as a filter.
func allOf(t *testing.T, desk Desk, keys ...string) *screen {
	t.Helper()
	return openScreenWith(t, desk, Options{DBPath: "/tmp/visto.db", Env: []string{"TERM=xterm-256color"}, oneByOne: 3},
		80, 24, keys...)
}

func TestAllOfAFilter(t *testing.T) {
	desk := newDesk(t)
	s := allOf(t, desk, "*").shows("10 marked").keys("space").shows("9 marked") // but one
	s.keys("space", "k", "space").shows("9 marked").keys("V").shows("esc takes these marks away first")
	s.keys("/", "type:sepe", "enter").shows("▌*?", "9 marked") // of those under another filter, too
	s.keys("f", "ctrl+x", "enter").shows("▽ all, with “sepe”").keys("esc", "esc")
	s = allOf(t, desk, "*", "space", "f", "ctrl+x", "enter", "G").shows("9 marked", "  ✗ ").keys("k", "k",
		"space").shows("is not among all")
	s.keys("F").shows("of 9", "waiting, all but 1").keys("F", "A").shows("Approve 9 URLs?",
		"all of “waiting, all but 1”").keys("y")
	s.shows("approved: 9 URLs").lacks("marked")
	status(t, desk, 1, review.Pending)
	status(t, desk, 9, review.Approved)
	s.keys("u").shows("took back: approve, 9 URLs")
}

// A URL that others decide leaves the marks of a filter, and a URL that is added does not join them.
func TestAllOfAFilterWhileOthersWork(t *testing.T) {
	mine, theirs := two(t)
	s := allOf(t, mine, "*").shows("10 marked")
	if _, err := theirs.Decide(t.Context(), review.Choice{Kind: review.Reject}, review.Target{ID: 2}); err != nil {
		t.Fatal(err)
	}
	add(t, theirs, []review.Found{{URL: "https://sede.ejemplo.gob.es/nuevo/1?plaza=este"}})
	s.poll().shows("9 marked", "of 10").keys("R").shows("Reject 9 URLs").keys("type:no",
		"enter").shows("rejected: 9 URLs").at(13)
	if d := item(t, mine, 2).Decision; d.Reviewer != "berta" {
		t.Errorf("URL 2 is decided by %s", d.Reviewer)
	}
}

// A text typed for marked URLs is offered for the same ones alone. For one, the prompt tells which it is.
func TestDraftIsForTheMarkedURLs(t *testing.T) {
	s := openScreen(t, newDesk(t), 100, 30, "space", "R").tellsAbout("plaza=norte").keys("type:dead page", "esc")
	s.shows("R goes on with it").keys("k", "space", "space", "R").types("").tellsAbout("plaza=sur").keys("esc")
	s.keys("g", "space", "R").types("").tellsAbout("").keys("type:of both", "esc")
	s.keys("j", "space", "R").types("").keys("esc", "k", "space", "R").types("of both").keys("esc")
	s.keys("g", "j", "space", "R").types("dead page").keys("enter").shows("rejected: 1 URL")
	s = allOf(t, newDesk(t), "*", "R", "type:all", "esc", "R").types("all").keys("esc", "space", "R").types("")
	s.keys("esc", "esc", ":", "type:note on marked", "enter").shows("nothing is marked")
}

// tellsAbout checks the end of the URL that the open prompt is about.
func (s *screen) tellsAbout(end string) *screen {
	s.t.Helper()
	if about := s.model.dialog.(*dialog.Prompt).About; !strings.HasSuffix(about, end) || (end == "") != (about == "") {
		s.t.Errorf("the prompt is about %q, not …%s", about, end)
	}
	return s
}

func TestNoteAndReopenMarked(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 80, 24, "space", "space", ":", "type:note on marked", "enter", "type:see it",
		"enter").shows("noted on 2 URLs", "2 marked")
	s.keys("A").shows("approved: 2 URLs") // the note does not make the marks stale
	s.keys("f", "type:approved", "space", "enter", "*", ":", "type:reopen marked", "enter",
		"y").shows("reopened: 2 URLs")
	if it := item(t, desk, 2); it.Notes != 1 || it.Status != review.Pending {
		t.Errorf("URL 2 has %d notes and is %s", it.Notes, it.Status)
	}
	allOf(t, desk, "*", ":", "type:note on marked", "enter", "type:all of it",
		"enter").shows("noted on all that is marked", "10 marked")
	if n := item(t, desk, 9).Notes; n != 1 {
		t.Errorf("URL 9 has %d notes", n)
	}
}

// The screen tells the size of a range, about which one key decides.
func TestRangeTellsItsSize(t *testing.T) {
	s := openScreen(t, newDesk(t), 100, 24, "j", "space", "j", "V").shows("1 marked  range of 1  ").keys("G", "k")
	s.shows("1 marked  range of 6  ", "9 of 10").keys("esc").lacks("range of")
	s = openScreen(t, newDesk(t, many()...), 100, 24, "j", "V", "G").shows("range of over 100  ", "607 of 607")
	s.keys("g").shows("range of 2  ")
}
