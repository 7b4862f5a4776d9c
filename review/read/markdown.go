package read

import (
	"bytes"
	"slices"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown reads the links of a Markdown document (CommonMark, and bare links as GitHub Flavored Markdown has them):
// inline links, <url>, reference definitions, bare links, and the a tags of HTML in it. Code and comments have none.
func (in *input) markdown() error {
	data, err := in.whole(adviceLink)
	if err != nil {
		return err
	}
	l := &links{in: in, marks: newMarks(data)}
	return eachMarkdownLink(data, func(k link) error {
		if err := in.ctx.Err(); err != nil {
			return err
		}
		return l.take(k)
	})
}

// markdownParts yields the links of a document. Other parts of it are never changed.
func (in *input) markdownParts(yield func(part) error) error {
	data, err := in.whole(adviceLink)
	if err != nil {
		return err
	}
	return eachMarkdownLink(data, func(k link) error { return yield(linkPart(k)) })
}

// eachMarkdownLink calls fn for each link of a document, in order. goldmark tells paragraphs from code, in every
// nesting of lists and quotes. It keeps no place of a link: the links of a paragraph are found here.
func eachMarkdownLink(data []byte, fn func(link) error) error {
	document := markdownBlocks().Parse(text.NewReader(data))
	return ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Type() == ast.TypeInline {
			return ast.WalkSkipChildren, nil
		}
		onlyTags := false
		switch block := n.(type) {
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			return ast.WalkSkipChildren, nil
		case *ast.HTMLBlock: // the types before hold scripts, comments and the like
			if onlyTags = block.HTMLBlockType >= ast.HTMLBlockType6; !onlyTags {
				return ast.WalkSkipChildren, nil
			}
		}
		return ast.WalkContinue, eachLinkOf(data, n.Lines().Sliced(0, n.Lines().Len()), onlyTags, fn)
	})
}

// markdownBlocks returns a parser of blocks alone. Without the transformer of link definitions these stay in their
// paragraphs.
func markdownBlocks() parser.Parser {
	blocks := slices.DeleteFunc(parser.DefaultBlockParsers(), func(b util.PrioritizedValue) bool {
		return b.Priority == priorityList || b.Priority == priorityQuote
	})
	blocks = append(blocks, util.Prioritized(shallow{parser.NewListParser()}, priorityList),
		util.Prioritized(shallow{parser.NewBlockquoteParser()}, priorityQuote))
	table := util.Prioritized(extension.NewTableParagraphTransformer(), 0)
	return parser.NewParser(parser.WithBlockParsers(blocks...), parser.WithParagraphTransformers(table))
}

// The priorities of two parsers in parser.DefaultBlockParsers.
const (
	priorityList  = 300
	priorityQuote = 800
)

// shallow opens no list and no quote inside maxNested other blocks: the time for a line grows with their number.
type shallow struct{ parser.BlockParser }

// maxNested is the number of blocks, and of brackets, that may stand in each other.
const maxNested = 100

// Open opens a block for the line, unless it stands too deep.
func (s shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		depth++
	}
	if depth > maxNested {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, reader, pc)
}

// eachLinkOf calls fn for each link of a paragraph, a heading, a cell or a block of HTML.
func eachLinkOf(data []byte, segments []text.Segment, onlyTags bool, fn func(link) error) error {
	if len(segments) == 0 {
		return nil
	}
	lines := make([]span, len(segments))
	for i, s := range segments {
		lines[i] = span{int64(s.Start), int64(s.Start + len(bytes.TrimRight(data[s.Start:s.Stop], "\r\n")))}
	}
	for _, k := range newParagraph(data, lines, onlyTags).links() {
		if err := fn(k); err != nil {
			return err
		}
	}
	return nil
}
