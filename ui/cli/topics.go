package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/ui/term"
)

// topicTable lists the topics in the order in which they are shown.
var topicTable = []struct{ name, short string }{
	{"topics", "The list of topics"},
	{"console", "The console: the keys to begin with"},
	{"plain", "The review as line prompts, and the queue as text"},
	{"settings", "Settings of the console: keys, colours, the mouse"},
	{"filters", "The filter flags that many commands share"},
	{"files", "Files that visto reads and writes"},
	{"evidence", "Files of evidence: the fields of a line"},
	{"flags", "The flags on a URL and their meaning"},
	{"steps", "The way of a URL, and the steps of the pipeline"},
	{"probing", "Evidence from the network"},
	{"watching", "Checks of links when they are due, and a service for them"},
	{"policies", "Policies: built in, from files, compared"},
	{"overrides", "Overrides: rules for a host, and their files"},
	{"storage", "The database: log, checks, backup and restore"},
	{"postgresql", "A database on a PostgreSQL server, for a team on several machines"},
	{"ci", "Links in continuous integration: a workflow and a hook"},
	{"batch", "Canonicalizing from Spark, GNU parallel, ClickHouse and the like"},
	{"environment", "Environment variables"},
	{"exit-status", "Exit statuses"},
}

// newTopics returns the pages of help that belong to no command. In their texts {{topics}}, {{flags}} and {{steps}}
// stand for tables.
func newTopics() []*cobra.Command {
	tables := strings.NewReplacer(
		"{{topics}}\n", topicList(), "{{flags}}\n", flagList(), "{{steps}}\n", stepList())
	var list []*cobra.Command
	for _, topic := range topicTable {
		long := strings.TrimSuffix(tables.Replace(helpText("topics", topic.name)), "\n")
		list = append(list, &cobra.Command{Use: topic.name, Short: topic.short, Long: long})
	}
	return list
}

func topicList() (list string) {
	for _, topic := range topicTable {
		list += explained(14, topic.name, topic.short)
	}
	return list
}

func flagList() (list string) {
	for _, c := range canon.Codes() {
		list += explained(24, c.String(), c.Summary())
	}
	return list
}

func stepList() (list string) {
	for _, s := range canon.Steps() {
		name := s.ID
		if s.Rule != 0 {
			name = fmt.Sprintf("%-12s rule %d", s.ID, s.Rule)
		}
		list += explained(22, name, s.Text)
	}
	return list
}

// explained returns a name and, from the given column on, its explanation wrapped for a terminal of 80 columns.
func explained(column int, name, text string) (lines string) {
	for _, line := range term.Wrap(text, 77-column) {
		lines += fmt.Sprintf("  %-*s%s\n", column, name, line)
		name = ""
	}
	return lines
}
