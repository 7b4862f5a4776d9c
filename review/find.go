package review

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"visto/canon"
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

// PatternMark begins a search text that is a regular expression.
const PatternMark = "re:"

// ParseSearch returns the text or the regular expression to search for, each for its field of a Filter. User and
// password of a URL are masked, because the stored URLs have them masked.
func ParseSearch(text string) (search, pattern string) {
	if pattern, ok := strings.CutPrefix(text, PatternMark); ok {
		return "", pattern
	}
	return canon.MaskUser(text), ""
}

// PatternError is an error in a regular expression.
type PatternError struct {
	At  int    // character at which it begins, from 1, in the pattern behind its PatternMark
	Why string // in the words of package regexp/syntax
}

func (e *PatternError) Error() string { return fmt.Sprintf("at character %d: %s", e.At, e.Why) }

// ParsePattern parses the regular expression of a Filter: the syntax of package regexp, without regard to case unless
// (?-i) is set. The letters k and s match ASCII only, not the Kelvin sign and the long s, so that an index can be
// used. An error is a *PatternError.
func ParsePattern(text string) (*syntax.Regexp, error) {
	re, err := syntax.Parse(text, syntax.Perl|syntax.FoldCase)
	if err != nil {
		return nil, patternError(text, err)
	}
	return asciiFold(re.Simplify()), nil
}

// CompilePattern compiles the regular expression of a Filter; see [ParsePattern].
func CompilePattern(text string) (*regexp.Regexp, error) {
	re, err := ParsePattern(text)
	if err != nil {
		return nil, err
	}
	compiled, err := regexp.Compile(re.String())
	if err != nil {
		return nil, patternError(text, err)
	}
	return compiled, nil
}

func patternError(text string, err error) error {
	var wrong *syntax.Error
	if !errors.As(err, &wrong) {
		return &PatternError{At: 1, Why: err.Error()}
	}
	at := utf8.RuneCountInString(text[:faultAt(text, wrong)]) + 1
	why := wrong.Code.String()
	if wrong.Expr != "" && wrong.Expr != text {
		why += fmt.Sprintf(": %q", wrong.Expr)
	}
	return &PatternError{At: at, Why: why}
}

// maxFaultSearch is the length of a pattern up to which its fault is looked for.
const maxFaultSearch = 1000

// faultAt returns the byte offset at which the fault of a pattern begins. Package syntax quotes the faulty part, or all
// of the pattern, and does not say where it stands: the shortest beginning with that error ends in the faulty part.
func faultAt(text string, wrong *syntax.Error) int {
	if len(text) > maxFaultSearch {
		return 0
	}
	end, quoted := len(text), wrong.Expr
	for end > 0 {
		var e *syntax.Error
		_, err := syntax.Parse(text[:end-1], syntax.Perl|syntax.FoldCase)
		if !errors.As(err, &e) || e.Code != wrong.Code {
			break
		}
		end, quoted = end-1, e.Expr
	}
	switch wrong.Code {
	case syntax.ErrMissingParen, syntax.ErrMissingBracket, syntax.ErrUnexpectedParen, syntax.ErrTrailingBackslash:
		return max(0, end-1) // one character, the only one that was never closed or opened
	}
	return max(0, strings.LastIndex(text[:end], quoted))
}

// asciiFold replaces the letters k and s without case by classes of their two ASCII forms.
func asciiFold(re *syntax.Regexp) *syntax.Regexp {
	if re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase != 0 {
		return foldedLiteral(re)
	}
	for i, sub := range re.Sub {
		re.Sub[i] = asciiFold(sub)
	}
	return re
}

func foldedLiteral(re *syntax.Regexp) *syntax.Regexp {
	if len(re.Rune) == 1 && !strings.ContainsRune("kKsS\u212a\u017f", re.Rune[0]) {
		return re // also a part made here before: Simplify shares repeated parts
	}
	concat := &syntax.Regexp{Op: syntax.OpConcat, Flags: re.Flags}
	for _, r := range re.Rune {
		part := syntax.Regexp{Op: syntax.OpLiteral, Flags: re.Flags, Rune: []rune{r}}
		switch r {
		case 'k', 'K', '\u212a':
			part.Op, part.Rune = syntax.OpCharClass, []rune{'K', 'K', 'k', 'k'}
		case 's', 'S', '\u017f':
			part.Op, part.Rune = syntax.OpCharClass, []rune{'S', 'S', 's', 's'}
		}
		concat.Sub = append(concat.Sub, &part)
	}
	return concat
}
