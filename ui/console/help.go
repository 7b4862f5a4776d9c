package console

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/ui/dialog"
)

// runBinding is what a line of the help or the palette does: bindings are known by their place in the table.
type runBinding struct{ index int }

// runCommand is a command with what was typed after it.
type runCommand struct {
	index int
	text  string
}

// help lists the rules behind what is shown, the keys that hold here, then the others.
func (m *Model) help() tea.Cmd {
	menu := &dialog.Menu{Title: "Keys", Hint: "do it"}
	for _, here := range []bool{true, false} {
		for i, b := range m.keys {
			if (b.in&m.scope != 0) == here && len(b.keys) > 0 {
				menu.Rows = append(menu.Rows, m.menuRow(i, here))
			}
		}
		if here {
			menu.Rows = append(menu.Rows, m.ruleRows()...)
		}
	}
	m.openMenu(menu, -1)
	return nil
}

// palette lists all that can be done here, by name: bindings, with a key or without, and what takes a text after its name.
func (m *Model) palette() tea.Cmd {
	menu := &dialog.Menu{Title: "Commands", Hint: "do it"}
	for i, b := range m.keys {
		if b.in&m.scope != 0 {
			menu.Rows = append(menu.Rows, m.menuRow(i, true))
		}
	}
	for i, c := range commands() {
		if c.in&m.scope != 0 {
			menu.Rows = m.addCommand(menu.Rows, i, &c)
		}
	}
	menu.Rows = append(menu.Rows, m.ruleRows()...)
	m.openMenu(menu, -1)
	return nil
}

func (m *Model) openMenu(menu *dialog.Menu, at int) { m.open(menu.Start(at)) }

func (m *Model) menuRow(i int, here bool) dialog.Row {
	b := &m.keys[i]
	row := dialog.Row{Key: b.label(), Name: b.name, Text: b.text}
	switch {
	case !here:
		row.Text += " (in " + b.where() + ")"
	case m.refuses(b):
		row.Text += " (not when read-only)"
	default:
		row.Do = runBinding{i}
	}
	return row
}

func (b *binding) where() string {
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

// addCommand adds the row of a command, which is done with what is typed after its name; or that to the row of the binding of
// this name.
func (m *Model) addCommand(rows []dialog.Row, i int, c *command) []dialog.Row {
	at := slices.IndexFunc(rows, func(r dialog.Row) bool { return r.Name == c.name })
	if at < 0 {
		at, rows = len(rows), append(rows, dialog.Row{Name: c.name, Text: c.text})
	}
	if c.in&writes == 0 || !m.desk.ReadOnly() {
		rows[at].Args = c.args
		rows[at].Take = func(text string) dialog.Action { return runCommand{i, text} }
	}
	return rows
}

// runCommand runs a command of the palette.
func (m *Model) runCommand(r runCommand) tea.Cmd {
	m.closeDialog()
	return commands()[r.index].run(m, strings.TrimSpace(r.text))
}

// showRule shows the policy's own words on a step.
type showRule struct{ part dialog.Part }

// ruleRows are lines that show the policy's rule behind each flag of what is under the cursor.
func (m *Model) ruleRows() []dialog.Row {
	var rows []dialog.Row
	for _, part := range m.flagParts() {
		rows = append(rows, dialog.Row{Name: "Rule: " + part.name, Text: part.text(), Do: showRule{part.Part}})
	}
	return rows
}

// text is the headline of the rule.
func (p *rulePart) text() string {
	line, _, _ := strings.Cut(p.rule, "\n")
	return line
}

// rules shows the policy's own words on the flags of what is under the cursor, and on the steps of its trace.
func (m *Model) rules() tea.Cmd {
	parts := m.flagParts()
	told := map[string]bool{}
	for _, p := range parts {
		told[p.step] = true
	}
	for _, p := range m.stepParts() {
		if !told[p.step] {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		m.warn("there is no rule behind anything here")
		return nil
	}
	r := &dialog.Reader{Title: "The rules of " + m.desk.Policy().ID()}
	for _, p := range parts {
		r.Parts = append(r.Parts, p.Part)
	}
	m.open(r)
	return nil
}

// rulePart is what is told of one flag or step.
type rulePart struct {
	dialog.Part
	name, step, rule string
}

// flagParts are the rules behind the flags of the URL or the cause under the cursor.
func (m *Model) flagParts() []rulePart {
	var list []rulePart
	for _, f := range m.flagsHere() {
		rule := m.desk.Policy().Guideline(f.Code.Step())
		text := f.Code.Summary() + "."
		if f.Detail != "" {
			text += "\n" + f.Detail
		}
		if rule != "" {
			text += "\n\n" + rule
		}
		list = append(list, rulePart{dialog.Part{Head: "! " + f.Code.String(), Text: text}, f.Code.String(), f.Code.Step(), rule})
	}
	return list
}

// stepParts are the rules behind the steps that did something to the URL under the cursor.
func (m *Model) stepParts() []rulePart {
	d := m.detailHere()
	if d == nil {
		return nil
	}
	var list []rulePart
	for _, e := range d.Result.Trace {
		rule := m.desk.Policy().Guideline(e.Step)
		text := strings.TrimSpace(e.Note + "\n\n" + rule)
		if text != "" {
			list = append(list, rulePart{dialog.Part{Head: fmt.Sprintf("%s did this", e.Step), Text: text}, e.Step, e.Step, rule})
		}
	}
	return list
}
