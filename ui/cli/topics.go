package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"visto/canon"
)

// topics are the pages of help that belong to no command: visto help flags.
func topics() []*cobra.Command {
	return []*cobra.Command{
		{Use: "flags", Short: "What each flag on a URL means", Long: flagsTopic()},
		{Use: "steps", Short: "The steps of the pipeline", Long: stepsTopic()},
		{Use: "environment", Short: "Environment variables", Long: environmentTopic},
		{Use: "exit-status", Short: "Exit statuses", Long: exitTopic},
	}
}

func flagsTopic() string {
	var b strings.Builder
	b.WriteString("A flag is a reason why a person should look at a URL.\n\n")
	for _, c := range canon.Codes() {
		fmt.Fprintf(&b, "  %-24s%s\n", c, c.Summary())
	}
	b.WriteString("\nvisto list --flag CODE shows the URLs with a flag; visto override add --accept CODE says that\nit is fine on a host.")
	return b.String()
}

func stepsTopic() string {
	var b strings.Builder
	b.WriteString("A URL goes through these steps, in this order (rule: the rule of the policy it implements).\n\n")
	for _, s := range canon.Steps() {
		rule := "-"
		if s.Rule != 0 {
			rule = fmt.Sprint(s.Rule)
		}
		fmt.Fprintf(&b, "  %-12s rule %-3s %s\n", s.ID, rule, s.Text)
	}
	b.WriteString("\nvisto canon --steps ID,... runs just those; visto canon --explain shows what each did.")
	return b.String()
}

const environmentTopic = `  VISTO_DB         the database file (--db wins)
  VISTO_REVIEWER   the name under which decisions are made (--reviewer wins; else the OS user)
  XDG_DATA_HOME    where visto/visto.db is, when neither --db nor VISTO_DB says (default ~/.local/share)
  NO_COLOR         with any value: no colour`

const exitTopic = `  0   done
  1   something failed; the reason is on stderr
  2   wrong usage: unknown command or flag, or arguments that make no sense
  3   done, but some input lines could not be read; each is named on stderr`
