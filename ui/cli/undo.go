package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"visto/review"
)

func newUndo(a *app) *cobra.Command {
	cmd := command("undo [BATCH]", "Take back a batch: your last one, or the one named", cobra.MaximumNArgs(1),
		func(cmd *cobra.Command, args []string) error {
			batch, err := batchArg(args)
			if err != nil {
				return usage(cmd, err)
			}
			return a.revert(cmd.Context(), "undid", func(d *review.Desk) (review.Batch, review.Receipt, error) {
				return d.Undo(cmd.Context(), batch)
			})
		})
	cmd.ValidArgsFunction = a.completeBatch
	return cmd
}

func batchArg(args []string) (int64, error) {
	if len(args) == 0 {
		return 0, nil
	}
	n, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil || n <= 0 {
		return 0, fmt.Errorf("%q is not the number of a batch; visto log shows them", args[0])
	}
	return n, nil
}

// revert runs an undo or a redo and reports its result.
func (a *app) revert(
	ctx context.Context, done string, do func(*review.Desk) (review.Batch, review.Receipt, error),
) error {
	return a.withDesk(ctx, uses, func(desk *review.Desk) error {
		batch, r, err := do(desk)
		if errors.Is(err, review.ErrNotFound) {
			return withHint(err, "visto log shows the batches and who made them")
		}
		if err != nil {
			return err
		}
		r.Batch = batch.ID
		return a.print(func(w *printer) error {
			return w.line(receiptData(r), "%s batch %d: %s (%s, %d recomputed)\n",
				done, batch.ID, safe(batch.Summary), count(r.Decided, "decision"), r.Updated)
		})
	})
}
