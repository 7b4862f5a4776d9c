package review

import (
	"cmp"
	"context"
	"fmt"
)

// DoneError says that a batch in force has done what a command asks for: a command that was killed behind its commit,
// and is given again, finds it.
type DoneError struct{ Batch Batch }

func (e *DoneError) Error() string {
	return fmt.Sprintf("this is done already, in batch %d by %s (%s)", e.Batch.ID, e.Batch.Reviewer, e.Batch.Summary)
}

// Done returns a *DoneError with the newest batch that fits, or the error instead if there is none in force.
func (d *Desk) Done(ctx context.Context, fits func(*EntryInfo) bool, instead error) error {
	newest := int64(0)
	err := d.store.EachEntry(ctx, func(e Entry) error {
		if e.Batch > 0 && e.Action != ActUndo && e.Action != ActRedo && fits(&e.EntryInfo) {
			newest = e.Batch
		}
		return nil
	})
	if err != nil || newest == 0 {
		return cmp.Or(err, instead)
	}
	b, err := d.store.Batch(ctx, newest)
	if err != nil || b.Undone {
		return cmp.Or(err, instead)
	}
	return &DoneError{b}
}
