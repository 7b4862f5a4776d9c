package console

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/review/cause"
	"visto/ui/term"
)

// Plain is the review as prompts, a line at a time, for screen readers and dumb terminals. It tells one URL in words, a fact a line,
// reads a command, does it through the same desk as the console, and goes on to the next one that waits. It returns when
// the reviewer quits or the input ends. prober may be nil.
func Plain(ctx context.Context, desk Desk, prober Prober, in io.Reader, out io.Writer) error {
	p := &plain{ctx: ctx, desk: desk, prober: prober, in: bufio.NewReader(in), out: &errWriter{w: out}, marks: map[int64]int64{}}
	p.query.Filter.Open = true
	p.out.printf("visto, line by line. Type help and enter for the commands.\n")
	if desk.ReadOnly() {
		p.out.printf("The database is open read-only: nothing can be changed.\n")
	}
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
	item   *review.Item    // nil: nothing waits
	marks  map[int64]int64 // item to the revision that was told
	causes []cause.Cause   // as they were told last
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

// plainCommand is one command: the action of the console's table that it does, a short word for it, what follows it, and what it needs.
type plainCommand struct {
	id, short, args string
	text            string // "": what the table says
	needs           plainNeed
	run             func(p *plain, arg string) error
}

// plainNeed is what must be so for a command.
type plainNeed uint8

const (
	anItem   plainNeed = 1 << iota // there is a URL
	mayWrite                       // the database may be written
)

// plainCommands is the table from which commands are found and the help is printed.
func plainCommands() []plainCommand {
	return []plainCommand{
		{"approve", "a", "", "", anItem | mayWrite, (*plain).approve},
		{"reject", "r", "REASON", "reject the URL", anItem | mayWrite, (*plain).reject},
		{"defer", "d", "", "", anItem | mayWrite, (*plain).postpone},
		{"correct", "e", "URL", "approve this canonical URL instead", anItem | mayWrite, (*plain).correct},
		{"override", "o", "RULE", "write a rule for the host: keep NAME, drop NAME, accept FLAG, http, slash, host HOST, spanish FROM TO, or an override as JSON. Its effect is told, and you are asked first", anItem | mayWrite, (*plain).override},
		{"note", "n", "TEXT", "", anItem | mayWrite, (*plain).note},
		{"reopen", "", "", "", anItem | mayWrite, (*plain).reopen},
		{"probe", "p", "", "ask the network about the URL, and tell it again", anItem | mayWrite, (*plain).probe},
		{"undo", "u", "", "", mayWrite, (*plain).undo},
		{"redo", "", "", "", mayWrite, (*plain).redo},

		{"open", "show", "", "tell everything known about the URL", anItem, (*plain).show},
		{"trace", "t", "", "tell what each step did to the URL", anItem, (*plain).trace},
		{"rules", "w", "", "", anItem, (*plain).rules},
		{"choose-another-url", "c", "[NUMBER]", "tell what else could be cited in the place of the URL, with a number for each; or approve that one", anItem, (*plain).choose},
		{"related-urls", "related", "", "tell other originals of this page, and neighbours on the host; go NUMBER goes there", anItem, (*plain).related},
		{"next-url", "next", "", "go to the next URL that waits", 0, (*plain).forward},
		{"previous-url", "prev", "", "go to the one before", 0, (*plain).back},
		{"go", "", "NUMBER", "go to the URL with this number", 0, (*plain).goTo},

		{"search", "/", "TEXT", "show only URLs, titles and notes with this text in them; without a text, all again", 0, (*plain).search},
		{"facets", "f", "[GROUP VALUE | GROUP -VALUE | none]", "tell the groups with their counts; want a value, or leave it out; or drop all of that", 0, (*plain).facets},
		{"sort", "s", "ORDER", "by " + orderWords() + "; - before it turns it round", 0, (*plain).sort},
		{"views", "v", "[NAME | save NAME | delete NAME]", "tell the saved filters and orders; show one; save what is shown; or delete one", 0, (*plain).views},
		{"list", "l", "[COUNT]", "tell the next URLs, one a line", 0, (*plain).list},

		{"mark", "m", "[NUMBER...]", "mark the URL, or those with these numbers, or take the mark away", 0, (*plain).mark},
		{"mark-all", "*", "", "", 0, (*plain).markAll},
		{"clear", "", "", "take all marks away", 0, (*plain).clear},
		{"approve-marked", "A", "", "", mayWrite, (*plain).approveMarked},
		{"reject-marked", "R", "REASON", "reject all marked URLs as one batch; asks first", mayWrite, (*plain).rejectMarked},
		{"defer-marked", "", "", "", mayWrite, (*plain).deferMarked},
		{"reopen-marked", "", "", "", mayWrite, (*plain).reopenMarked},
		{"note-on-marked", "", "TEXT", "", mayWrite, (*plain).noteMarked},

		{"causes", "2", "", "tell what would settle most of what waits, with a number for each", 0, (*plain).tellCauses},
		{"cause", "", "NUMBER keep|drop|map|cite|accept|reject REASON", "settle all URLs of a cause; the effect is told, and you are asked first", mayWrite, (*plain).cause},
		{"urls-of-the-cause", "urls", "NUMBER", "", 0, (*plain).urlsOf},
		{"overrides", "3", "", "tell the rules, with a number for each", 0, (*plain).overrides},
		{"remove-override", "", "NUMBER", "remove a rule; the effect is told, and you are asked first", mayWrite, (*plain).removeOverride},
		{"log", "4", "[COUNT]", "tell what was done last", 0, (*plain).log},
		{"undo-this-batch", "undo-batch", "NUMBER", "take back a batch of the log; asks first", mayWrite, (*plain).undoThis},
		{"stats", "5", "", "tell the counts", 0, (*plain).stats},
		{"help", "?", "", "tell the commands", 0, (*plain).help},
		{"quit", "q", "", "", 0, func(p *plain, _ string) error { p.quit = true; return nil }},
	}
}

// does is what the command does, in the words of the console's table.
func (c *plainCommand) does(list []binding) string {
	if c.text != "" {
		return c.text
	}
	return list[slices.IndexFunc(list, func(b binding) bool { return b.id() == c.id })].text
}

func (p *plain) command(line string) error {
	word, arg, _ := strings.Cut(line, " ")
	if word == "" {
		return nil
	}
	for _, c := range plainCommands() {
		switch {
		case word != c.id && word != c.short:
			continue
		case c.needs&mayWrite != 0 && p.desk.ReadOnly():
			return review.ErrReadOnly
		case c.needs&anItem != 0 && p.item == nil:
			return errors.New("there is no URL here")
		}
		return c.run(p, strings.TrimSpace(arg))
	}
	p.out.printf("There is no command %s. Type help and enter for the commands.\n", term.Safe(term.Clip(word, 40)))
	return nil
}

func (p *plain) help(string) error {
	list := bindings()
	for _, c := range plainCommands() {
		name := c.id
		if c.short != "" {
			name += " or " + c.short
		}
		p.out.printf("%s: %s.\n", strings.TrimSpace(name+" "+c.args), c.does(list))
	}
	return nil
}

// next goes to the first item that waits after the given one, and tells it. Where others are shown, too, it is the next of those.
func (p *plain) next(after *review.Item) error {
	if !p.query.Filter.Open {
		return p.nextShown(after)
	}
	it, err := nextOpen(p.ctx, p.desk, p.query, after)
	if err != nil {
		return err
	}
	return p.tell(it)
}

func (p *plain) nextShown(after *review.Item) error {
	var from *review.Cursor
	if after != nil {
		from = p.query.After(after)
	}
	items, err := p.desk.Page(p.ctx, p.query, from, 1)
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
		p.out.printf("%s\n", p.nothing())
		return nil
	}
	d, err := p.desk.Detail(p.ctx, it.ID)
	if err != nil {
		return err
	}
	p.item = &d.Item
	p.out.printf("\nURL %d, %s. %s: %s.\n", it.ID, it.Status, term.Safe(p.query.Filter.String()), counted(n))
	if _, marked := p.marks[it.ID]; marked {
		p.out.printf("It is marked.\n")
	}
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

// nothing says why there is no URL to tell.
func (p *plain) nothing() string {
	if p.query.Filter.String() != review.Waiting {
		return "Nothing matches: " + term.Safe(p.query.Filter.String()) + ". facets none and search show what waits again."
	}
	return "Nothing waits for a person any more."
}

// say prints a name and a value, which is untrusted; an empty one is left out.
func (p *plain) say(name, value string) {
	if value != "" {
		p.out.printf("%s: %s\n", name, term.Safe(term.Clip(value, 4096)))
	}
}
