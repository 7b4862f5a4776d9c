package sqlite

import (
	"database/sql/driver"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"modernc.org/sqlite"

	"visto/review"
	"visto/store/rows"
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

// contains is an SQL function that reports whether the fold of the text, a BLOB, contains a folded one.
func contains(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	text, _ := args[0].([]byte)
	folded, _ := args[1].([]byte)
	return strings.Contains(review.Fold(string(text)), string(folded)), nil
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
func required(pattern string) string { return needExpr(rows.Required(pattern)) }

func needExpr(n rows.Need) string {
	switch {
	case len(n.Any) > 0:
		return "(" + joinNeeds(n.Any, " OR ", "(%s)") + ")"
	case len(n.All) > 0:
		return joinNeeds(n.All, " AND ", "%s")
	}
	return matchExpr(n.Text)
}

func joinNeeds(list []rows.Need, by, form string) string {
	exprs := make([]string, len(list))
	for i, n := range list {
		exprs[i] = fmt.Sprintf(form, needExpr(n))
	}
	return strings.Join(exprs, by)
}
