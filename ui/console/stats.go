package console

import (
	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/pane"
	"visto/ui/widget"
	"visto/ui/wording"
)

// statsTab is the tab of the counts.
type statsTab struct {
	*session
	desk desk.History
	pane pane.Stats
}

func (t *statsTab) load() tea.Cmd {
	return ask(func() (review.Stats, error) { return t.desk.Stats(t.ctx) }, func(s review.Stats, err error) tea.Cmd {
		if err != nil {
			t.warn(wording.Error(err))
			return nil
		}
		t.pane.Set(&s)
		return nil
	})
}

func (t *statsTab) move(motion widget.Motion) tea.Cmd {
	t.pane.Scroll(motion)
	return nil
}

func (t *statsTab) click(int) (again bool, cmd tea.Cmd) { return false, nil }

func (t *statsTab) view(c canvas, height int) string { return t.pane.View(c.th, c.width, height) }
