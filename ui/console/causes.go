package console

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/review/cause"
	"visto/ui/desk"
	"visto/ui/pane"
	"visto/ui/widget"
	"visto/ui/wording"
)

// causesDesk is the part of the desk that the causes read.
type causesDesk interface {
	cause.Desk
	desk.History
}

// causesTab is the tab of the causes.
type causesTab struct {
	*session
	desk  causesDesk
	queue *queueTab
	rules *rules
	pane  pane.Causes

	version  int64 // of the store when the causes were read
	loading  bool
	again    bool // they are read once more after that
	studying bool
}

// load groups the whole queue, which takes a while when it is long. It runs once at a time, and not at all while the
// store is unchanged.
func (t *causesTab) load() tea.Cmd {
	if t.loading {
		t.again = true
		return nil
	}
	t.loading, t.again = true, false
	known, version := t.version, t.version
	if !t.pane.Loaded() {
		known = unknownVersion
	}
	return ask(func() (list []cause.Cause, err error) {
		version, err = t.desk.Version(t.ctx)
		if err == nil && version != known {
			list, err = cause.List(t.ctx, t.desk, review.Filter{})
		}
		return list, err
	}, func(list []cause.Cause, err error) tea.Cmd {
		t.loading = false
		switch {
		case err != nil:
			t.warn(wording.Error(err))
		case version != known:
			t.pane.Set(list)
			t.version = version
		}
		if t.again {
			return t.load()
		}
		return t.study()
	})
}

// study studies the cause under the cursor, unless its study is known.
func (t *causesTab) study() tea.Cmd {
	c, ok := t.pane.Current()
	if !ok || t.studying || t.pane.Study() != nil {
		return nil
	}
	t.studying = true
	return ask(func() (*cause.Study, error) { return cause.Examine(t.ctx, t.desk, c) },
		func(s *cause.Study, err error) tea.Cmd {
			t.studying = false
			here, ok := t.pane.Current()
			switch {
			case !ok:
			case !here.Same(c): // the cursor has moved on
				return t.study()
			case err != nil:
				t.pane.Fail(wording.Error(err))
			default:
				t.pane.SetStudy(s)
			}
			return nil
		})
}

func (t *causesTab) move(motion widget.Motion) tea.Cmd {
	t.pane.Move(motion)
	return t.study()
}

func (t *causesTab) click(y int) (again bool, cmd tea.Cmd) {
	again, hit := t.pane.Click(y)
	if !hit || again {
		return again, nil
	}
	return false, t.study()
}

func (t *causesTab) view(v canvas, height int) string {
	return t.pane.View(v.th, t.keyNames(), v.width, height)
}

// keyNames are the keys that the tab names, as they are bound.
func (t *causesTab) keyNames() pane.CauseKeys {
	keys := pane.CauseKeys{
		Fixes: map[cause.FixKind]string{}, Form: keyOf(t.keys, "override-for-the-cause"),
		Whole: keyOf(t.keys, "urls-of-the-cause"), Under: keyOf(t.keys, "narrow"), Clear: keyOf(t.keys, "clear-causes"),
	}
	for _, f := range causeFixes {
		keys.Fixes[f.kind] = keyOf(t.keys, idOf(f.name))
	}
	return keys
}

// narrow narrows the cause to the next path or field, or widens it by one.
func (t *causesTab) narrow(by int) tea.Cmd {
	switch {
	case t.pane.Narrow(by):
		return t.study()
	case by < 0:
		t.warn("this is the whole cause")
	default:
		t.warn("there is nothing to narrow this cause to")
	}
	return nil
}

func (t *causesTab) mark() tea.Cmd {
	t.pane.Toggle()
	return t.study()
}

// clear takes away the marks, or the search if there are none.
func (t *causesTab) clear() tea.Cmd {
	if !t.pane.Unmark() {
		t.pane.Search("")
	}
	return t.study()
}

// showURLs shows the URLs of the cause in the queue.
func (t *causesTab) showURLs() tea.Cmd {
	c, ok := t.pane.Current()
	if !ok {
		return nil
	}
	r := request{query: t.queue.shown.query, cause: fmt.Sprintf("%s %s", c.Flag, pane.CauseText(c))}
	r.query.Filter = c.Filter()
	return t.queue.show(r)
}
