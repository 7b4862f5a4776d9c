package rows

import (
	"errors"
	"fmt"
	"slices"

	"visto/canon"
	"visto/review"
)

// Change is what one transaction writes, whichever action asks for it.
type Change struct {
	Action            review.Action
	Reviewer, Summary string

	Decisions  []review.ItemDecision
	Notes      []review.ItemNote
	Overrides  []review.OverrideChange
	Proposed   []review.OverrideChange
	Confirms   int64
	Policy     *canon.Policy
	Evidence   []review.ItemEvidence
	Undo, Redo int64 // batches
	Forget     string
	Rest       int64 // as that of review.Forget
	review.Results
	review.Computing

	Replay *review.Replayed // the log entry that is written again; nil: a new one
}

// ChangeOf returns what a change writes.
func ChangeOf(change review.Change) *Change {
	switch c := change.(type) {
	case review.Decide:
		return &Change{Action: c.Action, Reviewer: c.Reviewer, Summary: c.Summary, Decisions: c.Decisions,
			Computing: c.Computing}
	case review.AddNotes:
		return &Change{Action: review.ActNote, Reviewer: c.Reviewer, Summary: c.Summary, Notes: c.Notes}
	case review.ChangeRules:
		return &Change{Action: review.ActOverride, Reviewer: c.Reviewer, Summary: c.Summary, Overrides: c.Overrides,
			Confirms: c.Confirms, Results: c.Results}
	case review.ProposeRules:
		return &Change{Action: review.ActPropose, Reviewer: c.Reviewer, Summary: c.Summary, Proposed: c.Overrides}
	case review.Recanon:
		return &Change{Action: review.ActPolicy, Reviewer: c.Reviewer, Summary: c.Summary, Policy: c.Policy,
			Results: c.Results}
	case review.AddEvidence:
		return &Change{Action: review.ActEvidence, Reviewer: c.Reviewer, Summary: c.Summary, Evidence: c.Evidence,
			Results: c.Results}
	case review.Forget:
		return &Change{Action: review.ActForget, Reviewer: c.Reviewer, Summary: c.Summary, Forget: c.File, Rest: c.Rest,
			Computing: c.Computing}
	case review.Revert:
		r := &Change{Action: c.Action(), Reviewer: c.Reviewer, Summary: c.Summary, Overrides: c.Overrides,
			Results: c.Results, Computing: c.Computing}
		if r.Undo = c.Batch; c.Redo {
			r.Undo, r.Redo = 0, c.Batch
		}
		return r
	}
	panic(fmt.Sprintf("writing a change of type %T", change)) // cannot happen: review has no other one
}

// Again returns what a log entry writes when it is replayed.
func Again(e review.Replayed) (*Change, error) {
	b := &e.Body
	c := &Change{Action: e.Action, Reviewer: e.Reviewer, Summary: e.Summary, Notes: b.Notes, Overrides: b.Overrides,
		Proposed: b.Proposed, Confirms: b.Confirms, Evidence: b.Evidence, Undo: b.Undo, Redo: b.Redo, Forget: b.Forget,
		Computing: e.Computing, Replay: &e}
	for _, d := range b.Decisions {
		c.Decisions = append(c.Decisions, review.ItemDecision{ID: d.Item, Decision: d.Decision()})
	}
	var err error
	if p := b.Policy; p != nil {
		c.Policy, err = canon.ParsePolicy(canon.PolicyFile{Name: p.ID, Data: []byte(p.YAML)})
	}
	return c, err
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
	b := review.EntryBody{Notes: c.Notes, Overrides: c.Overrides, Proposed: c.Proposed, Confirms: c.Confirms,
		Policy: review.NewLoggedPolicy(c.Policy), Evidence: c.Evidence, Undo: c.Undo, Redo: c.Redo, Inputs: inputs,
		Forget: c.Forget, IntakeEntry: presence}
	if b.Log(decided); c.Replay != nil {
		b.Replaced = c.Replay.Body.Replaced
	}
	return b.Encode()
}

// Marks returns the occurrences that a replayed entry makes gone or brings back.
func (c *Change) Marks() []int64 { return idsOf(slices.Concat(c.Replay.Body.Gone, c.Replay.Body.Back)) }
