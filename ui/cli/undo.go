package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"visto/review"
)

func newUndo(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "undo [BATCH]",
		Short: "Take back a batch: your last one, or the one named",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			batch, err := batchArg(args)
			if err != nil {
				return usage(cmd, err)
			}
			undo := func(ctx context.Context, d *review.Desk) (review.Batch, review.Receipt, error) {
				return d.Undo(ctx, batch)
			}
			return a.revert(cmd.Context(), "undid", undo)
		},
	}
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
	ctx context.Context, done string, do func(context.Context, *review.Desk) (review.Batch, review.Receipt, error),
) error {
	return a.withDesk(ctx, uses, func(desk *review.Desk) error {
		batch, receipt, err := do(ctx, desk)
		if errors.Is(err, review.ErrNotFound) {
			return withHint(err, "visto log shows the batches and who made them")
		}
		if err != nil {
			return err
		}
		return a.print(func(w io.Writer) error {
			if a.json {
				return a.printJSON(w, receiptJSON{batch.ID, receipt.Decided, receipt.Updated, len(receipt.Conflicts)})
			}
			_, err := fmt.Fprintf(w, "%s batch %d: %s (%s, %d recomputed)\n",
				done, batch.ID, safe(batch.Summary), count(receipt.Decided, "decision"), receipt.Updated)
			return err
		})
	})
}
