package plain

import (
	"errors"
	"fmt"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/ui/term"
	"visto/ui/wording"
)

// override writes a rule for the host of the item, after its effect and a yes.
func (p *prompts) override(arg string) error {
	rule, err := parseRule(p.item, arg)
	if err != nil {
		return err
	}
	strangers, err := p.desk.Strangers(p.ctx, rule)
	if err != nil {
		return err
	}
	for _, s := range strangers {
		p.out.printf("%s\n", term.Safe(s.String()))
		if !p.sure("Go on with this name") {
			return nil
		}
	}
	return p.rule(rule)
}

// rule merges rules into the overrides of the same URLs.
func (p *prompts) rule(rules ...canon.Override) error {
	changes, err := p.desk.AmendAll(p.ctx, rules...)
	if err != nil {
		return err
	}
	return p.save(changes)
}

// save tells the effect of rule changes, asks, and writes them.
func (p *prompts) save(changes []review.OverrideChange) error {
	e, err := p.desk.Effect(p.ctx, changes, nil)
	if err != nil {
		return err
	}
	p.out.printf("The rule: %s.\n", term.Safe(wording.Changes(changes)))
	if later := wording.Later(changes); later != "" {
		p.out.printf("It holds for the stored URLs, %s.\n", term.Safe(later))
	}
	p.out.effect(e)
	if !p.agreed("Write it") {
		return nil
	}
	r, e, err := p.desk.SaveOverrides(p.ctx, changes, wording.Changes(changes))
	if err != nil {
		return err
	}
	p.confirm(wording.Saved("", e, r), r)
	return p.next(p.item)
}

// verbs are the rules that one line can hold, with the number of words after the verb.
var verbs = map[string]struct {
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

// parseRule reads the argument of the command override.
func parseRule(it *review.Item, arg string) (canon.Override, error) {
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
		return rule, errors.New(
			"which rule? keep NAME, drop NAME, accept FLAG, http, slash, host HOST, spanish FROM TO, or JSON")
	}
	verb, known := verbs[words[0]]
	switch {
	case !known:
		const format = "there is no rule %q: keep, drop, accept, http, slash, host, spanish, or JSON"
		return rule, fmt.Errorf(format, words[0])
	case len(words)-1 != verb.words:
		return rule, fmt.Errorf("%s wants %d words after it", words[0], verb.words)
	}
	verb.set(&rule, words[1:])
	return rule, nil
}

// effect tells the counts of an effect that are not zero, and samples.
func (w *errWriter) effect(e *review.Effect) {
	w.printf("It concerns %s.\n", wording.URLs(e.Scanned))
	for _, fact := range []struct {
		name string
		n    int
	}{
		{"Decided together", e.Decided}, {"Approved by one of two persons", e.Waiting},
		{"Left out, approved before by you as the first of two, or by two persons", e.Again},
		{"Settled", e.Settled}, {"With another canonical URL", e.Changed},
		{"Become one page with another", e.Merged}, {"Back in the queue", e.Reopened},
		{"Approved before, and changed by it", e.Approved}, {"Rejected by it", e.Refused},
	} {
		if fact.n > 0 {
			w.printf("%s: %d.\n", fact.name, fact.n)
		}
	}
	for _, s := range e.Samples[:min(3, len(e.Samples))] {
		if s.After == "" || s.After == s.Before {
			w.say("URL", s.Before)
			continue
		}
		w.say("Before", s.Before)
		w.say("After", s.After)
	}
}
