package read

import (
	"bytes"
	"strings"

	"visto/review/lazyregexp"
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

// blocks finds the paragraphs of a document. It follows those rules of CommonMark for blocks that tell links from code.
type blocks struct {
	data  []byte
	fn    func(link) error
	err   error
	lines []span // of the open paragraph, without the marks of quotes and lists in front
	lists []int  // the columns of the contents of the open list items
	blank bool   // the last line was blank

	fence  string // of the open code block: its characters
	quotes int    // marks of block quotes before the fence
	html   string // ends the open block of HTML; "\n": a blank line does
}

// eachMarkdownLink calls fn for each link of a document, in order.
func eachMarkdownLink(data []byte, fn func(link) error) error {
	b := &blocks{data: data, fn: fn}
	for begin := 0; begin < len(data) && b.err == nil; {
		end := begin + lineEnd(data[begin:])
		b.line(begin, begin+len(bytes.TrimRight(data[begin:end], "\r\n")))
		begin = end
	}
	b.flush()
	return b.err
}

// lineEnd returns the number of bytes of the first line with its line end.
func lineEnd(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}

// line takes a line from begin to end.
func (b *blocks) line(begin, end int) {
	quotes := 0
	for {
		i := skipAny(b.data[:end], begin, " ")
		if i >= end || b.data[i] != '>' || i-begin > 3 && len(b.lists) == 0 {
			break
		}
		begin = i + 1
		quotes++
	}
	text := b.data[begin:end]
	isBlank := len(bytes.TrimSpace(text)) == 0
	if quotes < b.quotes {
		b.fence = ""
	}
	switch {
	case b.fence != "":
		if rest := strings.TrimSpace(string(text)); strings.HasPrefix(rest, b.fence) &&
			strings.Trim(rest, b.fence[:1]) == "" {
			b.fence = ""
		}
		return
	case b.html != "":
		b.inHTML(begin, end, isBlank)
		return
	case isBlank:
		b.flush()
		b.blank = true
		return
	}
	b.block(begin, end, indentOf(text), quotes)
	b.blank = false
}

// indentOf returns the columns of the white space at the beginning of a line.
func indentOf(text []byte) int {
	columns := 0
	for _, c := range text {
		switch c {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return columns
		}
	}
	return columns
}

var (
	fenceStart = lazyregexp.New("^(?:```+[^`]*$|~~~+)")
	breakLine  = lazyregexp.New(`^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|=+[ \t]*)$`)
	listMark   = lazyregexp.New(`^(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]+|$)`)
	heading    = lazyregexp.New(`^#{1,6}(?:[ \t]|$)`)
	rawTag     = lazyregexp.New(`(?i)^<(pre|script|style|textarea)(?:[\s>]|$)`)
	blockTag   = lazyregexp.New(`(?i)^</?(?:address|article|aside|base|blockquote|body|center|details|dialog|dd|` +
		`div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|iframe|li|link|main|menu|nav|` +
		`ol|option|p|section|summary|table|tbody|td|tfoot|th|thead|title|tr|ul)(?:[\s/>]|$)`)
	loneTag = lazyregexp.New(`^</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>\s*$`)
)

// maxNested is the number of lists, and of brackets, that may stand in each other.
const maxNested = 100

// block takes a line that is not blank, after the marks of its quotes. indent is the column of its text.
func (b *blocks) block(begin, end, indent, quotes int) {
	begin = skipAny(b.data[:end], begin, " \t")
	text := b.data[begin:end]
	if len(text) == 0 { // behind the mark of a list
		return
	}
	for n := len(b.lists); n > 0 && indent < b.lists[n-1] && (b.blank || listMark().Match(text)); n-- {
		b.lists = b.lists[:n-1]
	}
	within := 0
	if n := len(b.lists); n > 0 {
		within = min(b.lists[n-1], indent)
	}
	switch {
	case len(b.lines) == 0 && indent-within >= 4: // code
	case fenceStart().Match(text):
		b.flush()
		b.fence, b.quotes = strings.TrimRight(fenceMark(text), " "), quotes
	case b.startHTML(begin, end):
	case breakLine().Match(text):
		b.flush()
	case listMark().Match(text) && len(b.lists) < maxNested:
		b.item(begin, end, indent, quotes)
	case heading().Match(text) || text[0] == '|':
		b.flush()
		b.lines = append(b.lines, span{int64(begin), int64(end)})
		b.flush()
	default:
		b.lines = append(b.lines, span{int64(begin), int64(end)})
	}
}

// fenceMark returns the characters of a fence.
func fenceMark(text []byte) string { return string(text[:skipAny(text, 0, string(text[:1]))]) }

// item begins an item of a list, and takes the rest of its line.
func (b *blocks) item(begin, end, indent, quotes int) {
	b.flush()
	mark := len(listMark().Find(b.data[begin:end]))
	width := len(bytes.TrimRight(b.data[begin:begin+mark], " \t"))
	if mark-width > 4 || begin+mark == end { // code, or nothing
		mark = width + 1
	}
	b.lists = append(b.lists, indent+mark)
	for next := begin + mark; next < end; {
		if b.data[next] != '>' {
			b.block(next, end, indent+mark+indentOf(b.data[next:end]), quotes)
			return
		}
		next = skipAny(b.data[:end], next+1, " ")
		quotes++
	}
}

// startHTML begins a block of HTML, if the line does.
func (b *blocks) startHTML(begin, end int) bool {
	text := b.data[begin:end]
	until := ""
	switch tag := rawTag().FindSubmatch(text); {
	case text[0] != '<':
		return false
	case bytes.HasPrefix(text, []byte("<!--")):
		until = "-->"
	case bytes.HasPrefix(text, []byte("<?")):
		until = "?>"
	case tag != nil:
		until = "</" + strings.ToLower(string(tag[1])) + ">"
	case blockTag().Match(text), len(b.lines) == 0 && loneTag().Match(text):
		until = "\n"
	default:
		return false
	}
	b.flush()
	b.html = until
	b.inHTML(begin, end, false)
	return true
}

// inHTML takes a line of a block of HTML. Of a block that a blank line ends the a tags are read.
func (b *blocks) inHTML(begin, end int, blank bool) {
	switch {
	case b.html != "\n":
		if strings.Contains(strings.ToLower(string(b.data[begin:end])), b.html) {
			b.html = ""
		}
	case blank:
		b.flush()
		b.html = ""
	default:
		b.lines = append(b.lines, span{int64(begin), int64(end)})
	}
}

// flush ends the open paragraph or block of HTML and finds its links.
func (b *blocks) flush() {
	if len(b.lines) == 0 || b.err != nil {
		b.lines = b.lines[:0]
		return
	}
	p := newParagraph(b.data, b.lines, b.html == "\n")
	b.lines = b.lines[:0]
	for _, k := range p.links() {
		if b.err = b.fn(k); b.err != nil {
			return
		}
	}
}
