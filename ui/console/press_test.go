package console

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"visto/review"
)

// every presses a key again and again, as a terminal does for one that is held.
func (s *screen) every(pause time.Duration, key string, times int) *screen {
	s.t.Helper()
	msg, err := keyPress(key)
	if err != nil {
		s.t.Fatal(err)
	}
	for range times {
		s.now = s.now.Add(pause)
		s.send(msg)
	}
	return s
}

// approvedOf counts the approved URLs.
func approvedOf(t *testing.T, desk *review.Desk) (n int) {
	t.Helper()
	for id := range int64(10) {
		if item(t, desk, id+1).Status == review.Approved {
			n++
		}
	}
	return n
}

func TestAHeldKeyDecidesOnce(t *testing.T) {
	for _, key := range []string{"a", "d"} {
		desk := newDesk(t)
		s := openScreen(t, desk, 100, 24, key).at(2).every(249*time.Millisecond, key, 16).at(2)
		s.shows("! " + key + " came twice at once, or is held: each decision needs a press of its own")
		s.now = s.now.Add(time.Millisecond)
		s.every(249*time.Millisecond, key, 1).at(3)
	}
}

// A held key begins to repeat after up to 700 ms, and its first repeat looks like a press until the next one comes. A
// press that nothing follows counts, a moment later.
func TestTheFirstRepeatOfAHeldKeyDecidesNothing(t *testing.T) {
	for _, delay := range []time.Duration{250, 400, 500, 660} {
		desk := newDesk(t)
		s := openScreen(t, desk, 100, 24, "a").at(2)
		settle, waits := s.hold()
		s.every(delay*time.Millisecond, "a", 1).at(2).every(40*time.Millisecond, "a", 30)
		settle()
		s.at(2).shows("! a came twice at once, or is held")
		if n := approvedOf(t, desk); n != 1 {
			t.Errorf("delay %d ms: %d URLs are approved, not one", delay, n)
		}
		s.every(400*time.Millisecond, "a", 1).at(2)
		if len(*waits) != 2 {
			t.Errorf("waits: %v", *waits)
		}
		settle()
		s.at(3)
		s.every(700*time.Millisecond, "a", 1).at(4)
	}
}

// A doubtful key does not become old enough for a URL by waiting.
func TestADoubtfulKeyIsForWhatItCameTo(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 100, 24, "a").at(2)
	settle, _ := s.hold()
	s.now = s.now.Add(150 * time.Millisecond)
	s.model.arrive(&s.model.queue.came) // as after a slow write
	s.every(200*time.Millisecond, "a", 1)
	s.now = s.now.Add(repetition)
	settle()
	s.at(2).shows("! a came too early for this URL: press it again")
	s.every(300*time.Millisecond, "a", 1)
	s.now = s.now.Add(repetition)
	settle()
	s.at(3)
}

// Another key tells that the one before was let go.
func TestAnotherKeyEndsTheDoubt(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 100, 24, "a").at(2)
	settle, _ := s.hold()
	s.every(500*time.Millisecond, "a", 1).at(2).every(20*time.Millisecond, "j", 1).at(4)
	settle()
	if n := approvedOf(t, desk); n != 2 {
		t.Errorf("%d URLs are approved, not two", n)
	}
	s.every(100*time.Millisecond, "k", 1).every(500*time.Millisecond, "d", 1)
	status(t, desk, 3, review.Deferred) // no key before it was d
}

// A terminal that tells repeats leaves no doubt.
func TestATerminalThatTellsRepeatsLeavesNoDoubt(t *testing.T) {
	s := openScreen(t, newDesk(t), 100, 24, "a").at(2)
	s.hold()
	s.send(tea.KeyboardEnhancementsMsg{Flags: ansi.KittyReportEventTypes})
	s.every(500*time.Millisecond, "a", 1).at(3)
}

// An answer to a question may be the first repeat of a held key too.
func TestAHeldAnswerIsNoPress(t *testing.T) {
	desk := newDesk(t)
	s := openAsking(t, desk, 100, 24, "space", "A").every(100*time.Millisecond, "y", 1)
	s.shows("! y came too early for this question")
	s.hold()
	s.every(500*time.Millisecond, "y", 1).every(40*time.Millisecond, "y", 5).shows("Approve 1 URL")
	status(t, desk, 1, review.Pending)
	s.keys("y").shows("approved: 1 URL")
}

// A terminal that tells repeats of a held key from presses is believed.
func TestARepeatIsNoPress(t *testing.T) {
	s := openScreen(t, newDesk(t), 100, 24, "a").at(2)
	s.now = s.now.Add(time.Second)
	s.send(tea.KeyPressMsg{Code: 'a', Text: "a", IsRepeat: true})
	s.at(2).shows("! a came twice at once, or is held")
}

// Keys typed ahead move, and decide nothing about URLs that were not on screen at them.
func TestKeysTypedAheadDecideNothing(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 100, 24).every(0, "a", 1)
	for _, key := range []string{"j", "a", "j", "a", "j", "d"} {
		s.every(10*time.Millisecond, key, 1)
	}
	s.shows("! d came too early for this URL: press it again")
	if n := approvedOf(t, desk); n > 1 {
		t.Errorf("%d URLs are approved, not one", n)
	}
}

func TestMovingMayBeHeld(t *testing.T) {
	openScreen(t, newDesk(t), 100, 24).every(10*time.Millisecond, "j", 4).at(5).lacks("held")
}

// A key that waited in the queue of a slow program came while the key before was dealt with.
func TestAKeyIsNoPressForWaitingLong(t *testing.T) {
	s := openScreen(t, newDesk(t), 100, 24)
	slow := s.model.opts.clock.now
	s.now = s.now.Add(time.Second)
	s.model.opts.clock.now = func() time.Time {
		s.now = s.now.Add(40 * time.Millisecond)
		return slow()
	}
	s.letter('p')
	s.letter('p')
	s.shows("! p came twice at once, or is held")
}

// One press takes one thing back.
func TestAHeldUndoTakesOneThingBack(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 100, 24, "a", "a", "a", "u").every(30*time.Millisecond, "u", 20)
	s.shows("! u came twice at once, or is held")
	if n := approvedOf(t, desk); n != 2 {
		t.Errorf("%d URLs are approved after one of three was taken back", n)
	}
}

// What is marked by a key is on screen before the key that decides about it.
func TestMarksAreSeenBeforeTheyAreSettled(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 100, 24).every(time.Second, "*", 1).every(100*time.Millisecond, "A", 1)
	s.shows("! A came too early for this selection: press it again")
	if n := approvedOf(t, desk); n > 0 {
		t.Errorf("%d URLs are approved", n)
	}
}

// A held key answers no question, though that has been there for long enough.
func TestAHeldKeyAnswersNothing(t *testing.T) {
	desk := newDesk(t)
	s := openAsking(t, desk, 100, 24, "space", "A").every(200*time.Millisecond, "y", 10)
	s.shows("Approve 1 URL")
	status(t, desk, 1, review.Pending)
	s.keys("y").shows("approved: 1 URL")
}

// Another cause needs a press of its own too.
func TestAHeldFixSettlesOneCause(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 120, 40, "2").every(time.Second, "j", 1).every(100*time.Millisecond, "A", 1)
	s.shows("! A came too early for this row: press it again")
	if list := overridesOf(t, desk); len(list) > 0 {
		t.Errorf("%+v was written", list)
	}
}

// What was not done has no sign of success.
func TestNotDoneIsNoSuccess(t *testing.T) {
	openScreen(t, newDesk(t), 100, 24, "r", "type:why", "esc").shows("! not done; your text is kept").lacks("✓ not done")
}
