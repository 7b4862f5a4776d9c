package desk_test

import (
	"context"
	"errors"
	"testing"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/pane"
)

// brokenQueue cannot read one of its pages.
type brokenQueue struct {
	desk.Queue
	broken, read int
}

var errPage = errors.New("no page")

func (q *brokenQueue) Page(context.Context, review.Query, *review.Cursor, int) ([]review.Item, error) {
	if q.read++; q.read == q.broken {
		return nil, errPage
	}
	return []review.Item{{ID: 1}}, nil
}

// A window needs all its pages.
func TestWindowOfBrokenPages(t *testing.T) {
	anchor := &review.Item{ID: 2}
	for _, at := range []pane.Place{{}, {End: true}, {Anchor: anchor}, {Anchor: anchor, NextOpen: true}} {
		whole := &brokenQueue{}
		if _, err := desk.Window(t.Context(), whole, review.Query{}, at, pane.Span); err != nil {
			t.Fatal(err)
		}
		for n := range whole.read {
			q := &brokenQueue{broken: n + 1}
			if _, err := desk.Window(t.Context(), q, review.Query{}, at, pane.Span); !errors.Is(err, errPage) {
				t.Errorf("%+v without page %d of %d: %v", at, n+1, whole.read, err)
			}
		}
	}
}
