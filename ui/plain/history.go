package plain

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/health"
	"visto/ui/pane"
	"visto/ui/term"
	"visto/ui/wording"
)

func (p *prompts) overrides(string) error {
	proposals, err := p.desk.Proposals(p.ctx)
	if err != nil {
		return err
	}
	for _, b := range proposals {
		p.out.printf("Batch %d, 1 of 2: %s. Proposed by %s, %s.\n", b.ID, term.Safe(wording.Changes(b.Rules)),
			term.Safe(b.Reviewer), pane.Stamp(b.At))
	}
	list, err := p.desk.Overrides(p.ctx)
	for i, o := range list {
		p.out.printf("%d: %s: %s. By %s, %s.\n", i+1, term.Safe(o.Override.Match.String()),
			term.Safe(pane.Does(o.Override)), term.Safe(o.Reviewer), pane.Stamp(o.At))
	}
	if err == nil && len(list)+len(proposals) == 0 {
		p.out.printf("There are no overrides yet.\n")
	}
	return err
}

func (p *prompts) removeOverride(arg string) error {
	list, err := p.desk.Overrides(p.ctx)
	if err != nil {
		return err
	}
	before, err := pick(list, arg, "which override? A number from 1 to %d, as overrides tells them")
	if err != nil {
		return err
	}
	return p.save([]review.OverrideChange{{Before: &before.Override}})
}

// confirmProposal puts in force what another person proposed.
func (p *prompts) confirmProposal(arg string) error {
	list, err := p.desk.Proposals(p.ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(b review.Batch) bool { return strconv.FormatInt(b.ID, 10) == arg })
	switch {
	case i < 0:
		return errors.New("which proposal? The number of its batch, as overrides tells it")
	case strings.EqualFold(list[i].Reviewer, p.desk.Reviewer()):
		return fmt.Errorf("you proposed it: another person has to confirm it. undo-batch %s takes it back", arg)
	}
	if err = p.save(list[i].Rules); errors.Is(err, review.ErrStale) {
		err = wording.ErrStaleProposal
	}
	return err
}

func (p *prompts) log(arg string) error {
	n, err := atMost(arg, 10)
	if err != nil {
		return err
	}
	list, err := p.desk.Log(p.ctx, 0, n)
	for _, e := range list {
		summary := term.Safe(term.Clip(e.Summary, 500))
		p.out.printf("%s, %s: %s. Batch %d.\n", pane.Stamp(e.At), term.Safe(e.Reviewer), summary, e.Batch)
	}
	return err
}

func (p *prompts) undoThis(arg string) error {
	batch, err := strconv.ParseInt(arg, 10, 64)
	if err != nil || batch < 1 {
		return errors.New("which batch? undo-batch NUMBER, as log tells it")
	}
	if !p.sure(fmt.Sprintf("Take back batch %d", batch)) {
		return nil
	}
	b, r, err := p.desk.Undo(p.ctx, batch)
	if err != nil {
		return err
	}
	p.confirm("took back: "+wording.Batch(b), r)
	return p.next(nil)
}

// stats tells the counts, one a line.
func (p *prompts) stats(string) error {
	s, err := p.desk.Stats(p.ctx)
	if err != nil {
		return err
	}
	p.out.printf("%s in all.\n%d wait for a person.\n%d reviewed.\n", wording.URLs(s.Total), s.Open, s.Reviewed)
	for _, st := range pane.Statuses {
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
	if err := p.tellLinks(); err != nil {
		return err
	}
	p.out.tellPace(&s)
	p.out.tellAgreement(&s)
	for _, t := range s.DecisionCounts {
		p.out.printf("%s, %s by %s: %d.\n", term.Safe(t.Day), t.Kind, term.Safe(t.Reviewer), t.N)
	}
	return nil
}

// tellLinks tells how the links of the registry do, and the worst domains.
func (p *prompts) tellLinks() error {
	sum, err := p.desk.Trends(p.ctx, review.Registry(), time.Now())
	if err != nil || sum.Unchecked == sum.URLs {
		return err
	}
	p.out.printf("Links, last checked %s: %d healthy, %d degraded, %d inactive, %d never checked.\n",
		pane.CheckStamp(&sum, sum.LastAt), sum.Healthy, sum.Degraded, sum.Inactive, sum.Unchecked)
	p.out.printf("The last check failed: %d. Uptime %s, answers in %s, mean of %d days.\n", sum.Failing,
		pane.Uptime(sum.Uptime), pane.TookText(sum.Response), health.Days)
	for i := range sum.Domains[:min(len(sum.Domains), pane.ShownDomains)] {
		d := &sum.Domains[i]
		good, checked := daysOf(d)
		p.out.printf("Domain %s: %s, %d failing, uptime %s, all answered on %d of %d days with checks.\n",
			term.Safe(d.Name), wording.URLs(d.URLs), d.Failing, pane.Uptime(d.Uptime), good, checked)
	}
	return nil
}

// daysOf counts the days on which a domain was checked, and those of them on which it always answered.
func daysOf(d *health.Domain) (good, checked int) {
	for _, day := range d.Days {
		if day.Checks == 0 {
			continue
		}
		checked++
		if day.Answered == day.Checks {
			good++
		}
	}
	return good, checked
}

// tellAgreement tells how far the judgements of two persons agree.
func (w *errWriter) tellAgreement(s *review.Stats) {
	if s.Agreement.N == 0 {
		return
	}
	for _, a := range append([]review.Agreement{s.Agreement}, s.Agreements...) {
		w.printf("%s.\n", term.Safe(pane.AgreementText(&a)))
	}
}

// tellPace tells how many URLs were settled by which means, and how fast.
func (w *errWriter) tellPace(s *review.Stats) {
	if len(s.Days) == 0 {
		return
	}
	w.printf("Settled by rules and evidence: %d. By decisions on one URL: %d. By decisions on many at once: %d.\n",
		s.Settled.Rules, s.Settled.Single, s.Settled.Bulk)
	w.printf("Batches for each settled URL: %.2f.\n", s.BatchesPerSettled())
	w.printf("In all, %s. %s\n", pane.PaceText(s.Pace), pane.PaceNote())
	for _, r := range append(slices.Clone(s.Reviewers), s.Days...) {
		w.printf("%s: %s.\n", term.Safe(r.Name), pane.PaceText(r.Pace))
	}
}
