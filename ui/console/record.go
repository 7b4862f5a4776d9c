package console

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/term"
	"visto/ui/wording"
)

// citing returns the filter of all URLs that the records of an item cite, and the names of the records; none if no
// record cites it.
func citing(it *review.Item) (f review.Filter, name string) {
	records := it.Records()
	for _, r := range records {
		f.Records = append(f.Records, r.Number)
	}
	switch len(records) {
	case 0:
	case 1:
		name = term.Truncate(wording.Safe(records[0].String()), 60)
	default:
		name = fmt.Sprintf("%d records", len(records))
	}
	return f, name
}

const noRecord = "no record cites this URL: it stands in plain text"

// showRecord shows all URLs of the record that cites the one under the cursor. The second press brings back the request
// before.
func (q *queueTab) showRecord() tea.Cmd {
	it := q.pane.Current()
	switch {
	case q.showsRecord():
		return q.showBefore()
	case it == nil:
		return nil
	}
	filter, name := citing(it)
	if name == "" {
		return q.warn(noRecord)
	}
	before := q.lasting()
	before.place = q.here()
	return read(q.session, func(ctx context.Context) (int, error) { return q.desk.Count(ctx, filter) },
		func(n int) tea.Cmd {
			if n < 2 {
				return q.warn(name + " cites no other URL")
			}
			cmd := q.show(request{query: review.Query{Filter: filter}, place: before.place})
			q.before = &before
			q.say(q.keyed("the URLs of " + name + ": {clear} goes back"))
			return cmd
		})
}

// showsRecord reports whether the queue shows the URLs of a record in the place of another request.
func (q *queueTab) showsRecord() bool {
	return q.before != nil && len(q.shown.query.Filter.Records) > 0
}

// nextOfRecord opens the next URL of the record that cites the opened one. After the last of them it comes back to the
// URL at which that began.
func (t *detailTab) nextOfRecord() tea.Cmd {
	it := t.subject()
	if it == nil {
		return nil
	}
	here := *it
	filter, name := citing(it)
	if t.walk != nil {
		filter.Records = t.walk
	}
	if len(filter.Records) == 0 {
		return t.warn(noRecord)
	}
	return read(t.session, func(ctx context.Context) (*review.Item, error) {
		return nextAround(ctx, t.queue.desk, review.Query{Filter: filter}, &here)
	}, func(next *review.Item) tea.Cmd {
		switch {
		case t.scope&opened == 0:
			return nil
		case next == nil || next.ID == here.ID:
			return t.warn(name + " cites no other URL")
		}
		return t.walkTo(next, filter.Records)
	})
}

// walkTo opens a URL in the place of the one that the walk through the records has opened before.
func (t *detailTab) walkTo(next *review.Item, records []int64) tea.Cmd {
	if t.walk == nil {
		t.walk, t.walkedFrom = records, t.subject().ID
		t.visited = append(t.visited, *next)
	} else if next.ID == t.walkedFrom {
		t.endVisit()
		return t.say("this is where you began")
	}
	t.visited[len(t.visited)-1] = *next
	return t.say(t.keyed("a URL of the same record: {next-of-the-record} goes on, {back} goes back"))
}

// nextAround returns the item of a query after the given one, or the first one after the last; nil if there is none.
func nextAround(ctx context.Context, d desk.Queue, q review.Query, it *review.Item) (*review.Item, error) {
	items, err := desk.PageAfter(ctx, d, q, it, 1)
	if err == nil && len(items) == 0 {
		items, err = d.Page(ctx, q, nil, 1)
	}
	if err != nil || len(items) == 0 {
		return nil, err
	}
	return &items[0], nil
}
