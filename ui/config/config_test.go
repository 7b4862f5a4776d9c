package config_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"visto/review"
	"visto/ui/config"
)

func TestRead(t *testing.T) {
	const data = "theme: light\nmouse: true\nkeys:\n" +
		"  approve: [y, F5]\n  note: n\n  defer: []\n  mark: \" \"\n  quit: ~\n"
	c, err := config.Read("config.yaml", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	want := &config.Config{File: "config.yaml", Theme: config.Light, Mouse: true, Keys: []config.Keys{
		{Action: "approve", Keys: []string{"y", "f5"}, Line: 4}, {Action: "note", Keys: []string{"n"}, Line: 5},
		{Action: "defer", Keys: []string{}, Line: 6}, {Action: "mark", Keys: []string{"space"}, Line: 7},
		{Action: "quit", Keys: []string{"~"}, Line: 8},
	}}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("%+v", c)
	}
}

func TestReadColumns(t *testing.T) {
	c, err := config.Read("c.yaml", []byte("columns: [flag 18, url, attr:topic, \"attr:a: b 12\"]\n"))
	want := []review.Column{{Name: "flag", Width: 18}, {Name: "url"}, {Name: "attr:topic"},
		{Name: "attr:a: b", Width: 12}}
	if err != nil || !reflect.DeepEqual(c.Columns, want) {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestReadTexts(t *testing.T) {
	c, err := config.Read("c.yaml", []byte("reasons:\n- no longer there\n- 404\nnotes: [\" ask: the body \"]\n"))
	if err != nil || !slices.Equal(c.Reasons, []string{"no longer there", "404"}) ||
		!slices.Equal(c.Notes, []string{"ask: the body"}) {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestReadCommands(t *testing.T) {
	const data = `commands:
- name: Web archive
  key: [W, f6]
  run: [curl, -sI, "https://archive.org/wayback/available?url={url}"]
  output: reader
- {name: edit, run: [vi, "+/{{id}", --, "{file}"], where: [queue]}
- name: flagged
  where: [causes]
  run: [grep, "{flag}", "{host}"]
  output: none
`
	c, err := config.Read("c.yaml", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	want := []config.Command{
		{Name: "Web archive", Keys: []string{"W", "f6"}, Output: config.Reader, Line: 2,
			Where: []string{"queue", "detail"},
			Run:   []string{"curl", "-sI", "https://archive.org/wayback/available?url={url}"}},
		{Name: "edit", Run: []string{"vi", "+/{{id}", "--", "{file}"}, Where: []string{"queue"},
			Output: config.Terminal, Line: 6},
		{Name: "flagged", Run: []string{"grep", "{flag}", "{host}"}, Where: []string{"causes"}, Output: config.None,
			Line: 7},
	}
	if !reflect.DeepEqual(c.Commands, want) {
		t.Errorf("%+v", c.Commands)
	}
	if args, err := c.Commands[1].Args(map[string]string{"file": "-rf"}); err != nil || args[1] != "+/{id}" {
		t.Errorf("%q, %v", args, err)
	}
}

// A value is a part of one argument, whatever is in it.
func TestArgs(t *testing.T) {
	evil := "a b; rm -rf / $(x) `x` 'q' \"{id}\" \n*"
	values := map[string]string{"url": evil, "id": "7", "file": "-o/etc/passwd", "empty": ""}
	for _, tc := range []struct {
		run  []string
		want []string // nil: an error
		why  string
	}{
		{[]string{"p", "{url}", "x{id}{url}"}, []string{"p", evil, "x7" + evil}, ""},
		{[]string{"p", "-f{file}", "--id={id}"}, []string{"p", "-f-o/etc/passwd", "--id=7"}, ""},
		{[]string{"p", "--", "{file}"}, []string{"p", "--", "-o/etc/passwd"}, ""},
		{[]string{"p", "./{file}"}, []string{"p", "./-o/etc/passwd"}, ""},
		{[]string{"p", "{file}"}, nil, `"-o/etc/passwd" would be an option of p: put -- before {file}`},
		{[]string{"p", "{file}", "--"}, nil, "would be an option"},
		{[]string{"p", "{record}"}, nil, "there is no record here"},
		{[]string{"p", "{a: .b}", "{{url}", "}"}, []string{"p", "{a: .b}", "{url}", "}"}, ""},
	} {
		got, err := (&config.Command{Run: tc.run}).Args(values)
		if !slices.Equal(got, tc.want) || (err == nil) != (tc.why == "") ||
			err != nil && !strings.Contains(err.Error(), tc.why) {
			t.Errorf("%q: %q, %v", tc.run, got, err)
		}
	}
}

func TestReadNothing(t *testing.T) {
	for _, data := range []string{"", "# theme: dark\n", "---\n"} {
		c, err := config.Read("config.yaml", []byte(data))
		if err != nil || len(c.Keys) > 0 || c.Theme != config.Auto || c.Mouse {
			t.Errorf("%q: %+v, %v", data, c, err)
		}
	}
}

func TestBadFiles(t *testing.T) {
	for name, tc := range map[string]struct {
		data string
		want []string
	}{
		"unknown setting": {"theme: dark\ncolour: red\n", []string{
			`c.yaml:2: there is no setting "colour": columns, commands, keys, mouse, notes, reasons, theme`}},
		"theme":  {"theme: pink\n", []string{`c.yaml:1: theme: "pink" is no theme: auto, dark or light`}},
		"mouse":  {"mouse: maybe\n", []string{"c.yaml:1: mouse: true or false"}},
		"no key": {"keys:\n  approve: [a, hyper]\n", []string{`c.yaml:2: approve: there is no key "hyper"`}},
		"more than one error": {"theme: x\nkeys:\n  approve: foo\n  defer: {a: b}\n",
			[]string{"c.yaml:1: theme", "c.yaml:3: approve", "c.yaml:4: defer: a key or a list"}},
		"list in a list": {"keys:\n  approve: [[a]]\n", []string{"c.yaml:2: approve: a key is wanted"}},
		"twice": {"keys:\n  approve: a\n  approve: b\n",
			[]string{"c.yaml:3: approve is there twice, first in line 2"}},
		"no mapping":     {"keys: [a]\n", []string{"c.yaml:1: names with values"}},
		"top":            {"- a\n", []string{"c.yaml:1: names with values"}},
		"syntax":         {"keys:\n\ta: b\n", []string{"c.yaml:2: "}},
		"no column":      {"columns:\n- url\n- colour\n", []string{`c.yaml:3: there is no column "colour"`}},
		"a column twice": {"columns: [url, flag,\n  url]\n", []string{"c.yaml:2: the column url is there twice"}},
		"empty reason":   {"reasons:\n- a\n-\n", []string{"c.yaml:3: this text is empty"}},
		"blank note":     {"notes: [\" \"]\n", []string{"c.yaml:1: this text is empty"}},
		"lines":          {"notes: [\"a\\nb\"]\n", []string{"c.yaml:1: a text of one line"}},
		"reason twice":   {"reasons: [a,\n  a]\n", []string{`c.yaml:2: "a" is there twice`}},
		"no commands":    {"commands: {}\n", []string{"c.yaml:1: commands: a list is wanted"}},
		"half a command": {"commands:\n- name: x\n- run: [x]\n",
			[]string{"c.yaml:2: a command needs", "c.yaml:3: a comm"}},
		"an odd name": {"commands: [{name: \"x\\e\", run: [x]}]\n", []string{"c.yaml:1: name: letters"}},
		"an odd setting": {"commands:\n- name: x\n  shell: y\n",
			[]string{`c.yaml:3: a command has no setting "shell"`}},
		"no such key": {"commands:\n- name: x\n  key: [W, hyper]\n",
			[]string{`c.yaml:3: key: there is no key "hyper"`}},
		"a bare brace": {"commands:\n- name: x\n  run: [x, {url}]\n",
			[]string{"c.yaml:3: a text", `"quotes" around`}},
		"no variable": {"commands:\n- name: x\n  run: [x,\n    \"{url} {flag}\"]\n",
			[]string{"c.yaml:4: run: there is no variable {flag} in queue: url, "}},
		"no variable there": {"commands:\n- name: x\n  run: [x, \"{url}\"]\n  where: [causes]\n",
			[]string{"c.yaml:3: run: there is no variable {url} in causes: flag, host, path, param"}},
		"a variable program": {"commands:\n- name: x\n  run: [\"{url}\"]\n", []string{"c.yaml:3: run: the program"}},
		"no program":         {"commands:\n- name: x\n  run: []\n", []string{"c.yaml:3: run: a program"}},
		"nowhere": {"commands:\n- name: x\n  run: [x]\n  where: []\n",
			[]string{"c.yaml:4: where: a place is wanted"}},
		"no place": {"commands:\n- name: x\n  where: [log]\n",
			[]string{`c.yaml:3: where: there is no place "log"`}},
		"no output": {"commands:\n- name: x\n  output: popup\n",
			[]string{`c.yaml:3: output: "popup" is none`}},
		"no list":       {"columns: url\n", []string{"c.yaml:1: a list is wanted"}},
		"no text":       {"columns: [[url]]\n", []string{"c.yaml:1: a text is wanted"}},
		"two documents": {"theme: dark\n---\ntheme: light\n", []string{"c.yaml:2: a second document"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := config.Read("c.yaml", []byte(tc.data))
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range tc.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in:\n%v", want, err)
				}
			}
		})
	}
}

func TestParseKey(t *testing.T) {
	for in, want := range map[string]string{
		"a": "a", "A": "A", "ñ": "ñ", "*": "*", "+": "+", "ctrl++": "ctrl++", "ctrl+R": "ctrl+r",
		"Ctrl+r": "ctrl+r", "alt+X": "alt+X",
		"alt+ctrl+x": "ctrl+alt+x", "Shift+Tab": "shift+tab", "F5": "f5", "Escape": "esc", "PageDown": "pgdown",
		"ctrl+space": "ctrl+space", " ": "space", "Del": "delete",
	} {
		if got, err := config.ParseKey(in); err != nil || got != want {
			t.Errorf("%q is %q, %v; not %q", in, got, err, want)
		}
	}
	for in, want := range map[string]string{
		"": "there is no key", "ab": "there is no key", "ctrl+": "there is no key", "shift+a": "write the sign",
		"ctrl+i": "is tab", "ctrl+[": "is esc",
		"ctrl+c": "always quits", "\x1b": "there is no key", "\u200b": "there is no key",
		"\u0301": "there is no key", "f99": "there is no key",
	} {
		if got, err := config.ParseKey(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is %q, %v", in, got, err)
		}
	}
}
