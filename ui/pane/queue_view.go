package pane

import (
	"fmt"

	"visto/canon"
	"visto/review"
	"visto/ui/term"
	"visto/ui/theme"
)

// flagsWidth is the width of the flags column: the longest flag name and a number.
const flagsWidth = 23

// View draws the visible rows.
func (q *Queue) View(th *theme.Theme, width, height int, empty string) string {
	lines := rows(&q.list, len(q.items), height, func(i int) string { return q.row(th, i, width) })
	if len(q.items) == 0 {
		return emptyView(th, q.loaded, empty, width, height)
	}
	return lines
}

// row draws one item. The row under the cursor has no inner styles, so that its background has no gaps.
func (q *Queue) row(th *theme.Theme, i, width int) string {
	it := &q.items[i]
	marked := q.marks.has(it, q.Current())
	here := i == q.list.Cursor
	pick := func(s string, yes bool) string {
		if yes {
			return s
		}
		return " "
	}
	lead := pick("▌", here) + pick("*", marked) + StatusSign(it) + " "
	flags := term.Pad(flagsText(it), flagsWidth)
	rest := q.columns(it, width-term.Width(lead)-flagsWidth-1)
	if here {
		return th.SelectedFound(term.Marked{Text: lead + flags + " "}.Plus(rest))
	}
	return th.Bold.Render(lead) + statusStyle(th, it).Render(flags) + " " + th.Found(th.Text, rest)
}

// columns returns the URL and, on a wide screen, the field in which it was found. The scheme https is left out.
func (q *Queue) columns(it *review.Item, width int) term.Marked {
	if width < 90 {
		return shownURL(q.find, it).Middle(width).Pad(width)
	}
	url := shownURL(q.find, it).Middle(width - 17).Pad(width - 17)
	return url.Plus(term.Marked{Text: " " + term.Pad(safe(it.Source.Field, 16), 16)})
}

// StatusSign returns one character for the status of an item, readable without colour.
func StatusSign(it *review.Item) string {
	if it.Status == review.Approved && it.Open() {
		return "!"
	}
	return statusSigns[it.Status]
}

var statusSigns = [...]string{
	review.Pending: "?", review.Accepted: "·", review.Approved: "✓", review.Rejected: "✗", review.Deferred: "»",
}

// Statuses are the statuses in the order of the facets and the statistics.
var Statuses = []review.Status{review.Pending, review.Deferred, review.Accepted, review.Approved, review.Rejected}

// flagsText returns the first flag and the number of others, or the status of an item without flags to review.
func flagsText(it *review.Item) string {
	codes := it.Computed.Flags.Codes()
	switch {
	case it.Computed.Verdict == canon.Rejected:
		return it.Computed.Reason.String()
	case it.Open() && len(codes) > 0 || it.Status == review.Deferred && len(codes) > 0:
		text := codes[0].String()
		room := flagsWidth
		if len(codes) > 1 {
			room -= len(" +1")
		}
		if codes[0] == canon.UnknownParam && len(it.Computed.Unknown) > 0 {
			text = paramsText(it.Computed.Unknown, room)
		}
		for _, c := range []canon.Code{canon.SuspiciousHost, canon.ChangedSinceApproval} { // must not be overlooked
			if it.Computed.Flags.Has(c) {
				text = c.String()
			}
		}
		if len(codes) > 1 {
			return fmt.Sprintf("%s +%d", term.Truncate(text, flagsWidth-3), len(codes)-1)
		}
		return text
	}
	return it.Status.String()
}

// paramsText names parameters in width cells, two of them at least: a third one and more become a number.
func paramsText(names []string, width int) string {
	head, tail := "param ", ""
	if len(names) > 2 {
		tail = fmt.Sprintf(" %d more", len(names)-2)
		names = names[:2]
	}
	if len(names) == 1 {
		return head + safe(names[0], width-len(head))
	}
	room := width - len(head) - len(",") - len(tail)
	first, second := safe(names[0], room), safe(names[1], room)
	share := max(room-term.Width(second), room/2)
	first = term.Middle(first, share)
	return head + first + "," + term.Middle(second, room-term.Width(first)) + tail
}

func statusStyle(th *theme.Theme, it *review.Item) style {
	switch {
	case it.Open():
		return th.Warn
	case it.Status == review.Rejected:
		return th.Error
	case it.Status == review.Deferred:
		return th.Dim
	}
	return th.OK
}
