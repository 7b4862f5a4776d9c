package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"visto/review"
)

func newCopy(a *app) *cobra.Command {
	var from, to string
	cmd := command("copy --from DB --to DB", "Copy a database, between files and PostgreSQL too", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error { return a.copyDatabase(cmd.Context(), from, to) })
	cmd.Flags().StringVar(&from, "from", "", "copy this database, a `FILE|URL` as of --db")
	cmd.Flags().StringVar(&to, "to", "", "to this one, which is made, or has nothing in it yet: a `FILE|URL`")
	checkFirst(cmd, func() error {
		switch {
		case from == "" || to == "":
			return errors.New("give both --from and --to")
		case a.db != "":
			return errors.New("--db: --from and --to take its place")
		}
		return cmp.Or(checkDatabase("--from", from), checkDatabase("--to", to))
	})
	return cmd
}

// copyDatabase copies a database, and checks the copy.
func (a *app) copyDatabase(ctx context.Context, from, to string) (err error) {
	if a.readOnly {
		return fmt.Errorf("copying to %s: %w", to, review.ErrReadOnly)
	}
	source, err := a.open(ctx, from, uses)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := a.open(ctx, to, creates)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	if err := target.Fill(ctx, source); err != nil {
		return err
	}
	if err := target.Maintain(ctx); err != nil {
		return err
	}
	m, err := target.Meta(ctx)
	if err != nil {
		return err
	}
	a.warn("copied %s, and a log of %s, from %s to %s\n", count(int(m.LastID), "URL"), countEntries(m.LastSeq),
		safe(source.Name()), safe(target.Name()))
	desk, err := review.Open(ctx, target, a.reviewerName(), nil)
	if err != nil {
		return err
	}
	return a.checkDesk(ctx, desk)
}
