package widget

import (
	"slices"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"visto/ui/term"
)

// around returns the safe text around rune pos of a line that fits into width cells, and the column of pos. A combining
// mark stands on the letter before it, unless pos is between the two: then it is an escape, so that the cursor has a
// column of its own.
func around(runes []rune, pos, width int) (text string, column int) {
	width = max(width, 2)
	near := width * maxRunes
	for _, shown := range slices.Backward(characters(runes[max(0, pos-near):pos])) {
		w := term.Width(shown)
		if column+w > width-1 {
			break
		}
		text, column = shown+text, column+w
	}
	used := column
	for _, shown := range characters(runes[pos:min(len(runes), pos+near)]) {
		if used += term.Width(shown); used > width {
			break
		}
		text += shown
	}
	return text, column
}

// maxRunes is the number of runes assumed for one cell at most. It bounds the cost of drawing a long line.
const maxRunes = 8

// characters returns the safe text of each character with its combining marks.
func characters(runes []rune) (list []string) {
	for it := graphemes.FromString(string(runes)); it.Next(); {
		list = append(list, term.Safe(it.Value()))
	}
	return list
}
