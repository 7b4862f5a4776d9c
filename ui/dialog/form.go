package dialog

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/ui/term"
	"visto/ui/theme"
)

// Form is the override form. Its fields have one order, whatever the URL that it was opened for; the focus is first on
// the one that settles the first flag of the URL. The effect of the typed rule is drawn beside the fields, or below
// them on a narrow screen.
type Form struct {
	title  string
	before *canon.Override // the override being edited; nil: a rule to add
	base   canon.Override  // the part of the rule that no field shows
	submit Action          // saves the rule whose effect was shown last

	fields  []*field
	from    Suggestion // zero when editing an existing override
	problem problem
	text    *ruleText // the rule as JSON; nil while the fields are edited
	at      int       // the field with the focus; len(fields) is Save
	key     string    // identifies the draft
	typed   bool      // a text has been changed
	effect  effectView
	asked   []string // the doubts about names that the reviewer was asked about
	failed  string
	busy    bool
}

// Suggestion prefills a new rule.
type Suggestion struct {
	Host    string
	Params  []string // unknown parameters, each to keep or to drop
	Flags   []canon.Code
	Spanish canon.Prefixes // a guess; empty: none
	Rule    canon.Override // the initial choices

	Existing *canon.Override // the override of the same host; the new one is merged into it
	By       string          // author and time of Existing; trusted
}

// EditExisting asks for the form on an existing override. By is as in Suggestion.
type EditExisting struct {
	Override canon.Override
	By       string
}

// NewForm returns the form for a new rule. submit saves the rule whose effect was shown last.
func NewForm(s Suggestion, submit Action) *Form {
	rule := s.Rule
	rule.Match.Host = cmp.Or(rule.Match.Host, s.Host)
	f := &Form{title: "Override for " + rule.Match.String(), submit: submit, from: s}
	f.fill(rule)
	f.at = f.settling()
	f.from.Spanish = canon.Prefixes{} // a guess is made once
	return f
}

// EditForm returns the form for an existing override.
func EditForm(o canon.Override, submit Action) *Form {
	before := o
	f := &Form{title: "Override for " + o.Match.String(), before: &before, submit: submit}
	f.fill(o)
	return f
}

// fill creates the fields from a rule.
func (f *Form) fill(rule canon.Override) {
	f.fields, f.base = nil, canon.Override{}
	if len(rule.RewriteRules) > 1 {
		f.base.RewriteRules = slices.Clone(rule.RewriteRules[1:])
	}
	f.matchFields(rule)
	f.ownFields(f.from, rule)
	f.rest(f.from, rule)
	f.at = min(f.at, len(f.fields))
}

// rule returns the override as typed into the fields or the text.
func (f *Form) rule() canon.Override {
	if f.text != nil {
		return f.text.rule
	}
	o := f.base
	o.RewriteRules = nil
	for _, fd := range f.fields {
		fd.set(&o, fd.value())
	}
	o.RewriteRules = append(o.RewriteRules, f.base.RewriteRules...)
	return o
}

// Typing returns true: letters are text.
func (f *Form) Typing() bool { return true }

// Fail shows why the rule was not saved. All fields stay.
func (f *Form) Fail(why string) { f.failed, f.busy = why, false }

// SetEffect sets the effect of the rule.
func (f *Form) SetEffect(e EffectState) { f.effect.state = e }

// First asks for the effect of the prefilled rule, if it says something.
func (f *Form) First() Action { return f.computeEffect() }

// Update takes a key or a paste.
func (f *Form) Update(msg tea.Msg) Action {
	switch {
	case isKey(msg, "esc"):
		return Close{}
	case isKey(msg, "ctrl+s"), isKey(msg, "enter") && f.text == nil && f.at == len(f.fields):
		return f.save()
	case isKey(msg, "ctrl+t"):
		return f.toggleText()
	case isKey(msg, "ctrl+o") && f.from.Existing != nil:
		return EditExisting{*f.from.Existing, f.from.By}
	case f.text == nil:
		return f.edit(msg)
	case f.take(msg):
		f.failed = ""
		return f.computeEffect()
	}
	return nil
}

// edit takes a key for the fields.
func (f *Form) edit(msg tea.Msg) Action {
	switch {
	case isKey(msg, "down", "tab", "enter"):
		f.focus(f.at + 1)
	case isKey(msg, "up", "shift+tab"):
		f.focus(f.at - 1)
	case f.at == len(f.fields):
		return stray(msg, "enter saves, ↑ goes back to the fields")
	case f.take(msg):
		f.failed = ""
		return f.computeEffect()
	case f.fields[f.at].options != nil:
		return stray(msg, "← and → choose, ↑ and ↓ go to the other fields")
	}
	return nil
}

func (f *Form) focus(at int) { f.at = (at + len(f.fields) + 1) % (len(f.fields) + 1) }

// computeEffect asks for the effect of the current rule. An invalid or empty rule has none.
func (f *Form) computeEffect() Action {
	f.effect.state = EffectState{}
	f.check()
	rule := f.rule()
	if f.problem.why != "" || saysNothing(rule) {
		return nil
	}
	return ComputeEffect{Before: f.before, After: &rule}
}

func (f *Form) save() Action {
	if f.busy {
		return nil
	}
	nothing := saysNothing(f.rule())
	switch f.failed = ""; {
	case f.problem.why != "", !nothing && f.effect.state.Failed != "": // it is on the screen already
		f.failed = "not saved: put that right first"
	case nothing:
		f.failed = "the rule says nothing yet: fill in another field"
	case !f.effect.ready():
		f.failed = "wait until its effect is known"
	case len(f.effect.state.Doubts) > 0 && !slices.Equal(f.effect.state.Doubts, f.asked):
		f.asked = f.effect.state.Doubts
		f.failed = "not saved: correct the name, or save once more if it is meant"
	default:
		f.busy = true
		return f.submit
	}
	return nil
}

// View draws the form and the effect.
func (f *Form) View(th *theme.Theme, width, height int) View {
	beside := width >= 130
	s := newSheet(th, width, 180)
	whole := s.width
	if beside {
		s.width = max(58, whole*2/5-2)
	}
	focus := f.draw(s, height, beside)
	if beside {
		f.drawBeside(s, whole, height)
	}
	keep := f.footLines()
	if height < tight {
		keep++
	}
	return s.view(f.title, height, focus, keep)
}

// tight is the height in lines below which the effect takes one line, which stays in view.
const tight = 20

func (f *Form) footLines() int {
	if f.failed != "" {
		return 5
	}
	return 3
}

// draw adds the fields, the effect and the buttons, and returns the line of the focused field.
func (f *Form) draw(s *sheet, height int, beside bool) (focus int) {
	effect := 0 // lines kept for the effect below the fields
	if !beside {
		effect = max(5, (height-8)/2)
		if f.effect.touchesApproved() { // the approved URLs are listed
			effect = max(effect, height-12)
		}
	}
	f.existing(s)
	if f.text != nil {
		effect = min(effect, 5)
		focus = f.text.draw(s, height-9-effect)
	} else {
		focus = f.drawFields(s, height-8-effect)
	}
	if !beside && height >= tight {
		s.add("")
		f.drawEffect(s, max(effect, height-2-len(s.lines)-f.footLines()))
	}
	s.fail(f.failed)
	if height < tight {
		s.add(f.effect.oneLine(s))
	}
	s.add("", f.saveButton(s.th))
	s.keys("↑↓", "field", "←→", "choose", "ctrl+s", "save", "ctrl+t", "JSON", "esc", "cancel")
	return focus
}

// existing adds a line about the existing override.
func (f *Form) existing(s *sheet) {
	if f.from.Existing != nil {
		text := "There is one already: ctrl+o edits it, else this is added to it (" + f.from.By + ")"
		s.add(s.th.Warn.Render(term.Truncate(text, s.width)))
	}
}

// drawFields adds the fields around the focused one and returns its line.
func (f *Form) drawFields(s *sheet, room int) (focus int) {
	from, to := f.visible(room)
	if from > 0 {
		s.dim("↑ more above")
	}
	for i := from; i < to; i++ {
		if i == f.at {
			focus = len(s.lines)
		}
		f.fields[i].draw(s, i == f.at)
		if f.problem.is(f.fields, i) {
			s.add(s.th.Error.Render(term.Truncate("    ✗ "+f.problem.why, s.width)))
		}
	}
	if to < len(f.fields) {
		s.dim("↓ more below")
	}
	return focus
}

// visible returns the range of fields that fit into room lines around the focused one.
func (f *Form) visible(room int) (from, to int) {
	room = max(2, room-3) // for the hint and the arrows
	if f.problem.why != "" || f.from.Existing != nil {
		room = max(2, room-1)
	}
	from = max(0, min(f.at-room/3, len(f.fields)-room))
	return from, min(len(f.fields), from+room)
}

func (f *Form) drawEffect(s *sheet, room int) {
	switch at := len(s.lines); {
	case f.problem.why != "":
		s.add(s.th.Error.Render(term.Truncate("! "+f.problem.why, s.width)))
	case saysNothing(f.rule()):
		s.dim("Its effect is shown here as soon as the rule says something.")
	default:
		f.effect.draw(s, room)
		s.lines = s.lines[:min(len(s.lines), at+room)]
	}
}

// drawBeside draws the effect to the right of the lines so far.
func (f *Form) drawBeside(s *sheet, whole, height int) {
	s.zones = nil // their lines move below
	right := &sheet{th: s.th, width: whole - s.width - 3}
	f.drawEffect(right, height-3)
	foot := f.footLines() - 1
	for len(s.lines)-foot < len(right.lines)-foot || len(s.lines) < min(height-2, 20) {
		s.lines = slices.Insert(s.lines, len(s.lines)-foot, "")
	}
	right.add(make([]string, len(s.lines))...)
	for i := range s.lines {
		s.lines[i] = term.Pad(s.lines[i], s.width) + s.th.Border.Render(" │ ") + right.lines[i]
	}
	s.width = whole
}

func (f *Form) saveButton(th *theme.Theme) string {
	switch {
	case f.busy:
		return th.Dim.Render("saving…")
	case f.at == len(f.fields):
		return th.ActiveButton.Render("[Save]")
	}
	return th.Button.Render(" Save ")
}
