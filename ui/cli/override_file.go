package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/review"
)

func newOverrideImport(a *app) *cobra.Command {
	return command("import FILE", "Import a file of rules, all or none", cobra.ExactArgs(1),
		func(cmd *cobra.Command, args []string) error {
			rules, err := readOverrides(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return a.withDesk(cmd.Context(), creates, func(desk *review.Desk) error {
				changes, err := importChanges(cmd.Context(), desk, rules)
				if err != nil {
					return err
				}
				if len(changes) == 0 {
					a.warn("nothing to import: every rule of %s is there already\n", safe(args[0]))
					return nil
				}
				summary := fmt.Sprintf("import %s from %s", count(len(changes), "rule"), args[0])
				return a.saveOverrides(cmd.Context(), desk, summary, changes...)
			})
		})
}

// importChanges returns the changes that store each of the rules. Of two rules with the same match the first wins, as
// everywhere.
func importChanges(ctx context.Context, desk *review.Desk, rules []canon.Override) ([]review.OverrideChange, error) {
	stored, err := desk.Overrides(ctx)
	if err != nil {
		return nil, err
	}
	before := map[canon.Match]*canon.Override{}
	for _, o := range stored {
		before[o.Override.Match] = &o.Override
	}
	var changes []review.OverrideChange
	seen := map[canon.Match]bool{}
	for _, rule := range rules {
		rule.Match = rule.Match.Normal()
		if seen[rule.Match] {
			continue
		}
		seen[rule.Match] = true
		if old := before[rule.Match]; old == nil || !sameRule(*old, rule) {
			changes = append(changes, review.OverrideChange{Before: old, After: &rule})
		}
	}
	return changes, nil
}

func newOverrideExport(a *app) *cobra.Command {
	var output string
	cmd := command("export", "Write the rules as a file", cobra.NoArgs,
		a.atDesk(func(cmd *cobra.Command, desk *review.Desk, _ []string) error {
			return a.exportOverrides(cmd.Context(), desk, output)
		}))
	cmd.Flags().StringVarP(&output, "output", "o", "", "`FILE` to write, in place of stdout")
	return cmd
}

func (a *app) exportOverrides(ctx context.Context, desk *review.Desk, output string) error {
	stored, err := desk.Overrides(ctx)
	if err != nil {
		return err
	}
	list := make([]canon.Override, len(stored))
	for i, o := range stored {
		list[i] = o.Override
	}
	data, err := canon.MarshalOverrides(list)
	if err != nil {
		return fmt.Errorf("exporting the rules: %w", err)
	}
	write := func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
	return a.printTo(ctx, output, write, func() string { return count(len(list), "rule") })
}
