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
		"unknown setting": {"theme: dark\ncolour: red\n", []string{`c.yaml:2: there is no setting "colour"`}},
		"theme":           {"theme: pink\n", []string{`c.yaml:1: theme: "pink" is no theme: auto, dark or light`}},
		"mouse":           {"mouse: maybe\n", []string{"c.yaml:1: mouse: true or false"}},
		"no key":          {"keys:\n  approve: [a, hyper]\n", []string{`c.yaml:2: approve: there is no key "hyper"`}},
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
		"no list":        {"columns: url\n", []string{"c.yaml:1: a list is wanted"}},
		"no text":        {"columns: [[url]]\n", []string{"c.yaml:1: a text is wanted"}},
		"two documents":  {"theme: dark\n---\ntheme: light\n", []string{"c.yaml:2: a second document"}},
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
