package console

import (
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

	version int64 // of the store when the health of the links was read
	known   bool  // it was read
	summing bool
	again   bool // it is read once more after that
}

// load counts, and then reads the health of the links: one after the other, for keys go on meanwhile.
func (t *statsTab) load() tea.Cmd {
	return read(t.session, t.desk.Stats, func(s review.Stats) tea.Cmd {
		t.pane.Set(&s)
		return t.sumUp()
	})
}

// sumUp reads the health of the links, which takes seconds when there are very many: once at a time, and not at all
// while the store is unchanged. The counts are on screen before.
func (t *statsTab) sumUp() tea.Cmd {
	if t.summing {
		t.again = true
		return nil
	}
	t.summing, t.again = true, false
	known, version := t.known, t.version
	return ask(func() (sum *health.Summary, err error) {
		now, err := t.desk.Version(t.ctx)
		if err != nil || known && now == version {
			return nil, err
		}
		version = now
		s, err := t.desk.Trends(t.ctx, review.Registry(), t.opts.clock.now())
		return &s, err
	}, func(sum *health.Summary, err error) tea.Cmd {
		t.summing = false
		switch {
		case err != nil:
			t.warn(wording.Error(err))
		case sum != nil:
			t.version, t.known = version, true
			t.pane.SetHealth(sum)
		}
		if t.again {
			return t.sumUp()
		}
		return nil
	})
}

func (t *statsTab) move(motion widget.Motion) tea.Cmd {
	t.pane.Scroll(motion)
	return nil
}

func (t *statsTab) click(int) (again bool, cmd tea.Cmd) { return false, nil }

func (t *statsTab) view(c canvas, height int) string { return t.pane.View(c.th, c.width, height) }
