package canon_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"visto/canon"
)

// The findings of the fuzzers are in testdata/fuzz, and every test run tries them again. Ten minutes of one target:
//
//	go test ./canon -run '^$' -fuzz '^FuzzCanonicalize$' -fuzztime 10m

// seedURLs returns the inputs of the golden cases and some generated URLs.
func seedURLs(t testing.TB) (urls []string) {
	t.Helper()
	for _, dir := range []string{"canon", "policy"} {
		all := goldens(t, dir)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			for _, g := range all[name] {
				urls = append(urls, g.input(t))
			}
		}
	}
	r := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		urls = append(urls, randomURL(r))
	}
	return urls
}

// FuzzCanonicalize checks the laws under all policies and sets of overrides. which selects one of them.
func FuzzCanonicalize(f *testing.F) {
	var all []*laws
	for _, s := range setups(f) {
		all = append(all, newLaws(f, s))
	}
	for i, url := range seedURLs(f) {
		f.Add(url, uint8(i))
	}
	f.Fuzz(func(t *testing.T, url string, which uint8) {
		l := all[int(which)%len(all)]
		l.n = 7 // so that the slow laws are checked too
		l.check(t, url)
	})
}

// FuzzEvidence lets the network answer anything.
func FuzzEvidence(f *testing.F) {
	var all []*laws
	for _, s := range setups(f) {
		all = append(all, newLaws(f, s))
	}
	f.Add("https://sepe.es/x", `{"hops":[{"status":301,"url":"https://www.sepe.es/x/"}],"https":false,`+
		`"lang_variants":{"es":"https://www.sepe.es/es"}}`, uint8(0))
	cases := goldens(f, "canon")
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		for i, g := range cases[name] {
			if g.keys["evidence"] != "" {
				f.Add(g.input(f), g.keys["evidence"], uint8(i))
			}
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 100 {
		data, err := json.Marshal(randomEvidence(r))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(randomURL(r), string(data), uint8(i))
	}
	f.Fuzz(func(t *testing.T, url, evidence string, which uint8) {
		var ev canon.Evidence
		if json.Unmarshal([]byte(evidence), &ev) == nil {
			all[int(which)%len(all)].checkEvidence(t, url, &ev)
		}
	})
}

// FuzzParse compares with github.com/nlnwa/whatwg-url, an implementation of the WHATWG URL standard.
func FuzzParse(f *testing.F) {
	c := canon.New(policyOf(f, "extends: rfc3986"), nil)
	for _, url := range seedURLs(f) {
		f.Add(url)
	}
	for _, w := range wpt[wptURL](f, "urltestdata.json") {
		f.Add(w.Input)
	}
	f.Fuzz(func(t *testing.T, url string) {
		if got, names, agrees := againstWHATWG(c, url); !agrees {
			t.Errorf("%q: %q (%s %s), the standard %q, but for %v", url, got.ours.Canonical, got.ours.Reason,
				got.ours.Detail, got.theirs, names)
		}
	})
}

// placed matches the place at the beginning of an error: in a policy file, or in the whole policy.
var placed = regexp.MustCompile(`^f\.yaml(:[1-9][0-9]*)?: |^policy `)

// FuzzPolicyFile checks that the parser never panics, and that its errors name the file, and the line if there is one.
// An accepted policy reads back alike, and canonicalizes alike, to a fixed point.
func FuzzPolicyFile(f *testing.F) {
	f.Add([]byte(rulesFile))
	f.Add([]byte(allowFile))
	f.Add([]byte(blockFile))
	for _, file := range policyFiles {
		f.Add([]byte(file.file))
	}
	for _, name := range canon.BuiltinNames() {
		p, err := canon.Builtin(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(p.YAML())
	}
	r := rand.New(rand.NewPCG(3, 5))
	urls := append(randomURLs(r, 20), "https://www.boe.es/a/b/c?id=1&p=2#x")
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := canon.ParsePolicy(canon.PolicyFile{Name: "f.yaml", Data: data})
		if err != nil {
			if !placed.MatchString(err.Error()) {
				t.Errorf("the error does not begin with the place: %v", err)
			}
			return
		}
		again, err := canon.ParsePolicy(canon.PolicyFile{Name: "g.yaml", Data: p.YAML()})
		if err != nil || again.Digest() != p.Digest() {
			t.Fatalf("does not read back: %v\n%s", err, p.YAML())
		}
		c, alike := canon.New(p, nil), canon.New(again, nil)
		for _, url := range urls {
			r := c.Explain(url, nil)
			checkTrace(t, r)
			checkFixedPoint(t, c, r)
			if other := alike.Explain(url, nil); !reflect.DeepEqual(other, r) {
				t.Errorf("%q: the same policy gives\n%+v\nand then\n%+v", url, r, other)
			}
		}
	})
}

func randomURLs(r *rand.Rand, n int) (urls []string) {
	for range n {
		urls = append(urls, randomURL(r))
	}
	return urls
}

// FuzzOverridesFile checks that the parser never panics, and that its errors name file, line and column. Accepted
// overrides of either version are written so that they read back the same.
func FuzzOverridesFile(f *testing.F) {
	f.Add([]byte(fileV0))
	for _, set := range overrideSets {
		f.Add([]byte(`{"version":1,"overrides":` + set.list + `}`))
	}
	for _, cases := range goldens(f, "canon") {
		for _, g := range cases {
			if g.keys["overrides"] != "" {
				f.Add([]byte(`{"version":1,"overrides":` + g.keys["overrides"] + `}`))
			}
		}
	}
	place := regexp.MustCompile(`^f\.json:([1-9][0-9]*:[1-9][0-9]*:)? `)
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := canon.ParseOverrides("f.json", data)
		if err != nil {
			if !place.MatchString(err.Error()) {
				t.Errorf("the error does not begin with the place: %v", err)
			}
			return
		}
		if _, err := canon.CompileOverrides(list); err != nil {
			t.Fatalf("read but not compiled: %v", err)
		}
		written, err := canon.MarshalOverrides(list)
		if err != nil {
			t.Fatal(err)
		}
		again, err := canon.ParseOverrides("again", written)
		if err != nil || len(again) != len(list) {
			t.Fatalf("written but not read back: %v\n%s", err, written)
		}
		for i := range list {
			if !reflect.DeepEqual(withoutEmptyLists(again[i]), withoutEmptyLists(list[i])) {
				t.Fatalf("%+v is read back as %+v", list[i], again[i])
			}
		}
	})
}

// withoutEmptyLists returns the override without empty lists, which are not written.
func withoutEmptyLists(o canon.Override) canon.Override {
	for _, list := range []*[]string{&o.DropQueryParams, &o.KeepQueryParams, &o.PaginationParams,
		&o.NotPaginationParams, &o.Accept} {
		*list = append([]string(nil), *list...)
	}
	o.RewriteRules = append([]canon.Rewrite(nil), o.RewriteRules...)
	return o
}
