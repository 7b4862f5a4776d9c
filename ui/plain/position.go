package plain

import (
	"context"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/ui/desk"
	"visto/ui/pane"
	"visto/ui/term"
	"visto/ui/wording"
)

// position is where the reviewer is at the desk: the URLs that are shown, the one at hand, and the marked ones. Its
// methods move it and tell about URLs. They decide nothing.
type position struct {
	ctx     context.Context
	desk    desk.Desk
	opts    Options
	out     *errWriter
	query   review.Query
	columns []review.Column // chosen for list; none: those of opts
	item    *review.Item    // nil: nothing waits
	marks   marks
}

func (p *position) nextURL(string) error { return p.next(p.item) }

// next tells the first item after the given one that waits. Where the filter shows others too, it tells the next of
// those.
func (p *position) next(after *review.Item) error {
	if p.query.Filter.Open {
		return p.nextOpen(after)
	}
	items, err := desk.PageAfter(p.ctx, p.desk, p.query, after, 1)
	switch {
	case err != nil:
		return err
	case len(items) > 0:
		return p.tell(&items[0])
	case after != nil:
		p.out.printf("This is the last one.\n")
		return p.refresh()
	}
	return p.tell(nil)
}

func (p *position) nextOpen(after *review.Item) error {
	q := p.query
	n, err := p.desk.Count(p.ctx, q.Filter)
	switch {
	case err != nil:
		return err
	case n == 0:
		return p.tell(nil)
	}
	it, err := desk.NextOpen(p.ctx, p.desk, q, after)
	if err != nil {
		return err
	}
	return p.tell(it)
}

func (p *position) back(string) error {
	var items []review.Item
	var err error
	if p.item != nil {
		items, err = p.desk.Page(p.ctx, p.query, p.query.Before(p.item), 1)
	}
	switch {
	case err != nil:
		return err
	case len(items) > 0:
		return p.tell(&items[0])
	}
	p.out.printf("This is the first one.\n")
	return nil
}

// tell reads an item by its ID and prints the facts on which a reviewer decides about it.
func (p *position) tell(it *review.Item) error {
	if it == nil {
		p.item = nil
		p.out.printf("%s\n", p.nothing())
		return nil
	}
	n, err := p.desk.Count(p.ctx, p.query.Filter)
	if err != nil {
		return err
	}
	d, err := p.desk.Detail(p.ctx, it.ID)
	if err != nil {
		return err
	}
	it, p.item = &d.Item, &d.Item
	p.out.printf("\nURL %d, %s. %s: %s.\n", it.ID, term.Safe(pane.StatusText(it)),
		term.Safe(p.query.Filter.String()), wording.URLs(n))
	if _, marked := p.marks[it.ID]; marked {
		p.out.printf("It is marked.\n")
	}
	p.out.sayProse("Title", it.Title)
	p.out.say("Came as", it.Original)
	p.out.say("Canonical", d.Result.Canonical)
	p.cited(d)
	if d.Result.Verdict == canon.Rejected {
		p.out.say("Rejected", d.Result.Reason.String()+", "+d.Result.Detail)
	}
	for _, f := range d.Flags() {
		why, facts := d.Why(f)
		p.out.say("Flag "+f.Code.String(), why)
		p.out.say("Detail", strings.Join(facts, "; "))
	}
	if p.query.Sort == review.ByDoubt {
		p.out.say("Order", wording.Doubt(it.Computed.Flags))
	}
	for _, e := range d.Result.Trace {
		p.out.say("Step "+e.Step, e.Note)
	}
	return nil
}

// maxCited is the number of places that are told before the rest is counted.
const maxCited = 5

// cited tells the places where the URL stands.
func (p *position) cited(d *review.Detail) {
	list := d.Item.Citing()
	for _, o := range list[:min(len(list), maxCited)] {
		p.out.say("Cited by", pane.Cited(o, d.Files))
	}
	if more := len(list) - maxCited; more > 0 {
		p.out.printf("And by %d more: open tells them all.\n", more)
	}
	for _, by := range d.Item.Citers(d.Files) {
		if text := pane.Alone(&d.Item, &by); text != "" {
			p.out.say("Decision", text)
		}
	}
	if text := pane.CitedTwice(&d.Item); text != "" {
		p.out.printf("Note: %s.\n", text)
	}
}

// nothing says why there is no URL to tell.
func (p *position) nothing() string {
	if f := p.query.Filter.String(); f != review.Waiting {
		return "Nothing matches: " + term.Safe(f) + ". facets none and search show the waiting URLs again."
	}
	switch t, err := p.desk.Totals(p.ctx); {
	case err != nil:
	case t.Open > 0:
		return wording.AllHalf(t.Open)
	case t.Deferred > 0:
		return wording.AllDeferred(t.Deferred) + " facets status deferred shows them."
	}
	return "Nothing waits for a person any more."
}

// refresh reads the item again: a note has changed its revision, which a mark on it must know.
func (p *position) refresh() error {
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
