package console

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/ui/dialog"
)

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
	parts := g.flagParts()
	shown := map[string]bool{}
	for _, p := range parts {
		shown[p.step] = true
	}
	for _, p := range g.stepParts() {
		if !shown[p.step] {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		g.warn("there is no rule behind anything here")
		return nil
	}
	g.read(parts...)
	return nil
}

func (g *guide) read(parts ...rulePart) {
	r := &dialog.Reader{Title: "The rules of " + g.who.Policy().ID()}
	for _, p := range parts {
		r.Parts = append(r.Parts, p.Part)
	}
	g.open(r)
}

// rows are the rows of a menu that show the rule behind each flag.
func (g *guide) rows() []dialog.Row {
	var rows []dialog.Row
	for _, part := range g.flagParts() {
		headline, _, _ := strings.Cut(part.rule, "\n")
		rows = append(rows, dialog.Row{Name: "Rule: " + part.name, Text: headline, Do: action(func() tea.Cmd {
			g.read(part)
			return nil
		})})
	}
	return rows
}

func (g *guide) flagParts() []rulePart {
	var list []rulePart
	for _, f := range g.flags() {
		rule := g.who.Policy().Guideline(f.Code.Step())
		text := f.Code.Summary() + "."
		if f.Detail != "" {
			text += "\n" + f.Detail
		}
		if rule != "" {
			text += "\n\n" + rule
		}
		name := f.Code.String()
		list = append(list, rulePart{dialog.Part{Head: "! " + name, Text: text}, name, f.Code.Step(), rule})
	}
	return list
}

// flags are the flags of the URL or the cause under the cursor.
func (g *guide) flags() []canon.Flag {
	if g.scope == inCauses {
		if c, ok := g.causes.pane.Current(); ok {
			return []canon.Flag{{Code: c.Flag}}
		}
		return nil
	}
	d := g.detail.data()
	if g.scope&onItem == 0 || d == nil {
		return nil
	}
	list := d.Result.Flags
	if d.Item.Computed.Flags.Has(canon.ChangedSinceApproval) {
		list = append(list[:len(list):len(list)], canon.Flag{Code: canon.ChangedSinceApproval})
	}
	return list
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
