package canon_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"visto/canon"
)

// switchedOff is what a key of the table in doc.go can be besides the value of a row, so that a golden case shows the difference. A key
// that is missing is a list, which is emptied.
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
	"collapse_duplicate_slashes": {"true", "false"}, "lowercase_paths": {"true", "false"}, "remove_index_pages": {"true", "false"},
	"session_segments": {"true", "false"}, "escape_query_values": {"true", "false"}, "flag_unknown_params": {"true", "false"}, "classify": {"true", "false"},
	"www_mappings": {"{}"}, "default_values": {"{}"}, "languages": {"{}"},
}

// TestEverySwitchHasGoldenCases goes through the table of normalizations in doc.go. For each row there is a golden case that fails where the
// switch is ignored, whichever other value is followed in its place; and for each value that is not in a row, for it is the plain one, too.
func TestEverySwitchHasGoldenCases(t *testing.T) {
	var all []*switched
	policies := map[string]*canon.Policy{}
	for _, dir := range []string{"canon", "policy"} {
		for _, cases := range goldens(t, dir) {
			for _, g := range cases {
				all = append(all, newSwitched(t, g, policies))
			}
		}
	}
	for key, values := range tableOfSwitches(t) {
		t.Run(key, func(t *testing.T) {
			if key == "needs_canonical_host" {
				return // asked for before anything is canonicalized: TestPolicyForOneSite
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

// plainValue is the value of a switch that no row names.
func plainValue(all, named []string) (list []string) {
	for _, value := range all {
		if !slices.Contains(named, value) && !strings.HasPrefix(value, "one ") {
			list = append(list, value)
		}
	}
	return list
}

// shows checks that for each other value of the key some case, whose policy has this one, comes out otherwise.
func shows(t *testing.T, all []*switched, key, value string, others []string) {
	t.Helper()
	for _, other := range others {
		if other != value && !slices.ContainsFunc(all, func(s *switched) bool { return s.tells(t, key, value, other) }) {
			t.Errorf("%s: no golden case tells %q from %q", key, value, other)
		}
	}
}

// switched is a golden case whose switches can be changed.
type switched struct {
	golden
	over     map[string]string // what it lays over its policy
	doc      map[string]yaml.Node
	policies map[string]*canon.Policy // made so far, by what they are made of; cases share them
}

func newSwitched(t *testing.T, g golden, policies map[string]*canon.Policy) *switched {
	t.Helper()
	s := &switched{golden: g, over: g.overlay(t), policies: policies}
	if err := yaml.Unmarshal(s.made(t, s.over).YAML(), &s.doc); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *switched) made(t *testing.T, over map[string]string) *canon.Policy {
	t.Helper()
	id := fmt.Sprint(s.base(), over) // maps are printed in order
	if s.policies[id] == nil {
		s.policies[id] = s.policyWith(t, over)
	}
	return s.policies[id]
}

// tells reports whether the case, if its policy has the value, fails with the other one. Without a value it is any that the policy has.
func (s *switched) tells(t *testing.T, key, value, other string) bool {
	t.Helper()
	node := s.doc[key]
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
	r := s.canonicalizer(t, s.made(t, over)).Explain(s.input(t), s.evidence(t))
	return len(s.mismatches(r)) > 0
}

// tableOfSwitches returns the keys of the table in doc.go with the values of their rows; one without a value has the empty one.
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
