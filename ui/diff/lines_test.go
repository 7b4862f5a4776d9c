package diff_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"visto/ui/diff"
)

// marked writes each place as a word of its lines, with a sign before each that differs.
func marked(places [][]diff.Span) string {
	var words []string
	for _, place := range places {
		word := ""
		for _, line := range place {
			word += map[diff.Kind]string{diff.Removed: "-", diff.Added: "+"}[line.Kind] + line.Text
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		before, after string
		around        int
		want          string
	}{
		{"abc", "abc", 1, ""},
		{"", "", 1, ""},
		{"", "ab", 1, "+a+b"},
		{"ab", "", 1, "-a-b"},
		{"abcdef", "abXdef", 1, "b-c+Xd"},
		{"abcdef", "abXdef", 0, "-c+X"},
		{"abcdef", "abXdef", 9, "ab-c+Xdef"},
		{"abcdefgh", "XbcdefgY", 1, "-a+Xb g-h+Y"},
		{"abcde", "XbcdY", 1, "-a+Xb d-e+Y"},
		{"abcd", "XbcY", 1, "-a+Xbc-d+Y"},
		{"abcde", "XbcdY", 2, "-a+Xbcd-e+Y"},
		{"abc", "ac", 1, "a-bc"},
	} {
		got := marked(diff.Lines(strings.Split(c.before, ""), strings.Split(c.after, ""),
			c.around))
		if got != c.want {
			t.Errorf("%q, %q with %d around: %q, want %q", c.before, c.after, c.around, got, c.want)
		}
	}
}

// With all lines around, one place has both texts. With fewer, the lines that differ are the same.
func TestLinesLosesNothing(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	some := func() (list []string) {
		for range rnd.IntN(30) {
			list = append(list, fmt.Sprint(rnd.IntN(6)))
		}
		return list
	}
	of := func(places [][]diff.Span, kinds ...diff.Kind) (list []string) {
		for _, line := range slices.Concat(places...) {
			if slices.Contains(kinds, line.Kind) {
				list = append(list, line.Text)
			}
		}
		return list
	}
	for range 500 {
		before, after := some(), some()
		all := diff.Lines(before, after, 1000)
		if slices.Equal(before, after) {
			if all != nil {
				t.Errorf("%q differs from itself: %q", before, marked(all))
			}
			continue
		}
		if len(all) != 1 || !slices.Equal(of(all, diff.Same, diff.Removed), before) ||
			!slices.Equal(of(all, diff.Same, diff.Added), after) {
			t.Fatalf("%q, %q: %q", before, after, marked(all))
		}
		few := diff.Lines(before, after, rnd.IntN(3))
		for _, k := range []diff.Kind{diff.Removed, diff.Added} {
			if !slices.Equal(of(few, k), of(all, k)) {
				t.Fatalf("%q, %q: %q", before, after, marked(few))
			}
		}
	}
}
