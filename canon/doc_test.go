package canon

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// letters are the policies as the table of normalizations in doc.go names them.
var letters = map[string]string{
	"A": "aggressive", "C": "clara", "F": "fetch-guidelines", "N": "curious-now-v0", "R": "rfc3986", "S": "seoslug",
}

// TestTableOfNormalizations keeps the table in doc.go and the code in step: every key of a policy file that changes what is
// done has a row, every row is a key, and the policies named in it are those that switch it on.
func TestTableOfNormalizations(t *testing.T) {
	rows := tableRows(t)
	forPeople := []string{"name", "version", "description", "extends", "rule_texts", "guidelines", "pipeline_order", "rules", "generated_at",
		"link_type_classification", "edge_cases", "default_action", "domain_review_process"}
	seen := map[string]bool{}
	for key := range rows {
		name, _, _ := strings.Cut(key, ":")
		seen[name] = true
		if keys[name] == nil {
			t.Errorf("the table has %q, which is no key of a policy file", name)
		}
	}
	for key := range keys {
		if !seen[key] && !slices.Contains(forPeople, key) {
			t.Errorf("key %s has no row in the table", key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		if got := usedBy(t, key); got != rows[key] {
			t.Errorf("%s: the table says %q, the policies %q", key, rows[key], got)
		}
	}
}

// tableRows returns the policies of each row, by key.
func tableRows(t *testing.T) map[string]string {
	t.Helper()
	source, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := bytes.Cut(source, []byte("safe?    source\n"))
	if !ok {
		t.Fatal("doc.go has no table of normalizations")
	}
	rows := map[string]string{}
	for line := range strings.Lines(string(table)) {
		row, ok := strings.CutPrefix(line, "//\t")
		if !ok {
			return rows
		}
		key := strings.TrimSpace(row[:38])
		var used []string
		for _, word := range strings.Fields(row[38:]) {
			if letters[word] == "" {
				break
			}
			used = append(used, word)
		}
		rows[key] = strings.Join(used, " ")
	}
	return rows
}

// usedBy returns the letters of the built-in policies that have the key set, to the value if one is named.
func usedBy(t *testing.T, row string) string {
	t.Helper()
	key, value, _ := strings.Cut(row, ": ")
	var used []string
	for _, letter := range slices.Sorted(maps.Keys(letters)) {
		p, err := Builtin(letters[letter])
		if err != nil {
			t.Fatal(err)
		}
		var doc map[string]yaml.Node
		if err := yaml.Unmarshal(p.YAML(), &doc); err != nil {
			t.Fatal(err)
		}
		node := doc[key]
		set := len(node.Content) > 0 || node.Value != "" && node.Value != "false"
		if set && (value == "" || node.Value == value) {
			used = append(used, letter)
		}
	}
	return strings.Join(used, " ")
}

// TestStepsNamedByNumber keeps the bits of the rows that steps ask about in step with the table.
func TestStepsNamedByNumber(t *testing.T) {
	names := map[stepSet]string{
		parseStep: "parse", schemeStep: "scheme", hostStep: "host", sessionStep: "session", trackingStep: "tracking",
		fragmentStep: "fragment", pathStep: "path", redirectsStep: "redirects", wwwStep: "www", overrideStep: "override",
		languageStep: "language", paginationStep: "pagination", queryStep: "query", classifyStep: "classify",
	}
	var all stepSet
	for set, id := range names {
		if setOfStep(id) != set {
			t.Errorf("step %s is not bit %b", id, set)
		}
		all |= set
	}
	if len(names) != len(pipeline) || all != allSteps {
		t.Errorf("%d of %d steps are named, %b of %b", len(names), len(pipeline), all, allSteps)
	}
	var clean stepSet
	for _, id := range []string{"scheme", "host", "session", "tracking", "fragment", "path"} {
		clean |= setOfStep(id)
	}
	if clean != cleaning {
		t.Errorf("cleaning is %b, the steps are %b", cleaning, clean)
	}
	for _, c := range Codes() {
		if c != ChangedSinceApproval && stepNamed(c.Step()) == nil {
			t.Errorf("%v comes from step %q, which there is not", c, c.Step())
		}
	}
}
