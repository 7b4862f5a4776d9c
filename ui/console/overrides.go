package console

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/term"
	"visto/ui/widget"
	"visto/ui/wording"
)

// overridesTab is the tab of the rules, with the proposed ones above.
type overridesTab struct {
	*session
	desk  ruleDesk
	rules *rules
	table[ruleRow]
}

// ruleRow is a rule in force, or a proposal that waits for a second person.
type ruleRow struct {
	review.StoredOverride
	proposal *review.Batch // nil: the rule is in force
}

// noOverrides is the text of the empty tab.
const noOverrides = "No overrides yet. {override} on a URL in the queue writes one: " +
	"a rule for its host that settles all URLs like it."

func newOverridesTab(s *session, d ruleDesk, r *rules) *overridesTab {
	return &overridesTab{s, d, r, table[ruleRow]{pane.Table[ruleRow]{
		Head: func(w int) string { return overrideRow("match", "does", "by", "when (UTC)      ", w) },
		Row:  ruleRow.text,
		Same: func(a, b ruleRow) bool { return a.ID == b.ID && a.batch() == b.batch() },
	}}}
}

// batch returns the batch of a proposal, 0 for a rule in force.
func (r ruleRow) batch() int64 {
	if r.proposal == nil {
		return 0
	}
	return r.proposal.ID
}

// text draws the row in safe text.
func (r ruleRow) text(width int) string {
	b := r.proposal
	if b == nil {
		o := r.StoredOverride
		return overrideRow(o.Override.Match.String(), pane.Does(o.Override), o.Reviewer, pane.Stamp(o.At), width)
	}
	match, does := number(len(b.Rules), "rule"), wording.Changes(b.Rules)
	if c := b.Rules[0]; len(b.Rules) == 1 && c.After != nil {
		match, does = c.After.Match.String(), pane.Does(*c.After)
	}
	return overrideRow(match, "1 of 2: "+does, b.Reviewer, pane.Stamp(b.At), width)
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

func (t *overridesTab) load() tea.Cmd {
	return read(t.session, func(ctx context.Context) (rows []ruleRow, err error) {
		proposals, err := t.desk.Proposals(ctx)
		for _, b := range proposals {
			rows = append(rows, ruleRow{proposal: &b})
		}
		list, errRules := t.desk.Overrides(ctx)
		for _, o := range list {
			rows = append(rows, ruleRow{StoredOverride: o})
		}
		return rows, cmp.Or(err, errRules)
	}, t.set)
}

func (t *overridesTab) move(motion widget.Motion) tea.Cmd {
	t.pane.Move(motion)
	return nil
}

// possible reports whether the action can do something about the row under the cursor.
func (t *overridesTab) possible(action string) bool {
	r, ok := t.pane.Current()
	switch {
	case !ok:
		return false
	case action == editOverride:
		return r.proposal == nil
	case action == confirmProposal:
		return r.proposal != nil && !t.isOwn(r.proposal)
	}
	return true
}

// The actions that are for rules in force alone, and for proposals alone.
const (
	editOverride    = "Edit override"
	confirmProposal = "Confirm proposal"
)

// isOwn reports whether the reviewer made the proposal.
func (t *overridesTab) isOwn(b *review.Batch) bool {
	return strings.EqualFold(b.Reviewer, t.desk.Reviewer())
}

// onCurrent runs one of the functions on the row under the cursor, or says that there is none.
func (t *overridesTab) onCurrent(
	inForce func(review.StoredOverride) tea.Cmd, proposed func(*review.Batch) tea.Cmd,
) tea.Cmd {
	r, ok := t.pane.Current()
	switch {
	case !ok:
		return t.warn(t.keyed("there is no override here: {override} on a URL of the queue writes one"))
	case r.proposal != nil:
		return proposed(r.proposal)
	}
	return inForce(r.StoredOverride)
}

// show shows the override with the effect of its removal, or the proposal with that of its confirmation.
func (t *overridesTab) show() tea.Cmd {
	return t.onCurrent(func(o review.StoredOverride) tea.Cmd {
		const format = "%s\n\nby %s at %s UTC, batch %d\n\nWithout it:"
		return t.read("Override for "+o.Override.Match.String(), o.Override, func(text []byte) string {
			return fmt.Sprintf(format, text, o.Reviewer, pane.Stamp(o.At), o.Batch)
		}, removal(o))
	}, func(b *review.Batch) tea.Cmd {
		const format = "%s\n\n1 of 2: proposed by %s at %s UTC, batch %d\n\nOnce another person confirms it:"
		return t.read("Proposal", b.Rules, func(text []byte) string {
			return fmt.Sprintf(format, text, b.Reviewer, pane.Stamp(b.At), b.ID)
		}, confirmation(b))
	})
}

// read shows rules as JSON, in the text that format returns, with the effect of a change.
func (t *overridesTab) read(title string, rules any, format func([]byte) string, change pendingChange) tea.Cmd {
	text, err := json.MarshalIndent(rules, "", "  ")
	if err != nil {
		return t.warn(wording.Error(err))
	}
	t.open((&dialog.Reader{Title: title, Text: format(text)}).WithEffect())
	return t.rules.show(change, 0)
}

func (t *overridesTab) edit() tea.Cmd {
	return t.onCurrent(func(o review.StoredOverride) tea.Cmd { return t.rules.edit(o.Override, savedBy(&o)) },
		func(*review.Batch) tea.Cmd {
			return t.warn(t.keyed("this is only proposed: {confirm-proposal} confirms it, " +
				"{remove-override} takes it back"))
		})
}

func (t *overridesTab) askRemove() tea.Cmd {
	return t.onCurrent(func(o review.StoredOverride) tea.Cmd {
		return t.rules.confirm(&dialog.Confirm{
			Title: "Remove override", Yes: "remove", Text: []string{"The URLs that it settled come back to the queue."},
		}, removal(o))
	}, func(b *review.Batch) tea.Cmd {
		return t.open(&dialog.Confirm{
			Title: "Take back proposal", Yes: "take it back",
			Do:    action(func() tea.Cmd { return t.rules.decide.undoBatch(b.ID) }),
			Text:  []string{fmt.Sprintf("Take back batch %d of %s?", b.ID, pane.Stamp(b.At)), ""},
			Lines: []string{fmt.Sprintf("proposed by %s: %s", b.Reviewer, term.Clip(wording.Changes(b.Rules), 300))},
		})
	})
}

// askConfirm asks, with the effect, whether a proposal of another person comes into force.
func (t *overridesTab) askConfirm() tea.Cmd {
	return t.onCurrent(func(review.StoredOverride) tea.Cmd {
		return t.warn("this override is in force: there is nothing to confirm")
	}, func(b *review.Batch) tea.Cmd {
		if t.isOwn(b) {
			return t.warn(t.keyed("you proposed it: another person has to confirm it. {remove-override} takes it back"))
		}
		return t.rules.confirm(&dialog.Confirm{
			Title: "Confirm proposal", Yes: "confirm",
			Text: []string{fmt.Sprintf("Proposed by %s at %s UTC, batch %d.", b.Reviewer, pane.Stamp(b.At), b.ID)},
		}, confirmation(b))
	})
}

func confirmation(b *review.Batch) pendingChange {
	return pendingChange{proposal: b, done: "confirmed"}
}

func removal(o review.StoredOverride) pendingChange {
	return pendingChange{edit: &review.OverrideChange{Before: &o.Override}}
}
