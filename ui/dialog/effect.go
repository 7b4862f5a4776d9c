package dialog

import (
	"fmt"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/ui/term"
	"visto/ui/theme"
)

// EffectState is the effect of a rule change, as far as it is known.
type EffectState struct {
	Summary string   // the change in words; untrusted
	Later   string   // the later URLs that the rules settle besides those that are stored, in words; untrusted
	Doubts  []string // names in the rules that may be mistyped, each as a question; untrusted
	Rules   []string // the rules to write, where Summary only counts them; untrusted
	Effect  *review.Effect
	Done    bool   // Effect is complete
	Failed  string // why there is no effect; safe text
}

// ComputeEffect asks for the effect of a change of the overrides. If Before is nil, After is merged into the override
// with the same match; if After is nil, Before is removed.
type ComputeEffect struct{ Before, After *canon.Override }

// EffectViewer is a dialog that shows an effect.
type EffectViewer interface{ SetEffect(EffectState) }

// optionalEffect is the effect of a dialog that may show one.
type optionalEffect struct{ effect *effectView } // nil: it shows none

// SetEffect sets the effect, if the dialog shows one.
func (o *optionalEffect) SetEffect(e EffectState) {
	if o.effect != nil {
		o.effect.state = e
	}
}

// effectView draws an EffectState.
type effectView struct{ state EffectState }

// touchesApproved reports whether approved URLs would change.
func (v *effectView) touchesApproved() bool {
	return v.state.Effect != nil && v.state.Effect.Approved > 0
}

// ready reports whether the effect is complete.
func (v *effectView) ready() bool { return v.state.Done && v.state.Failed == "" }

// draw adds the counts, and as many samples as fit into height lines with them.
func (v *effectView) draw(s *sheet, height int) {
	from := len(s.lines)
	v.head(s, height)
	if v.state.Failed == "" && v.state.Effect != nil {
		v.samples(s, height-(len(s.lines)-from))
	}
}

// head adds the counts, with more words if there is room for height lines.
func (v *effectView) head(s *sheet, height int) {
	st := v.state
	v.summary(s, max(1, height/5))
	for _, doubt := range st.Doubts {
		s.add(s.th.Error.Render(term.Truncate("! "+term.Safe(doubt), s.width)))
	}
	switch {
	case st.Failed != "":
		s.fail(st.Failed)
		return
	case st.Effect == nil:
		s.dim("computing the effect…")
		return
	}
	s.add(s.th.Dim.Render(term.Truncate(reach(st), s.width)))
	v.counts(s, height > 14 || height > 9 && !v.touchesApproved())
}

// summary adds the change in words. It takes at most maxLines lines and cuts the last one.
func (v *effectView) summary(s *sheet, maxLines int) {
	if v.state.Summary == "" {
		return
	}
	lines := term.Wrap(term.Safe(v.state.Summary), s.width)
	if len(lines) > maxLines {
		rest := strings.Join(lines[maxLines-1:], " ")
		lines = append(lines[:maxLines-1], term.Truncate(rest, s.width))
	}
	for _, line := range lines {
		s.add(s.th.Bold.Render(line))
	}
}

// compact adds the non-zero counts in as few words as possible.
func (v *effectView) compact(s *sheet) {
	e := v.state.Effect
	switch {
	case v.state.Failed != "":
		s.add(s.th.Error.Render(term.Truncate("! "+v.state.Failed, s.width)))
		return
	case e == nil:
		s.dim("computing the effect…")
		return
	}
	var list []string
	for _, c := range effectCounts(s.th, e) {
		list = append(list, fmt.Sprintf("%s %d %s", c.sign, c.n, c.short))
	}
	if !v.state.Done {
		list = append(list, fmt.Sprintf("… %d of %d seen", e.Scanned, e.Total))
	}
	if len(list) == 0 {
		list = append(list, "nothing would change")
	}
	s.flow(list)
}

// reach returns the number of stored URLs that were looked at, and the later URLs that the rules settle.
func reach(st EffectState) string {
	if st.Later == "" {
		return progress(st)
	}
	return progress(st) + "; " + term.Safe(st.Later)
}

func progress(st EffectState) string {
	e := st.Effect
	if st.Done {
		return "looked at " + urls(e.Scanned)
	}
	return fmt.Sprintf("%s %s of %s looked at…", bar(e.Scanned, e.Total), thousands(e.Scanned), urls(e.Total))
}

// oneLine returns the effect in one line.
func (v *effectView) oneLine(s *sheet) string {
	e := v.state.Effect
	if e == nil {
		return s.th.Dim.Render("no effect yet")
	}
	text := fmt.Sprintf("%s settled, %s changed", thousands(e.Settled), thousands(e.Changed))
	if e.Partly.URLs > 0 {
		text += ", " + e.Partly.String()
	}
	look := s.th.OK
	for _, c := range []struct {
		n      int
		change string
	}{{e.Approved, "approved"}, {e.Reopened, "reopened"}, {e.Refused, "rejected"}, {e.Merged, "merged"}} {
		if c.n > 0 {
			text += fmt.Sprintf(", %s %s", thousands(c.n), c.change)
			look = s.th.Warn
		}
	}
	if !v.state.Done {
		text += "…"
	}
	return look.Render(term.Truncate(text, s.width))
}

// effectCount is a count of an effect: its sign, its words below the count and in one line, and their style.
type effectCount struct {
	n                 int
	sign, long, short string
	style             theme.Style
}

// effectCounts returns the counts that are not zero. Decisions stand in the place of that which they settle.
func effectCounts(th *theme.Theme, e *review.Effect) []effectCount {
	settled, approved := e.Settled, "approved before would change, and come back to the queue"
	if e.Decided > 0 {
		settled, approved = 0, "approved before: this takes the approval's place"
	}
	return slices.DeleteFunc([]effectCount{
		{e.Decided, "✓", "decided together: one undo takes them back", "decided", th.OK},
		{e.Waiting, "½", "with 1 of 2 approvals: another person has to approve them too", "1 of 2", th.Text},
		{e.Again, "!", "left out: approved by you as the first of two, or by two persons", "left out", th.Warn},
		{settled, "✓", "settled: no person would be needed", "settled", th.OK},
		{e.Partly.URLs, "½", "settled in part: " + e.Partly.String(), "in part: " + e.Partly.String(), th.Text},
		{e.Changed, "→", "with another canonical URL", "changed", th.Text},
		{e.Merged, "=", "that become one page with another", "merged", th.Warn},
		{e.Approved, "!", approved, "approved change", th.Warn},
		{e.Reopened, "!", "settled before would need a person again", "reopened", th.Warn},
		{e.Refused, "!", "would be rejected", "refused", th.Warn},
	}, func(c effectCount) bool { return c.n == 0 })
}

// counts adds a line for each count; those that need care are marked. Flags that follow from the other counts are left
// out unless there is room.
func (v *effectView) counts(s *sheet, roomy bool) {
	e, before := v.state.Effect, len(s.lines)
	add := func(look theme.Style, text string) { s.add(look.Render(term.Truncate(text, s.width))) }
	for _, c := range effectCounts(s.th, e) {
		add(c.style, fmt.Sprintf("%s %s %s", c.sign, urls(c.n), c.long))
	}
	if text := flagCounts(e.Cleared); text != "" && (roomy || e.Settled == 0) {
		add(s.th.Text, "- flags cleared: "+text)
	}
	// The count of approved URLs implies this flag.
	redundant := e.Approved > 0 && len(e.Raised) == 1 && e.Raised[canon.ChangedSinceApproval] > 0
	if text := flagCounts(e.Raised); text != "" && (roomy || !redundant) {
		add(s.th.Warn, "+ flags raised: "+text)
	}
	if len(s.lines) == before {
		add(s.th.Text, "nothing would change")
	}
}

func urls(n int) string {
	if n == 1 {
		return "1 URL"
	}
	return thousands(n) + " URLs"
}

// thousands formats a non-negative number with commas.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// bar draws the share n of a total.
func bar(n, of int) string {
	const width = 16
	done := 0
	if of > 0 {
		done = min(width, n*width/of)
	}
	return "[" + strings.Repeat("#", done) + strings.Repeat("·", width-done) + "]"
}

// flagCounts lists the flags with their counts.
func flagCounts(counts map[canon.Code]int) string {
	var list []string
	for _, c := range canon.Codes() {
		if counts[c] > 0 {
			list = append(list, fmt.Sprintf("%s %d", c, counts[c]))
		}
	}
	return strings.Join(list, ", ")
}
