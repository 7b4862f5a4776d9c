package cli_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"visto/canon"
	"visto/ui/cli"
)

func TestEveryCommandHasHelpWithExamples(t *testing.T) {
	walk(t, cli.Commands())
}

func walk(t *testing.T, cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		walk(t, sub)
	}
	if !cmd.Runnable() || cmd.Hidden {
		return // a topic, or the child process that reads documents
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

func TestHelpOfTopics(t *testing.T) {
	p := newProgram(t)
	list := p.ok("help", "topics")
	topics := 0
	for _, cmd := range cli.Commands().Commands() {
		if cmd.Runnable() || cmd.HasSubCommands() {
			continue
		}
		topics++
		if !strings.Contains(list, "\n  "+cmd.Name()+" ") {
			t.Errorf("visto help topics does not list %s", cmd.Name())
		}
		if strings.Contains(cmd.Long, "{{") {
			t.Errorf("%s: a table was not filled in", cmd.Name())
		}
		for line := range strings.Lines(cmd.Long) {
			if n := len(strings.TrimRight(line, "\n")); n > 79 {
				t.Errorf("%s: a line of %d columns: %s", cmd.Name(), n, line)
			}
		}
	}
	if topics < 10 {
		t.Errorf("%d topics", topics)
	}
}

// The topic about evidence has every field of a line, each in the form that is read.
func TestHelpOfEvidenceHasEveryField(t *testing.T) {
	text, err := os.ReadFile("topics/evidence.txt")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"status_code", "checked_at", "redirect_chain", "failure_reason", "response_time_ms", "ssl_expiry"}
	for field := range reflect.TypeFor[canon.Evidence]().Fields() {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if !regexp.MustCompile(`(?m)^  (\w+, )*` + name + `\b|; ` + name + `:`).Match(text) {
			t.Errorf("it lacks %s", name)
		}
	}
}

// A text in help or topics that belongs to no command or topic is a mistake.
func TestEveryHelpTextIsUsed(t *testing.T) {
	used := map[string]bool{}
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		name := strings.ReplaceAll(strings.TrimPrefix(cmd.CommandPath(), "visto "), " ", "-")
		used[map[bool]string{true: "help/", false: "topics/"}[cmd.Runnable()]+name+".txt"] = true
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(cli.Commands())
	for _, pattern := range []string{"help/*", "topics/*"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			if !used[file] {
				t.Errorf("%s belongs to no command or topic", file)
			}
		}
	}
}

func TestHelpSuggests(t *testing.T) {
	p := newProgram(t)
	for name, want := range map[string]string{
		"storag": "did you mean storage?", "policys": "did you mean policies or policy?",
		"lst": "did you mean list?",
	} {
		_, stderr := p.run(2, strings.NewReader(""), "help", name)
		if first, _, _ := strings.Cut(stderr, "\n"); first != `visto: no command or topic is called "`+name+`"; `+want {
			t.Errorf("visto help %s: %s", name, first)
		}
	}
	for typed, want := range map[string]string{"stor": "storage\t", "overr": "override\t", "xyz": ":"} {
		if out := p.ok("__complete", "help", typed); !strings.HasPrefix(out, want) {
			t.Errorf("completing visto help %s: %q", typed, out)
		}
	}
}

// TestQuotedCommandsParse parses every command line of the README, of the topics and of the examples, and looks for
// every flag that a text names.
func TestQuotedCommandsParse(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	parsed := parseQuoted(t, "README.md", regexp.MustCompile("(?m)^visto .*").FindAllString(string(readme), -1))
	flags := map[string]bool{"--help": true}
	var topics []*cobra.Command
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) { flags["--"+f.Name] = true })
		cmd.PersistentFlags().VisitAll(func(f *pflag.Flag) { flags["--"+f.Name] = true })
		parsed += parseQuoted(t, cmd.CommandPath(), indented(cmd.Example+"\n"+cmd.Long))
		if !cmd.Runnable() {
			topics = append(topics, cmd)
		}
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(cli.Commands())
	for _, topic := range topics {
		for _, name := range regexp.MustCompile(`(?m)^(?:\w.*|  --.*)$`).FindAllString(topic.Long, -1) {
			for _, flag := range regexp.MustCompile(`--[a-z][a-z-]*`).FindAllString(name, -1) {
				if !flags[flag] {
					t.Errorf("%s: no command has the flag %s", topic.Name(), flag)
				}
			}
		}
	}
	if parsed < 80 {
		t.Errorf("only %d command lines were found", parsed)
	}
}

// indented returns the lines of a help text that quote a command line of visto.
func indented(text string) []string {
	return regexp.MustCompile("(?m)^  visto.*").FindAllString(text, -1)
}

// parseQuoted parses command lines, each up to a pipe, a redirection or an explanation, and returns their number.
func parseQuoted(t *testing.T, where string, lines []string) int {
	t.Helper()
	end := regexp.MustCompile(`   | +(#|\||>>?|<|&&|- <)( |$).*| {2,}\S.*`)
	for _, line := range lines {
		words := shellWords(end.Split(strings.TrimSpace(line), 2)[0])[1:]
		cmd, rest, err := cli.Commands().Find(words)
		if err == nil {
			err = cmd.ParseFlags(rest)
		}
		if err == nil {
			err = cmd.ValidateArgs(cmd.Flags().Args())
		}
		if err != nil {
			t.Errorf("%s: %s: %v", where, line, err)
		}
	}
	return len(lines)
}

// shellWords splits a command line at its spaces; single quotes keep words together.
func shellWords(line string) []string {
	var words []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 0 {
			words = append(words, strings.Fields(part)...)
		} else {
			words = append(words, part)
		}
	}
	return words
}
