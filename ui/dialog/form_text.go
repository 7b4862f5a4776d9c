package dialog

import (
	"encoding/json"
	"image"

	"visto/canon"
	"visto/ui/term"
	"visto/ui/widget"
)

// ruleText is a rule that is edited as JSON.
type ruleText struct {
	area widget.Area
	rule canon.Override // the last valid one
}

func newRuleText(rule canon.Override) (*ruleText, error) {
	data, err := json.MarshalIndent(rule, "", "  ")
	return &ruleText{area: widget.NewArea(string(data)), rule: rule}, err
}

// read parses the text and returns the problem with it.
func (t *ruleText) read() problem {
	rule, err := canon.ParseOverride("the rule", []byte(t.area.Value()))
	if err != nil {
		return problem{why: term.Safe(term.Clip(err.Error(), 300))}
	}
	t.rule = rule
	return problem{}
}

// draw adds the text and returns the line of the cursor.
func (t *ruleText) draw(s *sheet, room int) (focus int) {
	room = max(4, room)
	lines, x, y := t.area.View(s.width, room)
	focus = len(s.lines) + y
	s.cursor = &image.Point{X: x, Y: focus}
	s.add(lines...)
	s.addUpTo(focus - y + room)
	return focus
}

// toggleText switches from the fields to the text, or back if the text is valid.
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
