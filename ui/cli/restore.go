package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"visto/review"
	"visto/store/sqlite"
)

func newRestore(a *app) *cobra.Command {
	return command("restore BACKUP", "Put a backup in the place of the database, even while it is in use",
		cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
			if err := a.restore(cmd.Context(), args[0]); err != nil {
				return err
			}
			return a.withDesk(cmd.Context(), uses, func(desk *review.Desk) error {
				return a.checkDesk(cmd.Context(), desk)
			})
		})
}

// restore replaces the database, and says where the replaced one is.
func (a *app) restore(ctx context.Context, backup string) error {
	if err := checkDatabaseFile("BACKUP", backup); err != nil {
		return err
	}
	path, err := a.databaseFile("restoring "+backup, onServerBackup)
	if err != nil {
		return err
	}
	if a.readOnly {
		return fmt.Errorf("restoring %s: %w", path, review.ErrReadOnly)
	}
	kept, err := sqlite.Restore(ctx, path, backup, a.reviewerName())
	if errors.Is(err, review.ErrDamaged) || errors.Is(err, sqlite.ErrMissing) {
		err = withHint(err, "name another backup; nothing was changed")
	}
	if err != nil {
		return err
	}
	a.warn("restored %s from %s\n", safe(path), safe(backup))
	if kept != "" {
		a.warn("the database that was there before is kept: %s\n", safe(kept))
	}
	return nil
}
