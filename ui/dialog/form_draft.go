package dialog

import (
	"encoding/json"
	"slices"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/ui/widget"
)

// formDraft is what was typed into a form: the values of its fields by their labels, or the rule as JSON.
type formDraft struct {
	Before   string // the rule that was edited, as JSON
	Values   map[string]string
	Rewrites []canon.Rewrite // the part of the rule that no field shows
	Text     string
}

// Fits reports whether a draft was begun from the rule that the form edits. To save another one would take back what
// has changed since.
func (f *Form) Fits(draft string) bool {
	var d formDraft
	return json.Unmarshal([]byte(draft), &d) != nil || d.Before == f.edited()
}

// edited is the rule that the form edits, as JSON.
func (f *Form) edited() string {
	data, _ := json.Marshal(f.before) // a stored rule is valid
	return string(data)
}

// With sets the key that identifies the draft, and returns the form with the values of an earlier draft; "" is none.
func (f *Form) With(key, draft string) *Form {
	f.key = key
	var d formDraft
	if json.Unmarshal([]byte(draft), &d) != nil {
		return f
	}
	f.base.RewriteRules = d.Rewrites
	for _, fd := range f.fields {
		if value, ok := d.Values[fd.label]; ok {
			fd.in, fd.chosen = widget.NewInput(value), max(0, slices.Index(fd.options, value))
		}
	}
	if d.Text != "" {
		f.text = &ruleText{area: widget.NewArea(d.Text), rule: f.rule()}
	}
	return f
}

// Draft returns what was typed. Choices alone are no draft: they are made again as quickly.
func (f *Form) Draft() (key, text string, changed bool) {
	d := formDraft{Before: f.edited(), Values: map[string]string{}, Rewrites: f.base.RewriteRules}
	for _, fd := range f.fields {
		d.Values[fd.label] = fd.value()
	}
	if f.text != nil {
		d.Text = f.text.area.Value()
	}
	data, err := json.Marshal(d)
	return f.key, string(data), f.typed && err == nil
}

// take takes a key or a paste for the JSON text or the focused field, and reports whether it may have changed.
func (f *Form) take(msg tea.Msg) bool {
	if f.text != nil {
		changed := f.text.area.Update(msg)
		f.typed = f.typed || changed
		return changed
	}
	fd := f.fields[f.at]
	changed := fd.update(msg)
	f.typed = f.typed || changed && fd.options == nil
	return changed
}
