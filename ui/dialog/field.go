package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// field is one line of the override form: a text or a choice of a few values.
type field struct {
	key     string // the JSON key that the field sets
	label   string // untrusted: it may name a parameter
	hint    string
	options []option // nil: a text
	chosen  int
	in      widget.Input
}

// option is one value of a choice.
type option struct{ label, value string }

func textField(label, value, hint string) *field {
	return &field{label: label, hint: hint, in: widget.NewInput(value)}
}

func choiceField(label, hint string, chosen int, options ...option) *field {
	return &field{label: label, hint: hint, options: options, chosen: chosen}
}

// value returns the trimmed text or the chosen value.
func (f *field) value() string {
	if f.options != nil {
		return f.options[f.chosen].value
	}
	return strings.TrimSpace(f.in.Value())
}

// list splits the text at commas and spaces.
func (f *field) list() []string {
	return strings.FieldsFunc(f.value(), func(r rune) bool { return r == ',' || r == ' ' })
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
	for i, o := range f.options {
		if strings.HasPrefix(o.label, key.Text) {
			f.chosen = i
			return true
		}
	}
	return false
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
	for i, o := range f.options {
		if i == f.chosen {
			list = append(list, th.Bold.Render("(•) "+o.label))
		} else {
			list = append(list, th.Dim.Render("( ) "+o.label))
		}
	}
	if all := strings.Join(list, "  "); term.Width(all) <= room {
		return all
	}
	return list[f.chosen]
}
