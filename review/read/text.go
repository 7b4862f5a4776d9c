package read

import (
	"errors"
	"fmt"
	"strings"

	"visto/canon"
)

// text reads one URL a line. It ignores blank lines and lines that begin with "#".
func (in *input) text() error {
	return in.eachLine(in.unlessLong(func(l line) error {
		url, column := lineURL(l)
		if url == "" {
			return nil
		}
		at := textSpan(l, url, column)
		return in.found(Found{URL: strings.Clone(url), Place: Place{Path: fmt.Sprintf("%d:%d", l.number, column),
			Line: l.number, Column: column, Begin: at.begin, End: at.end}})
	}))
}

// lineURL returns the URL of a line, or "", and the column of its first byte.
func lineURL(l line) (url string, column int) {
	url = canon.Trim(l.text)
	if strings.HasPrefix(url, "#") {
		return "", 0
	}
	return url, strings.Index(l.text, url) + 1
}

// textSpan returns the bytes of a URL in its line. It is empty for one that begins with a quote or bracket: the quotes
// around it, which are no part of it, may hold the same.
func textSpan(l line, url string, column int) span {
	if opensQuote(url) {
		return span{}
	}
	begin := l.begin + int64(column-1)
	return span{begin, begin + int64(len(url))}
}

func opensQuote(text string) bool { return strings.IndexAny(text, "\"'`<“‘«‹„‚") == 0 }

// textParts yields the lines of a text. The value of a line with a URL is the URL.
func (in *input) textParts(yield func(part) error) error {
	return in.eachLine(func(l line) error {
		url, column := lineURL(l)
		if url == "" {
			return yield(part{kind: kindOther, text: l.text})
		}
		return yield(part{kind: kindText, text: url, span: textSpan(l, url, column)})
	})
}

// writeText returns the text of a URL in a line.
func writeText(_ part, _, value string) (string, error) {
	if strings.HasPrefix(value, "#") {
		return "", errors.New("a line that begins with # is a comment")
	}
	if opensQuote(value) {
		return "", errors.New("a quote or bracket at the start of a line belongs to no URL")
	}
	return value, nil
}
