package review

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Finder finds the search terms of a Filter in a text, as a Store does, so that they can be highlighted. A nil Finder
// finds nothing.
type Finder struct {
	text string // in ASCII lower case
	re   *regexp.Regexp
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
