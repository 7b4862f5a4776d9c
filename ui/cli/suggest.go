package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
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

// complaints are the complaints about a value that a flag does not take, by the types of flags.
var complaints = map[string]string{
	"int": "no whole number", "uintSlice": "no list of whole numbers", "float64": "no number",
	"duration": "no time, such as 30s or 5m", "bool": "neither true nor false",
}

// wrongFlag marks an error about the flags as a wrong use, with the flags that a mistyped one resembles. The errors of
// pflag about a value name a function of Go.
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
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		flag := invalid.GetFlag()
		if complaint := complaints[flag.Value.Type()]; complaint != "" {
			err = fmt.Errorf("--%s: %q is %s", flag.Name, invalid.GetValue(), complaint)
		}
		if errors.Is(invalid, strconv.ErrRange) {
			err = fmt.Errorf("--%s: %s is too large a number", flag.Name, invalid.GetValue())
		}
	}
	return usage(cmd, err)
}
