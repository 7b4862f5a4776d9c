package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND|TOPIC]",
		Short: "Show the help of a command or a topic",
		Long: `Show the help of a command, or a topic that concerns several commands.
visto help topics lists the topics.`,
		Example: `  visto help topics
  visto help console
  visto help override add`,
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err == nil && len(rest) > 0 {
				err = noSuchHelp(about, rest[0])
			}
			if err != nil {
				return usage(cmd, err)
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
		ValidArgsFunction: completeHelp,
	}
}

// noSuchHelp returns the error for a name that is neither a command nor a topic of parent.
func noSuchHelp(parent *cobra.Command, name string) error {
	near := &cobra.Command{SuggestionsMinimumDistance: parent.Root().SuggestionsMinimumDistance}
	for _, sub := range parent.Commands() {
		run := func(*cobra.Command, []string) {} // only a runnable command is suggested
		near.AddCommand(&cobra.Command{Use: sub.Name(), Run: run})
	}
	message := fmt.Sprintf("no command or topic is called %q", name)
	if list := near.SuggestionsFor(name); len(list) > 0 {
		message += "; did you mean " + strings.Join(list, " or ") + "?"
	}
	return errors.New(message)
}

// completeHelp completes the names of commands and topics.
func completeHelp(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	about, rest, err := cmd.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var list []cobra.Completion
	for _, sub := range about.Commands() {
		if !sub.Hidden && strings.HasPrefix(sub.Name(), typed) {
			list = append(list, cobra.CompletionWithDesc(sub.Name(), sub.Short))
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}
