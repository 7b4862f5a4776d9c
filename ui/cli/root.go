package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// newRoot wires the commands. visto without a command is visto review.
func newRoot(a *app) *cobra.Command {
	review := newReview(a)
	root := &cobra.Command{
		Use:           "visto",
		Short:         "Review URLs that a canonicalizer was not sure about",
		Args:          noSuchCommand,
		RunE:          review.RunE,
		SilenceErrors: true,
		SilenceUsage:  true,

		SuggestionsMinimumDistance: 2,
	}
	root.Flags().AddFlagSet(review.Flags())
	a.globals(root)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 80"))
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usage(cmd, err) })

	root.AddGroup(
		&cobra.Group{ID: "review", Title: "Reviewing:"},
		&cobra.Group{ID: "flow", Title: "In and out:"},
		&cobra.Group{ID: "rules", Title: "Rules:"},
		&cobra.Group{ID: "care", Title: "The database and the program:"},
	)
	add := func(group string, commands ...*cobra.Command) {
		for _, cmd := range commands {
			cmd.GroupID = group
			root.AddCommand(cmd)
		}
	}
	add("review", review, newDemo(a), newList(a), newCauses(a), newShow(a),
		newDecide(a, approve), newDecide(a, reject), newDecide(a, deferIt), newDecide(a, reopen),
		newUndo(a), newRedo(a), newLog(a), newStats(a), newKeys(a))
	add("flow", newAdd(a), newProbe(a), newCanon(a), newExport(a))
	add("rules", newOverride(a), newPolicy(a), newRecanon(a))
	help := newHelp()
	add("care", newBackup(a), newCheck(a), newVersion(a), help)
	root.SetCompletionCommandGroupID("care")
	root.SetHelpCommand(help)
	root.AddCommand(newTopics()...)
	describe(root)
	root.AddCommand(newReadDocument(a)) // hidden, and without a text of help
	asUsageErrors(root)
	return root
}

// asUsageErrors makes every command report wrong arguments as wrong usage.
func asUsageErrors(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return usage(cmd, err)
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		asUsageErrors(sub)
	}
}

// usage marks err as a wrong use of the command.
func usage(cmd *cobra.Command, err error) error {
	return &usageError{command: cmd.CommandPath(), err: err}
}

// noSuchCommand checks the arguments of a command that only has subcommands.
func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	message := fmt.Sprintf("unknown command %q for %s", args[0], cmd.CommandPath())
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		message += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return errors.New(message)
}
