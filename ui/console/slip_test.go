package console

import (
	"errors"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/review"
	"visto/review/cause"
)

// What came by itself under a dialog is new when that closes: the keys after its answer may be meant for the URL
// before. So is what came during a write.
func TestWhatCameUnderADialogIsNew(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 24, "j", "n", "type:seen")
	decideAs(t, theirs, review.Approve, 2)
	s.poll().at(3).shows("╭─ Note", "seen")
	s.now = s.now.Add(time.Second)
	_, write := s.model.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	s.letter('a')
	s.run(write)
	s.lacks("╭─").shows("! a came too early for this URL: press it again (URL 2 has left this list")
	status(t, mine, 3, review.Pending)

	s.keys("?")
	decideAs(t, theirs, review.Approve, 3)
	s.poll().at(4).keys("esc").send(tea.KeyPressMsg{Code: 'a', Text: "a"})
	s.lacks("╭─").shows("! a came too early for this URL: press it again (URL 3 has left this list")
	status(t, mine, 4, review.Pending)
	s.keys("a")
	status(t, mine, 4, review.Approved)
}

// The same holds for a cause: a key after a dialog may be meant for the row before.
func TestACauseThatCameUnderADialogIsNew(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 40, "2")
	s.keys("?").settleCause(theirs).keys("esc")
	key, _ := keyPress("m")
	s.send(key)
	s.shows("! m came too early for this row: press it again")
	if list := overridesOf(t, mine); len(list) > 0 {
		t.Errorf("%+v was written", list)
	}
}

// The same holds for another tab.
func TestAURLThatCameUnderAnotherTabIsNew(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 24, "j", "4")
	decideAs(t, theirs, review.Approve, 2)
	s.poll().lacks("has left this list").send(tea.KeyPressMsg{Code: '3', Text: "3"})
	s.shows("[3 Overrides]").lacks("too early")
	s.keys("1").at(3).send(tea.KeyPressMsg{Code: 'a', Text: "a"})
	s.shows("! a came too early for this URL: press it again (URL 2 has left this list")
	status(t, mine, 3, review.Pending)
}

// The same holds for the URL behind a visited one, to which keys do not wait.
func TestAURLThatCameBehindAVisitedOneIsNew(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 30, "j", "enter", "m", "enter").lacks("URL 2 ")
	decideAs(t, theirs, review.Approve, 2)
	s.poll().send(tea.KeyPressMsg{Code: 'm', Text: "m"})
	s.lacks("too early").shows("╭─ Related URLs").keys("esc", "esc").at(3).send(tea.KeyPressMsg{Code: 'a', Text: "a"})
	s.shows("! a came too early for this URL: press it again (URL 2 has left this list")
	status(t, mine, 3, review.Pending)
}

// An opened URL can be read once its facts are there, and not when the list behind it has changed.
func TestFactsOfAURLThatCameByItselfAreNew(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 24, "j", "enter")
	early := func(facts tea.Cmd) {
		t.Helper()
		s.send(tea.KeyPressMsg{Code: 'a', Text: "a"})
		s.shows("! a came too early for this URL: press it again")
		s.read().run(facts)
		s.send(tea.KeyPressMsg{Code: 'a', Text: "a"})
		s.shows("! a came too early for this URL: press it again").at(3)
		status(t, mine, 3, review.Pending)
	}
	decideAs(t, theirs, review.Approve, 2)
	facts := s.listed()
	s.at(3).shows("URL 2 has left this list")
	early(facts)

	rule := canon.Override{Match: canon.Match{Host: "sede.ejemplo.gob.es"}, DropQueryParams: []string{"origen"}}
	if _, _, err := theirs.SaveOverrides(t.Context(), []review.OverrideChange{{After: &rule}}, ""); err != nil {
		t.Fatal(err)
	}
	facts = s.listed()
	s.shows("URL 3 has another canonical URL now", "origen=web")
	early(facts)
}

// So can one that came into an empty list.
func TestFactsOfAURLInAnEmptyListAreNew(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 24, "*", "A").shows("Nothing waits")
	decideAs(t, theirs, review.Reopen, 1)
	facts := s.listed()
	s.send(tea.KeyPressMsg{Code: tea.KeyEnter})
	s.run(facts)
	s.send(tea.KeyPressMsg{Code: 'a', Text: "a"})
	s.shows("Why it is here", "! a came too early for this URL: press it again")
	status(t, mine, 1, review.Pending)
	s.keys("a")
	status(t, mine, 1, review.Approved)
}

// listed reads the list again but not yet the facts of the opened URL, for which it returns the command. A second later
// these are still awaited.
func (s *screen) listed() (facts tea.Cmd) {
	s.t.Helper()
	s.now = s.now.Add(time.Second)
	for _, read := range s.model.reload(s.model.queue.again(), false)().(tea.BatchMsg) {
		if batch, ok := read().(tea.BatchMsg); ok {
			_, facts = s.model.Update(batch[0]())
		}
	}
	s.now = s.now.Add(time.Second)
	return facts
}

// A menu covers the cause, so that a fix chosen from it is not for one that came under it.
func TestAMenuSettlesNoUnseenCause(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 40, "2", ":", "type:reject the cause")
	s.settleCause(theirs).keys("enter").shows("! nothing was done, for the cause came under the menu: look at it")
	s.keys(":", "type:reject the cause", "enter").shows("╭─ Reject ")
}

// settleCause lets another reviewer settle the cause under the cursor, so that another one comes there.
func (s *screen) settleCause(theirs *review.Desk) *screen {
	s.t.Helper()
	before, _ := s.model.causes.pane.Current()
	s.settle(theirs, before)
	if now, _ := s.model.causes.pane.Current(); now.Same(before) {
		s.t.Fatalf("the cursor is on %s still", now)
	}
	return s
}

// settle lets another reviewer approve all URLs of a cause.
func (s *screen) settle(theirs *review.Desk, c cause.Cause) {
	s.t.Helper()
	list, err := theirs.Page(s.t.Context(), review.Query{Filter: c.Filter()}, nil, 100)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, it := range list {
		decideAs(s.t, theirs, review.Approve, it.ID)
	}
	s.poll()
}

// A key that was meant for fewer URLs, or for marks that are gone, settles nothing.
func TestACauseThatGrewIsNew(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 40, "2")
	add(t, theirs, []review.Found{{URL: "https://sede.ejemplo.gob.es/tramites/otra-pagina?plaza=este"}})
	s.poll()
	key, _ := keyPress("D")
	s.send(key)
	s.shows("! D came too early for this row: press it again")

	s.keys("j", "space", "k", "k").shows("1 marked").settle(theirs, s.model.causes.pane.Chosen()[0])
	s.lacks("marked").send(key)
	s.shows("! D came too early for this row: press it again")
}

// Keys that are held during a write that fails do nothing, and that is told.
func TestKeysDuringAFailedWriteAreTold(t *testing.T) {
	desk := &slow{Desk: newDesk(t), fail: errors.New("the disk is full")}
	s := openScreen(t, desk, 100, 24).read()
	write := s.letter('a')
	s.letter('2')
	s.run(write)
	s.shows("! the disk is full; the keys pressed meanwhile were not taken: press them again", "[1 Queue]")
}

// A click or a paste during a write is not taken, nor are keys, which may be meant for what it leads to. That is told.
func TestClicksAndPastesDuringAWriteAreTold(t *testing.T) {
	for what, msg := range map[string]tea.Msg{
		"click": tea.MouseClickMsg{X: 5, Y: 5, Button: tea.MouseLeft}, "paste": tea.PasteMsg{Content: "moved"},
	} {
		told := "the " + what + " meanwhile was not taken, nor were keys: do it again"
		desk := &slow{Desk: newDesk(t)}
		s := openScreen(t, desk, 160, 24).read()
		write := s.letter('a')
		s.send(msg)
		s.letter('a')
		s.run(write)
		s.at(2).shows("✓ approved: URL 1", "(u takes it back); "+told).keys("j").lacks(told)
		status(t, desk.Desk.(*review.Desk), 2, review.Pending)

		desk.fail = errors.New("the disk is full")
		write = s.read().letter('a')
		s.send(msg)
		s.run(write)
		s.shows("! the disk is full; " + told)
		desk.fail = nil
		write = s.read().letter('a')
		s.letter('2')
		s.run(write)
		s.shows("[2 Causes]").lacks(told)
	}
}

// The last URL of the list can leave it too.
func TestListThatEmptiesByItself(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 24, "/", "type:gencat", "enter").shows("1 of 1")
	decideAs(t, theirs, review.Approve, s.model.queue.pane.Current().ID)
	s.poll().shows("Nothing matches this filter", "has left this list")
}

// A decision moves the end of a range on to a URL that the reviewer has not seen.
func TestARangeThatGrewIsNew(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 120, 24, "V", "j", "a").shows("range of 2").at(3)
	s.send(tea.KeyPressMsg{Code: 'D', Text: "D"})
	s.shows("! D came too early for this selection: press it again")
	status(t, desk, 3, review.Pending)
	s.keys("D")
	status(t, desk, 3, review.Deferred)
}
