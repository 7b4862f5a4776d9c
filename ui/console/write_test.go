package console

import (
	"strings"
	"testing"
	"time"

	"visto/review"

	tea "charm.land/bubbletea/v2"
)

// letter presses a key and returns its command for the test to run.
func (s *screen) letter(r rune) tea.Cmd {
	_, cmd := s.model.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	return cmd
}

// A page requested before a write does not show the result of the write. Held keys wait for the page read after it.
func TestAPageFromBeforeTheWriteReleasesNoKeys(t *testing.T) {
	s := openScreen(t, newDesk(t), 80, 24)
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
	}{{'G', "1007 of 1007"}, {'g', " 1 of 1007"}} {
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
		s := openScreen(t, newDesk(t), 80, 24)
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
	s := openScreen(t, mine, 120, 24)
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
