package pane

import (
	"strings"
	"unicode/utf8"

	"visto/review"
	"visto/ui/term"
)

// SetFinder says what a search looks for: it is marked where it is shown.
func (q *Queue) SetFinder(f *review.Finder) { q.find = f }

// SetFinder says what a search looks for: it is marked where it is shown.
func (d *Detail) SetFinder(f *review.Finder) { d.find, d.stale = f, true }

// maxShown is how much of one untrusted text is shown, and searched for what is to be marked.
const maxShown = 4096

// marked makes untrusted text safe, as much of it as is shown, and marks what was found in it.
func marked(find *review.Finder, s string) term.Marked {
	if len(s) <= maxShown {
		return term.Mark(s, find.Find(s))
	}
	clipped := term.Clip(s, maxShown)
	return term.Mark(clipped, find.Find(clipped[:strings.LastIndex(clipped, "…")]))
}

// urlEnds is how many bytes of the start of a URL, and of its end, a line of a list may show.
const urlEnds = 512

// shownURL is the URL of an item in a list: without the scheme if that is https, and of a long one the parts that may be shown.
func shownURL(find *review.Finder, it *review.Item) term.Marked {
	url := Shown(it)
	found := find.Find(url[:runeStart(url, maxShown)])
	scheme := len(url) - len(strings.TrimPrefix(url, "https://"))
	return term.Mark(shorten(url[scheme:], shiftSpans(found, scheme, len(url), -scheme), urlEnds))
}

// urlLine is a URL in a line of width cells at most.
func urlLine(url string, width int) string {
	return term.Mark(shorten(url, nil, urlEnds)).Middle(width).Text
}

// shiftSpans returns what of the matches lies between two places of a text, for that part of it standing by bytes further on.
func shiftSpans(found [][]int, from, to, by int) (list [][]int) {
	for _, m := range found {
		if m[0] < to && m[1] > from {
			list = append(list, []int{max(m[0], from) + by, min(m[1], to) + by})
		}
	}
	return list
}

// shorten cuts untrusted text to its first and last n bytes and what is around the first match, so that a row costs the same
// however long the URL is.
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

// runeStart returns the place, at byte i or before it, at which a character of the text begins or the text ends.
func runeStart(s string, i int) int {
	if i >= len(s) {
		return len(s)
	}
	for back := 1; back < utf8.UTFMax && i > 0 && !utf8.RuneStart(s[i]); back++ {
		i--
	}
	return max(0, i)
}
