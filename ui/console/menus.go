package console

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/ui/dialog"
	"visto/ui/pane"
)

// menus lists the bindings and the commands: the help, and the command palette.
type menus struct {
	*session
	guide    *guide
	queue    *queueTab
	log      *ProgramLog
	commands []command
}

// command is an action of the palette on a text that is typed after its name.
type command struct {
	name, args, text string
	in               scope
	run              func(text string) tea.Cmd
}

// help lists the keys that hold here, the rules behind the flags, the signs of the rows, the other keys, and what the
// program logged.
func (n *menus) help() tea.Cmd {
	keyless := func(r dialog.Row) bool { return r.Key == "" }
	here, elsewhere := slices.DeleteFunc(n.rows(true), keyless), slices.DeleteFunc(n.rows(false), keyless)
	rows := slices.Concat(here, n.guide.rows(), signRows(), elsewhere, n.log.rows())
	menu := &dialog.Menu{Title: "Keys", Hint: "do it", Rows: rows}
	return n.openMenu(menu, -1)
}

// signRows are the legend of the signs of a row.
func signRows() (rows []dialog.Row) {
	for _, s := range pane.Signs {
		rows = append(rows, dialog.Row{Key: s.Sign, Name: "Sign: " + s.Name, Text: s.Text})
	}
	return rows
}

// palette lists all actions that hold here, by name, and the commands.
func (n *menus) palette() tea.Cmd {
	rows := n.rows(true)
	for i := range n.commands {
		if c := &n.commands[i]; c.in&n.scope != 0 {
			rows = n.addCommand(rows, c)
		}
	}
	menu := &dialog.Menu{Title: "Commands", Hint: "do it", Rows: append(rows, n.guide.rows()...)}
	return n.openMenu(menu, -1)
}

// rows are the rows of the actions that hold here, or of those that do not.
func (n *menus) rows(here bool) (rows []dialog.Row) {
	for i := range n.keys {
		if b := &n.keys[i]; (b.in&n.scope != 0) == here {
			rows = append(rows, n.row(b, here))
		}
	}
	return rows
}

func (n *menus) row(b *binding, here bool) dialog.Row {
	row := dialog.Row{Key: b.label(), Name: b.name, Text: b.text}
	switch {
	case !here:
		row.Text += " (in " + b.place() + ")"
	case n.refuses(b):
		row.Text += " (not when read-only)"
	default:
		row.Do = n.onSeen(b.in, with(n.run, b))
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
		rows[at].Take = func(text string) dialog.Action { return n.onSeen(c.in, with(c.run, strings.TrimSpace(text))) }
	}
	return rows
}

// onSeen is the action of a row of a menu. It writes nothing about a URL or a cause that came under the menu, which
// covers it.
func (n *menus) onSeen(in scope, do func() tea.Cmd) action {
	return n.closing(func() tea.Cmd {
		switch about := in & (inDetail | inCauses | writes); {
		case about == inDetail|writes && n.queue.came.why != "" && !n.queue.came.at.Before(n.opened):
			return n.warn("nothing was done, for the URL came under the menu: look at it (" + n.queue.came.why + ")")
		case about == inCauses|writes && !n.guide.causes.came.at.Before(n.opened):
			return n.warn("nothing was done, for the cause came under the menu: look at it")
		}
		return do()
	})
}

// guide quotes the policy on the flags and steps of the URL or the cause under the cursor.
type guide struct {
	*session
	detail *detailTab
	causes *causesTab
}

// rulePart is the text on one flag or step.
type rulePart struct {
	dialog.Part
	name, step, rule string
}

// show shows the rules behind the flags, then those behind the steps.
func (g *guide) show() tea.Cmd {
	flags := g.flagParts()
	told := func(step rulePart) bool {
		return slices.ContainsFunc(flags, func(flag rulePart) bool { return flag.step == step.step })
	}
	parts := append(flags, slices.DeleteFunc(g.stepParts(), told)...)
	if len(parts) == 0 {
		return g.warn("there is no rule behind anything here")
	}
	return g.read(parts...)
}

func (g *guide) read(parts ...rulePart) tea.Cmd {
	r := &dialog.Reader{Title: "The rules of " + g.who.Policy().ID()}
	for _, p := range parts {
		r.Parts = append(r.Parts, p.Part)
	}
	return g.open(r)
}

// rows are the rows of a menu that show the rule behind each flag.
func (g *guide) rows() []dialog.Row {
	var rows []dialog.Row
	for _, part := range g.flagParts() {
		headline, _, _ := strings.Cut(part.rule, "\n")
		read := action(func() tea.Cmd { return g.read(part) })
		rows = append(rows, dialog.Row{Name: "Rule: " + part.name, Text: headline, Do: read})
	}
	return rows
}

func (g *guide) flagParts() []rulePart {
	var list []rulePart
	for _, f := range g.flags() {
		rule := g.who.Policy().Guideline(f.Code.Step())
		text := strings.TrimSpace(strings.TrimSpace(f.Code.Summary()+".\n"+f.Detail) + "\n\n" + rule)
		name := f.Code.String()
		list = append(list, rulePart{dialog.Part{Head: "! " + name, Text: text}, name, f.Code.Step(), rule})
	}
	return list
}

// flags are the flags of the URL or the cause under the cursor.
func (g *guide) flags() []canon.Flag {
	if c, ok := g.causes.pane.Current(); ok && g.scope == inCauses {
		return []canon.Flag{{Code: c.Flag}}
	}
	d := g.detail.data()
	if g.scope&onItem == 0 || d == nil {
		return nil
	}
	return d.Flags()
}

// stepParts are the rules behind the steps that changed or flagged the URL.
func (g *guide) stepParts() []rulePart {
	d := g.detail.data()
	if g.scope&onItem == 0 || d == nil {
		return nil
	}
	var list []rulePart
	for _, e := range d.Result.Trace {
		rule := g.who.Policy().Guideline(e.Step)
		if text := strings.TrimSpace(e.Note + "\n\n" + rule); text != "" {
			list = append(list, rulePart{dialog.Part{Head: e.Step + " did this", Text: text}, e.Step, e.Step, rule})
		}
	}
	return list
}
