package review_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"visto/review"
)

func TestFold(t *testing.T) {
	for _, c := range [][2]string{
		{"ATENCIÓN", "atencion"}, {"atencio\u0301n", "atencion"}, {"Muñoz", "munoz"}, {"Mun\u0303oz", "munoz"},
		{"Plaça", "placa"}, {"pingüí", "pingui"}, {"Teléfono", "telefono"}, {"L·L nº", "l·l nº"}, {"Œ Ø", "œ ø"},
		{"STRASSE Straße ẞ", "strasse strasse ss"}, {"o\ufb01cina", "oficina"}, {"ΟΔΟΣ οδός", "οδοσ οδοσ"},
		{"ᾼ \u212b \u212a İ ı", "α a k i ı"}, {"Ёлка й", "елка и"}, {"مُحَمَّد", "محمد"}, {"Ꭰ", "Ꭰ"},
		{"\u0958 \u0915\u093c", "\u0915\u093c \u0915\u093c"}, {"हिन्दी", "हिन्दी"}, {"が か", "か\u3099 か"},
		{"\u05e9\u05c1\u05bc \ufb2c", "\u05e9\u05bc\u05c1 \u05e9\u05bc\u05c1"}, {"\ufffd", "\ufffd"},
		{"\u0301", ""}, {"a\u0301\u0301b", "ab"}, {"a\x00\xffÉ\xc3", "a\x00\xffe\xc3"}, {"", ""},
	} {
		text, want := c[0], c[1]
		if got := review.Fold(text); got != want {
			t.Errorf("the fold of %q is %q, not %q", text, got, want)
		}
	}
}

// The fold of each character is that of its upper case, its lower case, and its composed and decomposed forms, and
// folding it again changes nothing. Characters above the limit have no other form.
func TestFoldOfEachCharacter(t *testing.T) {
	for r := range rune(0x30000) {
		text := string(r)
		want := review.Fold(text)
		forms := []string{want, norm.NFC.String(text), norm.NFD.String(text), strings.ToLower(text)}
		if r != 'ı' && r != '\u0345' { // their upper case is that of another letter too
			forms = append(forms, strings.ToUpper(text))
		}
		for _, same := range forms {
			if got := review.Fold(same); got != want {
				t.Errorf("the fold of %U is %+q, that of %+q is %+q", r, want, same, got)
			}
		}
	}
}

// What holds for characters holds for texts. The fold of a part between letters is a part of the fold, and a Finder
// finds it there.
func FuzzFold(f *testing.F) {
	for _, text := range []string{"Atención: Muñoz", "a\u0301\u05c1\u05bcb", "\xff\u0301\xc3\xb1", "한가각",
		"e\u0301\u0323", "\xcd\u0338\x81\xbc", "\xf7\u0340\xf7"} {
		f.Add(text, uint(1), uint(3))
	}
	f.Fuzz(func(t *testing.T, text string, from, to uint) {
		if len(text) > 60 {
			return // more than 30 marks in a row have no order that package norm keeps
		}
		folded := review.Fold(text)
		forms := []string{folded, norm.NFC.String(text), norm.NFD.String(text)}
		if utf8.ValidString(text) {
			forms = append(forms, strings.ToLower(text))
		}
		for _, same := range forms {
			if got := review.Fold(same); got != folded {
				t.Errorf("the fold of %+q is %+q, that of %+q is %+q", text, folded, same, got)
			}
		}
		part := partOf(text, from, to)
		if !strings.Contains(folded, review.Fold(part)) {
			t.Errorf("the fold of %+q lacks %+q", text, part)
		}
		find, err := review.Filter{Search: part}.Finder()
		if err != nil {
			t.Fatal(err)
		}
		if found := find.Find(text) != nil; found != (review.Fold(part) != "") {
			t.Errorf("%+q in %+q: found is %v", part, text, found)
		}
	})
}

// partOf returns the text between two of its letters.
func partOf(text string, from, to uint) string {
	at := []int{0}
	for at[len(at)-1] < len(text) {
		last := at[len(at)-1]
		at = append(at, last+norm.NFD.NextBoundaryInString(text[last:], true))
	}
	a, b := at[from%uint(len(at))], at[to%uint(len(at))]
	return text[min(a, b):max(a, b)]
}
