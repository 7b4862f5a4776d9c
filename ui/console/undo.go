package console

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/pane"
	"visto/ui/wording"
)

func (d *decider) undo() tea.Cmd { return d.undoBatch(0) }

// undoBatch reverts a batch; 0 is the reviewer's last.
func (d *decider) undoBatch(batch int64) tea.Cmd {
	return d.revert("took back", "there is nothing to take back", func() (review.Batch, review.Receipt, error) {
		return d.desk.Undo(d.ctx, batch)
	})
}

func (d *decider) redo() tea.Cmd {
	return d.revert("brought back", "there is nothing to bring back", func() (review.Batch, review.Receipt, error) {
		return d.desk.Redo(d.ctx)
	})
}

// revert undoes or redoes a batch and goes to its first item.
func (d *decider) revert(done, nothing string, do func() (review.Batch, review.Receipt, error)) tea.Cmd {
	here := d.queue.pane.Here()
	return d.writer.run(func() (outcome, error) {
		b, r, err := do()
		if errors.Is(err, review.ErrNotFound) {
			return outcome{text: nothing, place: here}, nil
		}
		return outcome{
			text: done + ": " + wording.Batch(b), receipt: r, place: d.placeOf(b, here), unmark: b.Items,
		}, err
	})
}

// placeOf is the place of the first item of a batch, or here if the batch has none.
func (d *decider) placeOf(b review.Batch, here pane.Place) pane.Place {
	if len(b.Items) > 0 {
		if data, err := d.desk.Detail(d.ctx, b.Items[0]); err == nil {
			return pane.Place{Anchor: &data.Item, Jump: true}
		}
	}
	return here
}
