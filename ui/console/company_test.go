package console

import (
	"testing"

	"visto/review"
	"visto/ui/presence"
)

// at opens a console in a room.
func at(t *testing.T, room *presence.Room, desk Desk, width, height int, keys ...string) *screen {
	t.Helper()
	return openScreenWith(t, desk, Options{Room: room, DBPath: "v.db", Env: []string{"TERM=xterm"}}, width, height,
		keys...)
}

// Two consoles of a process see each other: in the list, at the URL, in the status line and among the counts.
func TestCompany(t *testing.T) {
	mine, theirs := two(t)
	room := &presence.Room{}
	ana := at(t, room, mine, 80, 24).lacks("●", "with ")
	berta := at(t, room, theirs, 80, 24, "j", "j").shows("▌ ?   param plaza,origen", "● ? & param plaza ", "ana  ▽").
		lacks("● berta")
	ana.keys("j").shows("● ?   param plaza,origen", "ana  with berta  ▽").lacks("● berta")
	ana.keys("j").shows("● berta is here").lacks("● ?").keys("enter").shows("● berta is here")
	berta.keys("k").shows("● ?   param plaza,origen").keys("2")
	ana.keys("[").lacks("●") // she is at no URL
	ana.keys("5").shows("Also here", "berta", "on no URL since ")
	berta.keys("1", "G", "enter", "P")
	ana.keys("1").keys("5").shows("on URL ")
	berta.model.company.seat.Leave()
	ana.keys("1", "k").lacks("●", "with ")
}

// A poll without news draws nothing: with fifty consoles that would be a hundred screens a second. Somebody who moves
// is news.
func TestPollWithoutNewsDrawsNothing(t *testing.T) {
	mine, theirs := two(t)
	room := &presence.Room{}
	ana, berta := at(t, room, mine, 80, 24).poll(), at(t, room, theirs, 80, 24)
	ana.poll().shows("with berta").model.frame.Content = "as drawn before"
	if ana.poll(); ana.text() != "as drawn before" {
		t.Error("a poll without news draws the screen")
	}
	berta.keys("j", "j")
	ana.poll().shows("● ?   param plaza,origen")
	ana.model.frame.Content = "as drawn before"
	decideAs(t, theirs, review.Approve, 5)
	ana.poll().shows("● berta: approve URL 5")
}

// Whatever is in a name stays text, and many names find room.
func TestCompanyOfManyNames(t *testing.T) {
	mine, theirs := two(t)
	room := &presence.Room{}
	ana := at(t, room, mine, 80, 24)
	for _, name := range []string{"b\x1b[31men\x07\r", "e\u202eva\u200b", "\xff\u009b2J",
		"Maximiliana de las Torres y Lagos"} {
		desk, err := theirs.As(name)
		if err != nil {
			t.Fatal(err)
		}
		at(t, room, desk, 80, 24)
	}
	ana.keys("k").shows(`● Maximiliana de las Torr…, b\x1b[31men\x07 and 2 others are here`, "+4")
	fits(t, ana.model.View().Content, 80, 24)
	ana.keys("5").shows("Also here")
	fits(t, ana.model.View().Content, 80, 24)
}
