package canon_test

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// switchedOff holds the other values of each key in the table of doc.go. A key without an entry is a list, which is
// emptied.
var switchedOff = map[string][]string{
	"scheme":         {"https", "http", "known-https", "keep"},
	"redirects":      {"follow", "ignore"},
	"www":            {"map", "strip", "add", "keep"},
	"canonical_host": {"another.example.com"}, "public_base_url": {"'http://another.example.com/another'"},
	"percent_encoding": {"normal", "keep"},
	"trailing_slash":   {"never", "never-but-root", "always", "preserve"},
	"fragment":         {"drop", "keep"}, "empty_query": {"drop", "keep"},
	"sort_query":           {"none", "key", "key-value"},
	"session_params_regex": {"x"}, "ip_to_name": {"true", "false"}, "resolve_dot_segments": {"true", "false"},
	"collapse_duplicate_slashes": {"true", "false"}, "lowercase_paths": {"true", "false"},
	"remove_index_pages": {"true", "false"},
	"session_segments":   {"true", "false"}, "escape_query_values": {"true", "false"},
	"plus_is_space":       {"true", "false"},
	"flag_unknown_params": {"true", "false"}, "flag_pasted_text": {"true", "false"}, "classify": {"true", "false"},
	"www_mappings": {"{}"}, "default_values": {"{}"}, "languages": {"{}"}, "blocklist": {"{}"},
}

// TestEverySwitchHasGoldenCases goes through the table of normalizations in doc.go. For each row some golden case fails
// if another value of the switch is in effect. The same holds for the plain value, which has no row.
func TestEverySwitchHasGoldenCases(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	var all []*switched
	for _, dir := range []string{"canon", "policy"} {
		for _, cases := range goldens(t, dir) {
			for _, g := range cases {
				all = append(all, newSwitched(t, g))
			}
		}
	}
	for key, values := range tableOfSwitches(t) {
		t.Run(key, func(t *testing.T) {
			if key == "needs_canonical_host" {
				return // TestPolicyForOneSite checks it
			}
			others := switchedOff[key]
			switch {
			case key == "max_length" || key == "max_hops":
				others = []string{"one more", "one less"}
			case others == nil:
				others = []string{"[]"}
			}
			if values[0] == "" {
				shows(t, all, key, "", others)
				return
			}
			for _, value := range append(values, plainValue(others, values)...) {
				shows(t, all, key, value, others)
			}
		})
	}
}

// plainValue returns the values of a switch that no row names.
func plainValue(all, named []string) (list []string) {
	for _, value := range all {
		if !slices.Contains(named, value) && !strings.HasPrefix(value, "one ") {
			list = append(list, value)
		}
	}
	return list
}

// shows checks that for each other value of the key, the result of some case with this value changes.
func shows(t *testing.T, all []*switched, key, value string, others []string) {
	t.Helper()
	for _, other := range others {
		differs := func(s *switched) bool { return s.tells(t, key, value, other) }
		if other != value && !slices.ContainsFunc(all, differs) {
			t.Errorf("%s: no golden case tells %q from %q", key, value, other)
		}
	}
}

// switched is a golden case with switches that can be changed.
type switched struct {
	golden
	over map[string]string // the overlay of the case
	doc  map[string]yaml.Node
}

func newSwitched(t *testing.T, g golden) *switched {
	t.Helper()
	s := &switched{golden: g, over: g.overlay(t)}
	if err := yaml.Unmarshal(s.policyWith(t, s.over).YAML(), &s.doc); err != nil {
		t.Fatal(err)
	}
	return s
}

// tells reports whether the case fails with the other value. Its policy must have value, or with "" any value.
func (s *switched) tells(t *testing.T, key, value, other string) bool {
	t.Helper()
	node, written := s.doc[key]
	if !written && value == "false" {
		node.Value = value // a key that is left out where it is not set
	}
	if value == "" && node.Value == "" && len(node.Content) == 0 || value != "" && node.Value != value {
		return false
	}
	n, _ := strconv.Atoi(node.Value)
	switch other {
	case "one more":
		other = strconv.Itoa(n + 1)
	case "one less":
		other = strconv.Itoa(n - 1)
	}
	over := maps.Clone(s.over)
	over[key] = other
	r := s.canonicalizer(t, s.policyWith(t, over)).Explain(s.input(t), s.evidence(t))
	return len(s.mismatches(r)) > 0
}

// tableOfSwitches returns the keys of the table in doc.go with the values of their rows, "" for a row without a value.
func tableOfSwitches(t *testing.T) map[string][]string {
	t.Helper()
	source, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := bytes.Cut(source, []byte("safe?    source\n"))
	rows := map[string][]string{}
	for line := range strings.Lines(string(table)) {
		row, ok := strings.CutPrefix(line, "//\t")
		if !ok {
			break
		}
		key, value, _ := strings.Cut(strings.TrimSpace(row[:38]), ": ")
		if key == "max_length" || key == "max_hops" {
			value = ""
		}
		rows[key] = append(rows[key], value)
	}
	if len(rows) < 30 {
		t.Fatalf("doc.go has a table of %d switches", len(rows))
	}
	return rows
}
