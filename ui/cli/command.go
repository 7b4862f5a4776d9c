package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"visto/review"
)

// runFunc runs a command on its arguments.
type runFunc = func(cmd *cobra.Command, args []string) error

// command returns a command with its line of help. It refuses arguments that check refuses as a wrong use.
func command(use, short string, check cobra.PositionalArgs, run runFunc) *cobra.Command {
	args := func(cmd *cobra.Command, args []string) error { return usage(cmd, check(cmd, args)) }
	return &cobra.Command{Use: use, Short: short, Args: args, RunE: run}
}

// checkFirst has a command check its flags before it opens anything. An error of check is a wrong use.
func checkFirst(cmd *cobra.Command, check func() error) {
	earlier := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if earlier != nil {
			if err := earlier(cmd, args); err != nil {
				return err
			}
		}
		return usage(cmd, check())
	}
}

// refuseEmptyFlags refuses flags without a value, and lists with an empty value. A script gives them if a variable is
// not set, and a filter or correction left out would change much more than it meant.
func refuseEmptyFlags(cmd *cobra.Command, _ []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		list, isList := f.Value.(pflag.SliceValue)
		switch {
		case err != nil:
		case isList && (len(list.GetSlice()) == 0 || slices.Contains(list.GetSlice(), "")):
			err = fmt.Errorf("--%s: a value is empty", f.Name)
		case !isList && f.Value.String() == "":
			err = fmt.Errorf("--%s: the value is empty", f.Name)
		}
	})
	return usage(cmd, err)
}

// atDesk returns a runFunc that opens the database and calls run with a desk on it.
func (a *app) atDesk(run func(*cobra.Command, *review.Desk, []string) error) runFunc {
	return func(cmd *cobra.Command, args []string) error {
		return a.withDesk(cmd.Context(), uses, func(desk *review.Desk) error { return run(cmd, desk, args) })
	}
}

// group returns a command that only has subcommands; alone it prints its help.
func group(use, short string, subs ...*cobra.Command) *cobra.Command {
	cmd := command(use, short, noSuchCommand, func(cmd *cobra.Command, _ []string) error { return cmd.Help() })
	cmd.AddCommand(subs...)
	return cmd
}
