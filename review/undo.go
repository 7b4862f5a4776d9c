package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"visto/canon"
)

// Undo undoes a batch, or with 0 the last batch of the reviewer that is not undone. If there is none, it returns
// ErrNotFound. A batch cannot be undone before a later change of the same override, nor a proposal before the batch
// that confirms it.
func (d *Desk) Undo(ctx context.Context, batch int64) (b Batch, receipt Receipt, err error) {
	defer annotate(&err, "undoing")
	if b, err = d.batchToUndo(ctx, batch); err != nil {
		return b, receipt, err
	}
	var inverse []OverrideChange
	for _, c := range slices.Backward(b.changes()) {
		inverse = append(inverse, OverrideChange{Before: c.After, After: c.Before})
	}
	receipt, err = d.revert(ctx, b, inverse, false)
	return b, receipt, err
}

// Redo redoes the batch that the reviewer undid last, unless the reviewer has made a batch since. If there is none,
// it returns ErrNotFound.
func (d *Desk) Redo(ctx context.Context) (b Batch, receipt Receipt, err error) {
	defer annotate(&err, "redoing")
	if b, err = d.NextRedo(ctx); err != nil {
		return b, receipt, err
	}
	receipt, err = d.revert(ctx, b, b.changes(), true)
	return b, receipt, err
}

// NextRedo returns the batch that Redo would redo, or ErrNotFound.
func (d *Desk) NextRedo(ctx context.Context) (Batch, error) {
	b, err := d.store.LastBatch(ctx, d.reviewer, true)
	if errors.Is(err, ErrNotFound) {
		err = fmt.Errorf("a batch that %s took back last: %w", d.reviewer, err)
	}
	return b, err
}

// NextUndo returns the batch that Undo would undo without a number, or ErrNotFound.
func (d *Desk) NextUndo(ctx context.Context) (Batch, error) {
	b, err := d.store.LastBatch(ctx, d.reviewer, false)
	if errors.Is(err, ErrNotFound) {
		err = fmt.Errorf("a batch of %s to undo: %w", d.reviewer, err)
	}
	return b, err
}

// LastRevert returns the batch whose undo or redo is the last thing that the reviewer did, or ErrNotFound if it was
// something else. An undo or redo that was cut short is none: the command that is given again goes on with it.
func (d *Desk) LastRevert(ctx context.Context) (Batch, error) {
	const page = 100
	for before := int64(0); ; {
		list, err := d.store.Log(ctx, before, page)
		if err != nil || len(list) == 0 {
			return Batch{}, cmp.Or(err, ErrNotFound)
		}
		for _, e := range list {
			reverts := e.Action == ActUndo || e.Action == ActRedo
			switch {
			case e.Reviewer != d.reviewer:
			case reverts && !e.CutShort():
				return d.store.Batch(ctx, e.Batch)
			default:
				return Batch{}, ErrNotFound
			}
		}
		before = list[len(list)-1].Seq
	}
}

func (d *Desk) batchToUndo(ctx context.Context, batch int64) (Batch, error) {
	if batch == 0 {
		return d.NextUndo(ctx)
	}
	b, err := d.store.Batch(ctx, batch)
	switch {
	case err != nil:
		return b, fmt.Errorf("batch %d: %w", batch, err)
	case b.Undone:
		return b, fmt.Errorf("batch %d is undone already: %s", batch, b.Summary)
	case !b.Action.Undoable():
		return b, fmt.Errorf("batch %d (%s) is of a kind that cannot be undone", batch, b.Summary)
	}
	return b, nil
}

// revert writes the undo or redo of a batch, with the effect of its overrides.
func (d *Desk) revert(ctx context.Context, b Batch, overrides []OverrideChange, redo bool) (Receipt, error) {
	c := Revert{Reviewer: d.reviewer, Batch: b.ID, Redo: redo, Overrides: overrides}
	c.Summary = fmt.Sprintf("%s %d: %s", c.Action(), b.ID, b.Summary)
	if len(overrides) == 0 {
		return d.revertDecisions(ctx, c)
	}
	receipt, _, err := d.commitRules(ctx, planOverrides(overrides), func(r Results) Change {
		c.Results = r
		return c
	})
	if errors.Is(err, ErrStale) {
		if later := d.laterChange(ctx, b, overrides); later != nil {
			return receipt, fmt.Errorf("batch %d (%s): %w", b.ID, b.Summary, later)
		}
	}
	return receipt, err
}

// revertDecisions writes the undo or redo of a batch without overrides.
func (d *Desk) revertDecisions(ctx context.Context, c Revert) (receipt Receipt, err error) {
	err = whileStale(func() error {
		r, err := d.rules(ctx)
		if err != nil {
			return err
		}
		c.Computing = r.computing()
		receipt, err = d.store.Commit(ctx, c)
		return err
	})
	return receipt, err
}

// laterChange returns an error that names the last change of one of the overrides since b, or nil.
func (d *Desk) laterChange(ctx context.Context, b Batch, changes []OverrideChange) error {
	touched := map[canon.Match]bool{}
	for _, c := range changes {
		touched[matchOf(c)] = true
	}
	var last error
	err := d.store.EachEntry(ctx, func(e Entry) error {
		if e.Batch == b.ID {
			last = nil
			return nil
		}
		body, err := e.Read()
		for _, o := range body.Overrides {
			if m := matchOf(o); touched[m] {
				last = fmt.Errorf("the override for %s was changed again since, in batch %d by %s (%s): "+
					"take that back first", m, e.Batch, e.Reviewer, e.Summary)
			}
		}
		return err
	})
	return cmp.Or(err, last)
}

// Batch is one action of a person, which undo takes back whole.
type Batch struct {
	ID       int64
	Reviewer string
	At       time.Time
	Action   Action
	Summary  string
	Undone   bool
	Items    []int64          // the items it decided or noted
	Rules    []OverrideChange // the overrides it changed or, of an ActPropose, would change
	Confirms int64            // the batch of the proposal that it writes; 0: none
}

// changes returns the changes of overrides that followed from the batch.
func (b *Batch) changes() []OverrideChange {
	if b.Action == ActPropose {
		return nil
	}
	return b.Rules
}

// Action is the kind of a batch or a log entry.
type Action string

// The actions. The first five are those of the kinds of decisions.
const (
	ActApprove  Action = "approve"
	ActCorrect  Action = "correct"
	ActReject   Action = "reject"
	ActDefer    Action = "defer"
	ActReopen   Action = "reopen"
	ActNote     Action = "note"
	ActOverride Action = "override" // one or more overrides added, changed, removed or imported
	ActPropose  Action = "propose"  // overrides proposed, that another person has to write
	ActAdd      Action = "add"      // items added
	ActPolicy   Action = "policy"   // the store's policy set or changed
	ActEvidence Action = "evidence"
	ActUndo     Action = "undo"
	ActRedo     Action = "redo"
	ActRestore  Action = "restore" // the database became that of a backup
	ActForget   Action = "forget"  // the occurrences in a file are gone
)

// permanent are the actions that cannot be undone. Added URLs, a policy and evidence are facts, which only a new one
// replaces; an undo and a redo belong to the batch that they concern.
var permanent = []Action{ActAdd, ActPolicy, ActEvidence, ActUndo, ActRedo, ActRestore}

// PermanentActions returns the actions that cannot be undone.
func PermanentActions() []Action { return slices.Clone(permanent) }

// Undoable reports whether a batch of this action can be undone.
func (a Action) Undoable() bool { return !slices.Contains(permanent, a) }
