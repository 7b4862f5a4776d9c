package cli

import (
	"encoding/csv"
	"strings"

	"github.com/spf13/pflag"
)

// listFlag is a flag with a list of values between commas, quoted as in CSV; it may be given again. It is pflag's
// stringSlice but for its text: pflag asks each flag of each command for it at the start, and its own writes an empty
// list with a CSV writer of four kilobytes. With 250 such flags that was a seventh of the start.
type listFlag struct {
	values *[]string
	given  bool
}

// listVar adds a listFlag without values.
func listVar(f *pflag.FlagSet, values *[]string, name, usage string) {
	f.Var(&listFlag{values: values}, name, usage)
}

func (l *listFlag) Set(text string) error {
	values := []string{}
	if text != "" {
		var err error
		if values, err = csv.NewReader(strings.NewReader(text)).Read(); err != nil {
			return err
		}
	}
	if l.given {
		values = append(*l.values, values...)
	}
	*l.values, l.given = values, true
	return nil
}

func (l *listFlag) String() string { return strings.Join(*l.values, ",") }

func (l *listFlag) Type() string { return "stringSlice" }

// GetSlice, Append and Replace make it a pflag.SliceValue.
func (l *listFlag) GetSlice() []string { return *l.values }

func (l *listFlag) Append(value string) error {
	*l.values = append(*l.values, value)
	return nil
}

func (l *listFlag) Replace(values []string) error {
	*l.values = values
	return nil
}
