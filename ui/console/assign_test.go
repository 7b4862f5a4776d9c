package console

import (
	"context"
	"errors"
	"testing"

	"visto/review"
)

// The URLs of the filter are shared out, found again by facet and view, and one undo takes that back.
func TestAssign(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 40, "/", "type:sepe", "enter", "@").shows("waiting, with “sepe”: 2 URLs")
	s.keys("type:Ben", "enter").shows("✓ assigned: 2 URLs (Ben 2) (u takes it back)")
	s.keys("enter").shows("assigned to Ben, by ana at ")
	s.keys("esc", "@", "type:ana", "enter").shows("2 URLs are assigned already: none takes that back")
	s.keys("esc", "esc", "@", "ctrl+u", "type:ana,ana,", "enter").shows("assigned: 8 URLs (ana 8)")
	s.keys("v", "type:assigned to me", "enter").shows("▽ waiting, mine", "of 8")
	s.keys("f", "type:assignee", "ctrl+x").shows("mine", "Ben", "none")
	s.keys("down", "down", "!", "enter").shows("not assigned to")

	berta := openScreen(t, theirs, 120, 40, "v", "type:assigned to me", "enter").shows("Nothing matches this filter")
	s.keys("u").shows("took back: assigned: 8 URLs (ana 8)")
	berta.keys("esc", "@", "type:none", "enter").shows("took back the assignments of 2 URLs")
	berta.keys("@", "ctrl+u", "type:none", "enter").shows("nothing is assigned here")
}

// An undo leaves the URLs that another reviewer assigned since, and says so.
func TestUndoAssignMeanwhile(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 40, "/", "type:sepe", "enter", "@", "type:ana", "enter")
	s.shows("assigned: 2 URLs (ana 2)")
	shares, err := theirs.Shares(t.Context(), review.Sharing{To: []string{"ben"}, Again: true})
	if err == nil {
		_, err = theirs.Assign(t.Context(), shares)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.keys("u").shows("took back: assigned: 2 URLs (ana 2), but 2 URLs stay as others assigned them since")
	n, err := mine.Count(t.Context(), review.Filter{Open: true, Assigned: []string{"ben"}})
	if err != nil || n != shares.Changed {
		t.Errorf("ben has %d URLs, %v, want %d", n, err, shares.Changed)
	}
}

// A saved view "mine" is about the reviewer who opens it, also after a restart.
func TestSavedMine(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 40, "@", "type:ana, "+theirs.Reviewer(), "enter", "v", "type:assigned to me", "enter")
	s.shows("of 5").at(1).keys("v", "type:save", "enter", "type:turn", "enter")
	openScreen(t, theirs, 120, 40, "v", "type:turn", "enter").shows("view turn", "▽ waiting, mine", "of 5").at(4)
	again := openScreenWith(t, theirs, Options{StateFile: t.TempDir() + "/a.json"}, 120, 40, "v", "type:turn", "enter")
	if err := again.model.leave(); err != nil {
		t.Fatal(err)
	}
	openScreenWith(t, theirs, again.model.opts, 120, 40).shows("▽ waiting, mine", "of 5")
}

// Many URLs are asked about, and each reviewer's part is shown before.
func TestAssignPreview(t *testing.T) {
	desk := newDesk(t)
	s := openScreenWith(t, desk, Options{unasked: 3}, 80, 24, "@", "type:ana, ben", "enter")
	s.shows("Assign 10 URLs? u takes it back.", "ana: 5 URLs, 5 of them new", "ben: 5 URLs")
	if n, err := desk.Count(t.Context(), review.Filter{Not: review.Values{Assigned: []string{review.Nobody}}}); n > 0 {
		t.Errorf("%d are assigned before the answer, %v", n, err)
	}
	s.keys("esc").shows("such as ana, ben").keys("enter", "y").shows("assigned: 10 URLs (ana 5, ")
}

// unsharing is a desk that cannot compute shares.
type unsharing struct{ Desk }

func (unsharing) Shares(context.Context, review.Sharing) (*review.Shares, error) {
	return nil, errors.New("no \x1b disk")
}

// An error ends the waiting, and the key can be pressed again.
func TestSharesThatFail(t *testing.T) {
	s := openScreen(t, unsharing{newDesk(t)}, 120, 40, "@", "type:ana", "enter")
	s.shows(`no \x1b disk`).lacks("reading the")
	s.keys("esc", "@", "ctrl+u", "type:ben", "enter").shows(`no \x1b disk`)
}
