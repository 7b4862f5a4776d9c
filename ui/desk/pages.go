package desk

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"visto/canon"
	"visto/review"
	"visto/review/candidate"
	"visto/review/cause"
	"visto/review/fault"
	"visto/review/probe"
	"visto/ui/pane"
)

// pagesDesk is the part of a desk that is read to find pages.
type pagesDesk interface {
	Page(ctx context.Context, q review.Query, from *review.Cursor, n int) ([]review.Item, error)
	Correction(ctx context.Context, typed string) (review.Correction, error)
}

// manyAtOnce is the number of questions that are answered at the same time.
const manyAtOnce = 4

// FindPages finds the pages to cite in the place of the first URLs of a cause, up to [cause.PagesAtOnce], each by a
// question of its own. It leaves out the items with the IDs in but; if there is no other, it leaves out none. Only a
// page that clearly fits best is taken (see [candidate.Clear]), and only if it can be cited as a correction. told is
// called, one at a time, with the number of questions that are answered. An error that all questions would have ends
// the search: no network, another program that probes, or the end of ctx.
func FindPages(
	ctx context.Context, d pagesDesk, p Prober, c cause.Cause, but []int64, now time.Time, told func(done, of int),
) ([]pane.PageFor, error) {
	items, err := nextOf(ctx, d, c, but)
	if err != nil {
		return nil, err
	}
	list := make([]pane.PageFor, len(items))
	var mu sync.Mutex
	done := 0
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(manyAtOnce)
	for i, it := range items {
		list[i].Item = it
		work.Go(func() error {
			err := fault.Do(func() (err error) {
				list[i], err = findPage(ctx, d, p, it, now)
				return err
			})
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			done++
			told(done, len(items))
			return nil
		})
	}
	return list, work.Wait()
}

// nextOf returns the first items of a cause but some, or of all if these are all.
func nextOf(ctx context.Context, d pagesDesk, c cause.Cause, but []int64) ([]review.Item, error) {
	q := review.Query{Filter: c.Filter()}
	q.Filter.NotIDs = but
	items, err := d.Page(ctx, q, nil, cause.PagesAtOnce)
	if err != nil || len(items) > 0 {
		return items, err
	}
	return d.Page(ctx, review.Query{Filter: c.Filter()}, nil, cause.PagesAtOnce)
}

// findPage finds the page for one item, or why it stays.
func findPage(ctx context.Context, d pagesDesk, p Prober, it review.Item, now time.Time) (pane.PageFor, error) {
	page := pane.PageFor{Item: it}
	if n := len(it.Citers(nil)); n > 1 {
		page.Stays = fmt.Sprintf("%d records cite it, and each wants another page", n)
		return page, nil
	}
	found, err := p.Candidates(ctx, candidate.Question{Item: it.ID, Now: now}, func(probe.Event) {})
	var taken *review.LeaseError
	switch {
	case ctx.Err() != nil, errors.Is(err, probe.ErrOffline), errors.As(err, &taken):
		return page, err
	case err != nil:
		page.Stays = err.Error()
		return page, nil
	}
	page.Found = found
	if page.Page, page.Stays = candidate.Clear(found); page.Stays != "" {
		return page, nil
	}
	checked, err := d.Correction(ctx, page.Page.URL)
	if err == nil && checked.Result.Verdict == canon.Rejected {
		page.Stays = "the best page cannot be cited: " + checked.Result.Reason.String()
	}
	return page, err
}

// Citations are the corrections of items to the pages that were found for them.
func Citations(list []pane.PageFor) []review.Citation {
	var citations []review.Citation
	for _, f := range list {
		if f.Stays == "" {
			citations = append(citations, review.Citation{
				Choice: review.Choice{Kind: review.Correct, Canonical: f.Page.URL},
				Target: review.Target{ID: f.Item.ID, Rev: f.Item.Rev}, Page: f.Page.Report})
		}
	}
	return citations
}
