package plain

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"visto/review"
	"visto/review/cause"
	"visto/review/suggest"
	"visto/ui/desk"
	"visto/ui/pane"
	"visto/ui/term"
	"visto/ui/wording"
)

// maxCauses is the number of causes that are told.
const maxCauses = 20

func (p *prompts) tellCauses(string) error {
	totals, err := p.desk.Totals(p.ctx)
	if err == nil && totals.Items <= suggest.MaxUnasked {
		_, err = suggest.Renew(p.ctx, p.desk)
	}
	if err != nil {
		return err
	}
	causes, err := desk.ReadCauses(p.ctx, p.desk)
	if err != nil {
		return err
	}
	list := slices.DeleteFunc(causes.List, func(c cause.Cause) bool { return c.In != nil })
	p.causes = list[:min(maxCauses, len(list))]
	isSuggested := func(c cause.Cause) bool { return c.Suggestion != nil }
	if slices.ContainsFunc(p.causes, isSuggested) {
		p.out.printf("The suggested rules were %s.\n", wording.Mined(causes.Mined, time.Now()))
	}
	for i, c := range p.causes {
		if s := c.Suggestion; s != nil {
			p.out.printf("%d: suggested rule: %s. It would change %s; %d pages for it, %d against.\n", i+1,
				pane.CauseText(c), wording.URLs(c.N), s.For, s.Against)
			continue
		}
		p.out.printf("%d: %s, %s. %s; to decide it settles %d.\n", i+1, c.Flag, pane.CauseText(c), wording.URLs(c.N),
			c.Sole)
	}
	if more := len(list) - len(p.causes); more > 0 {
		p.out.printf("And %d smaller ones.\n", more)
	}
	if causes.More > 0 {
		p.out.printf("And %d suggested rules that too little speaks for: visto suggest --all tells them.\n",
			causes.More)
	}
	if len(list) == 0 {
		p.out.printf("There are no causes left: no URL waits undecided.\n")
	}
	return nil
}

// causeAt returns the cause whose number begins the text, and the rest of the text.
func (p *prompts) causeAt(arg string) (c cause.Cause, rest string, err error) {
	if len(p.causes) == 0 {
		return c, "", errors.New("causes tells them first, with their numbers")
	}
	number, rest, _ := strings.Cut(arg, " ")
	c, err = pick(p.causes, number, "which cause? A number from 1 to %d")
	return c, strings.TrimSpace(rest), err
}

func (p *prompts) urlsOf(arg string) error {
	c, _, err := p.causeAt(arg)
	if err != nil {
		return err
	}
	p.query.Filter = c.Filter()
	return p.next(nil)
}

// fixWords are the words for the fixes of a cause.
var fixWords = map[string]cause.FixKind{
	"keep": cause.FixKeep, "drop": cause.FixDrop, "map": cause.FixMapLanguage, "cite": cause.FixHost,
	"accept": cause.FixAccept, "reject": cause.FixReject, "take": cause.FixTake,
	"approve": cause.FixApprove, "defer": cause.FixDefer,
}

// cause settles a cause by one of its fixes, after the effect and a yes.
func (p *prompts) cause(arg string) error {
	c, rest, err := p.causeAt(arg)
	if err != nil {
		return err
	}
	word, reason, _ := strings.Cut(rest, " ")
	if word == "pages" {
		return p.pagesOfCause(c)
	}
	kind, known := fixWords[word]
	switch {
	case c.Suggestion != nil:
		return p.suggestion(c, word)
	case !known && word != "ask":
		return errors.New("name a fix: keep, drop, map, cite, pages, accept, approve, defer or reject REASON; or ask")
	}
	study, err := cause.Examine(p.ctx, p.desk, c)
	switch {
	case err != nil:
		return err
	case word == "ask":
		return p.askAbout(study.Ask)
	}
	r, can := study.Fix(kind)
	if !can {
		return fmt.Errorf("%s does not settle this cause: %s", word, wordsOf(study.Fixes))
	}
	choice := review.Choice{Kind: r.Decision, Note: textAt(p.opts.Reasons, strings.TrimSpace(reason))}
	switch {
	case len(r.Rules) > 0:
		return p.rule(r.Rules...)
	case kind == cause.FixReject && choice.Note == "":
		return errors.New("a rejection needs a reason: cause NUMBER reject REASON" + hintOf(p.opts.Reasons))
	}
	return p.decideCause(r.Title, choice, r.Only)
}

// suggestion tells the pairs behind a suggested rule, writes it, dismisses it, or asks the network about it.
func (p *prompts) suggestion(c cause.Cause, word string) error {
	s := c.Suggestion
	switch word {
	case "take":
		policy, overrides, err := p.desk.Rules(p.ctx)
		if err != nil {
			return err
		}
		if warning := s.Warning(policy, overrides); warning != "" {
			p.out.printf("Mind: %s.\n", term.Safe(warning))
		}
		return p.rule(s.Override())
	case "dismiss":
		if err := suggest.Dismiss(p.ctx, p.desk, s); err != nil {
			return err
		}
		p.dismissed = append(p.dismissed, s)
		p.out.printf("Dismissed. undo takes it back.\n")
		return nil
	case "ask":
		return p.askAbout(s.Ask)
	case "pairs":
		for _, v := range s.Votes {
			p.out.printf("%s by %s: %s, %s.\n", map[bool]string{true: "For", false: "Against"}[v.For], v.Signal,
				term.Safe(v.URL), term.Safe(v.Other))
		}
		return nil
	}
	return errors.New("this is a suggested rule: pairs, take, dismiss or ask")
}

// restore takes the dismissal of a suggestion back.
func (p *prompts) restore(s *suggest.Suggestion) error {
	err := suggest.Restore(p.ctx, p.desk, s)
	if err == nil {
		p.out.printf("Brought back: %s.\n", term.Safe(s.Template.String()))
	}
	return err
}

// askAbout asks the network about items.
func (p *prompts) askAbout(ids []int64) error {
	switch {
	case p.opts.Prober == nil:
		return errors.New("there is no network to ask here")
	case len(ids) == 0:
		return errors.New("no URL is known that would tell which rule this cause wants")
	}
	for _, id := range ids {
		result, err := p.opts.Prober.Probe(p.ctx, id, p.out.sayRequest)
		if err != nil {
			return err
		}
		p.out.printf("%s.\n", wording.Probed(&result))
	}
	return nil
}

// wordsOf names the fixes of a cause.
func wordsOf(list []cause.Fix) string {
	var words []string
	for word, kind := range fixWords {
		if slices.ContainsFunc(list, func(r cause.Fix) bool { return r.Kind == kind }) {
			words = append(words, word)
		}
	}
	if len(words) == 0 {
		return "nothing does, but its URLs one by one"
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

// decideCause decides on all items of a filter, after the effect and a yes.
func (p *prompts) decideCause(title string, choice review.Choice, only review.Filter) error {
	e, targets, err := p.desk.DecisionEffect(p.ctx, choice, func(review.Effect) {}, only)
	if err != nil {
		return err
	}
	p.out.printf("%s: %s.\n", choice.Kind, term.Safe(title))
	p.out.effect(e)
	if !p.agreed("Do it") {
		return nil
	}
	return p.write(choice, 0, targets, "")
}
