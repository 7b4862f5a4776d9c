package console

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"visto/ui/config"
)

// Keymap is the table of bindings with the keys that a reviewer chose. The zero Keymap has those of the program.
type Keymap struct{ list []binding }

// NewKeymap puts the keys of a configuration into the table. Actions that there are not, and two actions that want one
// key in one place, are errors, each on a line of its own with file, line and what to do.
func NewKeymap(c *config.Config) (Keymap, error) {
	list := bindings()
	chosen := map[string]int{} // action to line
	var wrong []error
	for _, k := range c.Keys {
		i := slices.IndexFunc(list, func(b binding) bool { return b.id() == k.Action })
		if i < 0 {
			wrong = append(wrong, fmt.Errorf("%s:%d: there is no action %q: %s", c.File, k.Line, k.Action, nearest(list, k.Action)))
			continue
		}
		list[i].keys, chosen[k.Action] = k.Keys, k.Line
	}
	wrong = append(wrong, conflicts(list, c.File, chosen)...)
	if i := slices.IndexFunc(list, func(b binding) bool { return b.id() == "commands" }); len(list[i].keys) == 0 {
		wrong = append(wrong, fmt.Errorf("%s:%d: commands needs a key: what has none is done through it", c.File, chosen["commands"]))
	}
	if err := errors.Join(wrong...); err != nil {
		return Keymap{}, err
	}
	return Keymap{list}, nil
}

// bindings is the table, the program's own if there is no other.
func (k Keymap) bindings() []binding {
	if k.list == nil {
		return bindings()
	}
	return slices.Clone(k.list)
}

// conflicts are the keys that two actions have in one place. The later line of the file is told, since the program's own
// keys are without conflict.
func conflicts(list []binding, file string, chosen map[string]int) (wrong []error) {
	for i := range list {
		for j := range list[:i] {
			a, b := &list[i], &list[j]
			if chosen[b.id()] > chosen[a.id()] {
				a, b = b, a
			}
			for _, key := range a.keys {
				if in := a.in & b.in & anywhere; in != 0 && b.has(key) {
					wrong = append(wrong, fmt.Errorf("%s:%d: %s: %s is the key of %s already, in %s: choose another, or give %s another (%s: [] for none)",
						file, chosen[a.id()], a.id(), key, b.id(), in, b.id(), b.id()))
				}
			}
		}
	}
	return wrong
}

// nearest names the actions that an unknown one may have been meant for.
func nearest(list []binding, wrong string) string {
	var near []string
	for i := range list {
		if id := list[i].id(); strings.Contains(id, wrong) || strings.Contains(wrong, id) || distance(id, wrong) <= 2 {
			near = append(near, id)
		}
	}
	if len(near) == 0 || wrong == "" {
		return "visto keys lists them"
	}
	return "did you mean " + strings.Join(near, " or ") + "? visto keys lists them all"
}

// distance is the Levenshtein distance of two short words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// Action is a row of the table, for people.
type Action struct {
	ID     string   `json:"action"` // as a configuration names it
	Keys   []string `json:"keys"`
	Text   string   `json:"does"`
	Where  string   `json:"where"`
	Writes bool     `json:"writes"`
}

// Actions lists the table in its order, which is that of the help.
func (k Keymap) Actions() []Action {
	var list []Action
	for _, b := range k.bindings() {
		list = append(list, Action{
			ID: b.id(), Keys: append([]string{}, b.keys...), Text: b.text, Where: b.in.String(), Writes: b.in&writes != 0,
		})
	}
	return list
}

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

// id is the name of the action in a configuration: approve-marked.
func (b *binding) id() string {
	return strings.ReplaceAll(strings.ToLower(b.name), " ", "-")
}

// keyed puts keys where a text of the program names actions: in "{undo} takes it back" the first key of undo, as the reviewer
// has it. It is for texts of the program alone.
func (m *Model) keyed(text string) string { return keyed(m.keys, text) }

func keyed(list []binding, text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		b.WriteString(before)
		id, after, _ := strings.Cut(rest, "}")
		if !found {
			return b.String()
		}
		b.WriteString(keyOf(list, id))
		text = after
	}
}

// keyOf is the first key of an action, for people. One without a key is done by its name.
func keyOf(list []binding, id string) string {
	i := slices.IndexFunc(list, func(b binding) bool { return b.id() == id })
	if i < 0 {
		panic("there is no action " + id)
	}
	if len(list[i].keys) == 0 {
		return keyOf(list, "commands") + " " + strings.ToLower(list[i].name)
	}
	return shownKey(list[i].keys[0])
}

// arrows are how keys that have no name that people use are shown.
var arrows = map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→"}

func shownKey(key string) string {
	if sign, ok := arrows[key]; ok {
		return sign
	}
	return key
}
