package canon_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/txtar"

	"visto/canon"
)

// golden is one case of testdata/canon/<step>.txtar or testdata/policy/<policy>.txtar. parse.txtar explains the keys.
type golden struct {
	name, archive string
	keys          map[string]string
}

// goldens returns the cases of the archives in testdata/<dir>, by archive name.
func goldens(t testing.TB, dir string) map[string][]golden {
	t.Helper()
	files, err := filepath.Glob("../testdata/" + dir + "/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden archives: %v", err)
	}
	all := map[string][]golden{}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		for _, f := range archive.Files {
			all[name] = append(all[name], golden{f.Name, name, readKeys(t, f)})
		}
	}
	return all
}

// inputKeys are the keys of a golden case besides its fields.
var inputKeys = []string{"why", "in", "steps", "evidence", "overrides", "policy"}

func readKeys(t testing.TB, f txtar.File) map[string]string {
	t.Helper()
	keys := map[string]string{}
	for line := range strings.Lines(string(f.Data)) {
		line = strings.TrimSuffix(line, "\n")
		key, value, ok := strings.Cut(line, ":")
		if !ok || keys[key] != "" || fields[key] == nil && !slices.Contains(inputKeys, key) {
			t.Fatalf("%s: bad line %q", f.Name, line)
		}
		keys[key] = strings.TrimSpace(value)
	}
	return keys
}

func (g golden) input(t testing.TB) string {
	t.Helper()
	in := g.keys["in"]
	if strings.HasPrefix(in, `"`) {
		unquoted, err := strconv.Unquote(in)
		if err != nil {
			t.Fatalf("in: %v", err)
		}
		in = unquoted
	}
	return in
}

func (g golden) canonicalizer(t testing.TB, p *canon.Policy) *canon.Canonicalizer {
	t.Helper()
	c := canon.New(p, g.overrides(t))
	if steps := g.keys["steps"]; steps != "" {
		only, err := c.Only(strings.Fields(steps)...)
		if err != nil {
			t.Fatal(err)
		}
		return only
	}
	return c
}

// policy returns the policy that the archive is named after, or clara for the archive of a step, with the overlay of
// the case.
func (g golden) policy(t testing.TB) *canon.Policy {
	t.Helper()
	over := g.overlay(t)
	if len(over) == 0 {
		return builtin(t, g.base())
	}
	return g.policyWith(t, over)
}

// base returns the name of the policy under the overlay of the case.
func (g golden) base() string {
	if slices.Contains(canon.BuiltinNames(), g.archive) {
		return g.archive
	}
	return "clara"
}

func (g golden) policyWith(t testing.TB, over map[string]string) *canon.Policy {
	t.Helper()
	var file strings.Builder
	fmt.Fprintf(&file, "extends: %s\nname: %[1]s\n", g.base())
	for _, key := range slices.Sorted(maps.Keys(over)) {
		fmt.Fprintf(&file, "%s: %s\n", key, over[key])
	}
	return policyOf(t, file.String())
}

func (g golden) overlay(t testing.TB) map[string]string {
	t.Helper()
	var nodes map[string]yaml.Node
	if err := yaml.Unmarshal([]byte(g.keys["policy"]), &nodes); err != nil {
		t.Fatal(err)
	}
	over := map[string]string{}
	for key, node := range nodes {
		node.Style |= yaml.FlowStyle
		text, err := yaml.Marshal(&node)
		if err != nil {
			t.Fatal(err)
		}
		over[key] = string(text)
	}
	return over
}

func (g golden) overrides(t testing.TB) *canon.Overrides {
	t.Helper()
	if g.keys["overrides"] == "" {
		return nil
	}
	list, err := canon.ParseOverrides("case", []byte(`{"version":1,"overrides":`+g.keys["overrides"]+`}`))
	if err != nil {
		t.Fatal(err)
	}
	set, err := canon.CompileOverrides(list)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func (g golden) evidence(t testing.TB) *canon.Evidence {
	t.Helper()
	if g.keys["evidence"] == "" {
		return nil
	}
	var ev canon.Evidence
	if err := json.Unmarshal([]byte(g.keys["evidence"]), &ev); err != nil {
		t.Fatal(err)
	}
	return &ev
}

// policies caches the policies of all tests, by file or name. Parsing one takes longer than most cases.
var policies sync.Map

func cached(t testing.TB, key string, make func() (*canon.Policy, error)) *canon.Policy {
	t.Helper()
	if p, ok := policies.Load(key); ok {
		return p.(*canon.Policy)
	}
	p, err := make()
	if err != nil {
		t.Fatal(err)
	}
	policies.Store(key, p)
	return p
}

func policyOf(t testing.TB, file string) *canon.Policy {
	t.Helper()
	return cached(t, file, func() (*canon.Policy, error) {
		return canon.ParsePolicy(canon.PolicyFile{Name: "p.yaml", Data: []byte(file)})
	})
}

func builtin(t testing.TB, name string) *canon.Policy {
	t.Helper()
	return cached(t, name, func() (*canon.Policy, error) { return canon.Builtin(name) })
}

func clara(t testing.TB) *canon.Policy { return builtin(t, "clara") }

// fields are the keys of a golden case with their values in a result.
var fields = map[string]func(canon.Result) string{
	"out":       func(r canon.Result) string { return r.Canonical },
	"rejected":  func(r canon.Result) string { return r.Reason.String() },
	"type":      func(r canon.Result) string { return r.LinkType.String() },
	"fragment":  func(r canon.Result) string { return r.FragmentNote },
	"lang":      func(r canon.Result) string { return r.Language },
	"via":       func(r canon.Result) string { return strings.Join(r.Via, " ") },
	"unknown":   func(r canon.Result) string { return strings.Join(r.UnknownParams, " ") },
	"without":   func(r canon.Result) string { return r.WithoutPasted },
	"candidate": func(r canon.Result) string { return r.SpanishCandidate },
	"ask":       func(r canon.Result) string { return r.Ask.URL },
	"flags": func(r canon.Result) string {
		var names []string
		for _, f := range r.Flags {
			names = append(names, f.Code.String())
		}
		slices.Sort(names)
		return strings.Join(names, " ")
	},
	"page": func(r canon.Result) string {
		switch p := r.Pagination; {
		case p == nil:
			return ""
		case p.TotalPages > 0:
			return strings.TrimSpace(fmt.Sprintf("%s %v of %d", p.Param, p.Page, p.TotalPages))
		default:
			return fmt.Sprintf("%s %v", p.Param, p.Page)
		}
	},
	"variants": func(r canon.Result) string {
		var all []string
		for lang, url := range r.LangVariants {
			all = append(all, lang+"="+url)
		}
		slices.Sort(all)
		return strings.Join(all, " ")
	},
	"detail": func(r canon.Result) string { return r.Detail },
	"details": func(r canon.Result) string {
		var details []string
		for _, f := range r.Flags {
			details = append(details, f.Detail)
		}
		return strings.Join(details, " | ")
	},
	"chain": func(r canon.Result) string {
		var urls []string
		for _, hop := range r.RedirectChain {
			urls = append(urls, hop.URL)
		}
		return strings.Join(urls, " ")
	},
	"notes": func(r canon.Result) string {
		var notes []string
		for _, e := range r.Trace {
			if e.Note != "" {
				notes = append(notes, e.Note)
			}
		}
		return strings.Join(notes, " | ")
	},
	"trace": func(r canon.Result) string {
		var steps []string
		for _, e := range r.Trace {
			steps = append(steps, e.Step)
		}
		return strings.Join(steps, " ")
	},
}

func TestGolden(t *testing.T) { testGolden(t, "canon") }

func TestGoldenPolicies(t *testing.T) {
	testGolden(t, "policy")
	if got := len(goldens(t, "policy")); got != len(canon.BuiltinNames())-1 {
		t.Errorf("%d archives for %v besides clara", got, canon.BuiltinNames())
	}
}

// TestTrapsHaveCases checks that each of the 14 traps has a case in traps.txtar, named by its number.
func TestTrapsHaveCases(t *testing.T) {
	numbers := map[string]bool{}
	for _, g := range goldens(t, "canon")["traps"] {
		number, _, _ := strings.Cut(g.name, ". ")
		numbers[number] = true
	}
	for i := 1; i <= 14; i++ {
		if !numbers[strconv.Itoa(i)] {
			t.Errorf("no case for trap %d", i)
		}
	}
}

func testGolden(t *testing.T, dir string) {
	for name, cases := range goldens(t, dir) {
		t.Run(name, func(t *testing.T) {
			for _, g := range cases {
				t.Run(g.name, func(t *testing.T) { g.check(t) })
			}
		})
	}
}

func (g golden) check(t *testing.T) {
	p := g.policy(t)
	r := g.canonicalizer(t, p).Explain(g.input(t), g.evidence(t))
	for _, wrong := range g.mismatches(r) {
		t.Errorf("%s (%s)", wrong, r.Detail)
	}
	checkTrace(t, r)
	if g.keys["steps"] == "" {
		checkFixedPoint(t, canon.New(p, g.overrides(t)), r)
	}
}

// mismatches describes the differences between the case and the result.
func (g golden) mismatches(r canon.Result) (wrong []string) {
	for key, got := range fields {
		want, stated := g.keys[key]
		if got := got(r); got != want && (stated || key == "out" || key == "rejected" || key == "flags") {
			wrong = append(wrong, fmt.Sprintf("%s: got %q, want %q", key, got, want))
		}
	}
	return wrong
}

// checkTrace checks that the trace replays, entry by entry, from the original to the canonical URL.
func checkTrace(t testing.TB, r canon.Result) {
	t.Helper()
	at := r.Original
	for _, e := range r.Trace {
		if e.Before != at {
			t.Errorf("trace of %q: %s begins with %q, the entry before it ends with %q", r.Original, e.Step, e.Before,
				at)
		}
		if e.Before == e.After && e.Note == "" {
			t.Errorf("trace of %q: %s says nothing", r.Original, e.Step)
		}
		at = e.After
	}
	if r.Verdict != canon.Rejected && at != r.Canonical {
		t.Errorf("trace of %q ends with %q, the canonical URL is %q", r.Original, at, r.Canonical)
	}
}

// checkFixedPoint checks that the canonical URL canonicalizes to itself without evidence.
func checkFixedPoint(t testing.TB, c *canon.Canonicalizer, r canon.Result) {
	t.Helper()
	first := c.Canonicalize(r.Original, nil)
	if first.Verdict == canon.Rejected {
		return
	}
	again := c.Canonicalize(first.Canonical, nil)
	if again.Canonical != first.Canonical {
		t.Errorf("%q becomes %q and that %q (%s)", r.Original, first.Canonical, again.Canonical, again.Detail)
	}
	repaired := canon.SetOf(canon.Credentials, canon.BrokenEncoding, canon.FragmentRoute, canon.PastedText)
	if first.Codes()&^repaired&^again.Codes() != 0 {
		t.Errorf("%q: flags %v, and again %v", first.Canonical, first.Codes().Codes(), again.Codes().Codes())
	}
}
