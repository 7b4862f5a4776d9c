package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/review"
	"visto/store/file"
	"visto/ui/pane"
)

func newOverride(a *app) *cobra.Command {
	return group(&cobra.Command{
		Use:   "override",
		Short: "Per-host rules: list, add, remove, preview, import, export",
		Long: `A rule says what holds on one host, on the hosts of a pattern (*.gencat.cat),
or under a path on any host: which parameters to keep or drop, which flags are
fine, where the Spanish pages are. Writing one recomputes every stored URL it
concerns, in one batch that visto undo takes back.`,
		Example: `  visto override preview --host sede.valencia.es --drop plaza
  visto override add --host sede.valencia.es --drop plaza --note 'only changes the skin'
  visto override list`,
	}, newOverrideList(a), newOverrideAdd(a), newOverrideRemove(a), newOverridePreview(a), newOverrideImport(a), newOverrideExport(a))
}

func newOverrideList(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the rules with who made them",
		Long: `List the rules in the order in which they were made. With --json each is an
object as --rule takes it, with who made it.`,
		Example: `  visto override list
  visto override list --json`,
		Args: cobra.NoArgs,
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

func newOverrideAdd(a *app) *cobra.Command {
	var flags ruleFlags
	cmd := &cobra.Command{
		Use:   "add",
		Short: "Add a rule, or add to the rule that a host has",
		Long: `Add a rule and recompute what it concerns. If there is a rule for the same host
and path, what the flags say is added to it. A rule that sends a URL round and
round is refused, with the URLs that show it.` + ruleLong,
		Example: `  visto override add --host sede.valencia.es --drop plaza
  visto override add --host '*.gencat.cat' --spanish /ca/=/es/
  visto override add --host '*' --path /sta/CarpetaPublic --keep APP_CODE,PAGE_CODE
  visto override add --host www.ine.es --accept home-page --note 'the portal is what we cite'
  visto override add --rule '{"match":{"host":"example.com"},"drop_query_params":["src"]}'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			rule, err := flags.override()
			if err != nil {
				return usage(cmd, err)
			}
			return a.withDesk(cmd.Context(), creates, func(desk *review.Desk) error {
				change, err := desk.Amend(cmd.Context(), rule)
				if err != nil {
					return err
				}
				return a.saveOverrides(cmd.Context(), desk, []review.OverrideChange{change}, summary(change))
			})
		},
	}
	flags.register(cmd)
	return cmd
}

// summary is the line of the log for a change to a rule.
func summary(c review.OverrideChange) string {
	switch {
	case c.After == nil:
		return "remove the rule of " + pane.Matches(c.Before.Match)
	case c.Before == nil:
		return "add the rule of " + pane.Matches(c.After.Match) + ": " + ruleText(*c.After)
	}
	return "change the rule of " + pane.Matches(c.After.Match) + ": " + ruleText(*c.After)
}

func (a *app) saveOverrides(ctx context.Context, desk *review.Desk, changes []review.OverrideChange, summary string) error {
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
	return a.print(func(w io.Writer) error {
		if err := a.printEffect(w, effect, receipt.Batch); err != nil || a.json {
			return err
		}
		_, err := fmt.Fprintf(w, "saved as batch %d: %s\n", receipt.Batch, safe(summary))
		return err
	})
}

func newOverridePreview(a *app) *cobra.Command {
	var flags ruleFlags
	var remove bool
	cmd := &cobra.Command{
		Use:   "preview",
		Short: "Print what a rule would do, and write nothing",
		Long: `Print the effect that visto override add with the same flags would have on the
stored URLs, and write nothing: how many change, which would become one page
with another, which approved ones would no longer be what was approved. With
--remove it is the effect of removing the rule of that host and path.` + ruleLong,
		Example: `  visto override preview --host sede.valencia.es --drop plaza
  visto override preview --host sede.valencia.es --remove`,
		Args: cobra.NoArgs,
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
		Long: `Remove the rule of a host (with --path, the one for that path), or the rule
with that number, and recompute what it concerned.`,
		Example: `  visto override remove sede.valencia.es
  visto override remove '*' --path /sta/CarpetaPublic
  visto override remove 3`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withDesk(cmd.Context(), uses, func(desk *review.Desk) error {
				rule, err := standing(cmd.Context(), desk, args[0], path)
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

// standing returns the rule of a host and path, or the one with that number.
func standing(ctx context.Context, desk *review.Desk, name, path string) (*canon.Override, error) {
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
				return a.saveOverrides(cmd.Context(), desk, changes, fmt.Sprintf("import %s from %s", count(len(changes), "rule"), args[0]))
			})
		},
	}
}

// importChanges returns what is to change so that each of the rules stands. Of two with the same match the
// first wins, as everywhere.
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
		Long: `Write the rules as an overrides file: version 0 where that can say it all,
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
