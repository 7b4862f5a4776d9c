package console

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/widget"
)

// bindings is the table without a console: its rows cannot run.
func bindings() []binding { return new(Model).bindings() }

// bindings is the one table of actions. Footer, help, palette and remapping come from it. Its order is that of the
// footer, where the first ones stay when there is little room.
func (m *Model) bindings() []binding {
	rows := slices.Concat(m.causeRows(), m.ruleRows(), m.pageRows(), m.decisionRows(), m.viewRows(), m.detailRows(),
		m.moveRows(), m.tabRows())
	list := make([]binding, len(rows))
	for i, r := range rows {
		list[i] = binding{r, strings.Fields(r.keys)}
	}
	return list
}

func (m *Model) causeRows() []row {
	list := []row{
		{"enter", "URLs of the cause", "its URLs", inCauses, m.causes.showURLs, "show the URLs of this cause"},
	}
	for _, f := range causeFixes {
		fix := with(m.causes.fix, f.kind)
		list = append(list, row{f.key, f.name, f.foot, inCauses | writes, fix, f.text})
	}
	return append(list, []row{
		{"C", citePages, "pages", inCauses | writes, m.citer.press,
			"look for pages to cite in the place of up to ten URLs of a cause, such as home pages; again: correct all " +
				"that have one that clearly fits, or look for the next ten. esc stops the search"},
		{"x", dismissSuggestion, "dismiss", inCauses | writes, m.causes.dismiss,
			"keep the suggested rule away until twice as many pages speak for it"},
		{"o", overrideForCause, "form", inCauses | writes, m.causes.openForm,
			"open the form for the host of the cause"},
		{"z", unfoldRows, "rows", inCauses, m.causes.unfold,
			"show the rows that fold into this one, for its key settles all of their URLs; or hide them"},
		{"l right", "Narrow", "", inCauses, with(m.causes.narrow, 1),
			"only the URLs of the cause on one of its hosts, below a path or in one of its fields, then the next one"},
		{"h left", "Widen", "", inCauses, with(m.causes.narrow, -1),
			"the host, path or field before; at last the whole cause again"},
		{"space", "Mark cause", "mark", inCauses, m.causes.mark,
			"mark the cause, or take the mark away: marked causes are settled together"},
		{"tab", "Read the URLs", "", inCauses, m.causes.expand,
			"the URLs of the cause on the whole screen, before and after, with the records that cite them; " +
				"or the list again"},
		{".", "More URLs", "", inCauses, with(m.causes.page, widget.PageDown),
			"scroll the URLs of the cause by a page"},
		{",", "URLs before", "", inCauses, with(m.causes.page, widget.PageUp), "scroll the URLs back by a page"},
		{"]", "Next cause", "", inCauses, with(m.causes.step, widget.Down),
			"the next cause, also while the URLs have the whole screen"},
		{"[", "Previous cause", "", inCauses, with(m.causes.step, widget.Up), "the cause before"},
		{"/", "Search causes", "search", inCauses, m.causes.askSearch, "show only causes with these words"},
		{"p", askNetwork, "ask", inCauses | writes, m.causes.askAbout,
			"ask the network about up to five URLs that would tell most: whether a suggested rule is right, or what " +
				"an unknown parameter does"},
		{"esc", "Clear causes", "", inCauses, m.causes.clear, "bring back the list; take away marks, then the search"},
	}...)
}

func (m *Model) ruleRows() []row {
	return []row{
		{"enter", "Show override", "show", inOverrides, m.overrides.show, "show the rule whole"},
		{"a", confirmProposal, "confirm", inOverrides | writes, m.overrides.askConfirm,
			"put a rule in force that another person proposed, its effect shown first"},
		{"e o", editOverride, "edit", inOverrides | writes, m.overrides.edit,
			"change the rule, its effect shown while you type"},
		{"D delete", "Remove override", "remove", inOverrides | writes, m.overrides.askRemove,
			"remove the rule, its effect shown first; or take a proposal back"},
		{"enter", "Show entry", "show", inLog, m.log.show, "show the log entry whole"},
		{"u", "Undo this batch", "undo this", inLog | writes, m.log.askUndo,
			"take back the batch of this entry; asks first"},
		{"/", "Search the log", "search", inLog, m.log.askSearch, "show only entries with a text in their row"},
		{"esc", "All entries", "", inLog, m.log.clear, "end the search in the log"},
	}
}

func (m *Model) pageRows() []row {
	p, l := m.page, m.links
	return []row{
		{"esc", "Close the page", "back", inPage, p.back, "end the search in the page, then close it"},
		{"l", "Links", "links", inPage, l.showLinks, "list the links of the page: one of them can be cited instead"},
		{"D", "Changes", "changes", inPage, p.toggleChanges,
			"the difference between the two versions of the page that are stored, or the page again"},
		{"/", "Search the page", "search", inPage, p.askSearch, "mark a text in the page and go to it"},
		{"n", "Next match", "", inPage, with(p.next, 1), "to the next match of the search in the page"},
		{"N", "Previous match", "", inPage, with(p.next, -1), "to the match before"},
		{"J", "Next heading", "", inPage, with(p.section, 1), "to the next heading of the page"},
		{"K", "Previous heading", "", inPage, with(p.section, -1), "to the heading before"},
		{"enter", "Cite link", "cite", inLinks | writes, l.cite,
			"read the link as a page to cite instead; it is checked and compared first"},
		{"esc l", "Close the links", "back", inLinks, l.back, "end the search in the links, then back to the page"},
		{"x", "Open link in browser", "browser", inLinks, l.browse, "open the link in the browser"},
		{"y", "Copy link", "copy", inLinks, l.copyLink, "copy the URL of the link"},
		{"/", "Search links", "search", inLinks, l.askSearch, "show only links with a text in them"},
	}
}

func (m *Model) decisionRows() []row {
	d, k := m.decider, m.marker
	return []row{
		{"a", "Approve", "approve", onItem | writes, d.approve, "approve the URL as shown"},
		{"r", "Reject", "reject", onItem | writes, d.askReject, "reject the URL, with a reason"},
		{"e", "Correct", "correct", onItem | writes, d.askCorrect,
			"enter another canonical URL; it is checked and compared while you type"},
		{"o", "Override", "rule", onItem | writes, m.rules.askOverride,
			"write a rule for this host that settles all URLs like this one"},
		{"d", "Defer", "defer", onItem | writes, d.deferItem, "put the URL off"},
		{"/", "Search", "search", inQueue, m.queue.askSearch, "show only URLs with a text in them, a note or a record"},
		{"f", "Facets", "facets", inQueue, m.faceter.ask, "show only some flags, hosts, statuses, files or fields"},
		{"u", "Undo", "undo", anywhere&^inLog | writes, d.undo,
			"take back the last thing you did, whole"},
		{"ctrl+r", "Redo", "", anywhere | writes, d.redo, "bring back the last thing that you took back"},
		{"n", "Note", "note", onItem&^inPage | writes, d.askNote, "add a note to the URL"},
		{"space", "Mark", "mark", inQueue, k.mark, "mark the URL, or take the mark away"},
		{"*", "Mark all", "", inQueue, k.markAll,
			"mark all other URLs that the filter shows; again: none"},
		{"A", "Approve marked", "", inQueue | writes, with(k.settle, review.Approve),
			"approve all marked URLs as one batch"},
		{"R", "Reject marked", "", inQueue | writes, k.reject, "reject all marked URLs as one batch, with a reason"},
		{"D", "Defer marked", "", inQueue | writes, with(k.settle, review.Defer),
			"put off all marked URLs as one batch"},
		{"", "Reopen", "", onItem | writes, d.reopen, "put a decided URL back into the queue"},
		{"", "Reopen marked", "", inQueue | writes, with(k.settle, review.Reopen),
			"put all marked URLs back into the queue as one batch"},
		{"", "Note on marked", "", inQueue | writes, k.askNote, "add one note to all marked URLs"},
		{"V", "Mark a range", "", inQueue, k.markRange, "mark from here to where the cursor then goes; again: done"},
		{"shift+down", "Range down", "", inQueue, with(k.stretch, widget.Down), "mark a range, one down"},
		{"shift+up", "Range up", "", inQueue, with(k.stretch, widget.Up), "mark a range, one up"},
		{"F", "Only marked", "", inQueue, k.onlyMarked,
			"show the marked URLs alone; again: the URLs shown before"},
	}
}

func (m *Model) viewRows() []row {
	return []row{
		{"enter", "Open", "open", inQueue, m.detail.openCurrent, "open the URL whole"},
		{"esc", "Back", "back", inDetail, m.detail.back, "back to the list"},
		{"esc", "Clear", "", inQueue, m.clearQueue,
			"drop a range; take away marks; then search and facets; of a cause: back to Causes"},
		{"b", "URLs of the record", "", inQueue, m.queue.showRecord,
			"show all URLs of the record that cites this one; again, or esc: the URLs shown before"},
		{"v", "Views", "views", inQueue, m.viewer.ask, "choose a saved filter and order, or save the current ones"},
		{"@", "Assign", "", inQueue | writes, m.assigner.ask,
			"share the waiting URLs that the filter shows out among reviewers, whole hosts together; " +
				"or take that back"},
		{"s", "Sort", "sort", inQueue, m.queue.askSort, "choose the order"},
		{"L", "Columns", "", inQueue, m.queue.askColumns, "choose the columns of the list, their order and widths"},
		{"t", "Trace", "trace", onItem, m.detail.toggleTrace, "the changes to the URL: short, or step by step"},
		{"p", "Probe", "probe", onItem | writes, with(m.decider.onCurrent, m.probes.ask),
			"ask the network about the URL, in the background"},
		{"P", "Page", "page", onItem, m.page.toggle, "open the page as the last probe stored it, or close it again"},
		{"y", "Copy canonical", "copy", onItem, m.detail.copyCanonical, "copy the canonical URL"},
		{"Y", "Copy original", "", onItem, m.detail.copyOriginal, "copy the URL as it came"},
		{"x", "Open in browser", "browser", onItem, m.detail.browse, "open the URL in the browser"},
		{"w", "Rules", "", onItem | inCauses, m.guide.show,
			"the policy's own words on the flags of the URL and on the changes to it"},
		{"?", "Help", "", anywhere, m.menus.help, "all keys; can be searched"},
		{":", "Commands", "", anywhere, m.menus.palette, "everything the console can do, by name"},
		{"M", "Messages", "", anywhere, m.showMessages, "the messages of this session, the last first"},
		{"ctrl+z", suspend, "", anywhere, m.programs.suspend, "back to the shell, whose fg brings the console back"},
		{"q", "Quit", "quit", anywhere, func() tea.Cmd { return tea.Quit }, "quit; nothing is ever unsaved"},
	}
}

func (m *Model) detailRows() []row {
	return []row{
		{"c", "Choose another URL", "choose", onItem | writes, m.decider.askChoose,
			"take another form of the URL, the Spanish page, a redirect's URL: " +
				"all there are, each checked and compared"},
		{"C", "Pages to cite", "pages", onItem | writes, m.finder.ask,
			"look for pages to cite in its place, such as the procedure's page for a home page: in the background, " +
				"with at most 30 requests; then show them, best first, with the reasons"},
		{"E", "Cite the best page", "", onItem | writes, m.finder.citeBest,
			"correct the URL to the page shown with it: the first of those found, where its score is at least twice " +
				"that of the next one"},
		{"m", "Related URLs", "related", inDetail | inPage, m.detail.askRelated,
			"open another original of this page, or a neighbour on the host; esc comes back"},
		{"b", "Next of the record", "record", inDetail | inPage, m.detail.nextOfRecord,
			"the next URL of the record that cites this one; esc comes back"},
		{"J", "Next section", "", inDetail, with(m.detail.section, 1), "to the next section of the page"},
		{"K", "Previous section", "", inDetail, with(m.detail.section, -1), "to the section before"},
		{"Z", "Fold", "", onItem, m.detail.toggleCollapse, "long URLs: whole, or only their ends and changes"},
	}
}

func (m *Model) moveRows() []row {
	list := []row{
		{"] right", "Next URL", "next", inDetail | inPage, with(m.detail.step, widget.Down), "the next URL, whole"},
		{"[ left", "Previous URL", "", inDetail | inPage, with(m.detail.step, widget.Up), "the URL before, whole"},
	}
	for _, r := range []struct {
		keys, name, text string
		motion           widget.Motion
	}{
		{"j down", "Down", "one down", widget.Down},
		{"k up", "Up", "one up", widget.Up},
		{"g home", "First", "to the start", widget.Top},
		{"G end", "Last", "to the end", widget.Bottom},
		{"ctrl+d", "Half a page down", "half a page down", widget.HalfDown},
		{"ctrl+u", "Half a page up", "half a page up", widget.HalfUp},
		{"pgdown", "Page down", "a page down", widget.PageDown},
		{"pgup", "Page up", "a page up", widget.PageUp},
	} {
		move := func() tea.Cmd { return m.tab().move(r.motion) }
		list = append(list, row{r.keys, r.name, "", anywhere, move, r.text})
	}
	return list
}

func (m *Model) tabRows() []row {
	var list []row
	for _, t := range tabs {
		show := with(m.show, t.scope)
		list = append(list, row{t.key, t.name, "", anywhere, show, "the tab " + t.name})
	}
	return append(list,
		row{"tab", "Next tab", "", anywhere &^ inCauses, with(m.nextTab, 1), "the next tab"},
		row{"shift+tab", "Previous tab", "", anywhere, with(m.nextTab, -1), "the tab before"})
}

// commands are the actions of the palette that take a text. Those that also have a key skip its dialog.
func (m *Model) commands() []command {
	return []command{
		{"Reject", "REASON", "reject the URL with this reason", onItem | writes, m.decider.rejectWith},
		{"Correct", "URL", "approve this canonical URL instead", onItem | writes, m.decider.correctTo},
		{"Note", "TEXT", "add this note to the URL", onItem | writes, m.decider.noteWith},
		{"Search", "TEXT", "show only URLs with this text in them, a note or a record", anywhere, m.queue.searchFor},
		{"Sort", "ORDER", "by " + desk.OrderWords() + "; - before it turns it round", anywhere, m.queue.sortBy},
		{"Columns", "NAME…", "such as flag, url, record 24, attr:tier; usual: as before any choice", inQueue,
			m.queue.columnsAs},
		{"Assign", "NAME, …", "share the URLs that the filter shows out among these reviewers", inQueue | writes,
			m.assigner.shareTo},
		{"Go", "NUMBER", "go to the URL with this number", anywhere, m.queue.goTo},
		{"Theme", "GROUND", "colours for a dark or light terminal; auto asks it", anywhere, m.setTheme},
	}
}

// scope is a set of places where a binding holds.
type scope uint16

const (
	inQueue scope = 1 << iota
	inDetail
	inCauses
	inOverrides
	inLog
	inStats
	inPage
	inLinks

	opened   = inDetail | inPage | inLinks
	onItem   = inQueue | inDetail | inPage
	anywhere = onItem | inLinks | inCauses | inOverrides | inLog | inStats

	writes scope = 1 << 15 // no place: the binding is refused in a read-only database
)

// String names the places, for people.
func (s scope) String() string {
	but := anywhere &^ s
	switch {
	case but == 0:
		return "everywhere"
	case but&(but-1) == 0: // one place alone
		return "everywhere but " + but.String()
	}
	var list []string
	for _, t := range tabs {
		if s&t.scope != 0 {
			list = append(list, t.name)
		}
		if t.scope != inQueue {
			continue
		}
		for _, part := range parts {
			if s&part.scope != 0 {
				list = append(list, part.name)
			}
		}
	}
	return strings.Join(list, ", ")
}

// row is one action of the console as the table has it. keys are separated by spaces; name is for the palette, foot for
// the footer, text for the help.
type row struct {
	keys, name, foot string
	in               scope
	run              func() tea.Cmd
	text             string
}

// binding is a row with its keys.
type binding struct {
	row
	keys []string
}

func (b *binding) has(key string) bool { return slices.Contains(b.keys, key) }

// id is the name of the action in a configuration: approve-marked.
func (b *binding) id() string { return idOf(b.name) }

// is reports whether this is the ID of the action. Each frame asks for the keys of some; an ID is as long as its name.
func (b *binding) is(id string) bool { return len(b.name) == len(id) && b.id() == id }

func idOf(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "-") }

// label writes the keys for people.
func (b *binding) label() string {
	var list []string
	for _, k := range b.keys {
		list = append(list, shownKey(k))
	}
	return strings.Join(list, " ")
}

// place names the first place where the binding holds.
func (b *binding) place() string {
	for _, part := range parts {
		if b.in&part.scope != 0 {
			return "the " + part.name
		}
	}
	for _, t := range tabs {
		if b.in&t.scope != 0 {
			return t.name
		}
	}
	return ""
}

// tabKey is a tab with its key.
type tabKey struct {
	key, name string
	scope     scope
}

var tabs = []tabKey{
	{"1", "Queue", inQueue}, {"2", "Causes", inCauses}, {"3", "Overrides", inOverrides}, {"4", "Log", inLog},
	{"5", "Stats", inStats},
}

// parts are the places within the tab of the queue.
var parts = []tabKey{
	{name: "opened URL", scope: inDetail}, {name: "page", scope: inPage}, {name: "links", scope: inLinks},
}

// run runs a binding. One that writes needs a press of its own and a database that is open for writing.
func (s *session) run(b *binding) tea.Cmd {
	switch {
	case s.refuses(b):
		return s.warn(strings.ToLower(b.name) + ": not in a database that is open read-only")
	case b.in&writes != 0 && s.presses.now.again:
		return s.notAgain(s.pressed)
	case b.in&writes != 0 && s.presses.now.doubtful:
		return s.doubt()
	}
	return b.run()
}

// refuses reports whether the binding writes in a read-only database.
func (s *session) refuses(b *binding) bool { return b.in&writes != 0 && s.who.ReadOnly() }
