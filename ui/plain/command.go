package plain

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/term"
)

// command is a row of the table. id is the name of the same action in the console, if it has it.
type command struct {
	id, short, args string
	needs           need
	run             func(p *prompts, arg string) error
	text            string
}

// need is a condition for a command.
type need uint8

const (
	anItem   need = 1 << iota // there is a URL
	mayWrite                  // the database is writable
	aReason                   // the argument is a reason
	aNote                     // the argument is a note

	itemWrite = anItem | mayWrite
)

// commands is the table from which commands are found and the help is printed.
func commands() []command {
	return []command{
		{"approve", "a", "", itemWrite, decides(review.Approve), "approve the URL as shown"},
		{"reject", "r", "REASON", itemWrite | aReason, decides(review.Reject), "reject the URL"},
		{"defer", "d", "", itemWrite, decides(review.Defer), "put the URL off"},
		{"correct", "e", "URL", itemWrite, corrects(review.Correct),
			"approve the canonical form of this URL instead. Its flags are told"},
		{"correct-as-typed", "", "URL", itemWrite, corrects(review.CorrectAsTyped),
			"approve this URL instead, exactly as it is typed"},
		{"override", "o", "RULE", itemWrite, (*prompts).override,
			"write a rule for the host: keep NAME, drop NAME, accept FLAG, http, slash, host HOST, spanish " +
				"FROM TO, or an override as JSON. Its effect is told, and you are asked first"},
		{"note", "n", "TEXT", itemWrite | aNote, (*prompts).note, "add a note to the URL"},
		{"reopen", "", "", itemWrite, decides(review.Reopen), "put a decided URL back into the queue"},
		{"probe", "p", "", itemWrite, (*prompts).probe, "ask the network about the URL, and tell it again"},
		{"undo", "u", "", mayWrite, (*prompts).undo, "take back the last thing you did, whole"},
		{"redo", "", "", mayWrite, (*prompts).redo, "bring back the last thing that you took back"},

		{"open", "show", "", anItem, detailed((*prompts).show), "tell everything known about the URL"},
		{"trace", "t", "", anItem, detailed((*prompts).trace), "tell the effect of each step on the URL"},
		{"rules", "w", "", anItem, detailed((*prompts).rules),
			"the policy's own words on the flags of the URL and on the changes to it"},
		{"page", "", "[more | all | links | diff | cite NUMBER]", anItem, (*prompts).page,
			"tell the page as a probe read it, in parts; its links, with a number for each; the lines that changed " +
				"between the accepted version and the newest one; or read a link and approve it instead of the URL"},
		{"choose-another-url", "c", "[NUMBER [as typed]]", anItem, detailed((*prompts).choose),
			"tell the other URLs that could be cited in its place, with a number for each; or approve one, in " +
				"its canonical form or as it is"},
		{"related-urls", "related", "", anItem, detailed((*prompts).related),
			"tell other originals of this page, and neighbours on the host; go NUMBER goes there"},
		{"pages-to-cite", "C", "[NUMBER]", itemWrite, (*prompts).pagesToCite,
			"look for pages to cite in its place, such as the procedure's page for a home page, with at most 30 " +
				"requests, and tell them, best first, with a number for each; or cite one"},
		{"urls-of-the-record", "b", "", anItem, detailed((*prompts).ofRecord),
			"show all URLs of the record that cites this one; facets none shows the waiting URLs again"},
		{"next-url", "next", "", 0, (*prompts).nextURL, "go to the next URL that waits"},
		{"previous-url", "prev", "", 0, (*prompts).back, "go to the one before"},
		{"go", "", "NUMBER", 0, (*prompts).goTo, "go to the URL with this number"},

		{"search", "/", "TEXT", 0, (*prompts).search,
			"show only URLs with this text in them, their titles, notes or records; without a text, all again"},
		{"facets", "f", "[GROUP VALUE | GROUP -VALUE | none]", 0, (*prompts).facets,
			"tell the groups with their counts; want a value, or leave it out; or drop all of that"},
		{"sort", "s", "ORDER", 0, (*prompts).sort, "by " + desk.OrderWords() + "; - before it turns it round"},
		{"columns", "", "[NAME, ... | usual]", 0, (*prompts).chooseColumns,
			"choose the facts that list tells about each URL, such as flag, url, record, attr:tier; or tell them"},
		{"views", "v", "[NAME | save NAME | delete NAME]", 0, (*prompts).views,
			"tell the saved filters and orders; show one; save the current ones; or delete one"},
		{"list", "l", "[COUNT]", 0, (*prompts).list, "tell the next URLs, one a line"},

		{"mark", "m", "[NUMBER...]", 0, (*prompts).mark,
			"mark the URL, or those with these numbers, or take the mark away"},
		{"mark-all", "*", "", 0, (*prompts).markAll,
			"mark all other URLs that the filter shows; again: none"},
		{"clear", "", "", 0, (*prompts).clear, "take all marks away"},
		{"approve-marked", "A", "", mayWrite, decidesMarked("Approve", review.Approve),
			"approve all marked URLs as one batch; asks first"},
		{"reject-marked", "R", "REASON", mayWrite | aReason, decidesMarked("Reject", review.Reject),
			"reject all marked URLs as one batch; asks first"},
		{"defer-marked", "", "", mayWrite, decidesMarked("Put off", review.Defer),
			"put off all marked URLs as one batch; asks first"},
		{"reopen-marked", "", "", mayWrite, decidesMarked("Put back into the queue", review.Reopen),
			"put all marked URLs back into the queue as one batch; asks first"},
		{"assign", "@", "NAME, ... | none", mayWrite, (*prompts).assign,
			"share the waiting URLs that the filter shows out among reviewers, whole hosts together; " +
				"none takes that back; asks first"},
		{"note-on-marked", "", "TEXT", mayWrite | aNote, (*prompts).noteMarked, "add one note to all marked URLs"},

		{"causes", "2", "", 0, (*prompts).tellCauses,
			"tell the causes of most waiting URLs, with a number for each"},
		{"cause", "", "NUMBER keep|drop|map|cite|pages|accept|approve|defer|reject REASON|ask|pairs|take|dismiss", mayWrite,
			(*prompts).cause,
			"settle all URLs of a cause; the effect is told, and you are asked first. pages looks for a page to cite " +
				"in the place of each URL, of ten at most. ask asks the network about up to five that would tell " +
				"what a parameter does, or whether a suggested rule is right; pairs, take and dismiss " +
				"are for such rules"},
		{"urls-of-the-cause", "urls", "NUMBER", 0, (*prompts).urlsOf, "show the URLs of this cause"},
		{"overrides", "3", "", 0, (*prompts).overrides,
			"tell the rules, with a number for each, and before them those that wait for a second person"},
		{"confirm-proposal", "", "NUMBER", mayWrite, (*prompts).confirmProposal,
			"put a batch in force that another person proposed; the effect is told, and you are asked first"},
		{"remove-override", "", "NUMBER", mayWrite, (*prompts).removeOverride,
			"remove a rule; the effect is told, and you are asked first"},
		{"log", "4", "[COUNT]", 0, (*prompts).log, "tell the last entries of the log"},
		{"undo-this-batch", "undo-batch", "NUMBER", mayWrite, (*prompts).undoThis,
			"take back a batch of the log; asks first"},
		{"stats", "5", "", 0, (*prompts).stats, "tell the counts"},
		{"help", "?", "", 0, (*prompts).help, "tell the commands"},
		{"quit", "q", "", 0, (*prompts).leave, "quit; nothing is ever unsaved"},
	}
}

// check returns the reason why the command cannot run.
func (c *command) check(p *prompts, arg string) error {
	if c.needs&mayWrite != 0 {
		if err := p.checkFile(); err != nil {
			return err
		}
	}
	switch {
	case c.needs&anItem != 0 && p.item == nil:
		return errNoItem
	case c.needs&aReason != 0 && arg == "":
		return fmt.Errorf("a rejection needs a reason: %s %s%s", c.id, c.args, hintOf(p.opts.Reasons))
	case c.needs&aNote != 0 && arg == "":
		return fmt.Errorf("the note is empty: %s %s%s", c.id, c.args, hintOf(p.opts.Notes))
	}
	return nil
}

// offered returns the reason or the note of the configuration that a number stands for, or the argument itself.
func (c *command) offered(p *prompts, arg string) string {
	switch {
	case c.needs&aReason != 0:
		return textAt(p.opts.Reasons, arg)
	case c.needs&aNote != 0:
		return textAt(p.opts.Notes, arg)
	}
	return arg
}

// textAt returns the text with a number, from 1, or the argument if there is none.
func textAt(texts []string, arg string) string {
	if i, err := strconv.Atoi(arg); err == nil && i >= 1 && i <= len(texts) {
		return texts[i-1]
	}
	return arg
}

// hintOf tells texts with their numbers, as a hint behind an error.
func hintOf(texts []string) string {
	var list []string
	for i, text := range texts {
		list = append(list, fmt.Sprintf("%d for “%s”", i+1, term.Clip(text, 200)))
	}
	if len(list) == 0 {
		return ""
	}
	return ", or a number: " + strings.Join(list, ", ")
}

// checkFile returns the reason why the database cannot be written.
func (p *prompts) checkFile() error {
	if p.desk.ReadOnly() {
		return review.ErrReadOnly
	}
	_, err := p.desk.Version(p.ctx)
	return err
}

var errNoItem = errors.New("there is no URL here")

func (p *prompts) help(string) error {
	for _, c := range commands() {
		name := c.id
		if c.short != "" {
			name += " or " + c.short
		}
		p.out.printf("%s: %s.\n", strings.TrimSpace(name+" "+c.args), c.text)
	}
	return nil
}

func (p *prompts) leave(string) error {
	p.quit = true
	return nil
}
