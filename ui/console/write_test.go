package console

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	intake "visto/review/read"
)

// letter presses a key and returns its command for the test to run.
func (s *screen) letter(r rune) tea.Cmd {
	_, cmd := s.model.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	return cmd
}

// A page requested before a write does not show the result of the write. Held keys wait for the page read after it.
func TestAPageFromBeforeTheWriteReleasesNoKeys(t *testing.T) {
	s := openScreen(t, newDesk(t), 80, 24).read()
	_, earlier := s.model.Update(s.letter('*')()) // marking all reads the queue again
	write := s.letter('a')
	s.letter('r')
	s.send(earlier())
	s.lacks("╭─ Reject")
	s.run(write)
	s.at(2).shows("╭─ Reject", "plaza=sur")
}

// The reviewer left the list with the settled URL, nobody took the URL out of it. That holds behind a dialog too.
func TestAnotherListIsNoWorkOfOthers(t *testing.T) {
	s := openScreen(t, newDesk(t), 100, 24, "space", "F", "a").shows("▽ 1 marked", "approved: URL 1")
	before := s.letter('F')
	s.keys("?")
	s.run(before)
	s.lacks("has left this list").keys("esc").at(2).lacks("has left this list")
}

// A key that leads far away is not lost because the work of others makes the console read again.
func TestAChangeByOthersStopsNoJump(t *testing.T) {
	s := openScreen(t, newDesk(t, many()...), 100, 24)
	for _, jump := range []struct {
		key  rune
		want string
	}{{'G', "607 of 607"}, {'g', " 1 of 607"}} {
		cmd := s.letter(jump.key)
		s.send(changed{})
		s.run(cmd)
		s.shows(jump.want)
	}
}

// Held keys are dropped once the wait exceeds patience, and only then.
func TestHeldKeysLastForPatience(t *testing.T) {
	if patience != 500*time.Millisecond {
		t.Errorf("patience is %v", patience)
	}
	for wait, opens := range map[time.Duration]bool{patience: true, patience + 1: false} {
		s := openScreen(t, newDesk(t), 80, 24).read()
		write := s.letter('a')
		s.letter('r')
		s.now = s.now.Add(wait)
		s.run(write)
		s.at(2)
		if got := strings.Contains(s.text(), "╭─ Reject"); got != opens {
			t.Errorf("after %v the held key opened its dialog: %v", wait, got)
		}
	}
}

// The work of others is told after a write, which reloads the screen by itself.
func TestAChangeDuringAWriteWaits(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 24).read()
	write := s.letter('a')
	decideAs(t, theirs, review.Approve, 5)
	if _, cmd := s.model.Update(changed{}); cmd != nil {
		t.Error("a change during a write reloads the screen")
	}
	version := s.model.watcher.version
	s.poll().lacks("berta")
	if s.model.watcher.version != version {
		t.Error("a poll during a write takes the version: the change would be lost")
	}
	s.run(write)
	s.poll().shows("approved: URL 1", "● berta: approve URL 5", "reviewed 2 of 10").lacks("● 2 by others")
}

// manyPortals are n home pages in a field.
func manyPortals(n int) (found []review.Found) {
	for i := range n {
		found = append(found, review.Found{URL: fmt.Sprintf("https://h%03d.ejemplo.gob.es", i),
			Place: intake.Place{File: "r.yaml", Field: "portal_url"}})
	}
	return found
}

// Up to 200 URLs are settled at one key, and one key takes them back. Above, the reviewer is asked.
func TestQuestionOnlyAboveAFewURLs(t *testing.T) {
	s := openScreen(t, newDesk(t, manyPortals(200)...), 120, 40, "2", "A")
	s.shows("home-page accepted in field portal_url: 200 URLs settled (u takes it back)", "no URL waits undecided")
	s.keys("u").shows("took back: ", "in field portal_url on 200 hosts")
	s = openScreen(t, newDesk(t, manyPortals(201)...), 120, 40, "2", "A").shows("201 URLs settled", "[Cancel]")
	s.keys("esc", "1", "*", "A").shows("Approve 201 URLs as they are shown?", "201 URLs decided together", "[Cancel]")
}

// A change of approved URLs is asked about, however few they are. So is one that changes nothing.
func TestQuestionWhereApprovedURLsWouldChange(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 120, 40, "a", "2", "D").shows("1 URL approved before would change", "[Cancel]")
	s.keys("esc", "1", "f", "ctrl+x", "type:approved", "space", "enter", "*", ":", "type:reopen marked", "enter")
	s.shows("Put back into the queue 1 URL", "this takes the approval's place", "[Cancel]")
	s.keys("esc", "A").shows("approved: 1 URL")
	status(t, desk, 1, review.Approved)
}

// While an effect is computed the screen says so, keys are held, and esc cancels it. Held keys answer no question.
func TestSlowEffectHoldsKeys(t *testing.T) {
	desk := &slowEffect{newDesk(t, manyPortals(3)...), make(chan *review.Effect)}
	s := openScreen(t, desk, 120, 40, "2").read()
	begin := func() (cmd tea.Cmd, end func(affected int)) {
		_, cmd = s.read().model.Update(tea.KeyPressMsg{Code: 'A', Text: "A"})
		return cmd, func(affected int) {
			go func() { desk.known <- &review.Effect{Affected: affected, Settled: affected} }()
			s.run(cmd)
		}
	}
	cancelled, _ := begin()
	s.keys("1").shows("computing the effect… esc cancels it", "[2 Causes]").keys("esc").shows("nothing was written")
	s.run(cancelled)
	s.shows("nothing was written")
	_, end := begin()
	if len(overridesOf(t, desk.Desk.(*review.Desk))) > 0 {
		t.Error("it was written")
	}
	s.send(tea.KeyPressMsg{Code: 'y', Text: "y"})
	end(201)
	s.shows("201 URLs settled", "[Cancel]", "the keys pressed meanwhile were not taken").keys("esc")
	_, end = begin()
	s.send(tea.KeyPressMsg{Code: '1', Text: "1"})
	end(3)
	s.shows("[1 Queue]", "Nothing waits for a person any more")
}

// slowEffect is a desk whose effects become known later.
type slowEffect struct {
	Desk
	known chan *review.Effect
}

func (d *slowEffect) Effect(ctx context.Context, _ []review.OverrideChange, _ func(review.Effect)) (
	*review.Effect, error) {
	select {
	case e := <-d.known:
		return e, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// A decision on a range is about the marks that there were at its key, and a key after it comes after it, whichever is
// read first.
func TestDecisionOnARangeHoldsKeys(t *testing.T) {
	for key, text := range map[rune]string{'*': "7 marked", 'u': "took back: approve, 2 URLs"} {
		for _, faster := range []bool{false, true} {
			desk := newDesk(t)
			s := openScreen(t, desk, 100, 24, "a", "shift+down").read()
			first, second := s.letter('A'), s.letter(key)
			if faster {
				first, second = second, first
			}
			s.run(first)
			s.run(second)
			s.shows(text).keys("2").shows("[2 Causes]")
			status(t, desk, 4, review.Pending)
		}
	}
}
