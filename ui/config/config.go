package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"visto/review"
	"visto/review/lazyregexp"
)

// Config is the content of a configuration file. The zero value stands for no file.
type Config struct {
	File  string // its name, for messages
	Theme Theme
	Mouse bool
	Keys  []Keys // in the order of the file

	Columns []review.Column // of the queue; none: they follow the width of the terminal
	Reasons []string        // to choose from for a rejection; none: the usual ones
	Notes   []string        // to choose from for a note

	Commands []Command // of the reviewer's own
}

// Theme is the background that the colours are for.
type Theme string

// The themes. Auto: ask the terminal.
const (
	Auto  Theme = ""
	Dark  Theme = "dark"
	Light Theme = "light"
)

// ParseTheme reads "auto", "dark" or "light".
func ParseTheme(s string) (Theme, error) {
	switch s {
	case "auto":
		return Auto, nil
	case string(Dark), string(Light):
		return Theme(s), nil
	}
	return Auto, fmt.Errorf("%q is no theme: auto, dark or light", s)
}

// Keys are the keys that replace the default keys of an action. No keys: the action has none.
type Keys struct {
	Action string
	Keys   []string // as [ParseKey] writes them
	Line   int      // in the file
}

// settings is the table of top-level settings.
var settings = map[string]func(*Config, *yaml.Node) error{
	"theme": (*Config).readTheme,
	"mouse": (*Config).readMouse,
	"keys":  (*Config).readKeys,

	"columns": (*Config).readColumns,
	"reasons": (*Config).readReasons,
	"notes":   (*Config).readNotes,

	"commands": (*Config).readCommands,
}

// Read reads a file, which may be empty. The error reports all defects, one on a line.
func Read(name string, data []byte) (*Config, error) {
	c := &Config{File: name}
	var root, second yaml.Node
	in := yaml.NewDecoder(bytes.NewReader(data))
	if err := in.Decode(&root); errors.Is(err, io.EOF) {
		return c, nil
	} else if err != nil {
		return nil, syntaxError(name, err)
	}
	if err := in.Decode(&second); err == nil {
		return nil, fmt.Errorf("%s:%d: a second document begins here; a configuration file has one", name, second.Line)
	} else if !errors.Is(err, io.EOF) {
		return nil, syntaxError(name, err)
	}
	if root.Content[0].Tag == "!!null" {
		return c, nil
	}
	return c, c.eachKey(root.Content[0], func(key, value *yaml.Node) error {
		read, known := settings[key.Value]
		if !known {
			names := slices.Sorted(maps.Keys(settings))
			return c.at(key, "there is no setting %q: %s", key.Value, strings.Join(names, ", "))
		}
		return read(c, value)
	})
}

func (c *Config) readTheme(n *yaml.Node) (err error) {
	if c.Theme, err = ParseTheme(n.Value); err != nil {
		return c.at(n, "theme: %v", err)
	}
	return nil
}

func (c *Config) readMouse(n *yaml.Node) error {
	if n.Tag != "!!bool" || n.Decode(&c.Mouse) != nil {
		return c.at(n, "mouse: true or false is wanted")
	}
	return nil
}

func (c *Config) readColumns(n *yaml.Node) error {
	return c.eachText(n, func(value *yaml.Node) error {
		column, err := review.ParseColumn(value.Value)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(c.Columns, func(o review.Column) bool { return o.Name == column.Name }) {
			return fmt.Errorf("the column %s is there twice", column.Name)
		}
		c.Columns = append(c.Columns, column)
		return nil
	})
}

func (c *Config) readReasons(n *yaml.Node) error { return c.readTexts(n, &c.Reasons) }
func (c *Config) readNotes(n *yaml.Node) error   { return c.readTexts(n, &c.Notes) }

// readTexts reads a list of texts of one line.
func (c *Config) readTexts(n *yaml.Node, list *[]string) error {
	return c.eachText(n, func(value *yaml.Node) error {
		text := strings.TrimSpace(value.Value)
		switch {
		case text == "" || value.Tag == "!!null":
			return errors.New("this text is empty")
		case strings.ContainsAny(text, "\r\n"):
			return errors.New("a text of one line is wanted")
		case slices.Contains(*list, text):
			return fmt.Errorf("%q is there twice", text)
		}
		*list = append(*list, text)
		return nil
	})
}

// eachText calls fn for each text of a list and joins the errors, with the lines.
func (c *Config) eachText(n *yaml.Node, fn func(value *yaml.Node) error) error {
	if n.Kind != yaml.SequenceNode {
		return c.at(n, "a list is wanted here, such as [a, b]")
	}
	var errs []error
	for _, value := range n.Content {
		if value.Kind != yaml.ScalarNode {
			errs = append(errs, c.at(value, "a text is wanted here, not a list or names with values"))
		} else if err := fn(value); err != nil {
			errs = append(errs, c.at(value, "%v", err))
		}
	}
	return errors.Join(errs...)
}

func (c *Config) readKeys(n *yaml.Node) error {
	return c.eachKey(n, func(action, value *yaml.Node) error {
		nodes := value.Content
		switch value.Kind {
		case yaml.ScalarNode:
			nodes = []*yaml.Node{value}
		case yaml.SequenceNode:
		default:
			return c.at(value, "%s: a key or a list of keys is wanted, such as [a, f5], or [] for none", action.Value)
		}
		keys := make([]string, 0, len(nodes))
		var errs []error
		for _, node := range nodes {
			key, err := keyOf(node)
			if err != nil {
				errs = append(errs, c.at(node, "%s: %v", action.Value, err))
			}
			keys = append(keys, key)
		}
		c.Keys = append(c.Keys, Keys{action.Value, keys, action.Line})
		return errors.Join(errs...)
	})
}

// keyOf reads a key as it is written, although YAML takes ~ for null and y, n, 1 for other things than letters.
func keyOf(n *yaml.Node) (string, error) {
	if n.Kind != yaml.ScalarNode {
		return "", errors.New("a key is wanted, such as a, ctrl+r, f5 or enter")
	}
	return ParseKey(n.Value)
}

// eachKey calls fn for each pair of a mapping and joins the errors.
func (c *Config) eachKey(n *yaml.Node, fn func(key, value *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return c.at(n, "names with values are wanted here, such as theme: dark")
	}
	var errs []error
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if first, twice := seen[key.Value]; twice {
			errs = append(errs, c.at(key, "%s is there twice, first in line %d: take one out", key.Value, first))
			continue
		}
		seen[key.Value] = key.Line
		errs = append(errs, fn(key, n.Content[i+1]))
	}
	return errors.Join(errs...)
}

// at returns an error at the line of a node.
func (c *Config) at(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", c.File, n.Line, fmt.Sprintf(format, args...))
}

// syntaxPlace matches the line in a syntax error of the library, which leaves out line 1.
var syntaxPlace = lazyregexp.New(`^yaml: (?:line (\d+): )?`)

func syntaxError(file string, err error) error {
	match := syntaxPlace().FindStringSubmatch(err.Error())
	if match == nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return fmt.Errorf("%s:%s: %s", file, cmp.Or(match[1], "1"), strings.TrimSpace(err.Error()[len(match[0]):]))
}
