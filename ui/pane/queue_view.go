package pane

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/review/health"
	"visto/ui/presence"
	"visto/ui/term"
	"visto/ui/theme"
)

// The widths of the columns in cells.
const (
	leadWidth   = 6  // cursor, mark, status, change
	flagsWidth  = 23 // at most: the longest flag name and a number
	narrowFlags = 18 // beside the names of records, on a narrow screen
	fieldWidth  = 16
	minName     = 10 // of a record; with less room it is left out
	maxURL      = 64 // for which the list grows
	maxName     = 60
	usualName   = 32 // in a column of its own
)

// widest are the greatest widths of the texts of the kept items in cells. codes are the flags with no parameter named.
type widest struct{ flags, codes, url, host, name int }

func widestOf(items []review.Item) (w widest) {
	for i := range items {
		it := &items[i]
		flags := term.Width(flagsText(it, flagsWidth))
		w.flags = max(w.flags, flags)
		if namesParams(it) {
			flags = min(flags, len(canon.UnknownParam.String()+moreFlags(it)))
		}
		w.codes = max(w.codes, flags)
		url := shownURL(nil, it).Text
		w.url, w.host = max(w.url, min(term.Width(url), maxURL)), max(w.host, hostRoom(url))
		if name := recordName(it); name != "" {
			w.name = max(w.name, min(term.Width(safe(name, maxName))+len(moreRecords(it)), maxName))
		}
	}
	return w
}

// Width returns the width in cells at which no row is cut, but for its longest URLs and names.
func (q *Queue) Width() int {
	w := leadWidth + q.widest.flags + 1 + q.widest.url + 1 // the bar
	if q.named {
		w += 1 + q.widest.name
	}
	return w
}

// View draws the visible rows.
func (q *Queue) View(th *theme.Theme, width, height int, empty string) string {
	rows := height - q.headLines()
	q.list.Resize(len(q.items), rows)
	if len(q.items) == 0 {
		return emptyView(th, q.loaded, empty, width, height)
	}
	text := scrolled(th, &q.list, q.extent(), width, rows, func(i, width int) string { return q.row(th, i, width) })
	if len(q.chosen) > 0 {
		return q.columnsHead(th, width) + "\n" + text
	}
	return text
}

// columns are the widths of the flags, the URL and the text beside it; that is 0 if there is none.
type columns struct{ flags, url, beside int }

// columns lays out rows of the given width. Beside the URL stands the record that cites it, in three eighths of the room
// or what the URLs leave, less where hosts need it, so that the names stand in one column; where a row would be cut, the
// names of parameters do not widen the column of the flags. If no item has a record, the field in which it was found
// stands there, on a wide screen.
func (q *Queue) columns(width int) columns {
	c := columns{flags: q.widest.flags}
	if q.named && width < q.Width() {
		c.flags = q.widest.codes
	}
	if q.named && width < 85 {
		c.flags = min(c.flags, narrowFlags)
	}
	room := width - leadWidth - c.flags - 1
	switch {
	case q.named && width >= 60:
		c.beside = min(max(room*3/8, room-q.widest.url-1), q.widest.name)
		c.beside = min(c.beside, max(room-q.widest.host-1, minName+4, room/4)) // a longer host takes room alone
	case !q.named && room >= 90:
		c.beside = fieldWidth
	}
	if c.url = room; c.beside > 0 {
		c.url -= c.beside + 1
	}
	return c
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
	change := changeOf(it)
	lead := pick(signCursor, here) + pick(signMarked, marked) + StatusSign(it) + " "
	styled := th.Bold.Render(lead)
	if rest, _ := strings.CutPrefix(lead, " "); !here && len(presence.Names(q.others, it.ID)) > 0 {
		styled = th.Accent.Render(signOthers) + th.Bold.Render(rest)
	}
	lead += changeSigns[change] + " "
	styled += changeStyle(th, change).Render(changeSigns[change]) + " "
	if len(q.chosen) > 0 {
		return q.cells(th, it, lead, styled, here, width)
	}
	c := q.columns(width)
	flags := term.Pad(flagsText(it, c.flags), c.flags)
	rest, more := q.besides(it, c)
	if here {
		return th.SelectedFound(term.Marked{Text: lead + flags + " "}.Plus(rest).Plus(term.Marked{Text: more}))
	}
	return styled + statusStyle(th, it).Render(flags) + " " + th.Found(th.Text, rest) +
		th.Warn.Render(more)
}

// besides returns the URL with the text beside it, and the marks of the pages found and of other records. The scheme
// https is left out. A row with a long host has less room for the text beside it, or none: the host stays whole.
func (q *Queue) besides(it *review.Item, c columns) (text term.Marked, more string) {
	url := shownURL(q.find, it)
	host := hostRoom(url.Text)
	more = q.pagesMark(it)
	if c.beside == 0 {
		width := c.url - term.Width(more)
		return url.MiddleAfter(hostEnd(url.Text), width).Pad(width), more
	}
	more += moreRecords(it)
	room := c.url + 1 + c.beside - term.Width(more)
	width := min(max(c.url, host), room)
	name := cmp.Or(recordName(it), it.Source.Field)
	if name == "" || room-width <= minName {
		width = room
	}
	text = url.MiddleAfter(hostEnd(url.Text)+1, width).Pad(width)
	if width < room {
		width = room - width - 1
		text = text.Plus(term.Marked{Text: " "}).Plus(marked(q.find, name).Middle(width).Pad(width))
	}
	return text, more
}

// moreRecords returns the number of records that cite an item behind the first one, such as " +2"; "" if there is none.
func moreRecords(it *review.Item) string {
	if n := len(it.Records()); n > 1 {
		return fmt.Sprintf(" +%d", n-1)
	}
	return ""
}

// hostRoom returns the number of cells in which a URL may be cut and its host stays whole.
func hostRoom(url string) int {
	host := hostEnd(url)
	return min(term.Width(url), host+2)
}

// hostEnd returns the number of cells up to the end of the host of a URL, which may lack the scheme.
func hostEnd(url string) int {
	start := 0
	if scheme, _, ok := strings.Cut(url, "//"); ok && !strings.ContainsAny(scheme, "/?#") {
		start = len(scheme) + len("//")
	}
	if n := strings.IndexAny(url[start:], "/?#"); n >= 0 {
		return term.Width(url[:start+n])
	}
	return term.Width(url)
}

// recordName returns the name of the first record that cites an item, or its ID; "" if there is none.
func recordName(it *review.Item) string {
	for _, r := range it.Records() {
		return cmp.Or(r.Name, r.ID)
	}
	return ""
}

// StatusSign returns one character for the status of an item, readable without colour.
func StatusSign(it *review.Item) string {
	switch {
	case it.Unfinished:
		return signUnfinished
	case it.Presence == review.Gone:
		return signGone
	case it.FirstLook() != nil:
		return signHalf
	case it.Status != review.Pending && it.Open():
		return signAgain
	}
	return statusSigns[it.Status]
}

// StatusText returns the status of an item in words, with its LooksText. The text is untrusted.
func StatusText(it *review.Item) string {
	if looks := LooksText(it); looks != "" {
		return it.Status.String() + ", " + looks
	}
	return it.Status.String()
}

// LookOf says which of two approvals a decision is, such as ", 1 of 2"; "" if it takes one person.
func LookOf(d *review.Decision) string {
	switch {
	case d.Waits():
		return ", 1 of 2"
	case d.SecondLook:
		return ", 2 of 2"
	}
	return ""
}

// LooksText says who has approved an item that waits for a second person; "" if it does not. The text is untrusted.
func LooksText(it *review.Item) string {
	if first := it.FirstLook(); first != nil {
		return fmt.Sprintf("1 of 2 (%s)", first.Reviewer)
	}
	return ""
}

var statusSigns = [...]string{
	review.Pending: "?", review.Accepted: "·", review.Approved: "✓", review.Rejected: "✗", review.Deferred: "»",
}

// Statuses are the statuses in the order of the facets and the statistics.
var Statuses = []review.Status{review.Pending, review.Deferred, review.Accepted, review.Approved, review.Rejected}

// flagsText returns the first flag and the number of others, or the status of an item without flags to review, in width
// cells.
func flagsText(it *review.Item, width int) string {
	codes := it.Computed.Flags.Codes()
	switch {
	case it.Presence == review.Gone:
		return term.Truncate("gone, "+it.Status.String(), width)
	case it.Computed.Verdict == canon.Rejected:
		return term.Truncate(it.Computed.Reason.String(), width)
	case it.Open() && len(codes) > 0 || it.Status == review.Deferred && len(codes) > 0:
		more := moreFlags(it)
		room := width - len(more)
		text := namedFlag(codes).String()
		if namesParams(it) {
			text = paramsText(it.Computed.Unknown, room)
		}
		return term.Truncate(text, room) + more
	case it.LinkState() != health.Active:
		return term.Truncate(fmt.Sprintf("%s, %s", it.Status, it.LinkState()), width)
	}
	return it.Status.String()
}

// notToOverlook are the flags that are named where there is room for one, the last of them first.
var notToOverlook = []canon.Code{canon.UnresolvedShortener, canon.OffAllowlist, canon.CertificateExpiring,
	canon.CanonicalConflict, canon.RedirectChanged, canon.ContentChanged, canon.LinkBroken, canon.SuspiciousHost,
	canon.ChangedSinceApproval}

// namedFlag returns the flag of a row that is named: the first one, or one not to overlook. There is at least one.
func namedFlag(codes []canon.Code) canon.Code {
	named := codes[0]
	for _, c := range notToOverlook {
		if slices.Contains(codes, c) {
			named = c
		}
	}
	return named
}

// moreFlags returns the number of flags behind the named one, such as " +2"; "" if there is none.
func moreFlags(it *review.Item) string {
	if n := len(it.Computed.Flags.Codes()); n > 1 {
		return fmt.Sprintf(" +%d", n-1)
	}
	return ""
}

// namesParams reports whether the parameters of an item stand in the place of its flag.
func namesParams(it *review.Item) bool {
	codes := it.Computed.Flags.Codes()
	return len(codes) > 0 && namedFlag(codes) == canon.UnknownParam && len(it.Computed.Unknown) > 0
}

// paramsText names parameters in width cells, two of them at least: a third one and more become a number. In a narrow
// column two that would be cut are only counted: of their names too little would stay.
func paramsText(names []string, width int) string {
	head, tail, count := "param ", "", fmt.Sprintf("%d parameters", len(names))
	if len(names) > 2 {
		tail = fmt.Sprintf(" %d more", len(names)-2)
		names = names[:2]
	}
	if len(names) == 1 {
		return head + safe(names[0], width-len(head))
	}
	room := width - len(head) - len(",") - len(tail)
	first, second := safe(names[0], room), safe(names[1], room)
	if width < narrowFlags && term.Width(first)+term.Width(second) > room {
		return count
	}
	share := max(room-term.Width(second), room/2)
	first = term.Middle(first, share)
	return head + first + "," + term.Middle(second, room-term.Width(first)) + tail
}

func statusStyle(th *theme.Theme, it *review.Item) style {
	switch {
	case it.Open():
		return flagStyle(th, it.Computed.Flags)
	case it.Status == review.Rejected:
		return th.Error
	case it.Status == review.Deferred:
		return th.Dim
	}
	return th.OK
}
