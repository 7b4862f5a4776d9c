package console

import (
	"context"
	"errors"
	"testing"

	tea "charm.land/bubbletea/v2"

	"visto/review"
)

// slowDesk finds nothing for one text, and keeps the reason for which each such search ended.
type slowDesk struct {
	Desk
	ended []error
}

func (d *slowDesk) Page(ctx context.Context, q review.Query, from *review.Cursor, n int) ([]review.Item, error) {
	if q.Filter.Search != "zz" {
		return d.Desk.Page(ctx, q, from, n)
	}
	d.ended = append(d.ended, ctx.Err())
	return nil, ctx.Err()
}

// A slow search says that it is in progress, and the next request cancels it.
func TestSearchEnds(t *testing.T) {
	desk := &slowDesk{Desk: newDesk(t)}
	s := openScreen(t, desk, 80, 24)
	slow := s.model.queue.show(request{query: review.Query{Filter: review.Filter{Search: "zz"}}})
	s.model.Update(nil)
	s.shows("searching…", "with “zz”")
	s.run(s.model.queue.show(request{query: review.Query{Filter: review.Filter{Search: "sepe"}}}))
	s.lacks("searching…").shows("with “sepe”")
	for _, cmd := range slow().(tea.BatchMsg) {
		s.send(cmd())
	}
	if len(desk.ended) != 1 || !errors.Is(desk.ended[0], context.Canceled) {
		t.Errorf("the search ended with %v", desk.ended)
	}
	s.shows("with “sepe”").lacks("canceled", "Nothing matches")
}

// A key that comes before the list is not told that there is no URL.
func TestKeysBeforeTheList(t *testing.T) {
	s := openScreen(t, newDesk(t), 80, 24, "/", "type:nowhere", "enter", "a").shows("there is no URL here")
	list := s.model.queue.show(request{query: review.Query{Filter: review.Filter{Open: true}}})
	s.keys("a").shows("the list is still being read").keys("P").shows("the list is still being read").run(list)
	s.keys("a").shows("approved: URL 1")
}
