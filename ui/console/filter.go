package console

import (
	"context"
	"slices"
	"sync"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/dialog"
	"visto/ui/wording"
)

// clear drops the first of these: a range, "only marked" or the URLs of a record, the marks, the search with facets
// and cause.
func (q *queueTab) clear() tea.Cmd {
	switch _, _, ranging := q.pane.Range(); {
	case ranging:
		q.pane.DropRange()
	case q.before != nil:
		return q.showBefore()
	case q.pane.Marks() > 0:
		q.pane.ClearMarks()
	case q.narrowed():
		r := request{query: q.shown.query, place: q.here()}
		r.query.Filter = review.Filter{Open: true}
		return q.show(r)
	}
	return nil
}

// showBefore returns from "only marked", or from the URLs of a record to the one at which these were asked for.
func (q *queueTab) showBefore() tea.Cmd {
	r := *q.before
	if !q.showsRecord() {
		r.place = q.here()
	}
	return q.show(r)
}

// narrowed reports whether the queue shows anything but all URLs that wait for a person.
func (q *queueTab) narrowed() bool {
	return q.shown.cause != "" || q.shown.query.Filter.String() != review.Waiting
}

// filterParts describes the filter, in untrusted text, and in the order of doubt the place of the current URL in it.
func (q *queueTab) filterParts() []review.Part {
	f := q.shown.query.Filter
	parts := f.Parts()
	if q.shown.cause != "" {
		searched := review.Filter{Open: true, Search: f.Search, Regexp: f.Regexp}
		parts = slices.Insert(searched.Parts(), 1, review.Part{Text: q.shown.cause, Short: q.shown.cause})
	}
	if q.shown.query.Sort == review.ByDoubt {
		order := desk.OrderName(q.shown.query)
		text := order
		if it := q.pane.Current(); it != nil {
			text += ": " + wording.Doubt(it.Computed.Flags)
		}
		parts = append(parts, review.Part{Text: text, Short: order})
	}
	return parts
}

func (q *queueTab) askSort() tea.Cmd {
	menu := &dialog.Menu{Title: "Sort", Hint: "sort so"}
	at := 0
	for i, o := range desk.Orders {
		r := q.shown
		r.query.Sort, r.query.Desc = o.Sort, o.Desc
		menu.Rows = append(menu.Rows, dialog.Row{Name: o.Name, Do: q.showing(r)})
		if o.Sort == q.shown.query.Sort && o.Desc == q.shown.query.Desc {
			at = i
			menu.Rows[i].Text = "now"
		}
	}
	return q.openMenu(menu, at)
}

// showing is the action of a dialog that shows a request.
func (q *queueTab) showing(r request) action { return q.closing(with(q.show, r)) }

// sortBy sorts by the word for an order.
func (q *queueTab) sortBy(word string) tea.Cmd {
	r := request{query: q.shown.query, cause: q.shown.cause}
	var err error
	if r.query.Sort, r.query.Desc, err = desk.ParseOrder(word); err != nil {
		return q.warn(wording.Safe(err.Error()))
	}
	return q.show(r)
}

// searchFor shows the URLs with a text in them.
func (q *queueTab) searchFor(text string) tea.Cmd {
	r := request{query: q.shown.query, cause: q.shown.cause}
	r.query.Filter.Search, r.query.Filter.Regexp = review.ParseSearch(text)
	return q.show(r)
}

// facetsDesk is the part of the desk that the facets read.
type facetsDesk interface {
	desk.Queue
	desk.History
}

// faceter narrows the queue by facets and counts them in the background. A new count cancels the one before.
type faceter struct {
	*session
	desk   facetsDesk
	queue  *queueTab
	cancel context.CancelFunc // of the count
}

// ask opens the facets and counts them.
func (f *faceter) ask() tea.Cmd {
	shown := f.queue.shown
	filter := shown.query.Filter
	filter.Me = f.who.Reviewer()
	d := dialog.NewFacets(desk.FacetGroups, desk.Chosen(filter))
	d.Apply = func(chosen []dialog.Facet) dialog.Action {
		r := request{query: shown.query, today: shown.today}
		r.query.Filter = desk.Narrowed(filter, chosen)
		return f.queue.showing(r)
	}
	d.Recount = func(chosen []dialog.Facet) dialog.Action {
		return action(func() tea.Cmd { return f.count(desk.Narrowed(filter, chosen)) })
	}
	d.Typed = desk.TypedHost
	f.open(d)
	return f.count(filter)
}

// count counts each group under the choices in the others, with all that this console wrote. The readings run one after
// the other: at the same time they would take SQLite three times the memory.
func (f *faceter) count(filter review.Filter) tea.Cmd {
	f.cancel()
	ctx, cancel := context.WithCancel(f.ctx)
	f.cancel = cancel
	after := f.wroteAt
	var one sync.Mutex
	var cmds []tea.Cmd
	for _, count := range desk.FacetCounts(f.who, filter) {
		cmds = append(cmds, ask(func() (map[string][]dialog.Facet, error) {
			one.Lock()
			defer one.Unlock()
			from := sourceOf(ctx, f.session, f.desk, func(ctx context.Context) (map[string][]dialog.Facet, error) {
				return count.Read(ctx, f.desk)
			})
			counts, _, _, err := f.opts.Surveys.Facets.Of(count).Get(from, after)
			return counts, err
		}, func(counts map[string][]dialog.Facet, err error) tea.Cmd {
			if ctx.Err() == nil {
				f.take(counts, err)
			}
			return nil
		}))
	}
	return tea.Batch(cmds...)
}

func (f *faceter) take(counts map[string][]dialog.Facet, err error) {
	d, ok := f.dialog.(*dialog.Facets)
	switch {
	case !ok:
	case err != nil:
		f.closeDialog()
		f.warn(wording.Error(err))
	default:
		for group, list := range counts {
			d.SetGroup(group, list)
		}
	}
}
