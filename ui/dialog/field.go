package dialog

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// field is one line of the override form: a text or a choice of a few values.
type field struct {
	key     string // the JSON key that the field sets
	label   string // untrusted: it may name a parameter
	hint    string
	set     setter
	options []string // the values to choose from, the first of which stands for none; nil: a text
	chosen  int
	in      widget.Input
}

// setter writes the value of a field into a rule.
type setter func(o *canon.Override, value string)

// value returns the trimmed text or the chosen value.
func (f *field) value() string {
	switch {
	case f.options == nil:
		return strings.TrimSpace(f.in.Value())
	case f.chosen == 0:
		return ""
	}
	return f.options[f.chosen]
}

// update takes a key or a paste and reports whether the value may have changed.
func (f *field) update(msg tea.Msg) bool {
	if f.options == nil {
		return f.in.Update(msg)
	}
	n := len(f.options)
	switch {
	case isKey(msg, "right", "space", "l"):
		f.chosen = (f.chosen + 1) % n
	case isKey(msg, "left", "h"):
		f.chosen = (f.chosen + n - 1) % n
	default:
		return f.pick(msg)
	}
	return true
}

// pick chooses the first option that begins with the pressed letter.
func (f *field) pick(msg tea.Msg) bool {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok || len(key.Text) != 1 {
		return false
	}
	i := slices.IndexFunc(f.options, func(o string) bool { return strings.HasPrefix(o, key.Text) })
	if i >= 0 {
		f.chosen = i
	}
	return i >= 0
}

// draw adds the field to the sheet.
func (f *field) draw(s *sheet, focused bool) {
	mark := "  "
	if focused {
		mark = s.th.Accent.Render("▌ ")
	}
	label := mark + term.Pad(term.Safe(term.Clip(f.label, 60)), min(labelWidth, s.width/2)) + " "
	if f.options == nil {
		s.input(&f.in, label, focused)
	} else {
		s.add(label + f.choices(s.th, s.width-term.Width(label)))
	}
	if focused && f.hint != "" {
		for _, line := range term.Wrap(f.fullHint(), s.width-4) {
			s.add("    " + s.th.Dim.Render(line))
		}
	}
}

// labelWidth is the width of a label in cells.
const labelWidth = 20

// fullHint returns the hint, preceded by the label if that is cut on the screen.
func (f *field) fullHint() string {
	if label := term.Safe(term.Clip(f.label, 200)); term.Width(label) > labelWidth {
		return label + ": " + f.hint
	}
	return f.hint
}

// choices draws the options side by side, or the chosen one alone if they do not fit.
func (f *field) choices(th *theme.Theme, room int) string {
	var list []string
	for _, o := range f.options {
		list = append(list, th.Dim.Render("( ) "+o))
	}
	list[f.chosen] = th.Bold.Render("(•) " + f.options[f.chosen])
	if all := strings.Join(list, "  "); term.Width(all) <= room {
		return all
	}
	return list[f.chosen]
}
