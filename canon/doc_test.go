package canon

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// letters maps the letters of the policies in the table of doc.go to their names.
var letters = map[string]string{
	"A": "aggressive", "C": "clara", "F": "fetch-guidelines", "N": "curious-now-v0", "R": "rfc3986", "S": "seoslug",
}

// TestTableOfNormalizations keeps the table in doc.go and the code in step. Every key that changes decisions has a row,
// every row is a key, and names exactly the policies that switch it on.
func TestTableOfNormalizations(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	rows := tableRows(t)
	forPeople := []string{"name", "version", "description", "extends", "rule_texts", "guidelines", "secret_params",
		"check_days", "drift_similarity", "time_zone", "second_look", "error_pages",
		"pipeline_order",
		"enforce_https", "strip_tracking_params", // seed 004's names of scheme and tracking_params_strip
		"rules", "generated_at",
		"link_type_classification", "edge_cases", "default_action", "domain_review_process"}
	seen := map[string]bool{}
	for key := range rows {
		name, _, _ := strings.Cut(key, ":")
		seen[name] = true
		if !slices.Contains(policyKeys(), name) {
			t.Errorf("the table has %q, which is no key of a policy file", name)
		}
	}
	for _, key := range policyKeys() {
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

// policyKeys returns the keys of a policy file: the fields of document, and those with a reader alone.
func policyKeys() []string {
	return slices.AppendSeq(slices.Collect(maps.Keys(fields)), maps.Keys(readers))
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

// usedBy returns the letters of the built-in policies that set the key, to the value if the row has one.
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

// TestFlagsComeFromSteps checks that the step of each flag exists.
func TestFlagsComeFromSteps(t *testing.T) {
	for _, c := range Codes() {
		if !ofReview.Has(c) && setOfStep(&pipeline, c.Step()) == 0 {
			t.Errorf("%v comes from step %q, which does not exist", c, c.Step())
		}
	}
}

// TestTourNamesEveryStep keeps the tour of the pipeline in doc.go and the table in step: the same steps in the same
// order, and a file for each.
func TestTourNamesEveryStep(t *testing.T) {
	source, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, s := range pipeline {
		i := bytes.Index(source[at:], fmt.Appendf(nil, "\n//\t%-11s ", s.id))
		if i < 0 {
			t.Fatalf("the tour in doc.go has no line for step %s behind the one before it", s.id)
		}
		at += i
		if _, err := os.Stat("step_" + s.id + ".go"); err != nil {
			t.Error(err)
		}
	}
}

// TestTraits checks the sets derived from the rows: "cleaning" holds steps 2 to 7 of seed 000, and "editingPath" the
// steps that may change the path between scan and classify.
func TestTraits(t *testing.T) {
	p, err := Builtin(DefaultPolicy)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		got  stepSet
		want string
	}{
		{"cleaning", p.triggers.cleaning, "scheme host session tracking fragment path"},
		{"editingPath", p.triggers.editingPath, "session path"},
		{"editing", p.triggers.editing,
			"scheme host session tracking fragment path www override pagination query"},
	} {
		var got []string
		for i, s := range pipeline {
			if c.got>>i&1 == 1 {
				got = append(got, s.id)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s is %v, want %s", c.name, got, c.want)
		}
	}
}
