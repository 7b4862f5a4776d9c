package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/review"
	"visto/store/file"
)

func newOverrideImport(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE",
		Short: "Import a file of rules, all or none",
		Long: `Import an overrides file, version 0 or 1: each rule is added, or takes the
place of the one that its host and path have. All of it is one batch. If one is
invalid, nothing is imported, and the error names file, position and key.`,
		Example: `  visto override import url_normalization_overrides.v0.json`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			rules, err := readOverrides(args[0])
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
				return a.saveOverrides(cmd.Context(), desk, changes, summary)
			})
		},
	}
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
		rule.Match = review.NormalMatch(rule.Match)
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
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the rules as a file",
		Long: `Write the rules as an overrides file: version 0 where that can hold them all,
version 1 otherwise. With -o the file appears whole or not at all.`,
		Example: `  visto override export -o url_normalization_overrides.v0.json`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withDesk(cmd.Context(), uses, func(desk *review.Desk) error {
				return a.exportOverrides(cmd.Context(), desk, output)
			})
		},
	}
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
	if output == "" {
		return a.print(write)
	}
	if err := file.Write(output, write); err != nil {
		return fmt.Errorf("exporting to %s: %w", output, err)
	}
	a.warn("wrote %s to %s\n", count(len(list), "rule"), safe(output))
	return nil
}
