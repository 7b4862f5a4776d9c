package lint_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"visto/canon"
	"visto/canon/suite"
	"visto/review"
	"visto/review/lint"
	"visto/review/read"
	"visto/store/sqlite"
	"visto/store/sqlitetest"
)

func TestMain(m *testing.M) { os.Exit(suite.InMemory{Tests: m}.Run()) }

// export is an export of a review, with fewer fields.
func export(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/registry.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// clara returns the decisions of the default policy.
func clara(t *testing.T) *lint.Rules {
	t.Helper()
	policy, err := canon.Builtin(canon.DefaultPolicy)
	if err != nil {
		t.Fatal(err)
	}
	return rulesOf(t, policy)
}

func linter(t *testing.T) *lint.Linter {
	t.Helper()
	reg, err := lint.ReadRegistry("registry.jsonl", strings.NewReader(export(t)), clara(t))
	if err != nil {
		t.Fatal(err)
	}
	return &lint.Linter{Decisions: reg, Flags: canon.SetOf(canon.Codes()...)}
}

func judge(t *testing.T, l *lint.Linter, url string) lint.Judgement {
	t.Helper()
	j, err := l.Judge(t.Context(), read.Found{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func codes(j lint.Judgement) (text string) {
	var list []string
	for _, f := range j.Findings {
		list = append(list, string(f.Code))
	}
	return strings.Join(list, " ")
}

// TestJudge: each URL in a file gets the findings that section 13 lists.
func TestJudge(t *testing.T) {
	l := linter(t)
	for _, tc := range []struct{ url, codes, target, message string }{
		{"http://a.gob.es/", "not-canonical", "https://a.gob.es",
			"http://a.gob.es/ should be https://a.gob.es, approved by ana"},
		{"https://a.gob.es", "", "https://a.gob.es", ""}, // approved, though a home page
		{"https://old.gob.es/x", "decided-otherwise", "https://new.gob.es/x/y/z",
			"https://old.gob.es/x was corrected to https://new.gob.es/x/y/z by ana"},
		{"https://mid.gob.es/x", "decided-otherwise", "https://new.gob.es/x/y/z",
			"https://mid.gob.es/x was corrected to https://new.gob.es/x/y/z by luz"},
		{"https://b.gob.es/", "rejected", "", "https://b.gob.es/ is rejected by ana: a shop"},
		{"https://c.gob.es/", "deferred", "", "https://c.gob.es/ is deferred by ana"},
		{"https://d.gob.es/", "home-page http-only", "", "https://d.gob.es/ waits for a decision: a home page"},
		{"http://e.gob.es/x/y/z/", "not-canonical", "https://e.gob.es/x/y/z",
			"http://e.gob.es/x/y/z/ should be https://e.gob.es/x/y/z"},
		{"https://e.gob.es/x/y/z", "", "https://e.gob.es/x/y/z", ""},
		{"https://f.gob.es/x", "circle", "", "the decisions lead in a circle: https://f.gob.es/x, then " +
			"https://g.gob.es/x, then https://f.gob.es/x"},
		{"https://h.gob.es/x", "changed-since-approval", "",
			"https://h.gob.es/x waits for a decision: approved was another"},
		{"https://i.gob.es/x", "rejected", "",
			"https://i.gob.es/x leads to https://b.gob.es/, which is rejected by ana: a shop"},
		{"https://j.gob.es/x/y/z", "undecided", "",
			"https://j.gob.es/x/y/z waits for a decision: a person opened it again"},
		{"https://k.gob.es", "", "https://k.gob.es", ""}, // it has no decision of its own
		{"https://l.example/", "blocked", "", "https://l.example/ is blocked"},
		{"https://u:secret@m.gob.es/x", "not-canonical", "https://m.gob.es/x",
			"https://***@m.gob.es/x should be https://m.gob.es/x, approved by ana"},
		{"http://n.gob.es/x/y/z", "put-off", "", "http://n.gob.es/x/y/z is put off: its server answered 429 (too many " +
			"requests) so far; probe it again"},
		{"http://boe.es/diario_boe/", "not-canonical", "https://www.boe.es/diario_boe",
			"http://boe.es/diario_boe/ should be https://www.boe.es/diario_boe"},
		{"https://www.boe.es", "home-page", "", "https://www.boe.es waits for a decision: https://www.boe.es is a " +
			"home page: cite the page of the procedure, or accept it where the body has none"},
		{"https://localhost/", "rejected", "", "https://localhost/ is rejected: private-address: localhost is this " +
			"machine, not a public site"},
	} {
		j := judge(t, l, tc.url)
		if codes(j) != tc.codes || j.Target != tc.target {
			t.Errorf("%s: %s, target %q", tc.url, codes(j), j.Target)
			continue
		}
		if tc.codes != "" && j.Findings[0].Message != tc.message {
			t.Errorf("%s: %s", tc.url, j.Findings[0].Message)
		}
		for _, f := range j.Findings {
			fixable := f.Code == lint.NotCanonical || f.Code == lint.DecidedOtherwise
			if (f.Fix != "") != fixable || f.Fix != j.Target {
				t.Errorf("%s: %s is mended by %q", tc.url, f.Code, f.Fix)
			}
		}
	}
}

// A flag that does not count is no finding, and its URL is not settled for that.
func TestCountedFlags(t *testing.T) {
	l := linter(t)
	l.Flags = canon.SetOf(canon.HTTPOnly)
	for url, want := range map[string]string{
		"https://d.gob.es/": "http-only", "https://www.boe.es/": "", "https://b.gob.es/": "rejected",
	} {
		if j := judge(t, l, url); codes(j) != want || j.Target != "" {
			t.Errorf("%s: %s, target %q", url, codes(j), j.Target)
		}
	}
}

// A URL that was put into place is in order: otherwise a second run would change it again.
func TestTargetsAreInOrder(t *testing.T) {
	l := linter(t)
	targets := 0
	for line := range strings.Lines(export(t)) {
		_, rest, ok := strings.Cut(line, `{"original":"`)
		if !ok {
			continue
		}
		url, _, _ := strings.Cut(rest, `"`)
		if j := judge(t, l, url); j.Target != "" {
			targets++
			if again := judge(t, l, j.Target); len(again.Findings) > 0 || again.Target != j.Target {
				t.Errorf("%s: %s is not in order: %s", url, j.Target, codes(again))
			}
		}
	}
	if targets < 6 {
		t.Errorf("%d targets", targets)
	}
}

// Section 2: bytes that are not UTF-8 are kept as bytes. An export has them percent-encoded; a URL that stands so in a
// file has its entry there.
func TestRegistryBytes(t *testing.T) {
	const line = `{"original":"https://a.gob.es/tr%E1mite?x=","canonical":"https://a.gob.es/tr%E1mite","status":"accepted"}`
	reg, err := lint.ReadRegistry("r.jsonl", strings.NewReader("\ufeff"+line), clara(t)) // an editor left the mark
	if err != nil {
		t.Fatal(err)
	}
	l := &lint.Linter{Decisions: reg}
	if j := judge(t, l, "https://a.gob.es/tr\xe1mite?x="); j.Target != "https://a.gob.es/tr%E1mite" {
		t.Errorf("%q: %s", j.Target, codes(j))
	}
}

// A database is asked about each URL once under each field: a rule may be for one field. A failure is not remembered.
func TestStored(t *testing.T) {
	s, err := sqlitetest.Open(t.Context(), filepath.Join(t.TempDir(), "visto.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	desk, err := review.Open(t.Context(), s, "ana", nil)
	if err != nil {
		t.Fatal(err)
	}
	decisions, err := lint.NewStored(t.Context(), desk)
	if err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	home := lint.Citation{URL: "https://www.boe.es", Place: read.Place{Field: "url"}}
	if _, err := decisions.Entry(cancelled, home); err == nil {
		t.Error("no error")
	}
	if e, err := decisions.Entry(t.Context(), home); err != nil || e.Status != review.Pending {
		t.Errorf("%+v, %v", e, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if e, err := decisions.Entry(t.Context(), home); err != nil || e.Status != review.Pending {
		t.Errorf("again: %+v, %v", e, err)
	}
	home.Place.Field = "link"
	if _, err := decisions.Entry(t.Context(), home); err == nil {
		t.Error("under another field it is not asked")
	}
}

func TestRegistryErrors(t *testing.T) {
	const line = `{"original":"a","canonical":"https://a.es","status":"accepted"}` + "\n"
	const noLine = "it is no line of an export with the fields original and status"
	for text, want := range map[string]string{
		"x":                                    "1: invalid character 'x' looking for beginning of value",
		line + "\n" + `{"original":"b"}`:       "3: " + noLine,
		line + `{"status":"accepted"}`:         "2: " + noLine,
		`{"original":"b","status":"new"}`:      `1: there is no status "new"`,
		`{"original":"b","status":"accepted"}`: "1: it is accepted, and the field canonical is not there",
		`{"original":"b","canonical":"c","status":"approved"}`: "1: it is approved, and the field decision is not " +
			"there",
		`{"original":"b","status":"pending","flags":[{"code":"newer"}]}`: `1: there is no flag "newer": a later ` +
			"version of visto may have written it",
		line + line + `{"original":"a","status":"rejected"}`: "3: a is in line 1 too, with another decision",
		`{"original":"b","status":"pending"}`: "1: it is pending, and neither the field flags nor the field decision " +
			"is there",
	} {
		_, err := lint.ReadRegistry("r.jsonl", strings.NewReader(text), nil)
		if err == nil || err.Error() != "reading r.jsonl:"+want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Every code has a description, and a name of its own.
func TestCodes(t *testing.T) {
	seen := map[lint.Code]bool{}
	for _, r := range lint.Codes() {
		if seen[r.Code] || r.Text == "" || r.Level != lint.Error && r.Level != lint.Warning {
			t.Errorf("%+v", r)
		}
		seen[r.Code] = true
	}
	for _, c := range canon.Codes() {
		if !seen[lint.Code(c.String())] {
			t.Errorf("no rule for %v", c)
		}
	}
}

func TestSort(t *testing.T) {
	var list []lint.Finding
	for _, at := range [][2]int{{3, 1}, {1, 9}, {1, 2}, {0, 0}} {
		list = append(list, lint.Finding{Place: read.Place{Line: at[0], Column: at[1]}})
	}
	lint.Sort(list)
	var got []string
	for _, f := range list {
		got = append(got, fmt.Sprint(f.Place.Line, ":", f.Place.Column))
	}
	if !slices.Equal(got, []string{"0:0", "1:2", "1:9", "3:1"}) {
		t.Errorf("%v", got)
	}
}

// rulesOf returns the decisions of a policy with overrides.
func rulesOf(t *testing.T, policy *canon.Policy, list ...canon.Override) *lint.Rules {
	t.Helper()
	rules, err := lint.NewRules(policy, list)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// A rule for a field counts for a place in the field, and for no other.
func TestFieldRule(t *testing.T) {
	policy, err := canon.Builtin("clara")
	if err != nil {
		t.Fatal(err)
	}
	rules := rulesOf(t, policy, canon.Override{Match: canon.Match{Field: "portal_url"}, Accept: []string{"home-page"}})
	for field, want := range map[string]review.Status{"portal_url": review.Accepted, "url": review.Pending} {
		e, err := rules.Entry(t.Context(), lint.Citation{URL: "https://www.boe.es", Place: read.Place{Field: field}})
		if err != nil || e.Status != want {
			t.Errorf("%s: %s, want %s (%v)", field, e.Status, want, err)
		}
	}
}

// TestAlone: a decision for one record alone counts for that record, by file and ID or name; a record that the export
// lacks has the decision for all, if there is one.
func TestAlone(t *testing.T) {
	const (
		decision = `"decision":{"kind":"approve","reviewer":"ana","at":"2026-11-22T10:00:00Z","batch":2}`
		place    = `{"file":"data/r.yaml","record":{"id":"%s","name":"%s"},"path":"%s","status":%s}`
		head     = `{"original":"http://a.gob.es/","canonical":"https://a.gob.es","status":"approved",` + decision
	)
	imv := fmt.Sprintf(place, "imv", "IMV", "/0/url",
		`"approved","canonical":"https://better.gob.es","alone":true,`+decision)
	paro := fmt.Sprintf(place, "1", "Paro", "/1/url", `"rejected","alone":true,`+strings.ReplaceAll(decision, "approve",
		"reject"))
	rest := fmt.Sprintf(place, "2", "Rest", "/2/url", `"approved","canonical":"https://a.gob.es",`+decision)
	record := func(id, name string) *read.Record { return &read.Record{ID: id, Name: name} }
	for _, tc := range []struct {
		occurrences, file string
		record            *read.Record
		codes, target     string
	}{
		{imv + "," + paro, "/x/data/r.yaml", record("imv", "IMV"), "decided", "https://better.gob.es"},
		{imv + "," + paro, "/x/data/r.yaml", record("imv", "renamed"), "decided", "https://better.gob.es"},
		{imv + "," + paro, "/x/data/r.yaml", record("0", "Paro"), "rejected", ""},
		{imv + "," + paro, "/x/data/r.yaml", record("1", "Nuevo"), "undecided", ""},
		{imv + "," + paro, "/x/metadata/r.yaml", record("imv", "IMV"), "undecided", ""},
		{imv + "," + paro, "/x/data/r.yaml", nil, "undecided", ""},
		{imv + "," + rest, "/x/data/r.yaml", record("1", "Nuevo"), "decided", "https://a.gob.es"},
		{rest + "," + imv, "/x/data/r.yaml", record("imv", "IMV"), "decided", "https://better.gob.es"},
	} {
		line := head + `,"occurrences":[` + tc.occurrences + "]}"
		reg, err := lint.ReadRegistry("r.jsonl", strings.NewReader(line), clara(t))
		if err != nil {
			t.Fatal(err)
		}
		l := &lint.Linter{Decisions: reg, File: tc.file, Flags: canon.SetOf(canon.Codes()...)}
		j, err := l.Judge(t.Context(), read.Found{URL: "http://a.gob.es/", Record: tc.record})
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Replace(tc.codes, "decided", "not-canonical", 1)
		if tc.codes == "undecided" {
			want = tc.codes
		}
		if codes(j) != want || j.Target != tc.target {
			t.Errorf("%s, %+v: %s, target %q", tc.file, tc.record, codes(j), j.Target)
		}
	}
}
