package pane

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"visto/review"
	"visto/review/health"
)

// CheckFields returns the checks of the link of a URL as fields. outcomes shows the last checks: Outcomes or
// OutcomeWords. No value is empty.
func CheckFields(d *review.Detail, outcomes func([]health.Check) string) []Field {
	r := d.Link
	if r == nil || r.Last() == nil {
		return nil
	}
	state := d.Item.LinkState()
	list := []Field{
		{"state", stateText(r, state)}, {"last check", checkText(r.Last())}, {"answered", stampOf(r.AnsweredAt())},
		{"last checks", outcomes(r.LastChecks())}, {"next check", stampOf(d.Due)},
	}
	return slices.DeleteFunc(list, func(f Field) bool { return f.Value == "" })
}

// stateText returns the state of a link, with the time since which it is in it unless a decision has ended another one.
func stateText(r *health.Record, state health.State) string {
	if state != r.State {
		return state.String() + " by the last decision"
	}
	text := fmt.Sprintf("%s since %s", state, Stamp(r.Since))
	if r.Failures > 0 {
		text += fmt.Sprintf(", %d failed in a row", r.Failures)
	}
	return text
}

func checkText(c *health.Check) string {
	text := fmt.Sprintf("%s: %s", Stamp(c.At), c.Answer())
	if c.Outcome == health.Excused {
		text += ", no failure"
	}
	if c.Took > 0 {
		text += fmt.Sprintf(", in %d ms", c.Took.Milliseconds())
	}
	return text
}

// stampOf is Stamp, and nothing for the zero time.
func stampOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return Stamp(t)
}

// outcomeSigns are the signs of the outcomes of checks, readable without colour.
var outcomeSigns = [...]string{health.Answered: "▇", health.Failed: "✗", health.Excused: "·"}

// Outcomes draws a sign for each check, oldest first, and counts the answers.
func Outcomes(checks []health.Check) string {
	var b strings.Builder
	answered := 0
	for _, c := range checks {
		b.WriteString(outcomeSigns[c.Outcome])
		if c.Outcome == health.Answered {
			answered++
		}
	}
	return fmt.Sprintf("%s %d of %d answered", b.String(), answered, len(checks))
}

// OutcomeWords counts the checks with one outcome in a row, oldest first, for who cannot see a drawing.
func OutcomeWords(checks []health.Check) string {
	var runs []string
	for from := 0; from < len(checks); {
		to := from
		for to < len(checks) && checks[to].Outcome == checks[from].Outcome {
			to++
		}
		runs = append(runs, fmt.Sprintf("%d %s", to-from, outcomeWords[checks[from].Outcome]))
		from = to
	}
	return strings.Join(runs, ", then ")
}

var outcomeWords = [...]string{health.Answered: "answered", health.Failed: "failed", health.Excused: "not counted"}

// linkChanges adds the checks of a link that raised a flag, below the flags.
func (p *page) linkChanges(d *Detail) {
	if d.data.Item.Computed.Flags&health.Flags != 0 {
		p.checkFields(d)
	}
}

// checks adds the checks of a link without such a flag.
func (p *page) checks(d *Detail) {
	if d.data.Item.Computed.Flags&health.Flags == 0 {
		p.checkFields(d)
	}
}

func (p *page) checkFields(d *Detail) {
	outcomes := Outcomes
	if d.words {
		outcomes = OutcomeWords
	}
	if fields := CheckFields(d.data, outcomes); len(fields) > 0 {
		p.heading("Checks of the link")
		p.fields(fields)
	}
}
