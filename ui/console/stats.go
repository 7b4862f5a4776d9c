package console

import (
	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/pane"
	"visto/ui/widget"
)

// statsTab is the tab of the counts.
type statsTab struct {
	*session
	desk desk.History
	pane pane.Stats
}

func (t *statsTab) load() tea.Cmd {
	return read(t.session, t.desk.Stats, func(s review.Stats) tea.Cmd {
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
