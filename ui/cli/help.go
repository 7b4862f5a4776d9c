package cli

import (
	"embed"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// helpFiles are the texts of help: help/COMMAND.txt for each command, with its examples at the end (for visto override
// add it is help/override-add.txt), and topics/TOPIC.txt for each topic.
//
//go:embed help topics
var helpFiles embed.FS

func helpText(folder, name string) string {
	text, err := helpFiles.ReadFile(folder + "/" + name + ".txt")
	if err != nil {
		panic(err) // a command or topic without a text: a mistake in the program
	}
	return string(text)
}

// describe sets the help and the examples of a command and of all below it.
func describe(cmd *cobra.Command) {
	if cmd.Runnable() {
		name := strings.ReplaceAll(strings.TrimPrefix(cmd.CommandPath(), "visto "), " ", "-")
		long, examples, _ := strings.Cut(helpText("help", name), "\n\nExamples:\n\n")
		cmd.Long, cmd.Example = long, strings.TrimSuffix(examples, "\n")
	}
	for _, sub := range cmd.Commands() {
		describe(sub)
	}
}

func newHelp() *cobra.Command {
	cmd := command("help [COMMAND|TOPIC]", "Show the help of a command or a topic", cobra.ArbitraryArgs,
		func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err == nil && len(rest) > 0 {
				err = noSuchHelp(about, rest[0])
			}
			if err != nil {
				return usage(cmd, err)
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		})
	cmd.ValidArgsFunction = completeHelp
	return cmd
}

// noSuchHelp returns the error for a name that is neither a command nor a topic of parent.
func noSuchHelp(parent *cobra.Command, name string) error {
	return fmt.Errorf("no command or topic is called %q%s", name, near(name, subcommands(parent)))
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
