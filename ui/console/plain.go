package console

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/ui/pane"
	"visto/ui/term"
)

// Plain is the review as prompts, a line at a time, for screen readers and dumb terminals. It tells one URL in words, reads a
// command, does it through the same desk as the console, and goes on to the next one that waits. It returns when
// the reviewer quits or the input ends. prober may be nil.
func Plain(ctx context.Context, desk Desk, prober Prober, in io.Reader, out io.Writer) error {
	p := &plain{ctx: ctx, desk: desk, prober: prober, in: bufio.NewReader(in), out: &errWriter{w: out}}
	p.query.Filter.Open = true
	p.out.printf("visto, line by line. Type ? and enter for the commands.\n")
	if err := p.run(); err != nil {
		return fmt.Errorf("reviewing: %w", err)
	}
	return p.out.err
}

type plain struct {
	ctx    context.Context
	desk   Desk
	prober Prober // nil: there is no network
	in     *bufio.Reader
	out    *errWriter
	query  review.Query
	item   *review.Item // nil: nothing waits
	quit   bool
}

func (p *plain) run() error {
	if err := p.next(nil); err != nil {
		return err
	}
	for !p.quit && p.out.err == nil {
		p.out.printf("\n> ")
		line, err := p.in.ReadString('\n')
		if err != nil && line == "" {
			p.out.printf("\n")
			return ignoreEOF(err)
		}
		if err := p.command(strings.TrimSpace(line)); err != nil {
			p.out.printf("Not done: %s\n", ruleError(err))
		}
	}
	return p.ctx.Err()
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// plainCommand is one command: its word, what follows it, what it does, and whether it is about a URL.
type plainCommand struct {
	word, args, text string
	needsItem        bool
	run              func(p *plain, arg string) error
}

// plainCommands is the table from which commands are found and the help is printed.
func plainCommands() []plainCommand {
	return []plainCommand{
		{"a", "", "approve the URL as it is", true, (*plain).approve},
		{"r", "REASON", "reject it", true, (*plain).reject},
		{"d", "", "defer it", true, (*plain).postpone},
		{"e", "URL", "approve another canonical URL instead", true, (*plain).correct},
		{"o", "keep NAME | drop NAME | accept FLAG | http | slash", "write a rule for the host; its effect is told and you are asked first", true, (*plain).override},
		{"n", "TEXT", "add a note", true, (*plain).note},
		{"show", "", "tell everything known about the URL", true, (*plain).show},
		{"p", "", "ask the network about the URL, and tell it again", true, (*plain).probe},
		{"u", "", "take back the last thing you did", false, (*plain).undo},
		{"redo", "", "bring it back", false, (*plain).redo},
		{"next", "", "go to the next URL that waits", false, (*plain).forward},
		{"prev", "", "go to the one before", false, (*plain).back},
		{"?", "", "tell the commands", false, (*plain).help},
		{"q", "", "quit; nothing is ever unsaved", false, func(p *plain, _ string) error { p.quit = true; return nil }},
	}
}

func (p *plain) command(line string) error {
	word, arg, _ := strings.Cut(line, " ")
	if word == "" {
		return nil
	}
	for _, c := range plainCommands() {
		if c.word != word {
			continue
		}
		if c.needsItem && p.item == nil {
			return errors.New("there is no URL here")
		}
		return c.run(p, strings.TrimSpace(arg))
	}
	p.out.printf("There is no command %s. Type ? and enter for the commands.\n", term.Safe(term.Clip(word, 40)))
	return nil
}

func (p *plain) help(string) error {
	for _, c := range plainCommands() {
		p.out.printf("%s: %s.\n", strings.TrimSpace(c.word+" "+c.args), c.text)
	}
	return nil
}

// next goes to the first item that waits after the given one, and tells it.
func (p *plain) next(after *review.Item) error {
	it, err := nextOpen(p.ctx, p.desk, p.query, after)
	if err != nil {
		return err
	}
	return p.tell(it)
}

func (p *plain) forward(string) error { return p.next(p.item) }

func (p *plain) back(string) error {
	var items []review.Item
	var err error
	if p.item != nil {
		items, err = p.desk.Page(p.ctx, p.query, p.query.Before(p.item), 1)
	}
	if err != nil {
		return err
	}
	if len(items) == 0 {
		p.out.printf("This is the first one.\n")
		return nil
	}
	return p.tell(&items[0])
}

// tell says what a reviewer needs to decide on an item.
func (p *plain) tell(it *review.Item) error {
	p.item = it
	n, err := p.desk.Count(p.ctx, p.query.Filter)
	if err != nil {
		return err
	}
	if it == nil || n == 0 {
		p.item = nil
		p.out.printf("Nothing waits for a person any more.\n")
		return nil
	}
	d, err := p.desk.Detail(p.ctx, it.ID)
	if err != nil {
		return err
	}
	p.item = &d.Item
	p.out.printf("\nURL %d, %s. %s waiting.\n", it.ID, it.Status, counted(n))
	p.say("Title", it.Title)
	p.say("Came as", it.Original)
	p.say("Canonical", d.Result.Canonical)
	if d.Result.Verdict == canon.Rejected {
		p.say("Rejected", d.Result.Reason.String()+", "+d.Result.Detail)
	}
	for _, f := range d.Result.Flags {
		p.out.printf("Flag %s: %s.\n", f.Code, f.Code.Summary())
		p.say("Detail", f.Detail)
	}
	for _, e := range d.Result.Trace {
		p.say("Step "+e.Step, e.Note)
	}
	return nil
}

// say prints a name and a value, which is untrusted; an empty one is left out.
func (p *plain) say(name, value string) {
	if value != "" {
		p.out.printf("%s: %s\n", name, term.Safe(term.Clip(value, 4096)))
	}
}

func (p *plain) approve(string) error { return p.decide(review.Choice{Kind: review.Approve}) }

func (p *plain) postpone(string) error { return p.decide(review.Choice{Kind: review.Defer}) }

func (p *plain) reject(reason string) error {
	if reason == "" {
		return errors.New("a rejection needs a reason: r REASON")
	}
	return p.decide(review.Choice{Kind: review.Reject, Note: reason})
}

func (p *plain) correct(url string) error {
	if url == "" {
		return errors.New("which URL? e URL")
	}
	if r := p.desk.Correction(url); r.Verdict == canon.Rejected {
		return fmt.Errorf("this URL cannot be stored: %s, %s", r.Reason, r.Detail)
	}
	return p.decide(review.Choice{Kind: review.Correct, Canonical: url})
}

func (p *plain) decide(c review.Choice) error {
	r, err := p.desk.Decide(p.ctx, c, targetOf(p.item)...)
	if err != nil {
		return err
	}
	p.confirm(decidedText(decide{choice: c, targets: targetOf(p.item)}, r), r)
	return p.next(p.item)
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
		return errors.New("the note is empty: n TEXT")
	}
	r, err := p.desk.Note(p.ctx, text, p.item.ID)
	if err != nil {
		return err
	}
	p.confirm(fmt.Sprintf("noted on URL %d", p.item.ID), r)
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
