package console

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/ui/widget"
)

// scope is where a binding holds.
type scope uint16

const (
	inQueue scope = 1 << iota
	inDetail
	inCauses
	inOverrides
	inLog
	inStats

	onItem   = inQueue | inDetail
	anywhere = inQueue | inDetail | inCauses | inOverrides | inLog | inStats

	writes scope = 1 << 15 // no place: the binding does not hold where nothing may be written
)

// binding is one thing the console can do: the keys for it, its name for the palette, what it does for the help,
// its word in the footer if it has one there, and where it holds.
type binding struct {
	keys []string
	name string
	text string
	foot string
	in   scope
	run  func(*Model) tea.Cmd
}

func (b *binding) has(key string) bool { return slices.Contains(b.keys, key) }

// label writes the keys for people.
func (b *binding) label() string {
	var list []string
	for _, k := range b.keys {
		list = append(list, shownKey(k))
	}
	return strings.Join(list, " ")
}

// bindings is the one table of keys. The order is that of the footer, where the first ones stay when there is little room.
func bindings() []binding {
	return slices.Concat(causeKeys(), ruleKeys(), decisionKeys(), viewKeys(), detailKeys(), moveKeys(), tabKeys())
}

func decisionKeys() []binding {
	return []binding{
		{[]string{"a"}, "Approve", "approve the URL as shown", "approve", onItem | writes, (*Model).approve},
		{[]string{"r"}, "Reject", "reject the URL, with a reason", "reject", onItem | writes, (*Model).askReject},
		{[]string{"e"}, "Correct", "enter another canonical URL; it is checked and compared while you type", "correct", onItem | writes, (*Model).askCorrect},
		{[]string{"o"}, "Override", "write a rule for this host that settles all URLs like this one", "override", onItem | writes, (*Model).askOverride},
		{[]string{"d"}, "Defer", "put the URL off", "defer", onItem | writes, (*Model).deferItem},
		{[]string{"u"}, "Undo", "take back the last thing you did, whole", "undo", anywhere&^inLog | writes, (*Model).undo},
		{[]string{"ctrl+r"}, "Redo", "bring back what was taken back last", "", anywhere | writes, (*Model).redo},
		{[]string{"n"}, "Note", "add a note to the URL", "note", onItem | writes, (*Model).askNote},
		{[]string{"space"}, "Mark", "mark the URL, or take the mark away", "mark", inQueue, (*Model).mark},
		{[]string{"*"}, "Mark all", "mark all URLs that the filter shows, besides what is marked; again: none", "", inQueue, (*Model).markAll},
		{[]string{"A"}, "Approve marked", "approve all marked URLs as one batch; asks first", "", inQueue | writes, (*Model).askApproveMarked},
		{[]string{"R"}, "Reject marked", "reject all marked URLs as one batch, with a reason", "", inQueue | writes, (*Model).askRejectMarked},
		{nil, "Defer marked", "put off all marked URLs as one batch; asks first", "", inQueue | writes, (*Model).deferMarked},
		{nil, "Reopen", "put a decided URL back into the queue", "", onItem | writes, (*Model).reopen},
		{nil, "Reopen marked", "put all marked URLs back into the queue as one batch; asks first", "", inQueue | writes, (*Model).reopenMarked},
		{nil, "Note on marked", "add one note to all marked URLs", "", inQueue | writes, (*Model).noteMarked},
		{[]string{"V"}, "Mark a range", "mark from here to where the cursor then goes; again: done", "", inQueue, (*Model).markRange},
		{[]string{"shift+down"}, "Range down", "mark a range, one down", "", inQueue, func(m *Model) tea.Cmd { return m.stretchRange(widget.Down) }},
		{[]string{"shift+up"}, "Range up", "mark a range, one up", "", inQueue, func(m *Model) tea.Cmd { return m.stretchRange(widget.Up) }},
		{[]string{"F"}, "Only marked", "show what is marked and nothing else; again: what was shown before", "", inQueue, (*Model).onlyMarked},
	}
}

func ruleKeys() []binding {
	return []binding{
		{[]string{"enter"}, "Show override", "show the rule whole", "show", inOverrides, (*Model).showOverride},
		{[]string{"e", "o"}, "Edit override", "change the rule, its effect shown while you type", "edit", inOverrides | writes, (*Model).editOverride},
		{[]string{"D", "delete"}, "Remove override", "remove the rule, its effect shown first", "remove", inOverrides | writes, (*Model).askRemoveOverride},
		{[]string{"enter"}, "Show entry", "show the log entry whole", "show", inLog, (*Model).showEntry},
		{[]string{"u"}, "Undo this batch", "take back the batch of this entry; asks first", "undo this", inLog | writes, (*Model).askUndoEntry},
	}
}

func viewKeys() []binding {
	return []binding{
		{[]string{"enter"}, "Open", "open the URL whole", "open", inQueue, (*Model).openDetail},
		{[]string{"esc"}, "Back", "back to the list", "back", inDetail, (*Model).closeDetail},
		{[]string{"esc"}, "Clear", "drop a range; take away marks; then search, facets and cause", "", inQueue, (*Model).clear},
		{[]string{"/"}, "Search", "show only URLs, titles and notes with a text in them", "search", inQueue, (*Model).askSearch},
		{[]string{"f"}, "Facets", "show only some flags, hosts, statuses, files or fields", "facets", inQueue, (*Model).askFacets},
		{[]string{"v"}, "Views", "choose a saved filter and order, or save what is shown", "views", inQueue, (*Model).askView},
		{[]string{"s"}, "Sort", "choose the order", "sort", inQueue, (*Model).askSort},
		{[]string{"t"}, "Trace", "what was done to the URL: short, or step by step", "trace", onItem, (*Model).toggleTrace},
		{[]string{"p"}, "Probe", "ask the network about the URL, in the background", "probe", onItem | writes, (*Model).probe},
		{[]string{"y"}, "Copy canonical", "copy the canonical URL", "copy", onItem, (*Model).copyCanonical},
		{[]string{"Y"}, "Copy original", "copy the URL as it came", "", onItem, (*Model).copyOriginal},
		{[]string{"x"}, "Open in browser", "open the URL in the browser", "browser", onItem, (*Model).browse},
		{[]string{"w"}, "Rules", "the policy's own words on the flags of the URL and on what was done to it", "", onItem | inCauses, (*Model).rules},
		{[]string{"?"}, "Help", "all keys; can be searched", "", anywhere, (*Model).help},
		{[]string{":"}, "Commands", "everything the console can do, by name", "", anywhere, (*Model).palette},
		{[]string{"M"}, "Messages", "what this session has said, the last first", "", anywhere, (*Model).messages},
		{[]string{"q"}, "Quit", "quit; nothing is ever unsaved", "quit", anywhere, func(*Model) tea.Cmd { return tea.Quit }},
	}
}

func moveKeys() []binding {
	moves := []struct {
		keys   []string
		name   string
		text   string
		motion widget.Motion
	}{
		{[]string{"j", "down"}, "Down", "one down", widget.Down},
		{[]string{"k", "up"}, "Up", "one up", widget.Up},
		{[]string{"g", "home"}, "First", "to the start", widget.Top},
		{[]string{"G", "end"}, "Last", "to the end", widget.Bottom},
		{[]string{"ctrl+d"}, "Half a page down", "half a page down", widget.HalfDown},
		{[]string{"ctrl+u"}, "Half a page up", "half a page up", widget.HalfUp},
		{[]string{"pgdown"}, "Page down", "a page down", widget.PageDown},
		{[]string{"pgup"}, "Page up", "a page up", widget.PageUp},
	}
	list := []binding{
		{[]string{"]", "right"}, "Next URL", "the next URL, whole", "next", inDetail, func(m *Model) tea.Cmd { return m.step(widget.Down) }},
		{[]string{"[", "left"}, "Previous URL", "the URL before, whole", "", inDetail, func(m *Model) tea.Cmd { return m.step(widget.Up) }},
	}
	for _, mv := range moves {
		list = append(list, binding{mv.keys, mv.name, mv.text, "", anywhere, func(m *Model) tea.Cmd { return m.move(mv.motion) }})
	}
	return list
}

// tabs are the pages of the console, by their keys.
var tabs = []struct {
	key, name string
	scope     scope
}{{"1", "Queue", inQueue}, {"2", "Causes", inCauses}, {"3", "Overrides", inOverrides}, {"4", "Log", inLog}, {"5", "Stats", inStats}}

func tabKeys() []binding {
	var list []binding
	for _, t := range tabs {
		list = append(list, binding{[]string{t.key}, t.name, "the tab " + t.name, "", anywhere, func(m *Model) tea.Cmd { return m.show(t.scope) }})
	}
	return append(list,
		binding{[]string{"tab"}, "Next tab", "the next tab", "", anywhere, func(m *Model) tea.Cmd { return m.nextTab(1) }},
		binding{[]string{"shift+tab"}, "Previous tab", "the tab before", "", anywhere, func(m *Model) tea.Cmd { return m.nextTab(len(tabs) - 1) }})
}
