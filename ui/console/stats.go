package console

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/review/health"
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

	links survey[health.Summary]
}

func newStatsTab(s *session, d desk.History) *statsTab {
	t := &statsTab{session: s, desk: d}
	t.links = newSurvey(s, inStats, &s.opts.Surveys.Links, d, func(ctx context.Context) (health.Summary, error) {
		return d.Trends(ctx, review.Registry(), s.opts.clock.now())
	})
	return t
}

// load counts, and then reads the health of the links: one after the other, for keys go on meanwhile.
func (t *statsTab) load() tea.Cmd {
	return read(t.session, t.desk.Stats, func(s review.Stats) tea.Cmd {
		t.pane.Set(&s)
		return t.links.load(t.takeLinks) // it takes seconds when there are very many; the counts are on screen before
	})
}

func (t *statsTab) takeLinks(links health.Summary, isNew bool, err error) tea.Cmd {
	switch {
	case err != nil:
		t.warn(wording.Error(err))
	case isNew:
		t.pane.SetHealth(&links)
	}
	return nil
}

func (t *statsTab) move(motion widget.Motion) tea.Cmd {
	t.pane.Scroll(motion)
	return nil
}

func (t *statsTab) click(int) (again bool, cmd tea.Cmd) { return false, nil }

func (t *statsTab) view(c canvas, height int) string { return t.pane.View(c.th, c.width, height) }
