package review

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Finder finds the search terms of a Filter in a text, as a Store does, so that they can be highlighted. A nil Finder
// finds nothing.
type Finder struct {
	text  string // in ASCII lower case, or as plainForm returns it
	re    *regexp.Regexp
	plain bool // ignore accents, and the case of all letters
}

// Finder returns a Finder for Search and Regexp of the filter, or nil if there is neither. An error is a *PatternError.
func (f Filter) Finder() (*Finder, error) {
	if f.Search == "" && f.Regexp == "" {
		return nil, nil
	}
	found := &Finder{text: LowerASCII(f.Search)}
	if f.Regexp == "" {
		return found, nil
	}
	var err error
	if found.re, err = CompilePattern(f.Regexp); err != nil {
		return nil, err
	}
	return found, nil
}

// IgnoringAccents returns a Finder that finds the literal text whatever its accents and its case, as a reader of a page
// expects; a Store ignores the case of ASCII letters alone. A pattern stays as it is.
func (f *Finder) IgnoringAccents() *Finder {
	if f == nil {
		return nil
	}
	text, _ := plainForm(f.text)
	return &Finder{text: text, re: f.re, plain: true}
}

// Find returns the matches in the text in order, in the form of regexp.FindAllStringIndex. No match is empty, and
// matches that touch are joined.
func (f *Finder) Find(text string) [][]int {
	if f == nil {
		return nil
	}
	found := f.literals(text)
	if f.re != nil {
		found = append(found, f.re.FindAllStringIndex(text, -1)...)
	}
	return apart(slices.DeleteFunc(found, func(m []int) bool { return m[0] == m[1] }))
}

// literals finds the occurrences of the literal text.
func (f *Finder) literals(text string) (found [][]int) {
	if f.text == "" {
		return nil
	}
	if f.plain {
		return f.plainLiterals(text)
	}
	text = LowerASCII(text)
	for from := 0; ; {
		at := strings.Index(text[from:], f.text)
		if at < 0 {
			return found
		}
		from += at + len(f.text)
		found = append(found, []int{from - len(f.text), from})
	}
}

// plainLiterals finds the occurrences of the literal text in the plain form of a text. Each ends after the marks that
// follow its last letter.
func (f *Finder) plainLiterals(text string) (found [][]int) {
	plain, origin := plainForm(text)
	for from := 0; ; {
		at := strings.Index(plain[from:], f.text)
		if at < 0 {
			return found
		}
		first := from + at
		from = first + len(f.text)
		end := from
		for end < len(plain) && origin[end] == origin[from-1] { // within a letter that has several
			end++
		}
		found = append(found, []int{origin[first], origin[end]})
	}
}

// plainForm returns a text in lower case without accents (Unicode canonical decomposition without nonspacing marks).
// Byte i of it comes from the letter at origin[i] of the text; the last element of origin is the length of the text.
func plainForm(text string) (plain string, origin []int) {
	out := make([]byte, 0, len(text))
	origin = make([]int, 0, len(text)+1)
	for at, r := range text {
		from := len(out)
		switch {
		case r < utf8.RuneSelf:
			out = append(out, byte(unicode.ToLower(r)))
		case r == utf8.RuneError:
			_, size := utf8.DecodeRuneInString(text[at:])
			out = append(out, text[at:at+size]...)
		default:
			for _, part := range norm.NFD.String(string(r)) {
				if !unicode.Is(unicode.Mn, part) {
					out = utf8.AppendRune(out, unicode.ToLower(part))
				}
			}
		}
		for range len(out) - from {
			origin = append(origin, at)
		}
	}
	return string(out), append(origin, len(text))
}

// apart sorts matches and joins those that touch.
func apart(found [][]int) [][]int {
	slices.SortFunc(found, func(a, b []int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	var list [][]int
	for _, m := range found {
		if n := len(list); n > 0 && m[0] <= list[n-1][1] {
			list[n-1][1] = max(list[n-1][1], m[1])
			continue
		}
		list = append(list, m)
	}
	return list
}

// LowerASCII returns the text with its ASCII letters in lower case. A search compares texts in this form, which keeps
// byte offsets.
func LowerASCII(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return 'A' <= r && r <= 'Z' }) {
		return text
	}
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
