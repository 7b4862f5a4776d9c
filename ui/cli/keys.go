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
	cmd := command("keys", "Print the keys of the console, or a file to choose others", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error {
			_, keys, err := a.configuration(cmd.Context())
			if err != nil {
				return err
			}
			return a.print(func(w *printer) error {
				if example && !a.json {
					printExample(w, keys)
				} else {
					printKeys(w, keys)
				}
				return nil
			})
		})
	cmd.Flags().BoolVar(&example, "example", false, "print a configuration file")
	return cmd
}

func printKeys(w *printer, keys console.Keymap) {
	const format = "%-24s%-18s%-33s%s\n"
	if !w.json {
		fmt.Fprintf(w, format, "ACTION", "KEYS", "WHERE", "DOES")
	}
	for _, k := range keys.Actions() {
		w.line(k, format, k.ID, strings.Join(k.Keys, " "), k.Where, k.Text)
	}
}

// printExample prints a file that changes nothing: everything in it is a comment.
func printExample(w io.Writer, keys console.Keymap) {
	fmt.Fprint(w, `# Settings of visto's console. Take the # away from lines that you change.

# theme: auto            # auto (the terminal is asked), dark or light
# mouse: false           # true: clicks and the wheel; hold shift to select text

# columns: [flag, url, record 24]   # of the queue, with their widths

# reasons: [no longer there]   # a digit takes one, in place of the usual ones; notes: [...]

# commands:                    # visto help settings tells all about them
#   - {name: Web archive, key: W, run: [w3m, "https://web.archive.org/web/{url}"]}

# keys:
`)
	for _, k := range keys.Actions() {
		quoted := make([]string, len(k.Keys))
		for i, key := range k.Keys {
			quoted[i] = quotedKey(key)
		}
		fmt.Fprintf(w, "#   %-42s # %s; %s\n", k.ID+": ["+strings.Join(quoted, ", ")+"]", k.Text, k.Where)
	}
}

// quotedKey writes a key as YAML reads it as a text.
func quotedKey(key string) string {
	if strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+0123456789") != "" {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key) + `"`
	}
	return key
}
