package plain

import (
	"strings"

	"visto/review"
	"visto/ui/desk"
)

// command is a row of the table. id is the name of the same action in the console, if it has it.
type command struct {
	id, short, args string
	text            string
	needs           need
	run             func(p *prompts, arg string) error
}

// need is a condition for a command.
type need uint8

const (
	anItem   need = 1 << iota // there is a URL
	mayWrite                  // the database is writable
)

// Command is a row of the table, for people: the action, a short word for it or "", and whether it writes.
type Command struct {
	Action, Short string
	Writes        bool
}

// Commands lists the table in its order, which is that of the help.
func Commands() []Command {
	var list []Command
	for _, c := range commands() {
		list = append(list, Command{c.id, c.short, c.needs&mayWrite != 0})
	}
	return list
}

// commands is the table from which commands are found and the help is printed.
func commands() []command {
	return []command{
		{"approve", "a", "", "approve the URL as shown", anItem | mayWrite, decides(review.Approve)},
		{"reject", "r", "REASON", "reject the URL", anItem | mayWrite, (*prompts).reject},
		{"defer", "d", "", "put the URL off", anItem | mayWrite, decides(review.Defer)},
		{"correct", "e", "URL", "approve this canonical URL instead", anItem | mayWrite, (*prompts).correct},
		{"override", "o", "RULE",
			"write a rule for the host: keep NAME, drop NAME, accept FLAG, http, slash, host HOST, spanish " +
				"FROM TO, or an override as JSON. Its effect is told, and you are asked first",
			anItem | mayWrite, (*prompts).override},
		{"note", "n", "TEXT", "add a note to the URL", anItem | mayWrite, (*prompts).note},
		{"reopen", "", "", "put a decided URL back into the queue", anItem | mayWrite, decides(review.Reopen)},
		{"probe", "p", "", "ask the network about the URL, and tell it again", anItem | mayWrite, (*prompts).probe},
		{"undo", "u", "", "take back the last thing you did, whole", mayWrite, (*prompts).undo},
		{"redo", "", "", "bring back what was taken back last", mayWrite, (*prompts).redo},

		{"open", "show", "", "tell everything known about the URL", anItem, detailed((*prompts).show)},
		{"trace", "t", "", "tell what each step did to the URL", anItem, detailed((*prompts).trace)},
		{"rules", "w", "",
			"the policy's own words on the flags of the URL and on what was done to it",
			anItem, detailed((*prompts).rules)},
		{"choose-another-url", "c", "[NUMBER]",
			"tell what else could be cited in the place of the URL, with a number for each; or approve that " +
				"one",
			anItem, detailed((*prompts).choose)},
		{"related-urls", "related", "",
			"tell other originals of this page, and neighbours on the host; go NUMBER goes there",
			anItem, detailed((*prompts).related)},
		{"next-url", "next", "", "go to the next URL that waits", 0,
			func(p *prompts, _ string) error { return p.next(p.item) }},
		{"previous-url", "prev", "", "go to the one before", 0, (*prompts).back},
		{"go", "", "NUMBER", "go to the URL with this number", 0, (*prompts).goTo},

		{"search", "/", "TEXT",
			"show only URLs, titles and notes with this text in them; without a text, all again",
			0, (*prompts).search},
		{"facets", "f", "[GROUP VALUE | GROUP -VALUE | none]",
			"tell the groups with their counts; want a value, or leave it out; or drop all of that",
			0, (*prompts).facets},
		{"sort", "s", "ORDER", "by " + desk.OrderWords() + "; - before it turns it round", 0, (*prompts).sort},
		{"views", "v", "[NAME | save NAME | delete NAME]",
			"tell the saved filters and orders; show one; save what is shown; or delete one",
			0, (*prompts).views},
		{"list", "l", "[COUNT]", "tell the next URLs, one a line", 0, (*prompts).list},

		{"mark", "m", "[NUMBER...]",
			"mark the URL, or those with these numbers, or take the mark away",
			0, (*prompts).mark},
		{"mark-all", "*", "",
			"mark all URLs that the filter shows, besides what is marked; again: none",
			0, (*prompts).markAll},
		{"clear", "", "", "take all marks away", 0, (*prompts).clear},
		{"approve-marked", "A", "",
			"approve all marked URLs as one batch; asks first",
			mayWrite, decidesMarked("Approve", review.Approve)},
		{"reject-marked", "R", "REASON",
			"reject all marked URLs as one batch; asks first",
			mayWrite, (*prompts).rejectMarked},
		{"defer-marked", "", "",
			"put off all marked URLs as one batch; asks first",
			mayWrite, decidesMarked("Put off", review.Defer)},
		{"reopen-marked", "", "",
			"put all marked URLs back into the queue as one batch; asks first",
			mayWrite,
			decidesMarked("Put back into the queue", review.Reopen)},
		{"note-on-marked", "", "TEXT", "add one note to all marked URLs", mayWrite, (*prompts).noteMarked},

		{"causes", "2", "",
			"tell what would settle most of what waits, with a number for each",
			0, (*prompts).tellCauses},
		{"cause", "", "NUMBER keep|drop|map|cite|accept|reject REASON",
			"settle all URLs of a cause; the effect is told, and you are asked first",
			mayWrite, (*prompts).cause},
		{"urls-of-the-cause", "urls", "NUMBER", "show the URLs of this cause", 0, (*prompts).urlsOf},
		{"overrides", "3", "", "tell the rules, with a number for each", 0, (*prompts).overrides},
		{"remove-override", "", "NUMBER",
			"remove a rule; the effect is told, and you are asked first",
			mayWrite, (*prompts).removeOverride},
		{"log", "4", "[COUNT]", "tell what was done last", 0, (*prompts).log},
		{"undo-this-batch", "undo-batch", "NUMBER",
			"take back a batch of the log; asks first",
			mayWrite, (*prompts).undoThis},
		{"stats", "5", "", "tell the counts", 0, (*prompts).stats},
		{"help", "?", "", "tell the commands", 0, (*prompts).help},
		{"quit", "q", "", "quit; nothing is ever unsaved", 0, func(p *prompts, _ string) error {
			p.quit = true
			return nil
		}},
	}
}

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
