package cli

import (
	"github.com/spf13/cobra"

	"visto/review"
)

func newBackup(a *app) *cobra.Command {
	return command("backup FILE", "Write a copy of the database while it is in use", cobra.ExactArgs(1),
		func(cmd *cobra.Command, args []string) error {
			return a.withFile(cmd.Context(), uses, func(_ *review.Desk, file databaseFile) error {
				if err := file.Backup(cmd.Context(), args[0]); err != nil {
					return err
				}
				a.warn("wrote %s\n", safe(args[0]))
				return nil
			})
		})
}
