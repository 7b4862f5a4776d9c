package desk

import (
	"context"
	"strings"

	"visto/review"
)

// Own returns the filter without the URLs that wait for the approval of another person after that of the reviewer, if
// it is of all waiting URLs: they are no longer the reviewer's work.
func Own(ctx context.Context, d Queue, who Identity, f review.Filter) (review.Filter, error) {
	chosen := f.Statuses != nil || f.Reviewers != nil || f.IDs != nil || f.Records != nil
	if who.Policy().SecondLook() == 0 || !f.Open || chosen {
		return f, nil
	}
	mine, own := f, f
	mine.Reviewers = []string{who.Reviewer()}
	err := d.Each(ctx, mine, func(it review.Item) error {
		if first := it.FirstLook(); first != nil && strings.EqualFold(first.Reviewer, who.Reviewer()) {
			own.NotIDs = append(own.NotIDs[:len(own.NotIDs):len(own.NotIDs)], it.ID)
		}
		return nil
	})
	return own, err
}
