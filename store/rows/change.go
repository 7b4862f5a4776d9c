package rows

import (
	"errors"
	"fmt"
	"slices"

	"visto/review"
)

// Change is what one transaction writes, whichever action asks for it: what the log has of it, and what follows.
type Change struct {
	Action            review.Action
	Reviewer, Summary string
	review.EntryBody  // without its decisions; when it is written again, with the inputs and the places

	Decisions []review.ItemDecision
	Rest      int64 // as that of review.Forget
	review.Results
	review.Computing

	Replay *review.Replayed // the log entry that is written again; nil: a new one
}

// ChangeOf returns what a change writes.
func ChangeOf(change review.Change) *Change {
	w := &Change{}
	switch c := change.(type) {
	case review.Decide:
		w.Action, w.Reviewer, w.Summary = c.Action, c.Reviewer, c.Summary
		w.Decisions, w.Computing = c.Decisions, c.Computing
	case review.AddNotes:
		w.Action, w.Reviewer, w.Summary, w.Notes = review.ActNote, c.Reviewer, c.Summary, c.Notes
	case review.ChangeRules:
		w.Action, w.Reviewer, w.Summary, w.Results = review.ActOverride, c.Reviewer, c.Summary, c.Results
		w.Overrides, w.Confirms = c.Overrides, c.Confirms
	case review.ProposeRules:
		w.Action, w.Reviewer, w.Summary, w.Proposed = review.ActPropose, c.Reviewer, c.Summary, c.Overrides
	case review.Recanon:
		w.Action, w.Reviewer, w.Summary, w.Results = review.ActPolicy, c.Reviewer, c.Summary, c.Results
		w.Policy = review.NewLoggedPolicy(c.Policy)
	case review.AddEvidence:
		w.Action, w.Reviewer, w.Summary, w.Results = review.ActEvidence, c.Reviewer, c.Summary, c.Results
		w.Evidence = c.Evidence
	case review.Revert:
		w.Action, w.Reviewer, w.Summary, w.Results = c.Action(), c.Reviewer, c.Summary, c.Results
		w.Overrides, w.Computing = c.Overrides, c.Computing
		if w.Undo = c.Batch; c.Redo {
			w.Undo, w.Redo = 0, c.Batch
		}
	case review.Forget:
		w.Action, w.Reviewer, w.Summary, w.Computing = review.ActForget, c.Reviewer, c.Summary, c.Computing
		w.Forget, w.Rest = c.File, c.Rest
	default:
		panic(fmt.Sprintf("writing a change of type %T", change)) // a bug of the caller, such as a pointer
	}
	return w
}

// Again returns what a log entry writes when it is replayed.
func Again(e review.Replayed) *Change {
	c := &Change{Action: e.Action, Reviewer: e.Reviewer, Summary: e.Summary, EntryBody: e.Body, Computing: e.Computing,
		Replay: &e}
	for _, d := range e.Body.Decisions {
		c.Decisions = append(c.Decisions, review.ItemDecision{ID: d.Item, Decision: d.Decision()})
	}
	return c
}

// Adds reports whether the change is the replay of an intake.
func (c *Change) Adds() bool { return c.Replay != nil && (c.Replay.Run > 0 || c.Replay.Uncovered) }

// Reverts returns the batch that the change undoes or redoes, 0 if it does neither.
func (c *Change) Reverts() int64 { return max(c.Undo, c.Redo) }

// Validate reports an error if no store could write the change: two decisions on one item, an unknown kind of
// decision, a correction without Compute, or an override change without either side.
func (c *Change) Validate() error {
	seen := make(map[int64]bool, len(c.Decisions))
	for i := range c.Decisions {
		d := &c.Decisions[i]
		if seen[d.ID] {
			return fmt.Errorf("URL %d is decided twice in one batch", d.ID)
		}
		if seen[d.ID] = true; !d.Decision.Kind.Valid() {
			return fmt.Errorf("URL %d: there is no decision of kind %d", d.ID, d.Decision.Kind)
		}
		if d.Decision.Kind.Corrects() && c.Compute == nil {
			return fmt.Errorf("URL %d: a correction needs the result of its URL", d.ID)
		}
	}
	for _, o := range c.Overrides {
		if o.Before == nil && o.After == nil {
			return errors.New("a change of an override says neither before nor after")
		}
	}
	return nil
}

// OnRules reports whether the change was computed under the rules, which must then still be in force.
func (c *Change) OnRules() bool {
	return len(c.Recomputed) > 0 || len(c.Overrides) > 0 || c.Policy != nil || c.Late != nil
}

// Nothing reports whether the change is empty, or every decision is in conflict. decided are those that are not, marked
// is the number of occurrences that go or come back, and updates that of the new results.
func (c *Change) Nothing(decided []review.ItemDecision, marked, updates int) bool {
	switch {
	case c.Replay != nil:
		return false
	case len(c.Decisions) > 0:
		return len(decided) == 0
	}
	return len(c.Notes)+len(c.Overrides)+len(c.Proposed)+len(c.Evidence)+marked+updates == 0 && c.Policy == nil &&
		c.Reverts() == 0
}

// Behind reports whether a change on rules has to be completed with Late, because items or evidence were added since
// it was computed. It returns ErrStale if the change cannot be written any more.
func (c *Change) Behind(m review.Meta) (bool, error) {
	at := &c.Results
	if m.Gen == at.Gen && m.LastID == at.LastID || c.Replay != nil {
		return false, nil
	}
	if at.Gen > m.Gen || at.Gen < m.RulesGen || c.Late == nil {
		return false, review.ErrStale
	}
	return true, nil
}

// Body returns the body of the log entry. decided are the decisions that were written, inputs those that the evidence
// replaces, presence the occurrences that go or come back.
func (c *Change) Body(
	decided []review.ItemDecision, inputs []review.ReplacedInput, presence review.IntakeEntry,
) []byte {
	b := c.EntryBody
	b.Inputs, b.IntakeEntry = inputs, presence
	b.Log(decided)
	return b.Encode()
}

// Marks returns the occurrences that a replayed entry makes gone or brings back.
func (c *Change) Marks() []int64 { return idsOf(slices.Concat(c.Gone, c.Back)) }
