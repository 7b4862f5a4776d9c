package term

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Marked is safe text without styles with marked pieces: the matches of a search.
type Marked struct {
	Text string
	at   [][2]int // the byte ranges [from, to) of the pieces, in order and disjoint
}

// Mark makes s safe and marks the byte ranges found in it, which must be in order. A range that begins or ends inside a
// character, or inside the source of an escape, is extended to all of it.
func Mark(s string, found [][]int) Marked {
	if len(found) == 0 {
		return Marked{Text: Safe(s)}
	}
	var m Marked
	raw, shown := 0, 0
	m.Text = writeSafe(s, func(rawEnd, shownEnd int) {
		for len(found) > 0 && found[0][1] <= raw {
			found = found[1:]
		}
		if len(found) > 0 && found[0][0] < rawEnd {
			m.mark(shown, shownEnd, found[0][0] < raw)
		}
		raw, shown = rawEnd, shownEnd
	})
	return m
}

// mark adds a piece. If on, a piece that begins where the last one ends extends that.
func (m *Marked) mark(from, to int, on bool) {
	if n := len(m.at); on && n > 0 && m.at[n-1][1] == from {
		m.at[n-1][1] = to
		return
	}
	m.at = append(m.at, [2]int{from, to})
}

// Plus returns the concatenation of both texts.
func (m Marked) Plus(next Marked) Marked {
	sum := Marked{m.Text + next.Text, m.at[:len(m.at):len(m.at)]}
	for _, p := range next.at {
		sum.at = append(sum.at, [2]int{p[0] + len(m.Text), p[1] + len(m.Text)})
	}
	return sum
}

// Slice returns the bytes [from, to) of the text.
func (m Marked) Slice(from, to int) Marked {
	part := Marked{Text: m.Text[from:to]}
	for _, p := range m.at {
		if p[0] < to && p[1] > from {
			part.at = append(part.at, [2]int{max(p[0], from) - from, min(p[1], to) - from})
		}
	}
	return part
}

// Wrap breaks the text as the function [Wrap] does. A piece may continue on the next line.
func (m Marked) Wrap(width int) []Marked {
	var lines []Marked
	for _, at := range WrapAt(m.Text, width) {
		lines = append(lines, m.Slice(at[0], at[1]))
	}
	return lines
}

// Pad fills the text with spaces up to width cells.
func (m Marked) Pad(width int) Marked {
	m.Text += strings.Repeat(" ", max(0, width-Width(m.Text)))
	return m
}

// Middle cuts the text to at most width cells as the function [Middle] does. If that would remove the first marked
// piece, it keeps the start and the surroundings of the piece instead.
func (m Marked) Middle(width int) Marked { return m.MiddleAfter(0, width) }

// MiddleAfter is Middle, but keeps at least the given number of cells of the start, as far as they fit.
func (m Marked) MiddleAfter(start, width int) Marked {
	head := max(start, width*3/5)
	tail := width - head - 1
	if tail < 1 {
		head, tail = width-1, 0
	}
	return m.cut(width, head, tail, start)
}

// Truncate cuts the end of the text to at most width cells. If that would remove the first marked piece, it keeps the
// start and the surroundings of the piece instead.
func (m Marked) Truncate(width int) Marked { return m.cut(width, width-1, 0, 0) }

// cut keeps head cells of the start and tail cells of the end of a text wider than width, or least cells of the start
// and the surroundings of the first marked piece.
func (m Marked) cut(width, head, tail, least int) Marked {
	if Width(m.Text) <= width {
		return m
	}
	if width < 1 {
		return Marked{}
	}
	from, to := m.first(head), m.last(tail)
	if len(m.at) == 0 || m.at[0][1] <= from || m.at[0][0] >= to {
		return m.Slice(0, from).Plus(ellipsis).Plus(m.Slice(to, len(m.Text)))
	}
	return m.around(width, least)
}

var ellipsis = Marked{Text: "…"}

// minPiece is the least room in cells for the surroundings of a marked piece.
const minPiece = 8

// around keeps the start of the text, least cells of it if they leave minPiece, and the surroundings of the first
// marked piece.
func (m Marked) around(width, least int) Marked {
	head := m.Slice(0, m.first(max(width*2/5, min(least, width-1-minPiece))))
	room := width - Width(head.Text) - 1
	rest := m.Slice(len(head.Text), len(m.Text))
	piece := rest.at[0]
	before := min(room/4, max(0, room-Width(rest.Text[piece[0]:piece[1]])-1))
	from := rest.Slice(0, piece[0]).last(before)
	if from == 0 { // the piece follows the head
		return m.end(width)
	}
	return head.Plus(ellipsis).Plus(rest.Slice(from, len(rest.Text)).end(room))
}

// end cuts the end of the text.
func (m Marked) end(width int) Marked {
	switch {
	case Width(m.Text) <= width:
		return m
	case width < 1:
		return Marked{}
	}
	return m.Slice(0, m.first(width-1)).Plus(ellipsis)
}

// first returns the number of bytes of the characters that fit into the given number of cells.
func (m Marked) first(cells int) int {
	if plain(m.Text) {
		return min(max(0, cells), len(m.Text))
	}
	return len(Cut(m.Text, max(0, cells), ""))
}

// last returns the offset from which the rest of the text fits into the given number of cells.
func (m Marked) last(cells int) int {
	skip := max(0, Width(m.Text)-max(0, cells))
	if plain(m.Text) {
		return skip
	}
	end := ansi.TruncateLeftWc(m.Text, skip, "")
	for Width(end) > max(0, cells) { // a wide character stands across the cut
		skip++
		end = ansi.TruncateLeftWc(m.Text, skip, "")
	}
	return len(m.Text) - len(end)
}

// Draw styles the text, the marked pieces in a style of their own.
func (m Marked) Draw(text, found func(string) string) string {
	var b strings.Builder
	from := 0
	for _, p := range m.at {
		if p[0] > from {
			b.WriteString(text(m.Text[from:p[0]]))
		}
		b.WriteString(found(m.Text[p[0]:p[1]]))
		from = p[1]
	}
	if from < len(m.Text) || from == 0 {
		b.WriteString(text(m.Text[from:]))
	}
	return b.String()
}
