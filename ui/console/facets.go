package console

import (
	"context"
	"sync"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/dialog"
	"visto/ui/wording"
)

// faceter narrows the queue by facets and counts them in the background. A new count cancels the one before.
type faceter struct {
	*session
	desk   desk.Queue
	queue  *queueTab
	cancel context.CancelFunc // of the count
}

// ask opens the facets and counts them.
func (f *faceter) ask() tea.Cmd {
	shown := f.queue.shown
	filter := shown.query.Filter
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

// count counts each group under the choices in the others. The readings run one after the other: at the same time they
// would take SQLite three times the memory.
func (f *faceter) count(filter review.Filter) tea.Cmd {
	f.cancel()
	ctx, cancel := context.WithCancel(f.ctx)
	f.cancel = cancel
	var one sync.Mutex
	var cmds []tea.Cmd
	for _, count := range desk.FacetCounts(filter) {
		cmds = append(cmds, ask(func() (map[string][]dialog.Facet, error) {
			one.Lock()
			defer one.Unlock()
			return count.Read(ctx, f.desk)
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
