package plain

import (
	"errors"
	"strings"

	"visto/review"
	"visto/ui/pane"
	"visto/ui/term"
	"visto/ui/wording"
)

// detailed is the command that tells the detail of the item at hand.
func detailed(tell func(p *prompts, d *review.Detail, arg string) error) func(*prompts, string) error {
	return func(p *prompts, arg string) error {
		d, err := p.desk.Detail(p.ctx, p.item.ID)
		if err != nil {
			return err
		}
		return tell(p, d, arg)
	}
}

// show prints the page of the URL, as the console does.
func (p *position) show(d *review.Detail, _ string) error {
	for _, line := range pane.Lines(d, 100) {
		p.out.printf("%s\n", line)
	}
	return nil
}

// trace tells each step that changed the URL or flagged it, with the URL before and after.
func (p *position) trace(d *review.Detail, _ string) error {
	for _, e := range d.Result.Trace {
		p.out.printf("Step %s.\n", e.Step)
		p.out.say("Because", e.Note)
		if e.Before != e.After {
			p.out.say("Before", e.Before)
			p.out.say("After", e.After)
		}
	}
	if len(d.Result.Trace) == 0 {
		p.out.printf("No step did anything.\n")
	}
	return nil
}

// choose tells the alternatives of the URL, or approves one of them.
func (p *prompts) choose(d *review.Detail, arg string) error {
	if arg == "" {
		for i, a := range d.Alternatives {
			p.out.printf("%d: %s: %s\n", i+1, term.Safe(a.Label), term.Safe(term.Clip(a.URL, 4096)))
		}
		if len(d.Alternatives) == 0 {
			p.out.printf("Nothing else is known that could be cited: correct URL enters one.\n")
		}
		return nil
	}
	kind, number := review.Correct, arg
	if n, ok := strings.CutSuffix(arg, " as typed"); ok {
		kind, number = review.CorrectAsTyped, n
	}
	chosen, err := pick(d.Alternatives, number, "which one? A number from 1 to %d")
	switch {
	case err != nil:
		return err
	case p.desk.ReadOnly():
		return review.ErrReadOnly
	}
	return p.correct(kind, chosen.URL)
}

// related tells the other originals of the page and its neighbours on the host.
func (p *position) related(d *review.Detail, _ string) error {
	around, err := p.desk.Surroundings(p.ctx, p.item.ID)
	if err != nil {
		return err
	}
	tell := func(relation string, items []review.Item) {
		for i := range items {
			url := term.Safe(term.Clip(pane.Shown(&items[i]), 4096))
			p.out.printf("%d, %s, %s: %s\n", items[i].ID, relation, items[i].Status, url)
		}
	}
	tell("the same page", d.Twins)
	tell("near it", around.Near)
	if len(d.Twins)+len(around.Near) == 0 {
		p.out.printf("No other URL of this page, or near it, is stored.\n")
	}
	return nil
}

// ofRecord shows the URLs of the records that cite the URL.
func (p *position) ofRecord(d *review.Detail, _ string) error {
	var f review.Filter
	for _, r := range d.Item.Records() {
		f.Records = append(f.Records, r.Number)
	}
	if len(f.Records) == 0 {
		return errors.New("no record cites this URL: it stands in plain text")
	}
	p.query.Filter = f
	return p.next(nil)
}

// rules quotes the policy on the flags of the URL.
func (p *position) rules(d *review.Detail, _ string) error {
	told := map[string]bool{}
	for _, f := range d.Flags() {
		p.out.printf("Flag %s: %s.\n", f.Code, f.Code.Summary())
		if rule := p.desk.Policy().Guideline(f.Code.Step()); rule != "" && !told[f.Code.Step()] {
			told[f.Code.Step()] = true
			for _, line := range term.Wrap(rule, 100) {
				p.out.printf("%s\n", term.Safe(line))
			}
		}
	}
	return nil
}

// probe asks the network about the URL, tells the requests, and tells the URL again.
func (p *prompts) probe(string) error {
	if p.opts.Prober == nil {
		return errors.New("there is no network to ask here")
	}
	result, err := p.opts.Prober.Probe(p.ctx, p.item.ID, p.out.sayRequest)
	if err != nil {
		return err
	}
	p.out.printf("%s.\n", wording.Probed(&result))
	return p.tell(&result.After)
}
