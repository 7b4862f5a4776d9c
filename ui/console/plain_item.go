package console

import (
	"errors"
	"fmt"
	"strconv"

	"visto/canon"
	"visto/review"
	"visto/ui/pane"
	"visto/ui/term"
)

func (p *plain) approve(string) error { return p.decide(review.Choice{Kind: review.Approve}) }

func (p *plain) postpone(string) error { return p.decide(review.Choice{Kind: review.Defer}) }

func (p *plain) reopen(string) error { return p.decide(review.Choice{Kind: review.Reopen}) }

func (p *plain) reject(reason string) error {
	if reason == "" {
		return errors.New("a rejection needs a reason: reject REASON")
	}
	return p.decide(review.Choice{Kind: review.Reject, Note: reason})
}

func (p *plain) correct(url string) error {
	if url == "" {
		return errors.New("which URL? correct URL")
	}
	if r := p.desk.Correction(url); r.Verdict == canon.Rejected {
		return fmt.Errorf("this URL cannot be stored: %s, %s", r.Reason, r.Detail)
	}
	return p.decide(review.Choice{Kind: review.Correct, Canonical: url})
}

func (p *plain) decide(c review.Choice) error {
	if !p.redoLost() {
		return p.unwritten()
	}
	d := decide{choice: c, targets: targetOf(p.item)}
	r, err := d.write(p.ctx, p.desk)
	if err != nil {
		return err
	}
	delete(p.marks, p.item.ID)
	p.confirm(decidedText(d, r), r)
	return p.next(p.item)
}

// unwritten says that the answer was not yes.
func (p *plain) unwritten() error {
	p.out.printf("Nothing was written.\n")
	return nil
}

// confirm says what was written, and what was not because someone else was first.
func (p *plain) confirm(text string, r review.Receipt) {
	if len(r.Conflicts) > 0 {
		text += conflictText(r)
	}
	p.out.printf("%s.\n", text)
}

func (p *plain) note(text string) error {
	if text == "" {
		return errors.New("the note is empty: note TEXT")
	}
	if !p.redoLost() {
		return p.unwritten()
	}
	r, err := p.desk.Note(p.ctx, text, p.item.ID)
	if err != nil {
		return err
	}
	p.confirm(fmt.Sprintf("noted on URL %d", p.item.ID), r)
	return p.refresh()
}

// refresh reads the item again, of which a note or a mark is to know the revision.
func (p *plain) refresh() error {
	d, err := p.desk.Detail(p.ctx, p.item.ID)
	if err != nil {
		return err
	}
	p.item = &d.Item
	if _, marked := p.marks[d.Item.ID]; marked {
		p.marks[d.Item.ID] = d.Item.Rev
	}
	return nil
}

// show tells everything, as the console's page for one URL does.
func (p *plain) show(string) error {
	d, err := p.desk.Detail(p.ctx, p.item.ID)
	if err != nil {
		return err
	}
	for _, line := range pane.Lines(d, 100) {
		p.out.printf("%s\n", line)
	}
	return nil
}

// trace tells each step that did something, with what the URL was before and after.
func (p *plain) trace(string) error {
	d, err := p.desk.Detail(p.ctx, p.item.ID)
	if err != nil {
		return err
	}
	for _, e := range d.Result.Trace {
		p.out.printf("Step %s.\n", e.Step)
		p.say("Because", e.Note)
		if e.Before != e.After {
			p.say("Before", e.Before)
			p.say("After", e.After)
		}
	}
	if len(d.Result.Trace) == 0 {
		p.out.printf("No step did anything.\n")
	}
	return nil
}

// choose tells the alternatives of the URL, or approves one of them as it would be stored.
func (p *plain) choose(arg string) error {
	d, err := p.desk.Detail(p.ctx, p.item.ID)
	if err != nil {
		return err
	}
	if arg == "" {
		for i, a := range d.Alternatives {
			p.out.printf("%d: %s: %s\n", i+1, term.Safe(a.Label), term.Safe(term.Clip(a.URL, 4096)))
		}
		if len(d.Alternatives) == 0 {
			p.out.printf("Nothing else is known that could be cited: correct URL enters one.\n")
		}
		return nil
	}
	i, err := strconv.Atoi(arg)
	switch {
	case err != nil || i < 1 || i > len(d.Alternatives):
		return fmt.Errorf("which one? A number from 1 to %d", len(d.Alternatives))
	case p.desk.ReadOnly():
		return review.ErrReadOnly
	}
	return p.correct(d.Alternatives[i-1].URL)
}

// related tells the other originals of the page, and what is near it on the host.
func (p *plain) related(string) error {
	d, err := p.desk.Detail(p.ctx, p.item.ID)
	if err != nil {
		return err
	}
	around, err := p.desk.Surroundings(p.ctx, p.item.ID)
	if err != nil {
		return err
	}
	tell := func(what string, items []review.Item) {
		for i := range items {
			p.out.printf("%d, %s, %s: %s\n", items[i].ID, what, items[i].Status, term.Safe(term.Clip(pane.Shown(&items[i]), 4096)))
		}
	}
	tell("the same page", d.Twins)
	tell("near it", around.Near)
	if len(d.Twins)+len(around.Near) == 0 {
		p.out.printf("No other URL of this page, or near it, is stored.\n")
	}
	return nil
}

// rules tells the policy's own words on the flags of the URL.
func (p *plain) rules(string) error {
	d, err := p.desk.Detail(p.ctx, p.item.ID)
	if err != nil {
		return err
	}
	told := map[string]bool{}
	for _, f := range d.Result.Flags {
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

func (p *plain) goTo(arg string) error {
	id, err := strconv.ParseInt(arg, 10, 64)
	if err != nil {
		return errors.New("a number is wanted, such as go 12")
	}
	d, err := p.desk.Detail(p.ctx, id)
	if err != nil {
		return err
	}
	return p.tell(&d.Item)
}

func (p *plain) undo(string) error {
	b, r, err := p.desk.Undo(p.ctx, 0)
	return p.turned("took back", "there is nothing to take back", b, r, err)
}

func (p *plain) redo(string) error {
	b, r, err := p.desk.Redo(p.ctx)
	return p.turned("brought back", "there is nothing to bring back", b, r, err)
}

func (p *plain) turned(done, nothing string, b review.Batch, r review.Receipt, err error) error {
	if errors.Is(err, review.ErrNotFound) {
		p.out.printf("%s.\n", nothing)
		return nil
	}
	if err != nil {
		return err
	}
	p.confirm(done+": "+batchText(b), r)
	if len(b.Items) == 0 {
		return p.next(nil)
	}
	d, err := p.desk.Detail(p.ctx, b.Items[0])
	if err != nil {
		return err
	}
	return p.tell(&d.Item)
}
