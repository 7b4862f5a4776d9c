package dialog

import (
	"reflect"

	tea "charm.land/bubbletea/v2"
)

// Fits reports whether an earlier form, nil if there is none, was begun from the rule that this one edits. To save
// another one would take back what has changed since.
func (f *Form) Fits(earlier *Form) bool {
	return earlier == nil || reflect.DeepEqual(earlier.before, f.before)
}

// With returns the earlier form of a key as it was left, or this one if there is none.
func (f *Form) With(key string, earlier *Form) *Form {
	f.key = key
	if earlier == nil {
		return f
	}
	earlier.from, earlier.asked, earlier.failed, earlier.busy = f.from, nil, "", false
	return earlier
}

// Draft returns the form, changed if a text was typed. Choices alone are no draft: they are made again as quickly.
func (f *Form) Draft() (key string, draft any, changed bool) { return f.key, f, f.typed }

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
