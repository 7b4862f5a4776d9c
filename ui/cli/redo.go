package cli

import (
	"github.com/spf13/cobra"

	"visto/review"
)

func newRedo(a *app) *cobra.Command {
	var yes bool
	cmd := command("redo", "Bring back the batch that was last undone", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error {
			return a.revert(cmd.Context(), "redid", func(d *review.Desk) (b review.Batch, r review.Receipt, err error) {
				if !yes {
					if err := a.askAgain(cmd, d, false, d.NextRedo); err != nil {
						return b, r, err
					}
				}
				return d.Redo(cmd.Context())
			})
		})
	cmd.Flags().BoolVar(&yes, "yes", false, "after a redo, bring back the batch before it and do not ask")
	return cmd
}
