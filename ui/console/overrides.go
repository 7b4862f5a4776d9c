package console

import (
	"encoding/json"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/term"
	"visto/ui/widget"
	"visto/ui/wording"
)

// overridesTab is the tab of the rules.
type overridesTab struct {
	*session
	desk  desk.Rules
	rules *rules
	table[review.StoredOverride]
}

// noOverrides is the text of the empty tab.
const noOverrides = "No overrides yet. {override} on a URL in the queue writes one: " +
	"a rule for its host that settles all URLs like it."

func newOverridesTab(s *session, d desk.Rules, r *rules) *overridesTab {
	return &overridesTab{s, d, r, table[review.StoredOverride]{pane.Table[review.StoredOverride]{
		Head: func(w int) string { return overrideRow("match", "does", "by", "when (UTC)      ", w) },
		Row: func(o review.StoredOverride, w int) string {
			return overrideRow(o.Override.Match.String(), pane.Does(o.Override), o.Reviewer, pane.Stamp(o.At), w)
		},
		Same: func(a, b review.StoredOverride) bool { return a.ID == b.ID },
	}}}
}

// overrideRow makes the columns safe and lays them out. The second one gets the width that the others leave.
func overrideRow(match, does, reviewer, when string, width int) string {
	matches, names := 30, 12
	if width < 110 {
		matches, names = 22, 8
		when = when[:len("2006-01-02")]
	}
	rest := max(10, width-matches-names-term.Width(when)-6)
	cell := func(text string, width int) string { return term.Pad(term.Safe(text), width) + "  " }
	return cell(match, matches) + cell(does, rest) + cell(reviewer, names) + when
}

func (t *overridesTab) load() tea.Cmd { return read(t.session, t.desk.Overrides, t.set) }

func (t *overridesTab) move(motion widget.Motion) tea.Cmd {
	t.pane.Move(motion)
	return nil
}

// onCurrent runs fn on the override under the cursor, or says that there is none.
func (t *overridesTab) onCurrent(fn func(o review.StoredOverride) tea.Cmd) tea.Cmd {
	o, ok := t.pane.Current()
	if !ok {
		return t.warn(t.keyed("there is no override here: {override} on a URL of the queue writes one"))
	}
	return fn(o)
}

// show shows the override with the effect of its removal.
func (t *overridesTab) show() tea.Cmd {
	return t.onCurrent(func(o review.StoredOverride) tea.Cmd {
		text, err := json.MarshalIndent(o.Override, "", "  ")
		if err != nil {
			return t.warn(wording.Error(err))
		}
		const format = "%s\n\nby %s at %s UTC, batch %d\n\nWithout it:"
		r := &dialog.Reader{Title: "Override for " + o.Override.Match.String()}
		r.Text = fmt.Sprintf(format, text, o.Reviewer, pane.Stamp(o.At), o.Batch)
		t.open(r.WithEffect())
		return t.rules.show(removal(o), 0)
	})
}

func (t *overridesTab) edit() tea.Cmd {
	return t.onCurrent(func(o review.StoredOverride) tea.Cmd { return t.rules.edit(o.Override) })
}

func (t *overridesTab) askRemove() tea.Cmd {
	return t.onCurrent(func(o review.StoredOverride) tea.Cmd {
		return t.rules.confirm(&dialog.Confirm{
			Title: "Remove override", Yes: "remove", Text: []string{"The URLs that it settled come back to the queue."},
		}, removal(o))
	})
}

func removal(o review.StoredOverride) pendingChange {
	return pendingChange{edit: &review.OverrideChange{Before: &o.Override}}
}
