package postgres_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"visto/review"
)

// Spec 18: a decision takes at most three round trips to the server. A reading asks all at once that it can: the first
// question begins its transaction, and nobody waits for the end of that, which is one more.
func TestRoundTrips(t *testing.T) {
	p, s, _ := openCut(t)
	m, err := s.Meta(t.Context())
	must(t, err)
	var items []review.NewItem
	for i := range 100 {
		items = append(items, review.NewItem{Original: fmt.Sprintf("https://h.es/%d", i)})
	}
	added, err := s.Add(t.Context(), &review.Intake{Reviewer: "ana", Computing: review.Computing{Gen: m.Gen}}, items)
	must(t, err)
	next, batch := 0, int64(0)
	for _, c := range []struct {
		name string
		want int
		do   func(context.Context) error
	}{
		{"the first page", 3, func(ctx context.Context) error {
			_, err := s.Page(ctx, review.Query{}, nil, 20)
			return err
		}},
		{"a page of hosts", 4, func(ctx context.Context) error { // the rest of one, and those after it
			_, err := s.Page(ctx, review.Query{Sort: review.ByHost}, &review.Cursor{ID: added[0].ID}, 120)
			return err
		}},
		{"a URL", 2, func(ctx context.Context) error {
			_, err := s.Item(ctx, added[0].ID)
			return err
		}},
		{"its notes", 1, func(ctx context.Context) error {
			_, err := s.Notes(ctx, added[0].ID)
			return err
		}},
		{"a count", 2, func(ctx context.Context) error {
			_, err := s.Count(ctx, review.Filter{Open: true})
			return err
		}},
		{"a decision", 2, func(context.Context) error {
			r, err := approve(t, s, added[next].ID)
			next, batch = next+1, r.Batch
			return err
		}},
		{"its undo", 9, func(ctx context.Context) error {
			_, err := s.Commit(ctx, review.Revert{Reviewer: "ana", Batch: batch})
			batch--
			return err
		}},
		{"a decision on a hundred", 2, func(ctx context.Context) error {
			c := review.Decide{Reviewer: "ana", Action: review.ActDefer}
			for _, a := range added[:100] {
				c.Decisions = append(c.Decisions, review.ItemDecision{ID: a.ID,
					Decision: review.Decision{Kind: review.Defer}})
			}
			_, err := s.Commit(ctx, c)
			return err
		}},
	} {
		var trips []int
		for range 15 { // connections prepare the questions first
			before := p.count(0)
			must(t, c.do(t.Context()))
			trips = append(trips, p.settled()-before)
		}
		slices.Sort(trips)
		if usual := trips[len(trips)/2]; usual != c.want {
			t.Errorf("%s takes %d round trips, not %d", c.name, usual, c.want)
		}
	}
}

// settled waits until there are no more answers, and returns their number.
func (p *proxy) settled() int {
	for n := p.count(0); ; {
		time.Sleep(10 * time.Millisecond)
		before := n
		if n = p.count(0); n == before {
			return n
		}
	}
}
