package console

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/ui/dialog"
)

// menus lists the bindings and the commands: the help, and the command palette.
type menus struct {
	*session
	guide    *guide
	commands []command
}

// command is an action of the palette on a text that is typed after its name.
type command struct {
	name, args, text string
	in               scope
	run              func(text string) tea.Cmd
}

// help lists the keys that hold here, the rules behind the flags, then the other keys.
func (n *menus) help() tea.Cmd {
	menu := &dialog.Menu{Title: "Keys", Hint: "do it"}
	for _, here := range []bool{true, false} {
		for i := range n.keys {
			if b := &n.keys[i]; (b.in&n.scope != 0) == here && len(b.keys) > 0 {
				menu.Rows = append(menu.Rows, n.row(b, here))
			}
		}
		if here {
			menu.Rows = append(menu.Rows, n.guide.rows()...)
		}
	}
	n.openMenu(menu, -1)
	return nil
}

// palette lists all actions that hold here, by name, and the commands.
func (n *menus) palette() tea.Cmd {
	menu := &dialog.Menu{Title: "Commands", Hint: "do it"}
	for i := range n.keys {
		if b := &n.keys[i]; b.in&n.scope != 0 {
			menu.Rows = append(menu.Rows, n.row(b, true))
		}
	}
	for i := range n.commands {
		if c := &n.commands[i]; c.in&n.scope != 0 {
			menu.Rows = n.addCommand(menu.Rows, c)
		}
	}
	menu.Rows = append(menu.Rows, n.guide.rows()...)
	n.openMenu(menu, -1)
	return nil
}

func (n *menus) row(b *binding, here bool) dialog.Row {
	row := dialog.Row{Key: b.label(), Name: b.name, Text: b.text}
	switch {
	case !here:
		row.Text += " (in " + b.place() + ")"
	case n.refuses(b):
		row.Text += " (not when read-only)"
	default:
		row.Do = action(func() tea.Cmd {
			n.closeDialog()
			return n.run(b)
		})
	}
	return row
}

// addCommand lets the row of the same name take a text, or adds one.
func (n *menus) addCommand(rows []dialog.Row, c *command) []dialog.Row {
	at := slices.IndexFunc(rows, func(r dialog.Row) bool { return r.Name == c.name })
	if at < 0 {
		at, rows = len(rows), append(rows, dialog.Row{Name: c.name, Text: c.text})
	}
	if c.in&writes == 0 || !n.who.ReadOnly() {
		rows[at].Args = c.args
		rows[at].Take = func(text string) dialog.Action {
			return action(func() tea.Cmd {
				n.closeDialog()
				return c.run(strings.TrimSpace(text))
			})
		}
	}
	return rows
}
