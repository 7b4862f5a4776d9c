package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"visto/review"
)

// orderFlags are the flags for the order and length of a list.
type orderFlags struct {
	sort  string
	desc  bool
	limit int
}

func (o *orderFlags) register(a *app, cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.sort, "sort", "id", "`ORDER`: "+strings.Join(namesOf(review.Sorts()), ", "))
	cmd.Flags().BoolVar(&o.desc, "desc", false, "last first")
	cmd.Flags().IntVar(&o.limit, "limit", 0, "at most `N`; 0 means all")
	a.complete(cmd, "sort", namesOf(review.Sorts())...)
	checkFirst(cmd, o.check)
}

// check returns the error in a flag.
func (o *orderFlags) check() error {
	if _, ok := review.ParseSort(o.sort); !ok {
		return noneOf("--sort", o.sort, namesOf(review.Sorts()))
	}
	return checkLimit(o.limit)
}

// query returns the query of the filter in the order of the flags, which have been checked.
func (o *orderFlags) query(f review.Filter) review.Query {
	sort, _ := review.ParseSort(o.sort)
	return review.Query{Filter: f, Sort: sort, Desc: o.desc}
}

func checkLimit(n int) error {
	if n < 0 {
		return fmt.Errorf("--limit: %d is less than 0", n)
	}
	return nil
}

// pageSize is the number of items read at once.
const pageSize = 200

// paged calls read for one page after another, at most limit entries in all (0 means all), until a page is not full.
// read takes the size of the page and returns the number of entries read.
func paged(limit int, read func(n int) (int, error)) error {
	for done := 0; limit == 0 || done < limit; {
		n := pageSize
		if limit > 0 {
			n = min(n, limit-done)
		}
		got, err := read(n)
		if err != nil || got < n {
			return err
		}
		done += got
	}
	return nil
}

// each calls fn for the items of the query in its order, at most limit of them; limit 0 means all.
func each(ctx context.Context, desk *review.Desk, q review.Query, limit int, fn func(review.Item) error) error {
	var from *review.Cursor
	return paged(limit, func(n int) (int, error) {
		page, err := desk.Page(ctx, q, from, n)
		for i := range page {
			if err := fn(page[i]); err != nil {
				return 0, err
			}
			from = q.After(&page[i])
		}
		return len(page), err
	})
}
