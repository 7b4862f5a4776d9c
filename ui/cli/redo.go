package cli

import (
	"github.com/spf13/cobra"

	"visto/review"
)

func newRedo(a *app) *cobra.Command {
	return command("redo", "Bring back the batch that was last undone", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error {
			return a.revert(cmd.Context(), "redid", func(d *review.Desk) (review.Batch, review.Receipt, error) {
				return d.Redo(cmd.Context())
			})
		})
}
