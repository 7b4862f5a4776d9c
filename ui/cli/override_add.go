package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"visto/review"
	"visto/ui/pane"
)

func newOverrideAdd(a *app) *cobra.Command {
	var flags ruleFlags
	cmd := command("add", "Add a rule, or add to the rule that a host has", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error {
			rule, err := flags.override()
			if err != nil {
				return usage(cmd, err)
			}
			return a.withDesk(cmd.Context(), creates, func(desk *review.Desk) error {
				change, err := desk.Amend(cmd.Context(), rule)
				if err != nil {
					return err
				}
				return a.saveOverrides(cmd.Context(), desk, summary(change), change)
			})
		})
	flags.register(cmd)
	return cmd
}

// summary returns the line of the log for a change to a rule.
func summary(c review.OverrideChange) string {
	switch {
	case c.After == nil:
		return "remove the rule of " + pane.Matches(c.Before.Match)
	case c.Before == nil:
		return "add the rule of " + pane.Matches(c.After.Match) + ": " + ruleText(*c.After)
	}
	return "change the rule of " + pane.Matches(c.After.Match) + ": " + ruleText(*c.After)
}

func (a *app) saveOverrides(
	ctx context.Context, desk *review.Desk, summary string, changes ...review.OverrideChange,
) error {
	receipt, effect, err := desk.SaveOverrides(ctx, changes, summary)
	if err != nil {
		return fmt.Errorf("saving the rule: %w", err)
	}
	if receipt.Batch == 0 {
		a.warn("nothing to save: the rule is there already\n")
		if !a.json {
			return nil
		}
	}
	return a.printEffect(effect, receipt.Batch, summary)
}
