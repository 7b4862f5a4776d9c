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
	change, err := p.desk.Amend(p.ctx, rule)
	if err != nil {
		return err
	}
	changes := []review.OverrideChange{change}
	e, err := p.desk.Effect(p.ctx, changes, nil)
	if err != nil {
		return err
	}
	p.effect(changes, e)
	if !p.sure("Write it? yes or no: ") {
		p.out.printf("Nothing was written.\n")
		return nil
	}
	r, e, err := p.desk.SaveOverrides(p.ctx, changes, changeText(changes))
	if err != nil {
		return err
	}
	p.confirm(savedText(e), r)
	return p.next(p.item)
}

// plainRule reads what follows the command o.
func plainRule(it *review.Item, arg string) (canon.Override, error) {
	rule := canon.Override{Match: canon.Match{Host: it.Computed.Host}}
	if rule.Match.Host == "" {
		return rule, errors.New("this URL has no host to write a rule for")
	}
	verb, name, _ := strings.Cut(arg, " ")
	name = strings.TrimSpace(name)
	if name == "" && (verb == "keep" || verb == "drop") && len(it.Computed.Unknown) == 1 {
		name = it.Computed.Unknown[0]
	}
	switch {
	case verb == "http":
		rule.Scheme = "http"
	case verb == "slash":
		rule.TrailingSlash = "keep"
	case name == "":
		return rule, errors.New("which rule? o keep NAME, o drop NAME, o accept FLAG, o http, o slash")
	case verb == "keep":
		rule.KeepQueryParams = []string{name}
	case verb == "drop":
		rule.DropQueryParams = []string{name}
	case verb == "accept":
		rule.Accept = []string{name}
	default:
		return rule, fmt.Errorf("there is no rule %q: keep, drop, accept, http or slash", verb)
	}
	return rule, nil
}

// effect tells what the changes would do.
func (p *plain) effect(changes []review.OverrideChange, e *review.Effect) {
	p.out.printf("The rule: %s.\n", term.Safe(changeText(changes)))
	p.out.printf("It concerns %s. Canonical URL changes: %d. Settled: %d. Become one page with another: %d. Back in the queue: %d. Approved ones that change: %d.\n",
		counted(e.Scanned), e.Changed, e.Settled, e.Merged, e.Reopened, e.Approved)
	for _, s := range e.Samples[:min(3, len(e.Samples))] {
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
