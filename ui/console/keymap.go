package console

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"visto/ui/config"
)

// Keymap holds the keys that a reviewer chose. The zero Keymap has none.
type Keymap struct {
	chosen   map[string][]string // action to keys
	commands []config.Command
}

// NewKeymap reads the keys and the commands of a configuration. An unknown action is an error, and so are two actions
// with one name, or with one key in one place. Each error is on a line of its own, with file, line and advice.
func NewKeymap(c *config.Config) (Keymap, error) {
	list := bindings()
	k := Keymap{map[string][]string{}, c.Commands}
	lines := map[string]int{}
	var wrong []error
	for _, key := range c.Keys {
		if find(list, key.Action) == nil {
			wrong = append(wrong, fmt.Errorf("%s:%d: there is no action %q: %s", c.File, key.Line, key.Action,
				nearest(list, key.Action)))
			continue
		}
		k.chosen[key.Action], lines[key.Action] = key.Keys, key.Line
	}
	k.apply(list)
	list, wrong = withCommands(list, c, lines, wrong)
	wrong = append(wrong, conflicts(list, c.File, lines)...)
	if len(find(list, "commands").keys) == 0 {
		wrong = append(wrong, fmt.Errorf("%s:%d: commands needs a key: it runs the actions without one", c.File,
			lines["commands"]))
	}
	if err := errors.Join(wrong...); err != nil {
		return Keymap{}, err
	}
	return k, nil
}

// withCommands adds the commands of a configuration to the table. One with the name of another action is an error.
func withCommands(list []binding, c *config.Config, lines map[string]int, wrong []error) ([]binding, []error) {
	texts := new(Model).commands()
	for i, b := range new(programs).commandBindings(c.Commands) {
		line := c.Commands[i].Line
		taken := slices.ContainsFunc(texts, func(t command) bool { return idOf(t.name) == b.id() })
		if taken || find(list, b.id()) != nil {
			wrong = append(wrong, fmt.Errorf("%s:%d: there is an action %q already: choose another name", c.File, line,
				b.id()))
			continue
		}
		lines[b.id()] = line
		list = append(list, b)
	}
	return list, wrong
}

// apply puts the chosen keys into the table.
func (k Keymap) apply(list []binding) {
	for i := range list {
		if keys, ok := k.chosen[list[i].id()]; ok {
			list[i].keys = keys
		}
	}
}

// find returns the binding of an action, or nil.
func find(list []binding, id string) *binding {
	for i := range list {
		if list[i].is(id) {
			return &list[i]
		}
	}
	return nil
}

// conflicts are the keys that two actions have in one place. The error names the later line of the file: the default
// keys have no conflicts.
func conflicts(list []binding, file string, lines map[string]int) (wrong []error) {
	const format = "%s:%d: %s: %s is the key of %s already, in %s: choose another, or give %s another (%s: [] for none)"
	for i := range list {
		for j := range list[:i] {
			a, b := &list[i], &list[j]
			if lines[b.id()] > lines[a.id()] {
				a, b = b, a
			}
			for _, key := range a.keys {
				if in := a.in & b.in & anywhere; in != 0 && b.has(key) {
					wrong = append(wrong,
						fmt.Errorf(format, file, lines[a.id()], a.id(), key, b.id(), in, b.id(), b.id()))
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
		id := list[i].id()
		if strings.Contains(id, wrong) || strings.Contains(wrong, id) || distance(id, wrong) <= 2 {
			near = append(near, id)
		}
	}
	if len(near) == 0 || wrong == "" {
		return "visto keys lists them"
	}
	return "did you mean " + strings.Join(near, " or ") + "? visto keys lists them all"
}

// distance is the number of letters that differ between two words.
func distance(a, b string) (n int) {
	for _, edit := range udiff.Strings(a, b) {
		n += max(edit.End-edit.Start, len(edit.New))
	}
	return n
}

// Action is a row of the table, for people.
type Action struct {
	ID     string   `json:"action"` // as a configuration names it
	Keys   []string `json:"keys"`
	Text   string   `json:"does"`
	Where  string   `json:"where"`
	Writes bool     `json:"writes"`
}

// Actions lists the table in the order of the help.
func (k Keymap) Actions() []Action {
	bound := bindings()
	k.apply(bound)
	bound = append(bound, new(programs).commandBindings(k.commands)...)
	var list []Action
	for _, b := range bound {
		list = append(list, Action{
			ID: b.id(), Keys: append([]string{}, b.keys...), Text: b.text, Where: b.in.String(),
			Writes: b.in&writes != 0,
		})
	}
	return list
}

// actionName is an action that a text names.
var actionName = regexp.MustCompile(`\{[^}]+\}`)

// keyed puts keys in place of the actions that a text names: "{undo} takes it back" names the first key of undo. It is
// for texts of the program alone.
func (s *session) keyed(text string) string {
	return actionName.ReplaceAllStringFunc(text, func(id string) string {
		return keyOf(s.keys, strings.Trim(id, "{}"))
	})
}

// keyOf is the first key of an action, for people. An action without a key is named with the key of the palette.
func keyOf(list []binding, id string) string {
	b := find(list, id)
	switch {
	case b == nil:
		panic("there is no action " + id)
	case len(b.keys) == 0:
		return keyOf(list, "commands") + " " + strings.ToLower(b.name)
	}
	return shownKey(b.keys[0])
}

// arrows are the signs of keys without a common name.
var arrows = map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→"}

func shownKey(key string) string { return cmp.Or(arrows[key], key) }
