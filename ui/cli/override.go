package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/review"
	"visto/ui/pane"
)

func newOverride(a *app) *cobra.Command {
	return group(&cobra.Command{
		Use:   "override",
		Short: "Per-host rules: list, add, remove, preview, import, export",
	}, newOverrideList(a), newOverrideAdd(a), newOverrideRemove(a), newOverridePreview(a),
		newOverrideImport(a), newOverrideExport(a))
}

func newOverrideList(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the rules and their authors",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withDesk(cmd.Context(), uses, func(desk *review.Desk) error {
				list, err := desk.Overrides(cmd.Context())
				if err != nil {
					return err
				}
				return a.print(func(w io.Writer) error { return a.printOverrides(w, list) })
			})
		},
	}
}

// overrideJSON is a stored override as --json prints it.
type overrideJSON struct {
	ID       int64          `json:"id"`
	Override canon.Override `json:"override"`
	Reviewer string         `json:"reviewer"`
	At       string         `json:"at"`
	Batch    int64          `json:"batch"`
}

func (a *app) printOverrides(w io.Writer, list []review.StoredOverride) error {
	for _, o := range list {
		if a.json {
			if err := a.printJSON(w, overrideJSON{o.ID, o.Override, o.Reviewer, timestamp(o.At), o.Batch}); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(w, "%4d  %s: %s  (%s, %s, batch %d)\n", o.ID, safe(pane.Matches(o.Override.Match)),
			safe(ruleText(o.Override)), safe(o.Reviewer), pane.Stamp(o.At), o.Batch)
	}
	return nil
}

func newOverridePreview(a *app) *cobra.Command {
	var flags ruleFlags
	var remove bool
	cmd := &cobra.Command{
		Use:   "preview",
		Short: "Print the effect of a rule, and write nothing",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withDesk(cmd.Context(), uses, func(desk *review.Desk) error {
				change, err := flags.change(cmd, desk, remove)
				if err != nil {
					return err
				}
				effect, err := desk.Effect(cmd.Context(), []review.OverrideChange{change}, nil)
				if err != nil {
					return fmt.Errorf("previewing the rule: %w", err)
				}
				return a.print(func(w io.Writer) error { return a.printEffect(w, effect, 0) })
			})
		},
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&remove, "remove", false, "the effect of removing the rule")
	return cmd
}

func newOverrideRemove(a *app) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "remove HOST|NUMBER",
		Short: "Remove a rule",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withDesk(cmd.Context(), uses, func(desk *review.Desk) error {
				rule, err := storedRule(cmd.Context(), desk, args[0], path)
				if err != nil {
					return err
				}
				change := review.OverrideChange{Before: rule}
				return a.saveOverrides(cmd.Context(), desk, []review.OverrideChange{change}, summary(change))
			})
		},
	}
	cmd.Flags().StringVar(&path, "path", "", "the rule for this path `PREFIX`")
	return cmd
}

// storedRule returns the rule of a host and path, or the one with that number.
func storedRule(ctx context.Context, desk *review.Desk, name, path string) (*canon.Override, error) {
	list, err := desk.Overrides(ctx)
	if err != nil {
		return nil, err
	}
	id, _ := strconv.ParseInt(name, 10, 64)
	want := review.NormalMatch(canon.Match{Host: name, PathPrefix: path})
	for _, o := range list {
		if o.Override.Match == want || path == "" && id > 0 && o.ID == id {
			return &o.Override, nil
		}
	}
	return nil, withHint(fmt.Errorf("looking for the rule of %s: %w", pane.Matches(want), review.ErrNotFound),
		"visto override list shows the rules")
}
