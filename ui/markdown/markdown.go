// Package markdown renders pages for a terminal. The Markdown comes from strangers: see [Render].
package markdown

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"visto/review/lazyregexp"
	"visto/ui/term"
	"visto/ui/theme"
)

// The limits of a page that is rendered. One beyond them is shown as its Markdown: the time for the parser grows with
// the square of the first two, and nobody could read the result.
const (
	maxDepth   = 48
	maxMarks   = 8000 // signs of emphasis in a paragraph
	maxColumns = 40
)

// deep matches a line in which too many lists or quotations begin.
var deep = lazyregexp.New(fmt.Sprintf(`^(?: {0,3}(?:>|[-+*] |\d{1,9}[.)] ) *){%d}`, maxDepth))

// Render returns the lines of a page, of at most width cells each, with the styles of the theme. All text passes
// through [term.Prose] before it is parsed, and through [term.StyledLines] in the end. HTML is text, an image is its
// description, and a link is its text.
//
// A long page takes some 20 ms, so that it belongs into a command.
func Render(source string, th *theme.Theme, width int) []string {
	source = term.Prose(source)
	if !parsable(source) {
		return Plain(source, width)
	}
	src := []byte(source)
	doc := newParser().Parse(text.NewReader(src))
	if !simple(doc) {
		return Plain(source, width)
	}
	p := printer{th, src}
	return tidy(term.StyledLines(strings.Join(p.blocks(doc, width), "\n"), width))
}

// Plain returns the lines of a text as it is, wrapped to width cells. A continued line keeps the indent.
func Plain(source string, width int) []string {
	var lines []string
	for line := range strings.SplitSeq(term.Prose(source), "\n") {
		rest := strings.TrimLeft(line, " ")
		indent := line[:min(len(line)-len(rest), width/2)]
		for _, part := range term.Wrap(rest, width-len(indent)) {
			lines = append(lines, strings.TrimRight(indent+part, " "))
		}
	}
	return tidy(lines)
}

// newParser returns a parser of Markdown with tables, without HTML and without addresses that are links by themselves.
func newParser() parser.Parser {
	blocks := []util.PrioritizedValue{
		util.Prioritized(parser.NewSetextHeadingParser(), 100), util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(parser.NewListParser(), 300), util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500), util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700), util.Prioritized(parser.NewBlockquoteParser(), 800),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	}
	inlines := []util.PrioritizedValue{
		util.Prioritized(parser.NewCodeSpanParser(), 100), util.Prioritized(parser.NewLinkParser(), 200),
		util.Prioritized(parser.NewEmphasisParser(), 500),
	}
	return goldmark.New(
		goldmark.WithParser(parser.NewParser(
			parser.WithBlockParsers(blocks...), parser.WithInlineParsers(inlines...),
			parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
		)),
		goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList),
	).Parser()
}

// parsable reports whether a text is within the limits of the parser.
func parsable(source string) bool {
	marks := 0
	for line := range strings.Lines(source) {
		if strings.TrimSpace(line) == "" {
			marks = 0
		}
		marks += strings.Count(line, "*") + strings.Count(line, "_") + strings.Count(line, "~")
		if marks > maxMarks || deep().MatchString(line) {
			return false
		}
	}
	return true
}

// simple reports whether a document is within the limits.
func simple(doc ast.Node) bool {
	depth, ok := 0, true
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			depth--
			return ast.WalkContinue, nil
		}
		depth++
		table, is := n.(*extast.Table)
		if depth > maxDepth || is && len(table.Alignments) > maxColumns {
			ok = false
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	})
	return ok
}

// tidy takes away blank lines at the start and at the end, and all but one of those that follow each other.
func tidy(lines []string) []string {
	lines = slices.CompactFunc(lines, func(a, b string) bool { return a == "" && b == "" })
	if len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	if n := len(lines); n > 0 && lines[n-1] == "" {
		lines = lines[:n-1]
	}
	return lines
}
