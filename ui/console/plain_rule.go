package console

import (
	"errors"
	"fmt"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/ui/term"
)

// override writes a rule for the item's host, after its effect was told and the reviewer said yes.
func (p *plain) override(arg string) error {
	rule, err := plainRule(p.item, arg)
	if err != nil {
		return err
	}
	return p.rule(rule)
}

// rule writes a rule into what stands for the same URLs.
func (p *plain) rule(rule canon.Override) error {
	change, err := p.desk.Amend(p.ctx, rule)
	if err != nil {
		return err
	}
	return p.save([]review.OverrideChange{change})
}

// save tells the effect of changes to the rules, asks, and writes them.
func (p *plain) save(changes []review.OverrideChange) error {
	e, err := p.desk.Effect(p.ctx, changes, nil)
	if err != nil {
		return err
	}
	p.out.printf("The rule: %s.\n", term.Safe(changeText(changes)))
	p.effect(e)
	if !p.sure("Write it? yes or no: ") || !p.redoLost() {
		return p.unwritten()
	}
	r, e, err := p.desk.SaveOverrides(p.ctx, changes, changeText(changes))
	if err != nil {
		return err
	}
	p.confirm(savedText(e), r)
	return p.next(p.item)
}

// plainVerbs are what an override of one line can say, with how many words follow the verb.
var plainVerbs = map[string]struct {
	words int
	set   func(o *canon.Override, words []string)
}{
	"http":    {0, func(o *canon.Override, _ []string) { o.Scheme = "http" }},
	"slash":   {0, func(o *canon.Override, _ []string) { o.TrailingSlash = "keep" }},
	"keep":    {1, func(o *canon.Override, w []string) { o.KeepQueryParams = w }},
	"drop":    {1, func(o *canon.Override, w []string) { o.DropQueryParams = w }},
	"accept":  {1, func(o *canon.Override, w []string) { o.Accept = w }},
	"host":    {1, func(o *canon.Override, w []string) { o.CanonicalHost = w[0] }},
	"spanish": {2, func(o *canon.Override, w []string) { o.Spanish = &canon.Prefixes{From: w[0], To: w[1]} }},
}

// plainRule reads what follows the command override.
func plainRule(it *review.Item, arg string) (canon.Override, error) {
	if strings.HasPrefix(arg, "{") {
		return canon.ParseOverride("override", []byte(arg))
	}
	rule := canon.Override{Match: canon.Match{Host: it.Computed.Host}}
	if rule.Match.Host == "" {
		return rule, errors.New("this URL has no host to write a rule for")
	}
	words := strings.Fields(arg)
	if len(words) == 1 && (words[0] == "keep" || words[0] == "drop") && len(it.Computed.Unknown) == 1 {
		words = append(words, it.Computed.Unknown[0])
	}
	if len(words) == 0 {
		return rule, errors.New("which rule? keep NAME, drop NAME, accept FLAG, http, slash, host HOST, spanish FROM TO, or JSON")
	}
	verb, known := plainVerbs[words[0]]
	switch {
	case !known:
		return rule, fmt.Errorf("there is no rule %q: keep, drop, accept, http, slash, host, spanish, or JSON", words[0])
	case len(words)-1 != verb.words:
		return rule, fmt.Errorf("%s wants %d words after it", words[0], verb.words)
	}
	verb.set(&rule, words[1:])
	return rule, nil
}

// effect tells what would be done, a fact a line: those that are not zero.
func (p *plain) effect(e *review.Effect) {
	p.out.printf("It concerns %s.\n", counted(e.Scanned))
	for _, fact := range []struct {
		name string
		n    int
	}{
		{"Decided together", e.Decided}, {"Settled", e.Settled}, {"With another canonical URL", e.Changed}, {"Become one page with another", e.Merged},
		{"Back in the queue", e.Reopened}, {"Approved before, and changed by it", e.Approved}, {"Rejected by it", e.Refused},
	} {
		if fact.n > 0 {
			p.out.printf("%s: %d.\n", fact.name, fact.n)
		}
	}
	for _, s := range e.Samples[:min(3, len(e.Samples))] {
		if s.After == "" || s.After == s.Before {
			p.say("URL", s.Before)
			continue
		}
		p.say("Before", s.Before)
		p.say("After", s.After)
	}
}

// sure asks, and takes nothing but yes for a yes.
func (p *plain) sure(question string) bool {
	p.out.printf("%s", question)
	line, _ := p.in.ReadString('\n')
	line = strings.ToLower(strings.TrimSpace(line))
	return line == "yes" || line == "y"
}
