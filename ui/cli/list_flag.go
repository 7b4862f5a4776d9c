package cli

import (
	"encoding/csv"
	"strings"

	"github.com/spf13/pflag"
)

// listFlag is a flag with a list of values. Commas separate them, they may be quoted as in CSV, and the flag may be given
// again. pflag's stringSlice does the same, but is slow to start: pflag asks all flags of all commands for their text,
// and stringSlice makes a CSV writer for each. That took a tenth of the time of a short command.
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
