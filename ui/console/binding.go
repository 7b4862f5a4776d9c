package console

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// scope is a set of places where a binding holds.
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
		if t.scope == inQueue && s&inDetail != 0 {
			list = append(list, "opened URL")
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
	if b.in&inDetail != 0 {
		return "the opened URL"
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

// run runs a binding, or says that it writes in a read-only database.
func (s *session) run(b *binding) tea.Cmd {
	if s.refuses(b) {
		s.warn(strings.ToLower(b.name) + ": not in a database that is open read-only")
		return nil
	}
	return b.run()
}

// refuses reports whether the binding writes in a read-only database.
func (s *session) refuses(b *binding) bool { return b.in&writes != 0 && s.who.ReadOnly() }

// isKeyOf reports whether a key is one of the action's.
func (s *session) isKeyOf(id string, key tea.KeyPressMsg) bool {
	return find(s.keys, id).has(key.String())
}
