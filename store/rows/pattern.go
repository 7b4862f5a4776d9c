package rows

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"visto/review"
)

// Need is what the fold of every text has that a pattern matches: Text, all of All, and one of Any. The zero Need is
// nothing.
type Need struct {
	Text     string // as review.Fold returns it
	All, Any []Need
}

// None reports whether nothing is needed.
func (n Need) None() bool { return n.Text == "" && len(n.All) == 0 && len(n.Any) == 0 }

// shortest is the length in bytes of the shortest text of a Need: an index has three consecutive bytes.
const shortest = 3

// Required returns the texts that every match of the pattern has. They are none for an invalid pattern.
func Required(pattern string) Need {
	re, err := review.ParsePattern(pattern)
	if err != nil {
		return Need{}
	}
	return need(re)
}

// need returns the need of one part of a pattern.
func need(re *syntax.Regexp) Need {
	switch re.Op {
	case syntax.OpLiteral, syntax.OpCharClass:
		return needOf([]*syntax.Regexp{re})
	case syntax.OpConcat:
		return needOf(re.Sub)
	case syntax.OpCapture, syntax.OpPlus:
		return need(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return need(re.Sub[0])
		}
	case syntax.OpAlternate:
		return needEither(re.Sub)
	}
	return Need{}
}

// needOf joins the needs of consecutive parts. Consecutive letters make one text.
func needOf(parts []*syntax.Regexp) Need {
	var list []Need
	var run strings.Builder
	flush := func() {
		if run.Len() >= shortest {
			list = append(list, Need{Text: run.String()})
		}
		run.Reset()
	}
	for _, part := range parts {
		if text, ok := letters(part); ok {
			run.WriteString(text)
			continue
		}
		flush()
		if part.Op == syntax.OpLiteral || part.Op == syntax.OpCharClass {
			continue
		}
		if n := need(part); !n.None() {
			list = append(list, n)
		}
	}
	flush()
	if len(list) == 1 {
		return list[0]
	}
	return Need{All: list}
}

func needEither(alternatives []*syntax.Regexp) Need {
	var list []Need
	for _, a := range alternatives {
		n := need(a)
		if n.None() {
			return n // this alternative needs none
		}
		list = append(list, n)
	}
	return Need{Any: list}
}

// letters returns the fold of what a part matches, if the fold of a text has it wherever the part matches: of ASCII
// characters alone. Marks that follow another letter in a text may change its fold.
func letters(re *syntax.Regexp) (string, bool) {
	if re.Op == syntax.OpCharClass { // the parser writes k and s in this way
		ok := len(re.Rune) == 4 && re.Rune[0] == re.Rune[1] && re.Rune[2] == re.Rune[3] && 'A' <= re.Rune[0] &&
			re.Rune[0] <= 'Z' && re.Rune[2] == re.Rune[0]+'a'-'A'
		if !ok {
			return "", false
		}
		return string(re.Rune[2]), true
	}
	isASCII := func(r rune) bool { return r < utf8.RuneSelf }
	if re.Op != syntax.OpLiteral || slices.ContainsFunc(re.Rune, func(r rune) bool { return !isASCII(r) }) {
		return "", false
	}
	return review.Fold(string(re.Rune)), true
}
