package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// noneOf is the error for a value that a flag does not take.
func noneOf(flag, value string, known []string) error {
	return fmt.Errorf("%s: %q is none of %s%s", flag, value, strings.Join(known, ", "), near(value, known))
}

// near returns a question after the known names that a mistyped one resembles, or "".
func near(typed string, known []string) string {
	names := &cobra.Command{SuggestionsMinimumDistance: min(2, len(typed)/2)}
	for _, name := range known {
		run := func(*cobra.Command, []string) {} // only a runnable command is suggested
		names.AddCommand(&cobra.Command{Use: name, Run: run})
	}
	list := slices.Compact(names.SuggestionsFor(typed))
	if len(list) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(list, " or ") + "?"
}

// wrongFlag marks an error about the flags as a wrong use, with the flags that a mistyped one resembles.
func wrongFlag(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok && len(unknown.GetSpecifiedName()) > 1 {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				known = append(known, "--"+f.Name)
			}
		})
		err = fmt.Errorf("%w%s", err, near("--"+unknown.GetSpecifiedName(), known))
	}
	return usage(cmd, err)
}
