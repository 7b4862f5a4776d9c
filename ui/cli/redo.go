package cli

import (
	"context"

	"github.com/spf13/cobra"

	"visto/review"
)

func newRedo(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "redo",
		Short: "Bring back the batch that was last undone",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			redo := func(ctx context.Context, d *review.Desk) (review.Batch, review.Receipt, error) {
				return d.Redo(ctx)
			}
			return a.revert(cmd.Context(), "redid", redo)
		},
	}
}
