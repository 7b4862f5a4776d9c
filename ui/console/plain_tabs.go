package console

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/review/cause"
	"visto/ui/pane"
	"visto/ui/term"
)

// toldCauses is how many causes are told.
const toldCauses = 20

func (p *plain) tellCauses(string) error {
	list, err := cause.List(p.ctx, p.desk, review.Filter{})
	if err != nil {
		return err
	}
	p.causes = list[:min(toldCauses, len(list))]
	for i, c := range p.causes {
		p.out.printf("%d: %s, %s. %s, %d by this alone.\n", i+1, c.Flag, pane.CauseText(c), counted(c.N), c.Sole)
	}
	if more := len(list) - len(p.causes); more > 0 {
		p.out.printf("And %d smaller ones.\n", more)
	}
	if len(list) == 0 {
		p.out.printf("Nothing waits for a person: there are no causes left to settle.\n")
	}
	return nil
}

// causeAt is the cause with the number that begins the text, and the rest of the text.
func (p *plain) causeAt(arg string) (c cause.Cause, rest string, err error) {
	number, rest, _ := strings.Cut(arg, " ")
	i, err := strconv.Atoi(number)
	switch {
	case len(p.causes) == 0:
		return c, "", errors.New("causes tells them first, with their numbers")
	case err != nil || i < 1 || i > len(p.causes):
		return c, "", fmt.Errorf("which cause? A number from 1 to %d", len(p.causes))
	}
	return p.causes[i-1], strings.TrimSpace(rest), nil
}

func (p *plain) urlsOf(arg string) error {
	c, _, err := p.causeAt(arg)
	if err != nil {
		return err
	}
	p.query.Filter = c.Filter()
	return p.next(nil)
}

// plainActs are the words for what settles a cause.
var plainActs = map[string]cause.FixKind{
	"keep": cause.FixKeep, "drop": cause.FixDrop, "map": cause.FixMapLanguage, "cite": cause.FixHost, "accept": cause.FixAccept, "reject": cause.FixReject,
}

// cause settles a cause by one of its remedies, after the effect was told and the reviewer said yes.
func (p *plain) cause(arg string) error {
	c, rest, err := p.causeAt(arg)
	if err != nil {
		return err
	}
	word, reason, _ := strings.Cut(rest, " ")
	act, known := plainActs[word]
	if !known {
		return errors.New("what? keep, drop, map, cite, accept or reject REASON")
	}
	study, err := cause.Examine(p.ctx, p.desk, c)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(study.Fixes, func(r cause.Fix) bool { return r.Kind == act })
	if i < 0 {
		return fmt.Errorf("%s does not settle this cause: %s", word, remedyWords(study.Fixes))
	}
	r := study.Fixes[i]
	choice := review.Choice{Kind: r.Decision, Note: strings.TrimSpace(reason)}
	switch {
	case r.Rule != nil:
		return p.rule(*r.Rule)
	case act == cause.FixReject && choice.Note == "":
		return errors.New("a rejection needs a reason: cause NUMBER reject REASON")
	}
	return p.settle(r.Title, choice, r.Only)
}

// remedyWords names what does settle a cause.
func remedyWords(list []cause.Fix) string {
	var words []string
	for word, act := range plainActs {
		if slices.ContainsFunc(list, func(r cause.Fix) bool { return r.Kind == act }) {
			words = append(words, word)
		}
	}
	if len(words) == 0 {
		return "nothing does, but its URLs one by one"
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

// settle decides on all that a filter selects, after the effect was told.
func (p *plain) settle(title string, choice review.Choice, only review.Filter) error {
	e, targets, err := p.desk.DecisionEffect(p.ctx, choice, func(review.Effect) {}, only)
	if err != nil {
		return err
	}
	p.out.printf("%s: %s.\n", choice.Kind, term.Safe(title))
	p.effect(e)
	if !p.sure("Do it? yes or no: ") || !p.redoLost() {
		return p.unwritten()
	}
	d := decide{choice: choice, targets: targets, marked: true}
	r, err := d.write(p.ctx, p.desk)
	if err != nil {
		return err
	}
	p.confirm(decidedText(d, r), r)
	return p.next(p.item)
}

func (p *plain) overrides(string) error {
	list, err := p.desk.Overrides(p.ctx)
	for i, o := range list {
		p.out.printf("%d: %s: %s. By %s, %s.\n", i+1, term.Safe(pane.Matches(o.Override.Match)), term.Safe(pane.Does(o.Override)),
			term.Safe(o.Reviewer), pane.Stamp(o.At))
	}
	if err == nil && len(list) == 0 {
		p.out.printf("There are no overrides yet.\n")
	}
	return err
}

func (p *plain) removeOverride(arg string) error {
	list, err := p.desk.Overrides(p.ctx)
	if err != nil {
		return err
	}
	i, err := strconv.Atoi(arg)
	if err != nil || i < 1 || i > len(list) {
		return fmt.Errorf("which override? A number from 1 to %d, as overrides tells them", len(list))
	}
	before := list[i-1].Override
	return p.save([]review.OverrideChange{{Before: &before}})
}

func (p *plain) log(arg string) error {
	n, err := atMost(arg, 10)
	if err != nil {
		return err
	}
	list, err := p.desk.Log(p.ctx, 0, n)
	for _, e := range list {
		p.out.printf("%s, %s: %s. Batch %d.\n", pane.Stamp(e.At), term.Safe(e.Reviewer), term.Safe(term.Clip(e.Summary, 500)), e.Batch)
	}
	return err
}

func (p *plain) undoThis(arg string) error {
	batch, err := strconv.ParseInt(arg, 10, 64)
	if err != nil || batch < 1 {
		return errors.New("which batch? undo-batch NUMBER, as log tells it")
	}
	if !p.sure(fmt.Sprintf("Take back batch %d? yes or no: ", batch)) {
		return p.unwritten()
	}
	b, r, err := p.desk.Undo(p.ctx, batch)
	if err != nil {
		return err
	}
	p.confirm("took back: "+batchText(b), r)
	return p.next(nil)
}

// tellPace tells what settled the URLs, and how fast.
func (p *plain) tellPace(s *review.Stats) {
	if len(s.Days) == 0 {
		return
	}
	p.out.printf("Settled by rules and evidence: %d. By decisions on one URL: %d. By decisions on many at once: %d.\n",
		s.Settled.Rules, s.Settled.Single, s.Settled.Bulk)
	p.out.printf("Batches for each settled URL: %.2f.\n", s.BatchesPerSettled())
	p.out.printf("In all, %s. %s\n", pane.PaceText(s.Pace), pane.PaceNote())
	for _, r := range append(slices.Clone(s.Reviewers), s.Days...) {
		p.out.printf("%s: %s.\n", term.Safe(r.Name), pane.PaceText(r.Pace))
	}
}

// stats tells the counts, one a line.
func (p *plain) stats(string) error {
	s, err := p.desk.Stats(p.ctx)
	if err != nil {
		return err
	}
	p.out.printf("%s in all.\n%d wait for a person.\n%d reviewed.\n", counted(s.Total), s.Open, s.Reviewed)
	for _, st := range statuses {
		p.out.printf("Status %s: %d.\n", st, s.Statuses[st])
	}
	for _, c := range canon.Codes() {
		if s.OpenFlags[c] > 0 {
			p.out.printf("Flag %s, waiting: %d.\n", c, s.OpenFlags[c])
		}
	}
	for _, b := range s.Hosts[:min(10, len(s.Hosts))] {
		p.out.printf("Host %s, waiting: %d.\n", term.Safe(b.Value), b.N)
	}
	p.tellPace(&s)
	for _, t := range s.DecisionCounts {
		p.out.printf("%s, %s by %s: %d.\n", term.Safe(t.Day), t.Kind, term.Safe(t.Reviewer), t.N)
	}
	return nil
}
