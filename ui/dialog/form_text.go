package dialog

import (
	"encoding/json"
	"image"
	"strings"

	"visto/canon"
	"visto/ui/term"
	"visto/ui/widget"
)

// ruleText is a rule while it is edited as JSON.
type ruleText struct {
	area widget.Area
	rule canon.Override // what was last understood
}

func newRuleText(rule canon.Override) (*ruleText, error) {
	data, err := json.MarshalIndent(rule, "", "  ")
	return &ruleText{area: widget.NewArea(string(data)), rule: rule}, err
}

// read understands the text, or says what is wrong with it and where.
func (t *ruleText) read() problem {
	rule, err := canon.ParseOverride("the rule", []byte(t.area.Value()))
	if err != nil {
		return problem{why: term.Safe(term.Clip(err.Error(), 300))}
	}
	t.rule = rule
	return problem{}
}

// draw adds the text, and returns the line of the cursor.
func (t *ruleText) draw(s *sheet, room int) (focus int) {
	room = max(4, room)
	lines, x, y := t.area.View(s.width, room)
	focus = len(s.lines) + y
	s.cursor = &image.Point{X: x, Y: focus}
	s.add(lines...)
	for n := len(lines); n < room; n++ {
		s.add("")
	}
	return focus
}

// problem is what is wrong with a rule: the key it is about, and why, in safe text.
type problem struct{ key, why string }

// is reports whether the field with that index is the first one that the problem is about.
func (p problem) is(fields []*field, i int) bool {
	return p.why != "" && p.about(fields[i]) && (i == 0 || !p.about(fields[i-1]))
}

func (p problem) about(f *field) bool {
	return f.key != "" && (p.key == f.key || strings.HasPrefix(p.key, f.key+"["))
}

// check notes what is wrong with the rule as it is typed.
func (f *Form) check() {
	if f.text != nil {
		f.problem = f.text.read()
		return
	}
	rule := f.rule()
	key, err := rule.Check()
	f.problem = problem{}
	if err != nil {
		f.problem = problem{key, term.Safe(term.Clip(err.Error(), 300))}
	}
	if key == "match" && strings.HasPrefix(f.problem.why, "path_prefix") {
		f.problem.key = "match.path_prefix"
	}
}

// toggleText goes from the fields to the text, or back once the text can be understood.
func (f *Form) toggleText() Action {
	if f.text == nil {
		text, err := newRuleText(f.rule())
		if err != nil {
			f.failed = "this rule cannot be written as JSON"
			return nil
		}
		f.text, f.failed = text, ""
		return f.computeEffect()
	}
	if f.check(); f.problem.why != "" {
		f.failed = "put that right first: the fields cannot show it"
		return nil
	}
	rule := f.text.rule
	f.text, f.failed = nil, ""
	f.fill(rule)
	return f.computeEffect()
}
