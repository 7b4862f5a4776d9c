package cli_test

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"visto/ui/cli"
)

func TestEveryCommandHasHelpWithExamples(t *testing.T) {
	walk(t, cli.Commands())
}

func walk(t *testing.T, cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		walk(t, sub)
	}
	if !cmd.Runnable() {
		return // a topic
	}
	path := cmd.CommandPath()
	if cmd.Short == "" || cmd.Long == "" {
		t.Errorf("%s: no help", path)
	}
	if !strings.Contains(cmd.Example, path) {
		t.Errorf("%s: no example", path)
	}
	for text := range strings.Lines(cmd.Long) {
		if len(strings.TrimRight(text, "\n")) > 79 {
			t.Errorf("%s: a line of the help is too long for a terminal of 80 columns: %s", path, text)
		}
	}
}

func TestHelpGoesToStdout(t *testing.T) {
	p := newProgram(t)
	for _, args := range [][]string{{"--help"}, {"list", "--help"}, {"help", "override", "add"}, {"help", "flags"}} {
		if out := p.ok(args...); !strings.Contains(out, "\n") {
			t.Errorf("%v printed %q", args, out)
		}
	}
}
