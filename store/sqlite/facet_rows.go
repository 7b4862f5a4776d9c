package sqlite

import (
	"cmp"
	"context"
	"slices"

	"visto/review"
)

// dimension says how to count by one: the value, as an expression on item i and what is joined to it, and the values that one
// row stands for.
type dimension struct {
	value, join, cond string
	split             func(string) ([]string, error) // nil: the value itself
}

var dimensions = map[review.Dimension]dimension{
	review.ByLanguage: {value: "i.language", cond: "i.language > ''"},
	review.ByParam:    {value: "i.unknown", cond: "i.unknown > ''", split: splitNames},
	review.ByReviewer: {value: "b.reviewer", join: " CROSS JOIN batch b ON b.id = i.batch_id", cond: "i.batch_id IS NOT NULL"},
}

// Facet counts by a dimension that the tally does not tell apart, in one pass over the items. The empty text is no value.
func (s *Store) Facet(ctx context.Context, f review.Filter, by review.Dimension) ([]review.Bucket, error) {
	counts := map[string]int{}
	err := s.snapshot(ctx, "counting URLs", func(q queryer) error {
		d := dimensions[by]
		walk, err := countWalk(ctx, q, f)
		if err != nil {
			return err
		}
		w := filterItemsBy(f, walk)
		w.and(d.cond)
		query := "SELECT " + d.value + ", count(*) FROM item i" + d.join + w.sql() + " GROUP BY 1"
		return each(ctx, q, query, w.args, func(scan func(...any) error) error { return d.add(scan, counts) })
	})
	return sortedBuckets(counts), err
}

// add adds a row of value and count.
func (d dimension) add(scan func(...any) error, counts map[string]int) error {
	var value string
	var n int
	if err := scan(&value, &n); err != nil {
		return err
	}
	if d.split == nil {
		counts[value] += n
		return nil
	}
	names, err := d.split(value)
	for _, name := range names {
		counts[name] += n
	}
	return err
}

// sortedBuckets returns the counts in order.
func sortedBuckets(counts map[string]int) []review.Bucket {
	var list []review.Bucket
	for value, n := range counts {
		list = append(list, review.Bucket{Value: value, N: n})
	}
	sortBuckets(list)
	return list
}

// sortBuckets puts the largest first, and those of one size in the order of their values.
func sortBuckets(list []review.Bucket) {
	slices.SortFunc(list, func(a, b review.Bucket) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Value, b.Value)) })
}
