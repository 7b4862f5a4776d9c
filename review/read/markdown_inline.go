package read

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"visto/review/lazyregexp"
)

// The forms of links in Markdown.
const (
	formBare  = 'b' // a URL in the text
	formAngle = 'a' // <url>
	formPlain = '(' // the target of an inline link or a definition
	formIn    = '<' // the same in <>
	formTag   = '=' // the attribute of a tag
	formGlued = 'g' // no link: a URL in the text that is not taken
)

// paragraph finds the links of a paragraph.
type paragraph struct {
	text     string
	begins   []int // of the lines in text
	offsets  []int // of the lines in the document
	onlyTags bool  // of a block of HTML
	open     []bracket
	anchor   bool // inside an a tag
	gluedEnd int  // of the last word in which a URL is not taken
	found    []link
}

// bracket is a [ that is not closed yet.
type bracket struct {
	at       int
	image    bool
	inactive bool // a link stands inside: no link may stand around it
}

func newParagraph(data []byte, lines []span, onlyTags bool) *paragraph {
	p := &paragraph{onlyTags: onlyTags}
	var text bytes.Buffer
	for _, l := range lines {
		p.begins = append(p.begins, text.Len())
		p.offsets = append(p.offsets, int(l.begin))
		text.Write(data[l.begin:l.end])
		text.WriteByte('\n')
	}
	p.text = text.String()
	return p
}

// add adds the link with the target at text[begin:end]. Its bytes are not known if it has several lines.
func (p *paragraph) add(target string, begin, end int, form rune) {
	k := link{target: target, form: form}
	line, same := slices.BinarySearch(p.begins, begin)
	if !same {
		line--
	}
	at := int64(p.offsets[line] + begin - p.begins[line])
	k.span = span{at, at + int64(end-begin)}
	p.found = append(p.found, k)
}

// links returns the links in their order.
func (p *paragraph) links() []link {
	i := 0
	for next := 0; !p.onlyTags && next >= 0; {
		i = next
		next = p.definition(i)
	}
	for i < len(p.text) {
		i = p.next(i)
	}
	slices.SortStableFunc(p.found, func(a, b link) int { return int(a.begin - b.begin) })
	return p.found
}

// next parses the element that begins at i, and returns the index after it.
func (p *paragraph) next(i int) int {
	switch c := p.text[i]; {
	case c == '<':
		return p.angle(i)
	case p.onlyTags:
		return i + 1
	case c == '\\':
		return i + 2
	case c == '`':
		return p.code(i)
	case c == '!' && p.text[i+1] == '[':
		p.push(bracket{at: i, image: true})
		return i + 2
	case c == '[':
		p.push(bracket{at: i})
	case c == ']':
		return p.close(i)
	case c|0x20 == 'h' || c|0x20 == 'w':
		if size := bareSize(p.text, i); size > 0 {
			if !p.anchor {
				p.add(unescapeEntities(p.text[i:i+size]), i, i+size, formBare)
			}
			return i + size
		}
		p.countGlued(i)
	}
	return i + 1
}

// countGlued notes a URL at i that is not taken, once a word.
func (p *paragraph) countGlued(i int) {
	if i < p.gluedEnd {
		return
	}
	if size := gluedSize(p.text, i); size > 0 {
		p.add("", i, i, formGlued)
		p.gluedEnd = i + size
	}
}

// push opens a bracket. Of too many open ones the first are characters like others.
func (p *paragraph) push(b bracket) {
	if len(p.open) == maxNested {
		p.open = slices.Delete(p.open, 0, 1)
	}
	p.open = append(p.open, b)
}

// code returns the index after the code that begins at i, or after its backquotes if nothing closes them.
func (p *paragraph) code(i int) int {
	end := skipRun(p.text, i, '`')
	for at := end; ; {
		j := strings.IndexByte(p.text[at:], '`')
		if j < 0 {
			return end
		}
		begin := at + j
		if at = skipRun(p.text, begin, '`'); at-begin == end-i {
			return at
		}
	}
}

func skipRun(text string, i int, c byte) int {
	for i < len(text) && text[i] == c {
		i++
	}
	return i
}

var (
	autolink = lazyregexp.New(`^<([A-Za-z][A-Za-z0-9.+-]{1,31}:[^\x00-\x20<>\x7f]*)>`)
	mailLink = lazyregexp.New(`^<[^\s<>@:/"'=]+@[^\s<>@]+>`)
	tagStart = lazyregexp.New(`^</?[A-Za-z][A-Za-z0-9-]*(?:[\s/>])`)
)

// angle parses the element that begins with the < at i: a link, a comment, a tag or a character. It returns the index
// after it.
func (p *paragraph) angle(i int) int {
	rest := ahead(p.text, i)
	if m := autolink().FindString(rest); m != "" && !p.onlyTags {
		p.add(unescapeEntities(m[1:len(m)-1]), i, i+len(m), formAngle)
		return i + len(m)
	}
	if m := mailLink().FindString(rest); m != "" && !p.onlyTags {
		p.add("mailto:"+m[1:len(m)-1], i, i+len(m), formAngle)
		return i + len(m)
	}
	if strings.HasPrefix(rest, "<!--") {
		if end := strings.Index(rest, "-->"); end >= 0 {
			return i + end + 3
		}
	}
	if tagStart().MatchString(rest) {
		if size := tagSize(rest); size > 0 {
			p.tag(i, i+size)
			return i + size
		}
	}
	return i + 1
}

// tagSize returns the size of a tag, or 0 if it does not end.
func tagSize(text string) int {
	quote := byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return 0
}

// tag takes a tag of HTML.
func (p *paragraph) tag(begin, end int) {
	_ = eachTag([]byte(p.text[begin:end]), func(t tag) error {
		switch {
		case t.Type == html.EndTagToken && t.DataAtom == atom.A:
			p.anchor = false
		case t.atom == atom.A:
			href, ok := t.href()
			p.anchor = ok
			if ok && href.end > 0 && !strings.Contains(p.text[begin:][href.begin:href.end], "\n") {
				p.add(href.target, begin+int(href.begin), begin+int(href.end), formTag)
			}
		}
		return nil
	})
}

// close takes a ], and the target behind it if it closes the text of a link.
func (p *paragraph) close(i int) int {
	if len(p.open) == 0 {
		return i + 1
	}
	top := p.open[len(p.open)-1]
	p.open = p.open[:len(p.open)-1]
	after := p.text[i+1:]
	if after[0] == '[' && after[1] != ']' { // a reference
		p.dropBare(top.at)
	}
	if after[0] != '(' || top.inactive {
		return i + 1
	}
	k, end := targetAt(p.text, i+2)
	if end == 0 {
		return i + 1
	}
	p.dropBare(top.at)
	if !top.image {
		p.add(k.target, int(k.begin), int(k.end), k.form)
		for j := range p.open {
			p.open[j].inactive = p.open[j].inactive || !p.open[j].image
		}
	}
	return end
}

// dropBare drops the bare links behind index i: they are the text of a link.
func (p *paragraph) dropBare(i int) {
	line, same := slices.BinarySearch(p.begins, i)
	if !same {
		line--
	}
	at := int64(p.offsets[line] + i - p.begins[line])
	n := len(p.found)
	for n > 0 && p.found[n-1].begin > at {
		n--
	}
	p.found = append(p.found[:n], slices.DeleteFunc(p.found[n:], func(k link) bool { return k.form == formBare })...)
}

var (
	linkTitle  = lazyregexp.New(`^\s+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\))`)
	blankToEnd = lazyregexp.New(`^[ \t]*\n`)
	defLabel   = lazyregexp.New(`^\[(?:[^\[\]\\^]|\\.)(?:[^\[\]\\]|\\.)*\]:[ \t]*\n?[ \t]*`)
)

// maxAhead is the number of bytes in which a target, its title or a tag must end. Without a limit, very many that never
// end would take very long.
const maxAhead = 8 << 10

// ahead returns the next bytes of a text.
func ahead(text string, i int) string { return text[i:min(i+maxAhead, len(text))] }

// targetAt reads the target of an inline link, which begins at i after the parenthesis, and its title. It returns the
// index after the closing parenthesis, or 0 if it is no target.
func targetAt(text string, i int) (link, int) {
	text = text[:min(i+maxAhead, len(text))]
	i += len(text[i:]) - len(strings.TrimLeft(text[i:], " \t\n"))
	k, end := destination(text, i)
	if end == 0 {
		return k, 0
	}
	if title := linkTitle().FindString(text[end:]); title != "" {
		end += len(title)
	}
	rest := strings.TrimLeft(text[end:], " \t\n")
	if !strings.HasPrefix(rest, ")") {
		return k, 0
	}
	return k, len(text) - len(rest) + 1
}

// destination reads the target of a link at i. It returns the index after it, or 0 if it is none.
func destination(text string, i int) (link, int) {
	if strings.HasPrefix(text[i:], "<") {
		for j := i + 1; j < len(text) && text[j] != '\n' && text[j] != '<'; j++ {
			switch text[j] {
			case '\\':
				j++
			case '>':
				return link{unescapeMarkdown(text[i+1 : j]), span{int64(i), int64(j + 1)}, formIn}, j + 1
			}
		}
		return link{}, 0
	}
	depth, j := 0, i
loop:
	for ; j < len(text); j++ {
		switch c := text[j]; {
		case c == '\\' && j+1 < len(text) && isPunct(text[j+1]):
			j++
		case c == '(':
			depth++
		case c == ')' && depth == 0, c <= ' ', c == 0x7f:
			break loop
		case c == ')':
			depth--
		}
	}
	if depth > 0 {
		return link{}, 0
	}
	return link{unescapeMarkdown(text[i:j]), span{int64(i), int64(j)}, formPlain}, j
}

// definition reads the definition of a reference at i: [label]: target "title". It returns the index after its line,
// or -1 if it is none.
func (p *paragraph) definition(i int) int {
	label := defLabel().FindString(ahead(p.text, i))
	if label == "" {
		return -1
	}
	k, end := destination(p.text, i+len(label))
	if end == 0 || k.begin == k.end {
		return -1
	}
	next := -1
	if size := len(blankToEnd().FindString(p.text[end:])); size > 0 {
		next = end + size
	}
	title := end + len(linkTitle().FindString(p.text[end:]))
	if size := len(blankToEnd().FindString(p.text[title:])); title > end && size > 0 {
		next = title + size
	}
	if next > 0 {
		p.add(k.target, int(k.begin), int(k.end), k.form)
	}
	return next
}

func isPunct(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}
