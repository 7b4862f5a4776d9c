package plain

import (
	"errors"
	"fmt"

	"visto/canon"
	"visto/review"
	"visto/ui/term"
	"visto/ui/wording"
)

// decides is the command that decides on the item at hand.
func decides(kind review.Kind) func(*prompts, string) error {
	return func(p *prompts, arg string) error { return p.decide(choice(kind, arg)) }
}

// choice is a decision without a canonical URL. Of these only a rejection takes its argument, the reason.
func choice(kind review.Kind, arg string) review.Choice {
	if kind != review.Reject {
		arg = ""
	}
	return review.Choice{Kind: kind, Note: arg}
}

// corrects is the command that approves another URL: its canonical form, or as typed.
func corrects(kind review.Kind) func(*prompts, string) error {
	return func(p *prompts, url string) error { return p.correct(kind, url) }
}

func (p *prompts) correct(kind review.Kind, url string) error {
	if url == "" {
		return errors.New("which URL? correct URL")
	}
	c, err := p.desk.Correction(p.ctx, url)
	if err != nil {
		return err
	}
	if c.Result.Verdict == canon.Rejected {
		return fmt.Errorf("this URL cannot be cited: %s, %s", c.Result.Reason, c.Result.Detail)
	}
	choice := review.Choice{Kind: kind, Canonical: c.Result.Canonical}
	if kind == review.CorrectAsTyped {
		choice.Canonical = c.Typed
	}
	for _, f := range c.Result.Flags {
		p.out.printf("Flag %s: %s.\n", f.Code, term.Safe(f.Detail))
	}
	return p.decide(choice)
}

// decide decides on the item at hand.
func (p *prompts) decide(c review.Choice) error {
	if !p.redoLost() {
		return nil
	}
	alone, ok := p.forWhom(&c)
	if !ok {
		return nil
	}
	return p.write(c, p.item.ID, []review.Target{{ID: p.item.ID, Rev: p.item.Rev}}, alone)
}

// forWhom asks for which of several records a rejection or a correction is, and returns its name, empty for all. It
// reports whether to go on.
func (p *prompts) forWhom(c *review.Choice) (alone string, ok bool) {
	d, err := p.desk.Detail(p.ctx, p.item.ID)
	if err != nil {
		return "", true // the write fails as well
	}
	citers := d.Item.Citers(d.Files)
	if *c = c.Within(&d.Item); c.Record != 0 {
		return wording.CiterName(citers, c.Record), true
	}
	if len(citers) < 2 || c.Kind != review.Reject && !c.Kind.Corrects() {
		return "", true
	}
	p.out.printf("%d records cite this URL.\n0: for all of them\n", len(citers))
	for i, by := range citers {
		p.out.printf("%d: for %s alone\n", i+1, term.Safe(by.Name))
	}
	p.out.printf("For all, or for one alone? A number: ")
	number, err := p.line()
	if err != nil {
		return "", false
	}
	if number == "0" {
		return "", true
	}
	by, err := pick(citers, number, "a number from 0 to %d")
	if err != nil {
		p.out.printf("Nothing was written.\n")
		return "", false
	}
	c.Record = by.Number
	return by.Name, true
}

// write writes a decision and goes on. single is the ID of the only target, or 0; alone the name of the only record.
func (p *prompts) write(c review.Choice, single int64, targets []review.Target, alone string) error {
	r, err := p.desk.Decide(p.ctx, c, targets...)
	if err != nil {
		return err
	}
	for _, t := range targets {
		delete(p.marks, t.ID)
	}
	text := wording.Decided(c, r, single, alone)
	if single != 0 && text != "" && c.Kind == review.Approve {
		text += wording.Accepts(p.item)
	}
	p.confirm(text, r)
	return p.next(p.item)
}

// redoLost says which batch can no longer be redone after a write. It asks about several URLs, and reports whether to
// go on.
func (p *prompts) redoLost() bool {
	b, err := p.desk.NextRedo(p.ctx)
	if err != nil { // nothing to lose; a broken store refuses the write as well
		return true
	}
	p.out.printf("After this it can no longer be brought back: %s.\n", wording.Batch(b))
	return len(b.Items) <= 1 && len(b.Rules) == 0 || p.sure("Go on")
}

// confirm prints the result of a write and its conflicts with decisions of others. Undo is then about its batch.
func (p *prompts) confirm(text string, r review.Receipt) {
	if r.Batch != 0 {
		p.dismissed = nil
	}
	if len(r.Conflicts) > 0 {
		text += wording.Conflicts(r)
	}
	p.out.printf("%s.\n", text)
}

func (p *prompts) note(text string) error {
	if !p.redoLost() {
		return nil
	}
	r, err := p.desk.Note(p.ctx, text, p.item.ID)
	if err != nil {
		return err
	}
	p.confirm(fmt.Sprintf("noted on URL %d", p.item.ID), r)
	return p.refresh()
}

func (p *prompts) undo(string) error {
	if last := len(p.dismissed) - 1; last >= 0 {
		s := p.dismissed[last]
		p.dismissed = p.dismissed[:last]
		return p.restore(s)
	}
	b, r, err := p.desk.Undo(p.ctx, 0)
	return p.reverted("took back", "there is nothing to take back", b, r, err)
}

func (p *prompts) redo(string) error {
	b, r, err := p.desk.Redo(p.ctx)
	return p.reverted("brought back", "there is nothing to bring back", b, r, err)
}

// reverted tells the result of an undo or redo, and the first item of its batch.
func (p *prompts) reverted(done, nothing string, b review.Batch, r review.Receipt, err error) error {
	switch {
	case errors.Is(err, review.ErrNotFound):
		p.out.printf("%s.\n", nothing)
		return nil
	case err != nil:
		return err
	}
	p.confirm(done+": "+wording.Batch(b), r)
	if len(b.Items) == 0 {
		return p.next(nil)
	}
	return p.tell(&review.Item{ID: b.Items[0]})
}
