// Package plain is the review as line prompts, for screen readers and dumb terminals.
//
// [Run] tells one URL in words, a fact a line, reads a command, does it through the desk, and goes on to the next URL
// that waits. [Text] prints the queue where there is no terminal. Each command of the table in command.go does an
// action of the console, under its name.
package plain

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/review/cause"
	"visto/review/suggest"
	"visto/ui/desk"
	"visto/ui/pane"
	"visto/ui/term"
	"visto/ui/wording"
)

// Options are the surroundings of a review.
type Options struct {
	In     io.Reader
	Out    io.Writer
	Prober desk.Prober // nil: there is no network

	Reasons []string        // to choose from for a rejection, by their numbers
	Notes   []string        // to choose from for a note
	Columns []review.Column // of list until others are chosen; none: the usual ones
}

// Run reviews line by line until the reviewer quits or the input ends.
func Run(ctx context.Context, d desk.Desk, opts Options) error {
	p := &prompts{
		ctx: ctx, desk: d, opts: opts, in: bufio.NewReader(opts.In), out: &errWriter{w: opts.Out}, marks: marks{},
	}
	p.query.Filter.Open = true
	p.out.printf("visto, line by line. Type help and enter for the commands.\n")
	if d.ReadOnly() {
		p.out.printf("The database is open read-only: nothing can be changed.\n")
	}
	if err := p.run(); err != nil {
		return fmt.Errorf("reviewing: %w", err)
	}
	return p.out.err
}

// prompts is the state of one review.
type prompts struct {
	ctx    context.Context
	desk   desk.Desk
	opts   Options
	in     *bufio.Reader
	out    *errWriter
	query  review.Query
	item   *review.Item // nil: nothing waits
	marks  marks
	causes []cause.Cause // as last told

	dismissed []*suggest.Suggestion // since the last batch, the newest last

	columns []review.Column // chosen for list; none: those of opts
	untold  untold

	offered offered
	quit    bool
}

func (p *prompts) run() error {
	if err := p.next(nil); err != nil {
		return err
	}
	for !p.quit && p.out.err == nil {
		p.out.printf("\n> ")
		line, err := p.line()
		if err != nil {
			p.out.printf("\n")
			return ended(err)
		}
		if err := p.command(line); err != nil {
			p.out.printf("Not done: %s\n", wording.Error(err))
		}
	}
	return p.ctx.Err()
}

// command runs one line of input.
func (p *prompts) command(line string) error {
	word, arg, _ := strings.Cut(line, " ")
	if word == "" {
		return nil
	}
	for _, c := range commands() {
		if word != c.id && word != c.short {
			continue
		}
		arg = c.offered(p, strings.TrimSpace(arg))
		if err := c.check(p, arg); err != nil {
			return err
		}
		return c.run(p, arg)
	}
	p.out.printf("There is no command %s. Type help and enter for the commands.\n", term.Safe(term.Clip(word, 40)))
	return nil
}

func (p *prompts) nextURL(string) error { return p.next(p.item) }

// next tells the first item after the given one that waits. Where the filter shows others too, it tells the next of
// those.
func (p *prompts) next(after *review.Item) error {
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

func (p *prompts) nextOpen(after *review.Item) error {
	n, err := p.desk.Count(p.ctx, p.query.Filter)
	switch {
	case err != nil:
		return err
	case n == 0:
		return p.tell(nil)
	}
	it, err := desk.NextOpen(p.ctx, p.desk, p.query, after)
	if err != nil {
		return err
	}
	return p.tell(it)
}

func (p *prompts) back(string) error {
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
func (p *prompts) tell(it *review.Item) error {
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
	p.sayProse("Title", it.Title)
	p.say("Came as", it.Original)
	p.say("Canonical", d.Result.Canonical)
	p.cited(d)
	if d.Result.Verdict == canon.Rejected {
		p.say("Rejected", d.Result.Reason.String()+", "+d.Result.Detail)
	}
	for _, f := range d.Flags() {
		why, facts := d.Why(f)
		p.say("Flag "+f.Code.String(), why)
		p.say("Detail", strings.Join(facts, "; "))
	}
	if p.query.Sort == review.ByDoubt {
		p.say("Order", wording.Doubt(it.Computed.Flags))
	}
	for _, e := range d.Result.Trace {
		p.say("Step "+e.Step, e.Note)
	}
	return nil
}

// maxCited is the number of places that are told before the rest is counted.
const maxCited = 5

// cited tells the places where the URL stands.
func (p *prompts) cited(d *review.Detail) {
	list := d.Item.Citing()
	for _, o := range list[:min(len(list), maxCited)] {
		p.say("Cited by", pane.Cited(o, d.Files))
	}
	if more := len(list) - maxCited; more > 0 {
		p.out.printf("And by %d more: open tells them all.\n", more)
	}
	for _, by := range d.Item.Citers(d.Files) {
		if text := pane.Alone(&d.Item, &by); text != "" {
			p.say("Decision", text)
		}
	}
	if text := pane.CitedTwice(&d.Item); text != "" {
		p.out.printf("Note: %s.\n", text)
	}
}

// nothing says why there is no URL to tell.
func (p *prompts) nothing() string {
	if f := p.query.Filter.String(); f != review.Waiting {
		return "Nothing matches: " + term.Safe(f) + ". facets none and search show the waiting URLs again."
	}
	if t, err := p.desk.Totals(p.ctx); err == nil && t.Deferred > 0 {
		return wording.AllDeferred(t.Deferred) + " facets status deferred shows them."
	}
	return "Nothing waits for a person any more."
}

// say prints a name and an untrusted value. It leaves out an empty one.
func (p *prompts) say(name, value string) {
	if value != "" {
		p.out.printf("%s: %s\n", name, term.Safe(term.Clip(value, 4096)))
	}
}

// sayProse is say for a text that may be long and is no URL: it is told in lines as wide as those of a page.
func (p *prompts) sayProse(name, value string) {
	if value == "" {
		return
	}
	for _, line := range term.Wrap(name+": "+term.Safe(value), lineWidth) {
		p.out.printf("%s\n", line)
	}
}

// sure asks a question about a write and reports whether the answer is yes.
func (p *prompts) sure(question string) bool {
	p.out.printf("%s? yes or no: ", question)
	answer, err := p.line()
	if err == nil && slices.Contains([]string{"yes", "y"}, strings.ToLower(answer)) {
		return true
	}
	p.out.printf("Nothing was written.\n")
	return false
}

// agreed asks about a write, and about the batch that can no longer be redone after it.
func (p *prompts) agreed(question string) bool { return p.sure(question) && p.redoLost() }

// pick returns the row of a list that was told with numbers from 1. question is the error, with the last number in it.
func pick[T any](list []T, number, question string) (row T, err error) {
	i, err := strconv.Atoi(number)
	if err != nil || i < 1 || i > len(list) {
		return row, fmt.Errorf(question, len(list))
	}
	return list[i-1], nil
}
