package desk_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"visto/review"
	"visto/review/candidate"
	"visto/review/cause"
	"visto/review/fault"
	"visto/review/probe"
	"visto/ui/desk"
)

// brokenSearch panics on one item.
type brokenSearch struct{ desk.Prober }

func (brokenSearch) Page(context.Context, review.Query, *review.Cursor, int) ([]review.Item, error) {
	return []review.Item{{ID: 1}, {ID: 2}, {ID: 3}}, nil
}

func (brokenSearch) Correction(context.Context, string) (review.Correction, error) {
	return review.Correction{}, nil
}

func (brokenSearch) Candidates(
	ctx context.Context, q candidate.Question, _ func(probe.Event),
) ([]candidate.Candidate, error) {
	if q.Item == 2 {
		panic("a hostile page")
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

// A fault while a page is read ends the search with an error, and not the program.
func TestFindPagesFault(t *testing.T) {
	var d brokenSearch
	_, err := desk.FindPages(t.Context(), d, d, cause.Cause{N: 3}, nil, time.Time{}, func(int, int) {})
	broken, ok := errors.AsType[*fault.Error](err)
	const place = "brokenSearch.Candidates pages_test.go:"
	if !ok || broken.Value != "a hostile page" || !strings.Contains(err.Error(), place) {
		t.Error(err)
	}
}
