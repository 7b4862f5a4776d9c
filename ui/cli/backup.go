package cli

import (
	"github.com/spf13/cobra"

	"visto/review"
	"visto/store/sqlite"
)

// onServerBackup says how a database on a server is backed up and restored.
const onServerBackup = "pg_dump and pg_restore copy a database of PostgreSQL while it is in use; " +
	"visto copy --from URL --to FILE writes it to a file"

func newBackup(a *app) *cobra.Command {
	return command("backup FILE", "Write a copy of the database while it is in use", cobra.ExactArgs(1),
		func(cmd *cobra.Command, args []string) error {
			if err := checkDatabaseFile("FILE", args[0]); err != nil {
				return err
			}
			if _, err := a.databaseFile("backing up to "+args[0], onServerBackup); err != nil {
				return err
			}
			return a.withDatabase(cmd.Context(), uses, func(_ *review.Desk, db database) error {
				if !db.ReadOnly() {
					if err := db.Finish(cmd.Context()); err != nil {
						return err
					}
				}
				if err := db.(*sqlite.Store).Backup(cmd.Context(), args[0]); err != nil {
					return err
				}
				a.warn("wrote %s\n", safe(args[0]))
				return nil
			})
		})
}
