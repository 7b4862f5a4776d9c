package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// complete has the shell complete a flag's comma-separated values from a fixed list.
func complete(cmd *cobra.Command, flag string, values ...string) {
	completeOr(cmd, flag, cobra.ShellCompDirectiveNoFileComp, values...)
}

// completeOr completes a flag's values; the directive also allows, say, files.
func completeOr(cmd *cobra.Command, flag string, also cobra.ShellCompDirective, values ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag,
		func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return completions(typed, values), also
		})
	if err != nil {
		panic(err) // the flag is not registered: a mistake in the constructor that calls this
	}
}

// completions returns the values that may follow the last comma typed, without those before it.
func completions(typed string, values []string) []string {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	var list []string
	for _, v := range values {
		if !slices.Contains(strings.Split(before, ","), v) {
			list = append(list, before+v)
		}
	}
	return list
}
