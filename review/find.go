package review

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"visto/canon"
)

// Finder finds the search terms of a Filter in a text, as a Store does, so that they can be highlighted. A nil Finder
// finds nothing.
type Finder struct {
	folded string // see Fold
	re     *regexp.Regexp
}

// Finder returns a Finder for Search and Regexp of the filter, or nil if there is neither. An error is a *PatternError.
func (f Filter) Finder() (*Finder, error) {
	if f.Search == "" && f.Regexp == "" {
		return nil, nil
	}
	found := &Finder{folded: Fold(f.Search)}
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

// literals finds the occurrences of the literal text. Each begins and ends between letters, with all of their marks.
func (f *Finder) literals(text string) (found [][]int) {
	if f.folded == "" {
		return nil
	}
	folded, origin := foldWithOrigin(text)
	for from := 0; ; {
		at := strings.Index(folded[from:], f.folded)
		if at < 0 {
			return found
		}
		first := from + at
		from = first + len(f.folded)
		end := from
		for end < len(folded) && origin[end] == origin[from-1] {
			end++
		}
		found = append(found, []int{origin[first], origin[end]})
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
