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
		{review.Filter{Search: "ñ"}, "Ñañ", "[[0 2] [3 5]]"},
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

// Spec 10: who types without accents finds the words with them. The match is where the words are, also where the fold
// has more or fewer bytes, and it cuts no letter from its marks.
func TestFinderFolds(t *testing.T) {
	for _, c := range []struct{ search, text, want string }{
		{"inscripcion", "La Inscripción. INSCRIPCIÓN", "[La ][Inscripción][. ][INSCRIPCIÓN]"},
		{"INSCRIPCIÓN", "la inscripcion", "[la ][inscripcion]"},
		{"inscripcion", "la inscripcio\u0301n y", "[la ][inscripcio\u0301n][ y]"},
		{"inscripcio", "la inscripcio\u0301n", "[la ][inscripcio\u0301][n]"},
		{"i", "İ i\u0307 ıK", "[İ][ ][i\u0307][ ıK]"},
		{"k", "\u212ax", "[\u212a][x]"}, // the Kelvin sign has three bytes, k has one
		{"espana", "¡ESPAÑA!", "[¡][ESPAÑA][!]"},
		{"가", "한가각", "[한][가각]"},
		{"ᄀ", "가나", "[가][나]"},
		{"σ", "Σxς", "[Σ][x][ς]"},
		{"strasse", "Straße.", "[Straße][.]"},
		{"s", "ßa", "[ß][a]"},
		{"fi", "o\ufb01cina", "[o][\ufb01][cina]"},
		{"कि", "की कि", "[की ][कि]"},                                 // the marks are vowels
		{"\u09be", "\u0995\u09cb\u09ac", "[\u0995][\u09cb][\u09ac]"}, // a part of a composed vowel
		{"\xff", "a\xffb�", "[a][\xff][b�]"},
		{"\u0301", "é", "[é]"},
	} {
		find, err := review.Filter{Search: c.search}.Finder()
		if err != nil {
			t.Fatal(err)
		}
		got, from := "", 0
		cut := func(to int) {
			if to > from {
				got += "[" + c.text[from:to] + "]"
			}
			from = to
		}
		for _, m := range find.Find(c.text) {
			cut(m[0])
			cut(m[1])
		}
		if cut(len(c.text)); got != c.want {
			t.Errorf("%q in %q: %q, not %q", c.search, c.text, got, c.want)
		}
	}
}
