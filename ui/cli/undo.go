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
	var yes bool
	cmd := command("undo [BATCH]", "Take back a batch: your last one, or the one named", cobra.MaximumNArgs(1),
		func(cmd *cobra.Command, args []string) error {
			batch, err := batchArg(args)
			if err != nil {
				return usage(cmd, err)
			}
			return a.revert(cmd.Context(), "undid", func(d *review.Desk) (b review.Batch, r review.Receipt, err error) {
				if batch == 0 && !yes {
					if err := a.askAgain(cmd, d, true, d.NextUndo); err != nil {
						return b, r, err
					}
				}
				return d.Undo(cmd.Context(), batch)
			})
		})
	cmd.Flags().BoolVar(&yes, "yes", false, "after an undo, take back the batch before it and do not ask")
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

// askAgain asks before an undo, or a redo, that follows one: it may be the same command given again, because it was
// killed behind its commit. Without a terminal, or without a further batch, it returns an error that names the batch
// which is done.
func (a *app) askAgain(
	cmd *cobra.Command, desk *review.Desk, undo bool, nextOf func(context.Context) (review.Batch, error),
) error {
	last, err := desk.LastRevert(cmd.Context())
	if errors.Is(err, review.ErrNotFound) || err == nil && last.Undone != undo {
		return nil
	}
	if err != nil {
		return err
	}
	state := "in force again"
	if undo {
		state = "undone"
	}
	done := fmt.Errorf("batch %d is %s already: %s", last.ID, state, last.Summary)
	next, err := nextOf(cmd.Context())
	switch {
	case errors.Is(err, review.ErrNotFound):
		return done
	case err != nil:
		return err
	case !isTerminal(a.err):
		return withHint(done, "visto %s --yes goes on with batch %d: %s", cmd.Name(), next.ID, next.Summary)
	}
	yes, err := a.confirm(cmd.Context(), "%s\n%s batch %d too: %s? [y/N] ", safe(done.Error()), cmd.Name(), next.ID,
		safe(next.Summary))
	if err != nil || yes {
		return err
	}
	return done
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
