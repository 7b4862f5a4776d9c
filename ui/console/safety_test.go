package console

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/review"
	"visto/ui/dialog"
)

func TestRedoIsWarnedAboutBeforeItIsLost(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 100, 24, "a", "u").shows("took back: approve, 1 URL")
	s.keys("d").shows("deferred: URL 1", "No longer to be brought back: approve, 1 URL")
	s.keys("ctrl+r").shows("there is nothing to bring back")

	s.keys("space", "space", "A").shows("approved: 2 URLs").keys("u").shows("took back: approve, 2 URLs")
	s.keys("a").shows("╭─ Redo will be lost", "│ approve, 2 URLs", "ctrl+r can bring it back", "[Cancel]")
	s.keys("enter").lacks("Redo will be lost") // the safe answer is preset
	s.keys("ctrl+r").shows("brought back: approve, 2 URLs").keys("u")
	s.keys("a", "y").shows("approved: URL", "No longer to be brought back: approve, 2 URLs")
	s.keys("ctrl+r").shows("there is nothing to bring back")
}

func TestWhatWasTakenBackInStepsIsAskedAbout(t *testing.T) {
	s := openScreen(t, newDesk(t), 100, 24, "a", "a", "u", "u", "n", "type:seen", "enter")
	// the text is there
	s.shows("Redo will be lost", "approve, 1 URL, and 1 more").keys("esc").shows("╭─ Note", "seen")
	s.keys("enter", "y").shows("noted on URL", "No longer to be brought back: approve, 1 URL, and 1 more")
}

func TestWhatWasBroughtBackIsNotAskedAbout(t *testing.T) {
	s := openScreen(t, newDesk(t), 100, 24, "a", "a", "u", "u", "ctrl+r").shows("brought back: approve, 1 URL")
	s.keys("d").lacks("Redo will be lost", "and 1 more").shows("No longer to be brought back: approve, 1 URL")
}

// A question that waits under that about redo shows the effect that its answer has by now.
func TestEffectUnderTheQuestionAboutRedo(t *testing.T) {
	mine, theirs := two(t)
	s := openAsking(t, mine, 120, 40, "G", "k", "space", "space", "A", "y", "u", "2", "A")
	s.shows("3 URLs settled", "[Cancel]")
	s.keys("y").shows("╭─ Redo will be lost")
	decideAs(t, theirs, review.Approve, 1)
	s.poll().shows("╭─ Redo will be lost").keys("esc").shows("2 URLs settled").lacks("3 URLs settled")
}

func TestRedoIsKnownAfterARestart(t *testing.T) {
	desk := newDesk(t)
	openScreen(t, desk, 100, 24, "*", "A", "u")
	openScreen(t, desk, 100, 24, "a").shows("Redo will be lost", "approve, 10 URLs")
}

func TestConflictKeepsTheText(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 30, "r", "type:gone for good")
	decideAs(t, theirs, review.Approve, 1)
	s.keys("enter").shows("URL 1 was decided meanwhile: approve by berta", "Your text is kept: “go 1”").lacks("╭─")
	status(t, mine, 1, review.Approved)
	s.keys(":", "type:go 1", "enter", "r").shows("gone for good").keys("enter").shows("rejected: URL 1")
	if d := item(t, mine, 1).Decision; d.Note != "gone for good" || d.Reviewer != "ana" {
		t.Errorf("stored: %+v", d)
	}
	s.keys("u", "r").types("")
}

func TestConflictKeepsTheCorrection(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 30, "e", "type:/x")
	decideAs(t, theirs, review.Approve, 1)
	s.keys("enter").shows("approve by berta", "Your text is kept")
	s.keys(":", "type:go 1", "enter", "e").shows("cita-previa?plaza=norte/x")
}

func decideAs(t *testing.T, desk *review.Desk, kind review.Kind, id int64) {
	t.Helper()
	if _, err := desk.Decide(t.Context(), review.Choice{Kind: kind}, review.Target{ID: id}); err != nil {
		t.Fatal(err)
	}
}

func TestTypedTextIsOfferedAgain(t *testing.T) {
	s := openScreen(t, newDesk(t), 80, 24, "r", "type:a long reason", "esc").shows("your text is kept")
	s.keys("j", "r").lacks("a long reason").keys("esc", "k", "n").lacks("a long reason").keys("type:a note", "esc")
	s.keys("r").shows("a long reason").keys("esc").lacks("is kept").keys("n").shows("a note").keys("esc", "r",
		"enter").shows("rejected: URL 1")
	s.keys("u", "r").types("") // done: no draft any more
}

// Each dialog for text keeps it on esc and names the key that goes on, for the same URL, rule or cause alone.
func TestEscKeepsWhatWasTyped(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 120, 40, "e", "type:/x", "esc").shows("not done; your text is kept: e goes on with it")
	s.keys("e").shows("plaza=norte/x").keys("ctrl+u", "type:http://localhost/", "esc")
	s.shows("not done; no text is kept")
	s.keys("e").lacks("localhost", "norte/x").keys("esc").lacks("not done")
	s.keys("o", "d", "esc").lacks("not done").keys("o", "d", "up", "up", "type:/raro", "ctrl+t", "ctrl+t", "esc")
	s.shows("your text is kept: o goes on with it").keys("j", "o").lacks("raro").keys("esc", "k", "o").shows("raro")
	s.keys("ctrl+t", "type:x", "esc", "o").shows(`x{`, "! the rule:").keys("delete", "backspace")
	s.keys("esc", "space", "R", "type:gone", "esc").shows("R goes on with it").keys("R").shows("gone")
	s.keys("esc", "esc", "r").lacks("gone").keys("esc", ":", "type:note on marked", "enter").lacks("gone").keys("esc")
	s.keys("2").onCause("plaza on sede.ejemplo.gob.es").keys("o", "up", "up", "type:/sub", "esc")
	s.shows("o goes on with it").onCause("on web.gencat.cat").keys("o").lacks("/sub").keys("esc", "g")
	s.onCause("plaza on sede.ejemplo.gob.es").keys("o").shows("/sub")
}

// ctrl+o replaces the form of a new rule by that of the stored one. The new form keeps its text.
func TestFormOfTheStandingRuleKeepsWhatWasTyped(t *testing.T) {
	s := openScreen(t, newDesk(t), 120, 40, "o", "d", "ctrl+s", "o", "up", "up", "type:/raro")
	s.keys("ctrl+o").shows("your text is kept: o goes on with it").lacks("/raro").keys("esc", "o").shows("/raro")
	s.keys("esc", "3", "e", "G", "type:why", "esc").shows("e goes on with it").keys("e").shows("why")
}

// The draft of a rule that another person has changed since is not used: to save it would take that change back.
func TestDraftOfAChangedRuleIsNotUsed(t *testing.T) {
	mine, theirs := two(t)
	rule := canon.Override{Match: canon.Match{Host: "www.sepe.es"}, Accept: []string{"home-page"}}
	change := review.OverrideChange{After: &rule}
	save := func() {
		if _, _, err := theirs.SaveOverrides(t.Context(), []review.OverrideChange{change}, ""); err != nil {
			t.Fatal(err)
		}
	}
	save()
	s := openScreen(t, mine, 120, 40, "3", "e", "G", "type:why", "esc", "e").shows("why").keys("esc")
	before := rule
	rule.Scheme, change.Before = "http", &before
	save()
	s.poll().keys("e").shows("the rule has changed since you typed (berta, ", "): your text is not used").lacks("why")
	s.keys("type:x").lacks("your text").keys("backspace", "esc", "e").lacks("why", "your text")
}

// A reason and a correction typed for a URL go when the URL is settled, but not when it is put off, or when others were
// first. A note and the form of a rule stay.
func TestDraftOfASettledURLGoes(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 40, "n", "type:a note", "esc", "e", "type:/x", "esc", "o", "up", "up", "type:/raro")
	s.keys("esc", "r", "type:gone", "esc", "d", "u", "r").types("gone").keys("esc", "a", "u", "r").types("")
	s.keys("esc", "n").types("a note").keys("esc", "o").shows("/raro").keys("esc", "r", "type:why", "esc", "e")
	s.lacks("norte/x").keys("esc")
	decideAs(t, theirs, review.Approve, 1)
	s.keys("a").shows("approve by berta").keys(":", "type:go 1", "enter", "r").types("why")
}

// A decision for one record leaves the URL to decide for the others.
func TestDraftStaysAfterADecisionForOneRecord(t *testing.T) {
	s := openScreen(t, aloneDesk(t), 120, 40, "r", "type:gone", "esc", ":", "type:reject of the other", "enter")
	s.keys("2", "enter").shows("rejected: URL 1 for local-otra").keys(":", "type:go 1", "enter", "r").types("gone")
	s.keys("enter", "0", "enter").shows("rejected: URL 1 (").keys(":", "type:go 1", "enter", "r").types("")
}

// types checks the text in the line of the open prompt.
func (s *screen) types(want string) *screen {
	s.t.Helper()
	if _, text, _ := s.model.dialog.(dialog.Drafter).Draft(); text != want {
		s.t.Errorf("the line has %q, not %q", text, want)
	}
	return s
}

func TestMessages(t *testing.T) {
	s := openScreen(t, newDesk(t), 80, 24, "M").shows("nothing has been said yet").keys("esc", "a", "d", "M")
	s.shows("╭─ Messages", "✓ deferred: URL 2", "✓ approved: URL 1").keys("esc")
	s.model.warn(strings.Repeat("word ", 60) + "the end")
	s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	s.shows("… M shows all").keys("M").shows("the end")
}

func TestMessageOfTwoLines(t *testing.T) {
	s := openScreen(t, newDesk(t), 80, 24, "esc")
	s.model.warn(strings.Repeat("word ", 20) + "the end")
	s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	s.shows("the end").lacks("shows all")
	fits(t, s.model.View().Content, 80, 24)
	s.send(tea.WindowSizeMsg{Width: 80, Height: 12})
	s.shows("… M shows all").lacks("the end")
}

// readOnly is a read-only desk. A write that reaches it fails the test.
type readOnly struct {
	Desk
	t *testing.T
}

func (d readOnly) ReadOnly() bool { return true }

func (d readOnly) Decide(context.Context, review.Choice, ...review.Target) (review.Receipt, error) {
	d.t.Error("a decision")
	return review.Receipt{}, review.ErrReadOnly
}

func (d readOnly) Assign(context.Context, *review.Shares) (int, error) {
	d.t.Error("an assignment")
	return 0, review.ErrReadOnly
}

// TestReadOnly presses the keys of every action that writes, in every place. Each is refused at once, and no
// footer offers it.
func TestReadOnly(t *testing.T) {
	places := map[scope][]string{inQueue: nil, inDetail: {"enter"}, inCauses: {"2"}, inOverrides: {"3"}, inLog: {"4"},
		inPage: {"P"}, inLinks: {"P", "l"}, inStats: {"5"}}
	desk := newDesk(t)
	writing, opts := 0, Options{Env: []string{"TERM=xterm"}}
	for _, b := range bindings() {
		for in, keys := range places {
			if b.in&writes == 0 || b.in&in == 0 {
				continue
			}
			writing++
			s := openScreenWith(t, readOnly{withPages(desk), t}, opts, 200, 30, keys...)
			if len(b.keys) == 0 {
				s.keys(":", "type:"+b.name).shows("(not when read-only)").keys("enter").shows("╭─ Commands")
				continue
			}
			s.keys(b.keys[0]).shows(strings.ToLower(b.name) + ": not in a database that is open read-only").lacks("╭─")
			if b.foot != "" {
				s.lacks(" " + shownKey(b.keys[0]) + " " + b.foot + " ")
			}
		}
	}
	if writing < 30 {
		t.Errorf("only %d", writing)
	}
	openScreenWith(t, readOnly{desk, t}, Options{Env: []string{"TERM=xterm"}}, 120, 30, "j", "enter").shows("URL 2",
		"read-only").
		keys(":", "type:reject").lacks("REASON").keys("type: gone", "enter").shows("╭─ Commands")
}
