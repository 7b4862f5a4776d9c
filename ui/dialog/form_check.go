package dialog

import (
	"strings"

	"visto/canon"
	"visto/ui/term"
)

// problem is the defect of a rule: the JSON key and the reason, in safe text.
// The zero value stands for a valid rule.
type problem struct{ key, why string }

// is reports whether field i is the first one that the problem is about.
func (p problem) is(fields []*field, i int) bool {
	return p.why != "" && p.about(fields[i]) && (i == 0 || !p.about(fields[i-1]))
}

func (p problem) about(f *field) bool {
	return f.key != "" && (p.key == f.key || strings.HasPrefix(p.key, f.key+"["))
}

// check sets the problem of the rule as typed.
func (f *Form) check() {
	if f.text != nil {
		f.problem = f.text.read()
		return
	}
	rule := f.rule()
	key, err := rule.Check()
	f.problem = problem{}
	if err != nil {
		f.problem = problem{key, term.Safe(term.Clip(err.Error(), 300))}
	}
	if key == "match" && strings.HasPrefix(f.problem.why, "path_prefix") {
		f.problem.key = "match.path_prefix"
	}
}

// saysNothing reports whether the rule changes nothing.
func saysNothing(o canon.Override) bool {
	return len(o.DropQueryParams)+len(o.KeepQueryParams)+len(o.PaginationParams)+len(o.NotPaginationParams)+
		len(o.RewriteRules)+len(o.Accept) == 0 && o.Scheme+o.TrailingSlash+o.CanonicalHost == "" && o.Spanish == nil
}
