package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"visto/ui/console"
)

func newKeys(a *app) *cobra.Command {
	var example bool
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Print the keys of the console, or a file to choose others",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, keys, err := a.configuration()
			if err != nil {
				return err
			}
			return a.print(func(w io.Writer) error {
				switch {
				case a.json:
					return a.printKeysJSON(w, keys)
				case example:
					return printExample(w, keys)
				}
				return printKeys(w, keys)
			})
		},
	}
	cmd.Flags().BoolVar(&example, "example", false, "print a configuration file")
	return cmd
}

func printKeys(w io.Writer, keys console.Keymap) error {
	const format = "%-24s%-18s%-26s%s\n"
	fmt.Fprintf(w, format, "ACTION", "KEYS", "WHERE", "DOES")
	for _, k := range keys.Actions() {
		fmt.Fprintf(w, format, k.ID, strings.Join(k.Keys, " "), k.Where, k.Text)
	}
	return nil
}

func (a *app) printKeysJSON(w io.Writer, keys console.Keymap) error {
	for _, k := range keys.Actions() {
		if err := a.printJSON(w, k); err != nil {
			return err
		}
	}
	return nil
}

// printExample prints a file that changes nothing: everything in it is a comment.
func printExample(w io.Writer, keys console.Keymap) error {
	fmt.Fprint(w, `# Settings of visto's console. Take the # away from what you change.

# theme: auto            # auto (the terminal is asked), dark or light
# mouse: false           # true: clicks and the wheel; hold shift to select text

# keys:
`)
	for _, k := range keys.Actions() {
		quoted := make([]string, len(k.Keys))
		for i, key := range k.Keys {
			quoted[i] = quotedKey(key)
		}
		fmt.Fprintf(w, "#   %-42s # %s; %s\n", k.ID+": ["+strings.Join(quoted, ", ")+"]", k.Text, k.Where)
	}
	return nil
}

// quotedKey writes a key as YAML reads it as a text.
func quotedKey(key string) string {
	if strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+0123456789") != "" {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key) + `"`
	}
	return key
}
