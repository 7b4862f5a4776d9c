package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// newRoot wires the commands. visto without a command is visto review.
func newRoot(a *app) *cobra.Command {
	review := newReview(a)
	root := command("visto", "Review URLs that a canonicalizer was not sure about", noSuchCommand, review.RunE)
	root.SilenceErrors, root.SilenceUsage, root.SuggestionsMinimumDistance = true, true, 2

	root.Flags().AddFlagSet(review.Flags())
	a.globalFlags.register(a, root)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 80"))
	root.SetFlagErrorFunc(wrongFlag)
	root.PersistentPreRunE = refuseEmptyFlags
	root.Version = versionLine()
	root.InitDefaultVersionFlag()
	root.SetVersionTemplate("{{.Version}}\n")

	add := func(group, title string, commands ...*cobra.Command) {
		root.AddGroup(&cobra.Group{ID: group, Title: title})
		for _, cmd := range commands {
			cmd.GroupID = group
			root.AddCommand(cmd)
		}
	}
	add("review", "Reviewing:", review, newDemo(a), newList(a), newCauses(a), newSuggest(a), newShow(a),
		newDecide(a, approve), newDecide(a, reject), newDecide(a, deferIt), newDecide(a, reopen),
		newNote(a), newUndo(a), newRedo(a), newLog(a), newStats(a), newKeys(a))
	add("flow", "In and out:", newAdd(a), newForget(a), newProbe(a), newHealth(a), newCandidates(a), newCanon(a),
		newExport(a), newLint(a))
	add("team", "A team:", newServe(a), newAssign(a))
	add("rules", "Rules:", newOverride(a), newPolicy(a), newRecanon(a))
	help := newHelp()
	add("care", "The database and the program:", newBackup(a), newRestore(a), newCopy(a), newCheck(a), newMan(a),
		newVersion(a), help)

	root.SetCompletionCommandGroupID("care")
	root.SetHelpCommand(help)
	root.AddCommand(newTopics()...)
	describe(root)
	root.AddCommand(newReadDocument(a)) // hidden, and without a text of help
	return root
}

// usage marks err, if there is one, as a wrong use of the command.
func usage(cmd *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	return &usageError{err, cmd.CommandPath()}
}

// subcommands returns the names of the commands and topics right below a command.
func subcommands(cmd *cobra.Command) (names []string) {
	for _, sub := range cmd.Commands() {
		if !sub.Hidden {
			names = append(names, sub.Name())
		}
	}
	return names
}

// addCompletion adds cobra's command for completion, which writes to the output that the root has now. As our groups,
// it refuses a name that is no subcommand.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.Args = func(cmd *cobra.Command, args []string) error { return usage(cmd, noSuchCommand(cmd, args)) }
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// noSuchCommand checks the arguments of a command that only has subcommands.
func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unknown command %q for %s%s", args[0], cmd.CommandPath(), near(args[0], subcommands(cmd)))
}
