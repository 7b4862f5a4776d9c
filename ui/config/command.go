package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"visto/review/lazyregexp"
)

// Command is a program of the reviewer's own, to be run on the URL or the cause under the cursor. No shell is involved.
type Command struct {
	Name   string
	Keys   []string // as [ParseKey] writes them; none: it is run by its name
	Run    []string // the program and its arguments, with variables
	Where  []string // names of [Places]
	Output Output
	Line   int // in the file
}

// Output is the place of a command's output.
type Output string

// The outputs. Only Terminal gives the program the terminal, which the console takes back once it ends; the others run
// in the background.
const (
	Terminal Output = "terminal"
	Reader   Output = "reader" // shown once the program has ended
	None     Output = "none"   // only its exit status is told; the program may outlive the console
)

// urlVariables are the variables of a URL and of the first place that cites it.
var urlVariables = []string{
	"url", // the canonical URL or, without one, the original
	"canonical", "original", "id", "host", "title",
	"record", "record-name", // its ID and its name, each the other if it is missing
	"field", "file",
}

// places are the places where a command can be run, each with its variables.
var places = map[string][]string{
	"queue": urlVariables, "detail": urlVariables,
	"causes": {"flag", "host", "path", "param"},
}

// commandSettings is the table of the settings of a command.
var commandSettings = map[string]func(*Config, *Command, *yaml.Node) error{
	"name": (*Config).readCommandName, "key": (*Config).readCommandKey, "run": (*Config).readRun,
	"where": (*Config).readWhere, "output": (*Config).readOutput,
}

func (c *Config) readCommands(n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode {
		return c.at(n, "commands: a list is wanted here, each with name and run")
	}
	var errs []error
	for _, node := range n.Content {
		errs = append(errs, c.readCommand(node))
	}
	return errors.Join(errs...)
}

func (c *Config) readCommand(n *yaml.Node) error {
	cmd := Command{Where: []string{"queue", "detail"}, Output: Terminal, Line: n.Line}
	var run *yaml.Node
	err := c.eachKey(n, func(key, value *yaml.Node) error {
		read := commandSettings[key.Value]
		if read == nil {
			names := slices.Sorted(maps.Keys(commandSettings))
			return c.at(key, "a command has no setting %q: %s", key.Value, strings.Join(names, ", "))
		}
		if key.Value == "run" {
			run = value
		}
		return read(c, &cmd, value)
	})
	switch {
	case err != nil:
		return err
	case cmd.Name == "" || run == nil:
		return c.at(n, "a command needs name and run")
	}
	c.Commands = append(c.Commands, cmd)
	return c.checkVariables(&cmd, run)
}

func (c *Config) readCommandName(cmd *Command, n *yaml.Node) error {
	if !commandName().MatchString(n.Value) {
		return c.at(n, "name: letters, digits, spaces and - are wanted, such as Web archive")
	}
	cmd.Name = n.Value
	return nil
}

var commandName = lazyregexp.New(`^\p{L}[\p{L}\p{N}-]*( [\p{L}\p{N}-]+)*$`)

func (c *Config) readCommandKey(cmd *Command, n *yaml.Node) error {
	nodes := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		nodes = n.Content
	}
	for _, node := range nodes {
		key, err := keyOf(node)
		if err != nil {
			return c.at(node, "key: %v", err)
		}
		cmd.Keys = append(cmd.Keys, key)
	}
	return nil
}

func (c *Config) readRun(cmd *Command, n *yaml.Node) error {
	err := c.eachText(n, func(value *yaml.Node) error {
		cmd.Run = append(cmd.Run, value.Value)
		return nil
	})
	if err != nil {
		return fmt.Errorf(`%w (put "quotes" around a variable)`, err)
	}
	if len(cmd.Run) == 0 || cmd.Run[0] == "" {
		return c.at(n, "run: a program and its arguments are wanted")
	}
	return nil
}

func (c *Config) readWhere(cmd *Command, n *yaml.Node) error {
	if cmd.Where = nil; n.Kind == yaml.SequenceNode && len(n.Content) == 0 {
		return c.at(n, "where: a place is wanted: queue, detail, causes")
	}
	return c.eachText(n, func(value *yaml.Node) error {
		if places[value.Value] == nil {
			return fmt.Errorf("where: there is no place %q: queue, detail, causes", value.Value)
		}
		cmd.Where = append(cmd.Where, value.Value)
		return nil
	})
}

func (c *Config) readOutput(cmd *Command, n *yaml.Node) error {
	cmd.Output = Output(n.Value)
	if !slices.Contains([]Output{Terminal, Reader, None}, cmd.Output) {
		return c.at(n, "output: %q is none: terminal, reader or none", n.Value)
	}
	return nil
}

// variable is a variable in an argument, or a brace that begins none.
var variable = lazyregexp.New(`\{\{|\{[a-z-]+\}`)

// checkVariables reports variables that a place of the command does not have, and any in the name of the program.
func (c *Config) checkVariables(cmd *Command, run *yaml.Node) error {
	var errs []error
	for i, arg := range cmd.Run {
		for _, v := range variable().FindAllString(arg, -1) {
			name := strings.Trim(v, "{}")
			for _, place := range cmd.Where {
				if v != "{{" && !slices.Contains(places[place], name) {
					errs = append(errs, c.at(run.Content[i], "run: there is no variable %s in %s: %s; {{ is a brace",
						v, place, strings.Join(places[place], ", ")))
				}
			}
			if i == 0 {
				errs = append(errs, c.at(run.Content[i], "run: the program itself is no variable"))
			}
		}
	}
	return errors.Join(errs...)
}

// Args returns the program and its arguments with the values of the variables in their places. A value never becomes
// more than its part of one argument, and never begins an option: unless -- stands before it, an argument that would
// begin with - because of a value is an error. So is a variable without a value.
func (cmd *Command) Args(values map[string]string) (args []string, err error) {
	for i, arg := range cmd.Run {
		text := variable().ReplaceAllStringFunc(arg, func(v string) string {
			name := strings.Trim(v, "{}")
			switch {
			case v == "{{":
				return "{"
			case values[name] == "":
				err = fmt.Errorf("there is no %s here", name)
			}
			return values[name]
		})
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(text, "-") && !strings.HasPrefix(arg, "-") && !slices.Contains(cmd.Run[:i], "--") {
			return nil, fmt.Errorf("%q would be an option of %s: put -- before %s in the configuration", text,
				cmd.Run[0], arg)
		}
		args = append(args, text)
	}
	return args, nil
}
