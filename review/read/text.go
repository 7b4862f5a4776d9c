package read

import (
	"errors"
	"fmt"
	"strings"

	"visto/canon"
	"visto/review/lazyregexp"
)

// kindOfText returns the format of a text, by its beginning. It is a list if every line that is neither blank nor a
// comment begins with a URL. The last line counts only if it is whole.
func (in *input) kindOfText(head []byte) string {
	text := string(head)
	if len(head) >= sniffSize-len(byteOrderMark) {
		text = text[:strings.LastIndexByte(text, '\n')+1]
	}
	for l := range strings.Lines(text) {
		word, _, _ := cutWord(canon.Trim(l))
		if in.isAsciiDoc() && strings.Contains(word, "[") { // behind the URL stands its text
			return "prose"
		}
		if word != "" && word[0] != '#' && !in.takesURL(canon.Trim(word)) {
			return "prose"
		}
	}
	return "list"
}

// list reads one URL a line, and the URLs of its remark. It ignores blank lines and comments, which begin with "#".
func (in *input) list() error {
	return in.eachLine(in.unlessLong(func(l line) error {
		e := entryOf(l)
		in.summary.Glued += e.glued
		for _, u := range e.urls {
			url := in.value(u.text, l.number)
			if strings.HasPrefix(u.text, "#") || url == "" {
				continue
			}
			if err := in.found(Found{URL: url, Place: u.place(l), Record: e.record}); err != nil {
				return err
			}
		}
		return nil
	}))
}

// entry is a line of a list.
type entry struct {
	urls   []textURL
	rest   string  // the text besides
	glued  int     // words of the remark in which a URL is not taken
	record *Record // that the remark names; nil: there is none
}

// textURL is a URL in a line.
type textURL struct {
	text       string
	begin, end int // in the line; both 0: not known
	column     int // from 1
	form       rune
}

func (u textURL) place(l line) Place {
	at := Place{Path: fmt.Sprintf("%d:%d", l.number, u.column), Line: l.number, Column: u.column}
	if u.end > 0 {
		at.Begin, at.End = l.begin+int64(u.begin), l.begin+int64(u.end)
	}
	return at
}

// entryOf reads a line of a list. Text behind the first white space is a remark if it looks like words; otherwise it
// is part of the value, for a person to look at.
func entryOf(l line) (e entry) {
	value := canon.Trim(l.text)
	if value == "" || strings.HasPrefix(value, "#") {
		return entry{rest: l.text}
	}
	begin := strings.Index(l.text, value)
	word, remark, ok := cutWord(value)
	urls, glued := bareURLs(remark, false)
	if words := without(remark, urls); ok && isRemark(words) {
		if len(urls) > 0 && strings.Trim(remark[:urls[0].begin], " \t") == "" { // a list in the line
			word = strings.TrimRight(word, ",;|")
		}
		e.urls, e.glued = entryURLs(word, begin), glued
		for _, u := range urls {
			u.begin, u.end, u.column = u.begin+begin+len(value)-len(remark), u.end+begin+len(value)-len(remark),
				u.column+begin+len(value)-len(remark)
			e.urls = append(e.urls, u)
		}
		if name := strings.Trim(strings.Join(strings.Fields(words), " "), " #-–—:,;|"); name != "" {
			path := fmt.Sprint(l.number)
			e.record = &Record{Path: path, ID: path, Name: cut(name)}
		}
	} else {
		e.urls = entryURLs(value, begin)
	}
	e.rest = without(l.text, e.urls)
	return e
}

// cutWord cuts a text at its first white space, which the rest begins with.
func cutWord(text string) (word, rest string, found bool) {
	if i := strings.IndexFunc(text, isSpace); i >= 0 {
		return text[:i], text[i:], true
	}
	return text, "", false
}

// entryURLs returns the URLs of a value that begins at an offset of its line.
func entryURLs(value string, offset int) (list []textURL) {
	for _, part := range partsOf(value) {
		text := value[part.Begin:part.End]
		url := canon.Trim(text)
		begin := offset + part.Begin + strings.Index(text, url)
		u := textURL{text: url, begin: begin, end: begin + len(url), column: begin + 1}
		if opensQuote(url) { // the quotes around it, which are no part of it, may hold the same
			u.begin, u.end = 0, 0
		}
		list = append(list, u)
	}
	return list
}

func opensQuote(text string) bool { return strings.IndexAny(text, "\"'`<“‘«‹„‚") == 0 }

// without returns a text without URLs.
func without(text string, urls []textURL) string {
	var b strings.Builder
	at := 0
	for _, u := range urls {
		if u.end > 0 {
			b.WriteString(text[at:u.begin])
			at = u.end
		}
	}
	b.WriteString(text[at:])
	return b.String()
}

var fileName = lazyregexp.New(`(?i)\w\.(?:pdf|docx?|odt|rtf|epub|xlsx?|ods|csv|xml|s?html?|xhtml|php\d?|aspx?|` +
	`jspx?|jsf|do|action|cgi|json|txt|zip)(?:[^\pL\pN]|$)`)

// isRemark reports whether the text behind a URL of a list is no part of it.
func isRemark(text string) bool {
	return !strings.ContainsAny(text, "/?=") && !fileName().MatchString(text)
}

// listParts yields the URLs of a list, and the rest of each line.
func (in *input) listParts(yield func(part) error) error {
	return in.eachLine(func(l line) error {
		e := entryOf(l)
		return l.parts(e.urls, e.rest, yield)
	})
}

func (l line) parts(urls []textURL, rest string, yield func(part) error) error {
	for _, u := range urls {
		p := part{kind: kindText, text: u.text, form: u.form}
		if at := u.place(l); at.End > 0 {
			p.span = span{at.Begin, at.End}
		}
		if err := yield(p); err != nil {
			return err
		}
	}
	return yield(part{kind: kindOther, text: rest})
}

// writeList returns the text of a URL in a list.
func writeList(_ part, _, value string) (string, error) {
	switch {
	case strings.HasPrefix(value, "#"):
		return "", errors.New("a line that begins with # is a comment")
	case opensQuote(value):
		return "", errors.New("a quote or bracket at the start of a line belongs to no URL")
	}
	return value, nil
}
