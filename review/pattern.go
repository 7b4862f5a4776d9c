package review

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"visto/canon"
)

// PatternMark begins a search text that is a regular expression.
const PatternMark = "re:"

// ParseSearch returns the text or the regular expression to search for, each for its field of a Filter. User and
// password of a URL are masked, as they are in what is stored.
func ParseSearch(text string) (search, pattern string) {
	if pattern, ok := strings.CutPrefix(text, PatternMark); ok {
		return "", pattern
	}
	return canon.MaskUser(text), ""
}

// PatternError is an error in a regular expression.
type PatternError struct {
	At  int    // byte offset of the faulty part
	Why string // in the words of package regexp/syntax
}

func (e *PatternError) Error() string { return fmt.Sprintf("at character %d: %s", e.At+1, e.Why) }

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
		return &PatternError{Why: err.Error()}
	}
	at := max(0, strings.LastIndex(text, wrong.Expr))
	return &PatternError{At: at, Why: fmt.Sprintf("%s: %q", wrong.Code, wrong.Expr)}
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
