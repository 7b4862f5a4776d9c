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

func (o *orderFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.sort, "sort", "id", "`ORDER`: "+strings.Join(sortNames(), ", "))
	cmd.Flags().BoolVar(&o.desc, "desc", false, "last first")
	cmd.Flags().IntVar(&o.limit, "limit", 0, "at most `N`; 0 means all")
	complete(cmd, "sort", sortNames)
}

func sortNames() []string {
	var names []string
	for _, s := range review.Sorts() {
		names = append(names, s.String())
	}
	return names
}

func (o *orderFlags) query(cmd *cobra.Command, f review.Filter) (review.Query, error) {
	sort, ok := review.ParseSort(o.sort)
	if !ok {
		err := fmt.Errorf("--sort: %q is none of %s", o.sort, strings.Join(sortNames(), ", "))
		return review.Query{}, usage(cmd, err)
	}
	if o.limit < 0 {
		return review.Query{}, usage(cmd, fmt.Errorf("--limit: %d is less than 0", o.limit))
	}
	return review.Query{Filter: f, Sort: sort, Desc: o.desc}, nil
}

// pageSize is the number of items read at once.
const pageSize = 200

// each calls fn for the items of the query in its order, at most limit of them; limit 0 means all.
func each(ctx context.Context, desk *review.Desk, q review.Query, limit int, fn func(review.Item) error) error {
	var from *review.Cursor
	for done := 0; ; {
		want := pageSize
		if limit > 0 {
			want = min(want, limit-done)
		}
		if want == 0 {
			return nil
		}
		page, err := desk.Page(ctx, q, from, want)
		if err != nil {
			return err
		}
		for i := range page {
			if err := fn(page[i]); err != nil {
				return err
			}
		}
		if done += len(page); len(page) < want {
			return nil
		}
		from = q.After(&page[len(page)-1])
	}
}
