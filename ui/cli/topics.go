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
		{Use: "batch", Short: "Canonicalizing from Spark, GNU parallel, ClickHouse and the like", Long: batchTopic},
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
  VISTO_CONFIG     the console's settings (--config wins; "none" is no file)
  XDG_CONFIG_HOME  where visto/config.yaml is, when neither --config nor VISTO_CONFIG says (default ~/.config)
  XDG_STATE_HOME   where the console keeps where you were, for each database and reviewer (default ~/.local/state)
  NO_COLOR         with any value: no colour`

const exitTopic = `  0   done
  1   something failed; the reason is on stderr
  2   wrong usage: unknown command or flag, or arguments that make no sense
  3   done, but some input lines could not be read; each is named on stderr`

const batchTopic = `visto canon is a filter: one line in, one line out, in the same order. A
rejected URL gives an empty line, so the lines of input and output stay side
by side.

  Lines     are answered as soon as they have been read, so a program may wait
            for each answer. They may hold any byte; a line of more than 1 MB
            is rejected without being held. CRLF is no matter.
  Memory    does not grow with the input. All processors are used:
            GOMAXPROCS=1 in the environment keeps a process to one, for where
            many run at once.
  Reasons   why URLs were rejected go to stderr; --quiet leaves them out,
            --json puts them into the results.
  Status    0: every line has its answer. Anything else: something failed, and
            the output may end early. When its reader goes away it ends by
            SIGPIPE.
  Values    that hold line breaks or backslashes: --escaped reads and writes
            them as TabSeparated and COPY do, and leaves \N (NULL) alone.

A shell, side by side:

  paste urls.txt <(visto canon --quiet < urls.txt)

GNU parallel, on this machine and another; -k keeps the order. Without it, and
with xargs -P, --line-buffered keeps lines whole that several processes write
to one pipe:

  parallel --pipe -k --block 32M -S :,host2 visto canon --quiet < urls.txt

Spark: each partition goes through a process, and a failure fails the job. A
string with a line break would be two lines: take line breaks out first.

  urls.pipe("visto canon --quiet", checkCode=True)                  (Python)
  urls.pipe(Seq("visto", "canon", "--quiet"))                        (Scala)

PostgreSQL, in psql:

  \copy page(url) TO PROGRAM 'visto canon --escaped > canonical.tsv'

ClickHouse: put visto, or a link to it, into user_scripts, and this into the
file that user_defined_executable_functions_config names. The processes of the
pool answer block after block; send_chunk_header stays off.

  <functions>
    <function>
      <type>executable_pool</type>
      <name>canonicalURL</name>
      <return_type>String</return_type>
      <argument><type>String</type><name>url</name></argument>
      <format>TabSeparated</format>
      <command>visto canon --escaped --quiet</command>
      <deterministic>true</deterministic>
    </function>
  </functions>

  SELECT canonicalURL(url) FROM page`
