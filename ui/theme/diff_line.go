package theme

import (
	"strings"

	"visto/ui/diff"
	"visto/ui/term"
)

// DiffLine shows two URLs in one line of at most width cells, as [-removed-] and {+added+} in one spot: "~
// www.boe.es/diario[-/-]". It is false if they differ in two spots, outside of the path and the query, or do not fit:
// a host that differs is always shown twice. Both must have passed through term.Safe.
func (th *Theme) DiffLine(before, after string, width int) (string, bool) {
	if before == after {
		return "  " + after, term.Width(after)+2 <= width
	}
	removed, added := diff.URLs(before, after)
	start, gone, end := spot(removed)
	startAfter, come, endAfter := spot(added)
	switch {
	case start == "" || start != startAfter || end != endAfter, strings.Contains(start+gone+come, "#"),
		len(start) < hostEnd(before), hostEnd(before) != hostEnd(after):
		return "", false
	}
	line := th.Dim.Render("~ ") + start
	if gone != "" {
		line += th.removed.Styled("[-" + gone + "-]")
	}
	if come != "" {
		line += th.added.Styled("{+" + come + "+}")
	}
	line += end
	return line, term.Width(line) <= width
}

// spot returns the text before the only change among the spans, the change, and the text behind it; start is empty if
// there are several.
func spot(spans []diff.Span) (start, change, end string) {
	if len(spans) == 0 || spans[0].Kind != diff.Same || len(spans) > 3 {
		return "", "", ""
	}
	start = spans[0].Text
	if len(spans) > 1 {
		change = spans[1].Text
	}
	if len(spans) > 2 {
		end = spans[2].Text
	}
	return start, change, end
}

// hostEnd returns the offset at which the host of a URL ends.
func hostEnd(url string) int {
	at := strings.Index(url, "://") + len("://")
	if n := strings.IndexAny(url[at:], `/\?#`); n >= 0 {
		return at + n
	}
	return len(url)
}
