package read

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"visto/review/lazyregexp"
)

// prose reads the URLs in a text of any kind.
func (in *input) prose() error {
	return in.eachLine(in.unlessLong(func(l line) error {
		urls, glued := bareURLs(l.text, in.isTeX())
		in.summary.Glued += glued
		for _, u := range urls {
			url := in.bare(u.text, l.number)
			if url == "" {
				continue
			}
			if err := in.found(Found{URL: url, Place: u.place(l)}); err != nil {
				return err
			}
		}
		return nil
	}))
}

// bare returns a bare URL as it is reported, or "" for one that is not taken. A backslash, or a sign inside a word, may
// be a part of the URL or a mark of the text around it: which one, nobody can tell.
func (in *input) bare(text string, line int) string {
	url := in.trimmed(text, line)
	if holdsUnclear(url) {
		in.skipf(line, "a URL with a backslash or a raw sign in it, which may end there: %.200q", url)
		return ""
	}
	return url
}

// The forms of URLs in prose.
const (
	formProse = 'p'
	formTeX   = 't'
)

// bareURLs returns the URLs in a line of prose, and the number of words in which one is not taken.
func bareURLs(text string, tex bool) (list []textURL, glued int) {
	gluedEnd := 0
	for i := 0; i < len(text); i++ {
		if c := text[i] | 0x20; c != 'h' && c != 'w' {
			continue
		}
		if i >= gluedEnd {
			if size := gluedSize(text, i); size > 0 {
				glued, gluedEnd = glued+1, i+size
			}
		}
		if size := bareSize(text, i); size > 0 {
			u := textURL{text: text[i : i+size], begin: i, end: i + size, column: i + 1, form: formProse}
			if tex {
				u.text, u.form = texEscape().ReplaceAllString(u.text, "$1"), formTeX
			}
			list = append(list, u)
			i += size - 1
		}
	}
	return list, glued
}

func (in *input) isTeX() bool {
	extension := strings.ToLower(filepath.Ext(in.name))
	return extension == ".tex" || extension == ".bib"
}

func (in *input) isAsciiDoc() bool {
	return slices.Contains([]string{".adoc", ".asciidoc", ".asc"}, strings.ToLower(filepath.Ext(in.name)))
}

const texSpecial = "_%&#"

var (
	texEscape = lazyregexp.New(`\\([_%&#])`)
	texChar   = lazyregexp.New(`[_%&#]`)
)

// proseParts yields the URLs of a text, and the rest of each line.
func (in *input) proseParts(yield func(part) error) error {
	return in.eachLine(func(l line) error {
		urls, _ := bareURLs(l.text, in.isTeX())
		return l.parts(urls, without(l.text, urls), yield)
	})
}

// writeProse returns the text of a URL in prose. In TeX special characters are escaped, unless the old URL has some
// that are not, as inside \url.
func writeProse(old part, raw, value string) (string, error) {
	bare := strings.ContainsAny(texEscape().ReplaceAllString(raw, ""), texSpecial)
	if old.form == formTeX && !bare {
		value = texChar().ReplaceAllString(value, `\$0`)
	}
	if bareSize(value, 0) != len(value) {
		return "", errors.New("the new value cannot stand in the text as a URL")
	}
	return value, nil
}

func isSpace(c rune) bool { return unicode.IsSpace(c) }
