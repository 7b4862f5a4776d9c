package review

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// PatternError says what is wrong with a regular expression, and where.
type PatternError struct {
	At  int    // byte at which what is wrong begins
	Why string // in the words of package regexp/syntax
}

func (e *PatternError) Error() string { return fmt.Sprintf("at character %d: %s", e.At+1, e.Why) }

// ParsePattern parses the regular expression of a Filter: RE2 as package regexp has it, without regard to case unless (?-i) says
// otherwise. K and s stand for their ASCII selves alone, not for the Kelvin sign and the long s too, so that they can be looked
// for in an index. An error is a *PatternError.
func ParsePattern(text string) (*syntax.Regexp, error) {
	re, err := syntax.Parse(text, syntax.Perl|syntax.FoldCase)
	if err != nil {
		return nil, patternError(text, err)
	}
	return asciiFold(re.Simplify()), nil
}

// CompilePattern returns what the regular expression of a Filter matches.
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

// asciiFold writes the letters k and s without case as classes of two characters each.
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
		return re // it may be a part that was written so already: what is repeated is there twice
	}
	concat := &syntax.Regexp{Op: syntax.OpConcat, Flags: re.Flags}
	for _, r := range re.Rune {
		part := &syntax.Regexp{Op: syntax.OpLiteral, Flags: re.Flags, Rune: []rune{r}}
		switch r {
		case 'k', 'K', '\u212a':
			part = &syntax.Regexp{Op: syntax.OpCharClass, Flags: re.Flags, Rune: []rune{'K', 'K', 'k', 'k'}}
		case 's', 'S', '\u017f':
			part = &syntax.Regexp{Op: syntax.OpCharClass, Flags: re.Flags, Rune: []rune{'S', 'S', 's', 's'}}
		}
		concat.Sub = append(concat.Sub, part)
	}
	return concat
}
