package console

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/review/cause"
	"visto/review/suggest"
	"visto/ui/desk"
	"visto/ui/pane"
	"visto/ui/widget"
	"visto/ui/wording"
)

// causesDesk is the part of the desk that the causes read.
type causesDesk interface {
	cause.Desk
	suggest.Desk
	desk.Queue
	desk.History
}

// causesTab is the tab of the causes.
type causesTab struct {
	*session
	desk  causesDesk
	queue *queueTab
	rules *rules
	pages *causePages
	pane  pane.Causes

	came arrived // the row under the cursor, or more that its key would settle

	all      survey[desk.Causes]
	mined    *suggest.Result // the suggestions among them
	mining   survey[bool]
	tooMany  bool // it is said that nothing is mined
	studying bool
	pageSeq  int // the newest request for a page of URLs
}

func newCausesTab(s *session, d causesDesk, q *queueTab, r *rules) *causesTab {
	t := &causesTab{session: s, desk: d, queue: q, rules: r}
	t.all = newSurvey(s, inCauses, s.opts.Surveys.Causes.Of(s.who), d, func(ctx context.Context) (desk.Causes, error) {
		return desk.ReadCauses(ctx, d)
	})
	t.all.fresh = true
	t.mining = newSurvey(s, inCauses, &s.opts.Surveys.Mining, d, func(ctx context.Context) (bool, error) {
		return suggest.Renew(ctx, d)
	})
	return t
}

// load groups the whole queue, which takes a while when it is long.
func (t *causesTab) load() tea.Cmd { return t.all.load(t.take) }

func (t *causesTab) take(causes desk.Causes, isNew bool, err error) tea.Cmd {
	switch {
	case err != nil:
		t.warn(wording.Error(err))
	case isNew:
		t.set(causes)
	}
	if !t.all.again { // else the list that comes next has the work of this console in it
		t.pane.EndAwait()
	}
	return tea.Batch(t.study(), t.mine())
}

// set shows causes, and notes when another one came under the cursor by itself, when it got more URLs, or when marks
// went.
func (t *causesTab) set(causes desk.Causes) {
	before, known := t.pane.Current()
	marks := t.pane.Marks()
	t.pane.Set(causes.List)
	t.pane.LeaveOut(causes.More)
	t.mined = causes.Mined
	now, ok := t.pane.Current()
	if known && ok && (!now.Same(before) || now.N > before.N || now.Sole > before.Sole) || t.pane.Marks() != marks {
		t.arrive(&t.came)
	}
}

// studied is a study with the first URLs of its cause.
type studied struct {
	study *cause.Study
	first pane.Page
}

// study studies the cause under the cursor and reads its first URLs, unless they are known.
func (t *causesTab) study() tea.Cmd {
	c, ok := t.pane.Current()
	if !ok || t.studying || t.pane.HasSamples() {
		return nil
	}
	t.studying = true
	known := t.pane.Study()
	return ask(func() (r studied, err error) {
		switch r.study = known; {
		case known != nil:
		case c.Suggestion != nil:
			policy, overrides, err := t.desk.Rules(t.ctx)
			if err == nil {
				r.study = cause.OfSuggestion(c, policy, overrides)
			}
			return r, err
		default:
			r.study, err = t.examine(c)
		}
		if err == nil {
			r.first, err = t.read(c, pane.Place{})
		}
		return r, err
	}, func(r studied, err error) tea.Cmd {
		t.studying = false
		here, ok := t.pane.Current()
		switch {
		case !ok:
		case !here.Same(c): // the cursor has moved on
			return t.study()
		case err != nil:
			t.pane.Fail(wording.Error(err))
		default:
			if known == nil && r.study.Cause.On != "" {
				t.arrive(&t.came) // its hosts can be read from now on
			}
			t.pane.SetStudy(r.study)
			t.pane.SetSamples(r.first)
		}
		return nil
	})
}

// examine studies a cause, and counts the URLs that a rule would settle besides those of the reviewer.
func (t *causesTab) examine(c cause.Cause) (*cause.Study, error) {
	study, err := cause.Examine(t.ctx, t.desk, c)
	if err != nil || t.who.Policy().SecondLook() == 0 {
		return study, err
	}
	decided := c.SoleFilter()
	decided.Reviewers = []string{t.who.Reviewer()}
	all, err := t.desk.Count(t.ctx, decided)
	if err != nil {
		return nil, err
	}
	decided.For = t.who.Reviewer()
	open, err := t.desk.Count(t.ctx, decided)
	study.Half = all - open
	return study, err
}

// read reads a page of the URLs of a cause. Its cost does not depend on their number.
func (t *causesTab) read(c cause.Cause, p pane.Place) (pane.Page, error) {
	return desk.Window(t.ctx, t.desk, review.Query{Filter: c.Filter()}, p, pane.Span/2)
}

// move moves the cursor in the list, or scrolls the URLs where these have its place.
func (t *causesTab) move(motion widget.Motion) tea.Cmd {
	if t.pane.Expanded() {
		return t.scroll(motion)
	}
	return t.step(motion)
}

// step moves the cursor in the list of causes, also while it is hidden.
func (t *causesTab) step(motion widget.Motion) tea.Cmd {
	t.pane.Move(motion)
	return t.study()
}

// scroll scrolls the URLs of the cause under the cursor. It reads more of them before they come into view.
func (t *causesTab) scroll(motion widget.Motion) tea.Cmd {
	if t.pane.ScrollPairs(motion) {
		return nil
	}
	place, wanted := t.pane.Scroll(motion)
	if !wanted {
		return nil
	}
	t.pageSeq++
	seq := t.pageSeq
	c, _ := t.pane.Current()
	return ask(func() (pane.Page, error) { return t.read(c, place) }, func(page pane.Page, err error) tea.Cmd {
		switch here, ok := t.pane.Current(); {
		case seq != t.pageSeq || !ok || !here.Same(c):
		case err != nil:
			t.pane.FailSamples()
			return t.warn(wording.Error(err))
		case t.pane.HasSamples():
			t.pane.SetSamples(page)
		}
		return nil
	})
}

// page scrolls the URLs of the cause by a page, or says that there are no more.
func (t *causesTab) page(motion widget.Motion) tea.Cmd {
	if t.pane.ScrollPairs(motion) {
		return nil
	}
	switch above, below := t.pane.MoreSamples(); {
	case !t.pane.ShowsSamples():
		return t.warn(t.keyed("there is no room for URLs here: {read-the-urls} reads them in full"))
	case motion == widget.PageUp && !above:
		return t.say("these are the first URLs of the cause")
	case motion == widget.PageDown && !below:
		return t.say("these are the last URLs of the cause")
	}
	return t.scroll(motion)
}

// expand gives the URLs of the cause the whole screen, or brings the list back.
func (t *causesTab) expand() tea.Cmd {
	t.pane.Expand()
	return nil
}

func (t *causesTab) click(y int) (again bool, cmd tea.Cmd) {
	again, hit := t.pane.Click(y)
	if !hit || again {
		return again, nil
	}
	return false, t.study()
}

func (t *causesTab) view(v canvas, height int) string {
	keys := t.keyNames()
	if t.mined != nil {
		keys.Mined = wording.Mined(t.mined, t.opts.clock.now())
	}
	return t.pane.View(v.th, keys, v.width, height)
}

// keyNames are the keys that the tab names, as they are bound.
func (t *causesTab) keyNames() pane.CauseKeys {
	keys := pane.CauseKeys{
		Fixes: map[cause.FixKind]string{}, Form: keyOf(t.keys, "override-for-the-cause"),
		Whole: keyOf(t.keys, "urls-of-the-cause"), Under: keyOf(t.keys, "narrow"), Clear: keyOf(t.keys, "clear-causes"),
		Read: keyOf(t.keys, "read-the-urls"), More: keyOf(t.keys, "more-urls"), Less: keyOf(t.keys, "urls-before"),
		Pages: keyOf(t.keys, idOf(citePages)), Dismiss: keyOf(t.keys, idOf(dismissSuggestion)),
		Ask: keyOf(t.keys, idOf(askNetwork)), Network: t.opts.Prober != nil,
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

// unfoldRows is the name of an action.
const unfoldRows = "Unfold rows"

// unfold shows the rows that fold into the one under the cursor, or hides them.
func (t *causesTab) unfold() tea.Cmd {
	if !t.pane.Unfold() {
		return t.warn("no rows fold into this one")
	}
	return t.study()
}

func (t *causesTab) mark() tea.Cmd {
	t.pane.Toggle()
	return t.study()
}

// clear brings back the list, takes away the marks, or the search: the first of these that there is.
func (t *causesTab) clear() tea.Cmd {
	switch {
	case t.pages.stop():
		return t.say("stopped: no more pages are looked for")
	case t.pane.Expanded():
		t.pane.Expand()
	case !t.pane.Unmark():
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
	if c.Suggestion != nil {
		r.cause = pane.CauseText(c)
	}
	r.query.Filter = c.Filter()
	return t.queue.show(r)
}
