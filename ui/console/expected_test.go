package console_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
)

// expected holds the right decisions of a set, in the format of testdata/keys/README.md.
type expected struct {
	places map[string][]placeDecision // by original URL
	rules  map[string]bool            // that may be saved, as ruleLines writes them
}

// placeDecision is the right decision for a URL in one place: approve, reject, correct or open.
type placeDecision struct{ place, decision, target string }

// readExpected reads the files of the sets that were added.
func readExpected(t *testing.T, sets ...string) expected {
	t.Helper()
	want := expected{map[string][]placeDecision{}, map[string]bool{}}
	for _, set := range sets {
		data, err := os.ReadFile("../../testdata/keys/" + set + ".expected")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			line, _, _ = strings.Cut(line, "# ")
			words := strings.Fields(line)
			switch {
			case len(words) == 0:
			case words[0] == "rule":
				want.rules[strings.Join(words[1:], " ")] = true
			case len(words) == 3:
				want.places[words[1]] = append(want.places[words[1]], placeDecision{words[2], words[0], ""})
			case len(words) == 5 && words[3] == "=>":
				want.places[words[1]] = append(want.places[words[1]], placeDecision{words[2], words[0], words[4]})
			default:
				t.Fatalf("%s.expected: not understood: %q", set, line)
			}
		}
	}
	return want
}

// covers checks that there is a decision for each place of each waiting URL, and for no other.
func (want expected) covers(t *testing.T, start map[string]review.Item) {
	t.Helper()
	for url, it := range start {
		for _, o := range it.Citing() {
			has := slices.ContainsFunc(want.places[url], func(p placeDecision) bool { return p.place == placeOf(o) })
			if it.Open() != has {
				t.Errorf("%s in %s: waits %t, has a decision %t", url, placeOf(o), it.Open(), has)
			}
		}
	}
	for url := range want.places {
		if _, ok := start[url]; !ok {
			t.Errorf("%s is not in the set", url)
		}
	}
}

func placeOf(o review.Occurrence) string { return filepath.Base(o.File) + ":" + o.Path }

// outcome compares a database with the right decisions, URL by URL. A URL is right or wrong as a whole. One that could
// have been decided and still waits, or is put off, is left.
type outcome struct{ right, wrong, left []string }

func (want expected) compare(start, end map[string]review.Item) (o outcome) {
	for url, places := range want.places {
		before, after := start[url], end[url]
		wrong, left, decided := false, false, false
		for _, p := range places {
			got, target := decisionIn(&before, &after, p.place)
			switch {
			case got == p.decision && target == p.target:
				decided = decided || got != "open"
			case got == "open":
				left = true
			default:
				wrong = true
			}
		}
		switch {
		case wrong:
			o.wrong = append(o.wrong, url)
		case left:
			o.left = append(o.left, url)
		case decided:
			o.right = append(o.right, url)
		}
	}
	slices.Sort(o.wrong)
	slices.Sort(o.left)
	return o
}

// decisionIn returns what holds for a URL in a place; target is the URL of a correction.
func decisionIn(before, after *review.Item, place string) (decision, target string) {
	for _, o := range after.Citing() {
		if placeOf(o) != place {
			continue
		}
		it := after.For(o.Citer)
		switch {
		case !settled(&it):
			return "open", ""
		case it.Status == review.Rejected:
			return "reject", ""
		case it.Canonical() != before.Canonical():
			return "correct", it.Canonical()
		}
		return "approve", ""
	}
	return "no such place", ""
}

// settled reports whether an item is decided: one that is put off is not.
func settled(it *review.Item) bool { return !it.Open() && it.Status != review.Deferred }

// unexpectedRules returns the rules of the store that no .expected file allows.
func (want expected) unexpectedRules(stored []review.StoredOverride) (list []string) {
	for _, s := range stored {
		for _, line := range ruleLines(s.Override) {
			if !want.rules[line] {
				list = append(list, line)
			}
		}
	}
	return list
}

// ruleLines writes an override as a line for each of its values: where it holds, the key and the value.
func ruleLines(o canon.Override) (lines []string) {
	data, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	values := map[string]any{}
	if err := json.Unmarshal(data, &values); err != nil {
		panic(err)
	}
	delete(values, "match")
	delete(values, "note")
	for key, value := range values {
		list, ok := value.([]any)
		if !ok {
			list = []any{value}
		}
		for _, v := range list {
			lines = append(lines, fmt.Sprintf("%s %s %v", o.Match, key, v))
		}
	}
	return lines
}
