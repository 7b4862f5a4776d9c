package sqlite

import (
	"database/sql/driver"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"modernc.org/sqlite"

	"visto/review"
)

// patterns caches the regular expressions that were last used.
type patterns struct {
	mu   sync.Mutex
	kept []*compiled
}

type compiled struct {
	text string
	re   *regexp.Regexp
}

const maxPatterns = 8

// matches is an SQL function that reports whether the text, a BLOB, matches the pattern.
func (p *patterns) matches(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	pattern, _ := args[0].(string)
	text, _ := args[1].([]byte)
	re, err := p.get(pattern)
	if err != nil {
		return nil, err
	}
	return re.Match(text), nil
}

func (p *patterns) get(text string) (*regexp.Regexp, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.IndexFunc(p.kept, func(c *compiled) bool { return c.text == text }); i >= 0 {
		return p.kept[i].re, nil
	}
	re, err := review.CompilePattern(text)
	if err != nil {
		return nil, err
	}
	p.kept = append(p.kept, &compiled{text, re})
	p.kept = p.kept[max(0, len(p.kept)-maxPatterns):]
	return re, nil
}

// required returns the FTS5 expression for the trigrams that every match of the pattern has. It is empty if there are
// none or the pattern is invalid.
func required(pattern string) string {
	re, err := review.ParsePattern(pattern)
	if err != nil {
		return ""
	}
	return need(re)
}

// need returns the expression for one part of a pattern.
func need(re *syntax.Regexp) string {
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
	return ""
}

// needOf joins the expressions for consecutive parts. Consecutive letters make trigrams together.
func needOf(parts []*syntax.Regexp) string {
	var list []string
	var run strings.Builder
	flush := func() {
		if run.Len() >= shortest {
			list = append(list, matchExpr(run.String()))
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
		if expr := need(part); expr != "" {
			list = append(list, expr)
		}
	}
	flush()
	return strings.Join(list, " AND ")
}

func needEither(alternatives []*syntax.Regexp) string {
	var list []string
	for _, a := range alternatives {
		expr := need(a)
		if expr == "" {
			return "" // this alternative needs none
		}
		list = append(list, "("+expr+")")
	}
	return "(" + strings.Join(list, " OR ") + ")"
}

// letters returns the text that a part matches, if it is the same bytes in the index. That has ASCII letters in lower
// case. Bytes that are not UTF-8, and other letters regardless of case, have no single text.
func letters(re *syntax.Regexp) (string, bool) {
	if re.Op == syntax.OpCharClass { // the parser writes k and s in this way
		ok := len(re.Rune) == 4 && re.Rune[0] == re.Rune[1] && re.Rune[2] == re.Rune[3] && 'A' <= re.Rune[0] &&
			re.Rune[0] <= 'Z' && re.Rune[2] == re.Rune[0]+'a'-'A'
		if !ok {
			return "", false
		}
		return string(re.Rune[2]), true
	}
	known := func(r rune) bool { return r < utf8.RuneSelf || re.Flags&syntax.FoldCase == 0 && r != utf8.RuneError }
	if re.Op != syntax.OpLiteral || slices.ContainsFunc(re.Rune, func(r rune) bool { return !known(r) }) {
		return "", false
	}
	return string(re.Rune), true
}
