package console

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/dialog"
	"visto/ui/wording"
)

// assigner shares the URLs of the filter out among reviewers.
type assigner struct {
	*session
	desk   desk.Assignments
	queue  *queueTab
	writer *writer
}

// ask asks for the reviewers.
func (a *assigner) ask() tea.Cmd {
	about := a.queue.shown.query.Filter.String()
	if n := a.queue.pane.Total(); n >= 0 {
		about += ": " + wording.URLs(n)
	}
	return a.openPrompt(&dialog.Prompt{
		Title: "Assign", About: about, Yes: "share out", Empty: "name the reviewers, with commas", Key: "assign",
		Hint:   "such as ana, ben: each gets whole hosts; none takes assignments back",
		Recent: a.recent["assign"], Do: submit(a.remembering("assign", a.shareTo)),
	})
}

// shareTo computes what each of the reviewers gets.
func (a *assigner) shareTo(names string) tea.Cmd {
	sharing := review.Sharing{Filter: a.queue.shown.query.Filter, To: wording.Names(names)}
	shares := func(ctx context.Context) (*review.Shares, error) { return a.desk.Shares(ctx, sharing) }
	return prepare(a.writer, shares, a.assign)
}

// assign writes a sharing. Where it is large, the reviewer sees first what each gets.
func (a *assigner) assign(s *review.Shares) tea.Cmd {
	if s.Changed == 0 {
		return a.fail(wording.NothingToAssign(s))
	}
	if s.Changed <= a.opts.unasked {
		return a.write(s)
	}
	behind := a.dialog
	a.open(&dialog.Confirm{
		Title: "Assign", Yes: fmt.Sprintf("assign %d", s.Changed), Do: with(a.write, s),
		Text:  []string{wording.Sharing(s) + "? " + a.keyed("{undo} takes it back."), ""},
		Lines: wording.Portions(s),
	})
	a.behind = behind
	return nil
}

func (a *assigner) write(s *review.Shares) tea.Cmd {
	here := a.queue.pane.Here()
	return a.writer.run(func() (outcome, error) {
		n, err := a.desk.Assign(a.ctx, s)
		text := wording.Shared(s, n)
		back := func() (string, error) {
			ended, err := a.desk.Unassign(a.ctx, s)
			return wording.TakenBack(text, n-ended), err
		}
		return outcome{text: text, undoable: true, undo: back, place: here}, err
	})
}
