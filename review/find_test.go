package review_test

import (
	"fmt"
	"testing"

	"visto/review"
)

func TestFinderSaysWhere(t *testing.T) {
	for _, c := range []struct {
		filter review.Filter
		text   string
		want   string
	}{
		{review.Filter{Search: "SEPE"}, "Sepe.sepe", "[[0 4] [5 9]]"},
		{review.Filter{Search: "aa"}, "aaaaa", "[[0 4]]"},
		{review.Filter{Search: "ñ"}, "Ñañ", "[[3 5]]"}, // only the case of ASCII letters is ignored
		{review.Filter{Search: "."}, "a", "[]"},
		{review.Filter{Regexp: "ñ+"}, "Ñañ", "[[0 2] [3 5]]"},
		{review.Filter{Regexp: "x*"}, "axxb", "[[1 3]]"},
		{review.Filter{Search: "ab", Regexp: "bc|z"}, "xabcxz", "[[1 4] [5 6]]"},
		{review.Filter{}, "a", "[]"},
	} {
		find, err := c.filter.Finder()
		if got := fmt.Sprint(find.Find(c.text)); err != nil || got != c.want {
			t.Errorf("%+v in %q: %s, not %s (%v)", c.filter.String(), c.text, got, c.want, err)
		}
	}
	if find, err := (review.Filter{}).Finder(); err != nil || find != nil {
		t.Errorf("a Finder of nothing: %v, %v", find, err)
	}
	if find, err := (review.Filter{Regexp: "("}).Finder(); err == nil || find != nil {
		t.Error("a pattern that is none")
	}
}
