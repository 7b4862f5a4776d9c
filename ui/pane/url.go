package pane

import (
	"strings"
	"unicode/utf8"

	"visto/canon"
	"visto/review"
	"visto/ui/term"
)

// Shown returns the URL that stands for an item in a list: the canonical one, or the original if there is none.
func Shown(it *review.Item) string {
	if c := it.Canonical(); c != "" {
		return c
	}
	return canon.MaskUser(it.Original)
}

// urlEnds is the number of bytes at the start and at the end of a URL that a row may show.
const urlEnds = 512

// shownURL returns the URL of an item for a row: without the scheme https, shortened, with the matches of the search.
func shownURL(find *review.Finder, it *review.Item) term.Marked {
	url := Shown(it)
	found := find.Find(url[:runeStart(url, maxShown)])
	scheme := len(url) - len(strings.TrimPrefix(url, "https://"))
	return term.Mark(shorten(url[scheme:], shiftSpans(found, scheme, len(url), -scheme), urlEnds))
}

// urlLine returns an untrusted URL cut to width cells.
func urlLine(url string, width int) string {
	return term.Mark(shorten(url, nil, urlEnds)).Middle(width).Text
}

// shiftSpans returns the spans within [from, to), clipped to it and moved by bytes.
func shiftSpans(found [][]int, from, to, by int) (list [][]int) {
	for _, m := range found {
		if m[0] < to && m[1] > from {
			list = append(list, []int{max(m[0], from) + by, min(m[1], to) + by})
		}
	}
	return list
}

// shorten cuts an untrusted text to its first and last n bytes and the surroundings of its first match, so that the
// cost of a row does not depend on the length of the URL. It returns the matches in the cut text.
func shorten(s string, found [][]int, n int) (string, [][]int) {
	if len(s) <= 2*n {
		return s, found
	}
	parts := [][2]int{{0, n}, {len(s) - n, len(s)}}
	if len(found) > 0 {
		at := found[0][0]
		parts = [][2]int{parts[0], {at - n/4, at + n}, parts[1]}
	}
	var b strings.Builder
	var list [][]int
	end := 0
	for _, part := range parts {
		from, to := max(end, runeStart(s, part[0])), runeStart(s, part[1])
		if from >= to {
			continue
		}
		if from > end {
			b.WriteString("…")
		}
		list = append(list, shiftSpans(found, from, to, b.Len()-from)...)
		b.WriteString(s[from:to])
		end = to
	}
	return b.String(), list
}

// runeStart returns the offset of the rune at byte i, at most the length of the text.
func runeStart(s string, i int) int {
	if i >= len(s) {
		return len(s)
	}
	for back := 1; back < utf8.UTFMax && i > 0 && !utf8.RuneStart(s[i]); back++ {
		i--
	}
	return max(0, i)
}
