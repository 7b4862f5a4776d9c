package markdown

import (
	"fmt"
	"html"
	"strings"

	"charm.land/lipgloss/v2"
	"charm.land/lipgloss/v2/table"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"visto/ui/term"
	"visto/ui/theme"
)

// printer turns a parsed page into lines. Lists and quotations indent their text as long as it keeps minWidth cells.
type printer struct {
	th  *theme.Theme
	src []byte
}

const minWidth = 12

// blocks returns the lines of the blocks in a node, with a blank line between two of them.
func (p *printer) blocks(parent ast.Node, width int) (lines []string) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if n != parent.FirstChild() && n.Kind() != ast.KindTextBlock && !tight(parent) {
			lines = append(lines, "")
		}
		lines = append(lines, p.block(n, max(minWidth, width))...)
	}
	return lines
}

// tight reports whether no blank lines stand between the blocks of a node: it is a list, or an item, without any in the
// source.
func tight(n ast.Node) bool {
	if n.Kind() == ast.KindListItem {
		n = n.Parent()
	}
	list, ok := n.(*ast.List)
	return ok && list.IsTight
}

func (p *printer) block(n ast.Node, width int) []string {
	switch n := n.(type) {
	case *ast.Heading:
		w := words{th: p.th}
		w.add(strings.Repeat("#", n.Level)+" ", theme.Headed)
		p.inline(&w, n, theme.Headed)
		return w.lines(width)
	case *ast.List:
		return p.list(n, width)
	case *ast.Blockquote:
		return hang("│ ", "│ ", p.blocks(n, width-2))
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		return p.code(n.Lines().Value(p.src), width-2)
	case *ast.ThematicBreak:
		return []string{"────────"}
	case *extast.Table:
		return p.table(n, width)
	}
	w := words{th: p.th}
	p.inline(&w, n, 0)
	return w.lines(width)
}

func (p *printer) list(list *ast.List, width int) (lines []string) {
	number := list.Start
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		sign := "• "
		if list.IsOrdered() {
			sign = fmt.Sprintf("%d. ", number)
			number++
		}
		if lines != nil && !list.IsTight {
			lines = append(lines, "")
		}
		indent := strings.Repeat(" ", term.Width(sign))
		lines = append(lines, hang(sign, indent, p.blocks(item, width-len(indent)))...)
	}
	return lines
}

// hang puts a sign before the first line, and something else before the others.
func hang(sign, next string, lines []string) []string {
	for i := range lines {
		lines[i] = sign + lines[i]
		sign = next
	}
	return lines
}

func (p *printer) code(text []byte, width int) (lines []string) {
	for line := range strings.Lines(string(text)) {
		lines = append(lines, term.Wrap(strings.TrimRight(line, "\n"), width)...)
	}
	return hang("  ", "  ", lines)
}

// table draws a table as wide as the page, its columns as wide as they need to be in it.
func (p *printer) table(n *extast.Table, width int) []string {
	t := table.New().Width(width).Wrap(true).Border(lipgloss.Border{Top: "─", Left: "│", Middle: "┼"}).
		BorderTop(false).BorderBottom(false).BorderLeft(false).BorderRight(false)
	t.StyleFunc(func(_, column int) lipgloss.Style {
		style := lipgloss.NewStyle().Padding(0, 1)
		if column < len(n.Alignments) && n.Alignments[column] == extast.AlignRight {
			style = style.Align(lipgloss.Right)
		}
		return style
	})
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		if row.Kind() == extast.KindTableHeader {
			t.Headers(p.cells(row, theme.Strong)...)
		} else {
			t.Row(p.cells(row, 0)...)
		}
	}
	return strings.Split(t.String(), "\n")
}

func (p *printer) cells(row ast.Node, e theme.Emphasis) (texts []string) {
	for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
		w := words{th: p.th}
		p.inline(&w, cell, e)
		texts = append(texts, w.String())
	}
	return texts
}

// inline adds the words in a node.
func (p *printer) inline(w *words, parent ast.Node, e theme.Emphasis) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			w.add(resolved(n.Value(p.src)), e)
			switch {
			case n.HardLineBreak():
				w.add("\n", e)
			case n.SoftLineBreak():
				w.add(" ", e)
			}
		case *ast.CodeSpan:
			w.add("`"+p.codeSpan(n)+"`", e)
		case *ast.Emphasis:
			p.inline(w, n, e|[]theme.Emphasis{theme.Italic, theme.Strong}[n.Level-1])
		case *extast.Strikethrough:
			p.inline(w, n, e|theme.Struck)
		case *ast.Link:
			p.inline(w, n, e|theme.Linked)
		case *extast.TaskCheckBox:
			w.add(map[bool]string{true: "[x] ", false: "[ ] "}[n.IsChecked], e)
		default:
			p.inline(w, n, e)
		}
	}
}

func (p *printer) codeSpan(n ast.Node) (text string) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			text += string(t.Value(p.src))
		}
	}
	return strings.ReplaceAll(text, "\n", " ")
}

// resolved returns the characters that escapes and references of a text stand for.
func resolved(text []byte) string {
	return html.UnescapeString(string(util.UnescapePunctuations(text)))
}

// words is a text of pieces with an emphasis each.
type words struct {
	th     *theme.Theme
	text   strings.Builder
	pieces []piece
}

// piece is an emphasis up to a byte of the text.
type piece struct {
	end int
	e   theme.Emphasis
}

func (w *words) add(text string, e theme.Emphasis) {
	w.text.WriteString(text)
	if n := len(w.pieces); n > 0 && w.pieces[n-1].e == e {
		w.pieces[n-1].end = w.text.Len()
		return
	}
	w.pieces = append(w.pieces, piece{w.text.Len(), e})
}

// lines returns the text in lines of at most width cells.
func (w *words) lines(width int) (lines []string) {
	for _, at := range term.WrapAt(w.text.String(), width) {
		lines = append(lines, w.draw(at[0], at[1]))
	}
	return lines
}

func (w *words) String() string { return w.draw(0, w.text.Len()) }

// draw draws the bytes [from, to) of the text.
func (w *words) draw(from, to int) string {
	var b strings.Builder
	for _, piece := range w.pieces {
		if end := min(piece.end, to); end > from {
			b.WriteString(w.th.Emphasise(piece.e, w.text.String()[from:end]))
			from = end
		}
	}
	return b.String()
}
