package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/review"
)

func newRecanon(a *app) *cobra.Command {
	var apply bool
	cmd := command("recanon", "Recompute all stored URLs under the policy as it is now", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error {
			target, err := a.policyOrNil(cmd.Context())
			if err != nil {
				return err
			}
			a.policies = nil // the desk is opened under the database's own policy
			return a.withDesk(cmd.Context(), uses, func(desk *review.Desk) error {
				return a.recanon(cmd.Context(), desk, newest(desk, target), apply)
			})
		})
	cmd.Flags().BoolVar(&apply, "apply", false, "write it")
	return cmd
}

// newest returns the policy to recompute under: the one wanted, else the built-in one with the name of the database's,
// else the database's own.
func newest(desk *review.Desk, wanted *canon.Policy) *canon.Policy {
	if wanted != nil {
		return wanted
	}
	if p, err := canon.Builtin(desk.Policy().Name()); err == nil {
		return p
	}
	return desk.Policy()
}

func (a *app) recanon(ctx context.Context, desk *review.Desk, p *canon.Policy, apply bool) error {
	a.warn("from policy %s (%.12s) to %s (%.12s)\n",
		safe(desk.Policy().ID()), desk.Policy().Digest(), safe(p.ID()), p.Digest())
	var receipt review.Receipt
	var effect *review.Effect
	var err error
	if apply {
		receipt, effect, err = desk.Recanon(ctx, p)
	} else {
		effect, err = desk.RecanonEffect(ctx, p, nil)
	}
	if err != nil {
		return fmt.Errorf("recomputing: %w", err)
	}
	return a.printEffect(effect, receipt.Batch, "policy "+p.ID())
}
