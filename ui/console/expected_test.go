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
// have been decided and still waits, or is put off, is left. One that did not wait has to stay as it was.
type outcome struct{ right, wrong, left []string }

func (want expected) compare(start, end map[string]review.Item) (o outcome) {
	for url, before := range start {
		switch after := end[url]; want.judge(url, &before, &after) {
		case "right":
			o.right = append(o.right, url)
		case "wrong":
			o.wrong = append(o.wrong, url)
		case "left":
			o.left = append(o.left, url)
		}
	}
	slices.Sort(o.wrong)
	slices.Sort(o.left)
	return o
}

// judge compares a URL in all its places. It returns nothing for a URL about which nothing was to be decided.
func (want expected) judge(url string, before, after *review.Item) (verdict string) {
	if want.places[url] == nil && (after.Status != before.Status || after.Canonical() != before.Canonical()) {
		return "wrong"
	}
	for _, p := range want.places[url] {
		switch got, target := decisionIn(before, after, p.place); {
		case got == p.decision && target == p.target:
			if got != "open" && verdict == "" {
				verdict = "right"
			}
		case got == "open":
			verdict = "left"
		default:
			return "wrong"
		}
	}
	return verdict
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

// A URL counts once, as right, wrong or left; one that did not wait is wrong if it changed.
func TestOutcome(t *testing.T) {
	item := func(status review.Status, canonical string) review.Item {
		return review.Item{Status: status, Computed: review.Computed{Canonical: canonical},
			Decision:    &review.Decision{Canonical: canonical},
			Occurrences: []review.Occurrence{{File: "set.yaml", Path: "/0/url"}}}
	}
	const url, page = "https://boe.es", "https://boe.es/a"
	expect := func(decision, target string) expected {
		return expected{places: map[string][]placeDecision{url: {{"set.yaml:/0/url", decision, target}}}}
	}
	waiting, accepted := item(review.Pending, url), item(review.Accepted, url)
	for name, c := range map[string]struct {
		want               expected
		start, end         review.Item
		right, wrong, left int
	}{
		"as expected":      {expect("approve", ""), waiting, item(review.Approved, url), 1, 0, 0},
		"open as expected": {expect("open", ""), waiting, waiting, 0, 0, 0},
		"decided wrongly":  {expect("open", ""), waiting, item(review.Approved, url), 0, 1, 0},
		"not corrected":    {expect("correct", page), waiting, item(review.Approved, url), 0, 1, 0},
		"corrected":        {expect("correct", page), waiting, item(review.Approved, page), 1, 0, 0},
		"put off":          {expect("approve", ""), waiting, item(review.Deferred, url), 0, 0, 1},
		"still waits":      {expect("reject", ""), waiting, waiting, 0, 0, 1},
		"did not wait":     {expected{}, accepted, item(review.Rejected, url), 0, 1, 0},
		"changed by rule":  {expected{}, accepted, item(review.Accepted, page), 0, 1, 0},
		"not touched":      {expected{}, accepted, accepted, 0, 0, 0},
	} {
		o := c.want.compare(map[string]review.Item{url: c.start}, map[string]review.Item{url: c.end})
		if len(o.right) != c.right || len(o.wrong) != c.wrong || len(o.left) != c.left {
			t.Errorf("%s: %+v", name, o)
		}
	}
}
