package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/review"
	"visto/ui/pane"
	"visto/ui/wording"
)

func newOverride(a *app) *cobra.Command {
	return group("override", "Per-host rules: list, add, remove, preview, import, export",
		newOverrideList(a), newOverrideAdd(a), newOverrideRemove(a), newOverridePreview(a),
		newOverrideImport(a), newOverrideExport(a))
}

func newOverrideList(a *app) *cobra.Command {
	return command("list", "List the rules and their authors", cobra.NoArgs,
		a.atDesk(func(cmd *cobra.Command, desk *review.Desk, _ []string) error {
			list, err := desk.Overrides(cmd.Context())
			proposals, errProposals := desk.Proposals(cmd.Context())
			if err = cmp.Or(err, errProposals); err != nil {
				return err
			}
			return a.print(func(w *printer) error {
				for _, o := range list {
					w.line(overrideJSON{o.ID, o.Override, o.Reviewer, timestamp(o.At), o.Batch, false},
						"%4d  %s: %s  (%s, %s, batch %d)\n", o.ID, safe(o.Override.Match.String()),
						safe(ruleText(o.Override)), safe(o.Reviewer), pane.Stamp(o.At), o.Batch)
				}
				printProposals(w, proposals)
				return nil
			})
		}))
}

// printProposals prints the new rules of proposals.
func printProposals(w *printer, list []review.Batch) {
	for _, b := range list {
		for _, c := range b.Rules {
			if c.After == nil {
				continue
			}
			w.line(overrideJSON{0, *c.After, b.Reviewer, timestamp(b.At), b.ID, true},
				"      %s: %s  (1 of 2: proposed by %s, %s, batch %d)\n", safe(c.After.Match.String()),
				safe(ruleText(*c.After)), safe(b.Reviewer), pane.Stamp(b.At), b.ID)
		}
	}
}

// overrideJSON is a stored override as --json prints it.
type overrideJSON struct {
	ID       int64          `json:"id"`
	Override canon.Override `json:"override"`
	Reviewer string         `json:"reviewer"`
	At       string         `json:"at"`
	Batch    int64          `json:"batch"`
	Proposed bool           `json:"proposed,omitempty"` // another person has to save it too
}

func newOverrideAdd(a *app) *cobra.Command {
	var flags ruleFlags
	cmd := command("add", "Add a rule, or add to the rule that a host has", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error {
			rule, err := flags.override()
			if err != nil {
				return usage(cmd, err)
			}
			return a.withDesk(cmd.Context(), creates, func(desk *review.Desk) error {
				change, err := flags.amend(cmd, desk, rule)
				if err != nil {
					return err
				}
				return a.saveOverrides(cmd.Context(), desk, summary(change), change)
			})
		})
	flags.register(a, cmd)
	return cmd
}

func newOverridePreview(a *app) *cobra.Command {
	var flags ruleFlags
	var remove bool
	cmd := command("preview", "Print the effect of a rule, and write nothing", cobra.NoArgs,
		a.atDesk(func(cmd *cobra.Command, desk *review.Desk, _ []string) error {
			change, err := flags.change(cmd, desk, remove)
			if err != nil {
				return err
			}
			effect, err := desk.Effect(cmd.Context(), []review.OverrideChange{change}, nil)
			if err != nil {
				return fmt.Errorf("previewing the rule: %w", err)
			}
			a.sayLater(change)
			return a.printEffect(effect, 0, "")
		}))
	flags.register(a, cmd)
	cmd.Flags().BoolVar(&remove, "remove", false, "the effect of removing the rule")
	return cmd
}

func newOverrideRemove(a *app) *cobra.Command {
	var match canon.Match
	cmd := command("remove [HOST|NUMBER]", "Remove a rule", cobra.MaximumNArgs(1),
		a.atDesk(func(cmd *cobra.Command, desk *review.Desk, args []string) error {
			number := ""
			switch {
			case len(args) > 0:
				number, match.Host = args[0], args[0]
			case match.Field == "":
				return usage(cmd, errors.New("which rule? give its host or its number, or --field"))
			}
			rule, err := storedRule(cmd.Context(), desk, number, match)
			if err != nil {
				return err
			}
			change := review.OverrideChange{Before: rule}
			return a.saveOverrides(cmd.Context(), desk, summary(change), change)
		}))
	cmd.Flags().StringVar(&match.PathPrefix, "path", "", "the rule for this path `PREFIX`")
	cmd.Flags().StringVar(&match.Field, "field", "", "the rule for this `FIELD`")
	return cmd
}

// storedRule returns the rule with a match, or the one with that number.
func storedRule(ctx context.Context, desk *review.Desk, number string, want canon.Match) (*canon.Override, error) {
	list, err := desk.Overrides(ctx)
	if err != nil {
		return nil, err
	}
	id, _ := strconv.ParseInt(number, 10, 64)
	want = want.Normal()
	for _, o := range list {
		if o.Override.Match == want || want.PathPrefix+want.Field == "" && id > 0 && o.ID == id {
			return &o.Override, nil
		}
	}
	return nil, withHint(fmt.Errorf("looking for the rule of %s: %w", want, review.ErrNotFound),
		"visto override list shows the rules")
}

// summary returns the line of the log for a change to a rule.
func summary(c review.OverrideChange) string {
	switch {
	case c.After == nil:
		return "remove the rule of " + c.Before.Match.String()
	case c.Before == nil:
		return "add the rule of " + c.After.Match.String() + ": " + ruleText(*c.After)
	}
	return "change the rule of " + c.After.Match.String() + ": " + ruleText(*c.After)
}

// sayLater says which later URLs the changes concern besides those that are stored.
func (a *app) sayLater(changes ...review.OverrideChange) {
	if later := wording.Later(changes); later != "" {
		a.warn("for the stored URLs, %s\n", safe(later))
	}
}

func (a *app) saveOverrides(
	ctx context.Context, desk *review.Desk, summary string, changes ...review.OverrideChange,
) error {
	receipt, effect, err := desk.SaveOverrides(ctx, changes, summary)
	if err != nil {
		return fmt.Errorf("saving the rule: %w", err)
	}
	a.sayLater(changes...) // a refused rule has no reach
	if receipt.Batch == 0 {
		a.warn("nothing to save: the rule is there already\n")
		if !a.json {
			return nil
		}
	}
	if receipt.Waiting > 0 {
		a.warn("proposed as batch %d: another person has to save the same rule, or confirm it in the console\n",
			receipt.Batch)
		if !a.json {
			return a.printEffect(effect, 0, "")
		}
	}
	return a.printEffect(effect, receipt.Batch, summary)
}
