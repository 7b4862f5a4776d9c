package cli

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"visto/store/file"
)

func newMan(a *app) *cobra.Command {
	return command("man [FOLDER]", "Write manual pages", cobra.MaximumNArgs(1),
		func(cmd *cobra.Command, args []string) error {
			root := manRoot(cmd.Root())
			if len(args) == 0 {
				return doc.GenMan(root, manHeader(), a.out)
			}
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return fmt.Errorf("writing manual pages to %s: %w", args[0], file.Reason(err))
			}
			if err := doc.GenManTree(root, manHeader(), args[0]); err != nil {
				return fmt.Errorf("writing manual pages to %s: %w", args[0], file.Reason(err))
			}
			return nil
		})
}

// manHeader returns the head of each page. Its date is that of the source, so that a build always gives the same pages.
func manHeader() *doc.GenManHeader {
	build := buildSettings()
	header := &doc.GenManHeader{Source: "visto", Manual: "visto"}
	if at, err := time.Parse(time.RFC3339, build["time"]); err == nil {
		header.Date = &at
	}
	return header
}

// manRoot prepares the commands for manual pages, whose texts are Markdown. The process ends with the command that does
// this, so nothing else reads the texts afterwards.
func manRoot(root *cobra.Command) *cobra.Command {
	root.DisableAutoGenTag = true
	escapeUsage := func(f *pflag.Flag) { f.Usage = markdown.Replace(f.Usage) }
	root.PersistentFlags().VisitAll(escapeUsage)
	var escape func(*cobra.Command)
	escape = func(cmd *cobra.Command) {
		cmd.Long = markdown.Replace(cmd.Long)
		cmd.LocalNonPersistentFlags().VisitAll(escapeUsage)
		for _, sub := range cmd.Commands() {
			escape(sub)
		}
	}
	escape(root)
	return root
}

// markdown escapes the characters that mark something in Markdown. An indented block becomes one of code.
var markdown = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "<", `\<`, "[", `\[`, "\n  ", "\n      ")
