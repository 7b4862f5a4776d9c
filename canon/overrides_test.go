package canon_test

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"visto/canon"
)

// The example of seed 001 section 3, on another host.
const fileV0 = `{
  "overrides": [
    {
      "match": {
        "host": "example.gob.es"
      },
      "drop_query_params": [
        "src",
        "partner"
      ],
      "rewrite_rules": [
        {
          "from_prefix": "https://example.gob.es/amp/",
          "to_prefix": "https://example.gob.es/"
        }
      ]
    }
  ]
}
`

func TestOverridesFileV0(t *testing.T) {
	list, err := canon.ParseOverrides("v0.json", []byte(fileV0))
	if err != nil {
		t.Fatal(err)
	}
	want := []canon.Override{{
		Match:           canon.Match{Host: "example.gob.es"},
		DropQueryParams: []string{"src", "partner"},
		RewriteRules: []canon.Rewrite{
			{FromPrefix: "https://example.gob.es/amp/", ToPrefix: "https://example.gob.es/"}},
	}}
	if !reflect.DeepEqual(list, want) {
		t.Errorf("read %+v", list)
	}
	written, err := canon.MarshalOverrides(list)
	if err != nil || string(written) != fileV0 {
		t.Errorf("written back: %v\n%s", err, written)
	}
}

func TestOverridesFileV1(t *testing.T) {
	list := []canon.Override{{
		Match:           canon.Match{Host: "*.gencat.cat", PathPrefix: "/ca"},
		KeepQueryParams: []string{"a"}, PaginationParams: []string{"hoja"}, NotPaginationParams: []string{"p"},
		Scheme: "http", TrailingSlash: "keep", CanonicalHost: "web.gencat.cat",
		Spanish: &canon.Prefixes{From: "/ca", To: "/es"}, Accept: []string{"home-page"}, Note: "un portal",
	}}
	written, err := canon.MarshalOverrides(list)
	if err != nil || !strings.Contains(string(written), `"version": 1`) {
		t.Fatalf("%v\n%s", err, written)
	}
	again, err := canon.ParseOverrides("v1.json", written)
	if err != nil || !reflect.DeepEqual(again, list) {
		t.Errorf("read back: %v\n%+v", err, again)
	}
}

// "An override with match.field (and host or path, if wanted) may only accept flags" (spec section 13). canon stays
// pure: it reads and writes such a rule, and refuses to apply it.
func TestFieldRule(t *testing.T) {
	for _, m := range []canon.Match{
		{Field: "portal_url"},
		{Field: "portal_url", Host: "*.gencat.cat"},
		{Field: "portal_url", PathPrefix: "/sta"},
		{Field: "portal_url", Host: "boe.es", PathPrefix: "/sta"},
	} {
		list := []canon.Override{{Match: m, Accept: []string{"home-page", "section-page"}, Note: "por su naturaleza"}}
		written, err := canon.MarshalOverrides(list)
		if err != nil || !strings.Contains(string(written), `"version": 1`) ||
			strings.Contains(string(written), `"host": ""`) {
			t.Errorf("%s: %v\n%s", m, err, written)
		}
		if again, err := canon.ParseOverrides("v1.json", written); err != nil || !reflect.DeepEqual(again, list) {
			t.Errorf("%s: read back: %v\n%+v", m, err, again)
		}
		var refused *canon.FieldRuleError
		if _, err := canon.CompileOverrides(list); !errors.As(err, &refused) || refused.Match != m {
			t.Errorf("%s: compiled: %v", m, err)
		}
		policy, _ := canon.Builtin("clara")
		if err := canon.CheckFixedPoint(policy, list, []string{"https://boe.es"}); err != nil {
			t.Errorf("%s: a rule that changes no URL has no fixed point: %v", m, err)
		}
	}
	if got := (canon.Match{Field: "portal_url", Host: "*", PathPrefix: "/sta/"}).Normal(); got !=
		(canon.Match{Field: "portal_url", PathPrefix: "/sta"}) {
		t.Errorf("the normal form is %+v", got)
	}
	if got := (canon.Match{Field: "portal_url", Host: "BOE.es", PathPrefix: "/a"}).Normal().String(); got !=
		"field portal_url on boe.es/a" {
		t.Errorf("it is called %q", got)
	}
}

func TestBadOverridesFiles(t *testing.T) {
	const alone = "an override for a field can only accept flags"
	for _, c := range []struct{ name, data, want string }{
		{"a field drops", `{"version":1,"overrides":[{"match":{"field":"f"},"drop_query_params":["x"]}]}`,
			"drop_query_params: " + alone},
		{"a field rewrites", `{"version":1,"overrides":[{"match":{"field":"f","host":"a.es"},"accept":["home-page"],` +
			`"rewrite_rules":[{"from_prefix":"https://a.es/a","to_prefix":"https://a.es/b"}]}]}`,
			"rewrite_rules: " + alone},
		{"a field has a host", `{"version":1,"overrides":[{"match":{"field":"f"},"canonical_host":"a.es"}]}`,
			"canonical_host: " + alone},
		{"a field with a bad path", `{"version":1,"overrides":[{"match":{"field":"f","path_prefix":"a"}}]}`,
			`path_prefix "a" does not begin with a slash`},
		{"a field in version 0", `{"overrides":[{"match":{"field":"f"}}]}`, "knows exact hosts"},
		{"empty", " \n", "o.json: the file is empty"},
		{"cut", "{\"overrides\": [\n{", "o.json:2:1: the JSON ends in the middle"},
		{"not an object", `[]`, "o.json:1:1: array: not the kind of value"},
		{"no list", `{}`, "overrides: the list is missing"},
		{"null", `{"overrides": null}`, "overrides: the list is missing"},
		{"unknown key", "{\"overrides\": [\n  {\"match\": {\"host\": \"a.es\"}, \"drop\": [\"x\"]}]}",
			"o.json:2:39: drop: unknown key"},
		{"key in capitals", `{"overrides": [{"match": {"host": "a.es"}, "Match": {"host": "b.es"}}]}`,
			"o.json:1:50: Match: unknown key"},
		{"key in letters that fold", `{"overrides": [{"match": {"ho\u017ft": "a.es"}}]}`, "unknown key"},
		{"key twice", `{"overrides": [], "overrides": []}`, "overrides: it is there twice"},
		{"more behind", `{"overrides": []} x`, "more behind the end"},
		{"wrong kind", `{"overrides": [{"match": {"host": 5}}]}`, "overrides.match.host: number: not the kind"},
		{"version", `{"version": 2, "overrides": []}`, "o.json:1:13: version: it is 0 or 1, not 2"},
		{"v1 key in v0", `{"overrides": [{"match": {"host": "a.es"}, "accept": ["home-page"]}]}`,
			`accept: a file without "version": 1`},
		{"pattern in v0", `{"overrides": [{"match": {"host": "*.a.es"}}]}`, `match: a file without "version": 1`},
		{"no host", `{"version": 1, "overrides": [{"match": {}}]}`, "match: host is missing"},
		{"star alone", `{"version": 1, "overrides": [{"match": {"host": "*"}}]}`,
			`match: host "*" needs a path_prefix`},
		{"star inside", `{"version": 1, "overrides": [{"match": {"host": "a.*.es"}}]}`, "match: bad host"},
		{"host with a scheme", `{"overrides": [{"match": {"host": "https://www.boe.es/a"}}]}`,
			`match: bad host "https://www.boe.es/a": a host name is wanted, without a scheme: "www.boe.es"`},
		{"pattern with a scheme", `{"version": 1, "overrides": [{"match": {"host": "*.http://boe.es"}}]}`,
			`a host name is wanted, without a scheme: "*.boe.es"`},
		{"host with a path", `{"overrides": [{"match": {"host": "www.boe.es/a"}}]}`,
			`match: bad host "www.boe.es/a": a host name is wanted; a path_prefix holds the path`},
		{"private host", `{"version": 1, "overrides": [{"match": {"host": "10.0.0.1"}}]}`, "match: bad host"},
		{"path", `{"version": 1, "overrides": [{"match": {"host": "a.es", "path_prefix": "x"}}]}`,
			"does not begin with a slash"},
		{"scheme", `{"version": 1, "overrides": [{"match": {"host": "a.es"}, "scheme": "ftp"}]}`,
			"scheme: it can only be"},
		{"slash", `{"version": 1, "overrides": [{"match": {"host": "a.es"}, "trailing_slash": "never"}]}`,
			"trailing_slash: it can only be"},
		{"flag", `{"version": 1, "overrides": [{"match": {"host": "a.es"}, "accept": ["nope"]}]}`,
			"accept: there is no flag"},
		{"review's flag",
			`{"version": 1, "overrides": [{"match": {"host": "a.es"}, "accept": ["changed-since-approval"]}]}`,
			"accept: there is no flag"},
		{"both", `{"version": 1, "overrides": [{"match": {"host": "a.es"},` +
			` "drop_query_params": ["x"], "keep_query_params": ["X"]}]}`, "to be dropped and kept"},
		{"rewrite",
			`{"overrides": [{"match": {"host": "a.es"}, "rewrite_rules": [{"from_prefix": "/a", "to_prefix": "/b"}]}]}`,
			"rewrite_rules[0]: bad prefix"},
		{"rewrite to itself", `{"overrides": [{"match": {"host": "a.es"},` +
			` "rewrite_rules": [{"from_prefix": "https://a.es", "to_prefix": "https://a.es"}]}]}`,
			"rewritten to itself"},
		{"host in capitals", `{"version": 1, "overrides": [{"match": {"host": "a.es"}, "canonical_host": "B.es"}]}`,
			`write "B.es" as "b.es"`},
		{"deep", strings.Repeat("[", 100_000), "nested too deep"},
	} {
		t.Run(c.name, func(t *testing.T) {
			list, err := canon.ParseOverrides("o.json", []byte(c.data))
			if err == nil || !strings.Contains(err.Error(), c.want) || list != nil {
				t.Errorf("got %v, %v; want %q", list, err, c.want)
			}
		})
	}
}

func TestFixedPointRefused(t *testing.T) {
	for _, c := range []struct {
		name, list string
		urls       []string // some of the trail
	}{
		{"round", `[{"match":{"host":"a.gob.es"},` +
			`"rewrite_rules":[{"from_prefix":"https://a.gob.es/x/","to_prefix":"https://a.gob.es/y/"},` +
			`{"from_prefix":"https://a.gob.es/y/","to_prefix":"https://a.gob.es/x/"}]}]`,
			[]string{"https://a.gob.es/x/a/b?c=1", "https://a.gob.es/y/a/b?c=1"}},
		{"growing", `[{"match":{"host":"a.gob.es"},` +
			`"rewrite_rules":[{"from_prefix":"https://a.gob.es/","to_prefix":"https://a.gob.es/x/"}]}]`,
			[]string{"https://a.gob.es/x/x/a/b?c=1"}},
		{"two hosts", `[{"match":{"host":"a.gob.es"},"canonical_host":"b.gob.es"},{"match":{"host":"b.gob.es"},` +
			`"canonical_host":"a.gob.es"}]`,
			[]string{"https://a.gob.es", "https://b.gob.es"}},
		{"against the policy's map", `[{"match":{"host":"www.boe.es"},"canonical_host":"boe.es"}]`,
			[]string{"https://www.boe.es", "https://boe.es"}},
		{"Spanish and back", `[{"match":{"host":"a.gob.es"},"spanish":{"from_prefix":"/ca","to_prefix":"/es"},` +
			`"rewrite_rules":[{"from_prefix":"https://a.gob.es/es","to_prefix":"https://a.gob.es/ca"}]}]`,
			[]string{"https://a.gob.es/ca", "https://a.gob.es/es"}},
		{"growing beyond the limit of length", `[{"match":{"host":"a.gob.es"},"rewrite_rules":[` +
			`{"from_prefix":"https://a.gob.es/","to_prefix":"https://a.gob.es/` + strings.Repeat("x", 200) + `/"}]}]`,
			nil},
		{"captures there and back", `[{"match":{"host":"a.gob.es"},"rewrite_rules":[` +
			`{"from":"/story?id={x}","to":"/story_{x}"},` +
			`{"from":"https://a.gob.es/story_{y}","to":"https://a.gob.es/story?id={y}"}]}]`,
			[]string{"https://a.gob.es/story?id=0&c=1", "https://a.gob.es/story_0?c=1"}},
		{"a growing capture", `[{"match":{"host":"a.gob.es"},"rewrite_rules":[{"from":"/a/{x}","to":"/a/b{x}"}]}]`,
			[]string{"https://a.gob.es/a/b?c=1", "https://a.gob.es/a/bb?c=1"}},
		{"a growing query", `[{"match":{"host":"a.gob.es"},"rewrite_rules":[{"from":"/a?b={x}","to":"/a?b={x}&d=2"}]}]`,
			[]string{"https://a.gob.es/a?b=0&d=2&d=2&c=1"}},
		{"a capture that two others make", `[{"match":{"host":"a.gob.es"},"rewrite_rules":[` +
			`{"from":"/n/{x}","to":"/p/{x}"},{"from":"/p/go-{y}","to":"/n/go-{y}"}]}]`,
			[]string{"https://a.gob.es/n/go-0", "https://a.gob.es/p/go-0"}},
		{"a capture of a literal", `[{"match":{"host":"a.gob.es"},"rewrite_rules":[` +
			`{"from":"/{a}/{b}/x","to":"/x/{b}/{a}"},{"from":"/x/y/{a}","to":"/{a}/y/x"}]}]`,
			[]string{"https://a.gob.es/y/y/x", "https://a.gob.es/x/y/y"}},
		{"a capture under a pattern", `[{"match":{"host":"*","path_prefix":"/sta"},"rewrite_rules":[` +
			`{"from":"/sta/{x}","to":"/sta/a{x}"}]}]`,
			[]string{"https://www.example/sta/a0?c=1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			list, err := canon.ParseOverrides("o", []byte(`{"version":1,"overrides":`+c.list+`}`))
			if err != nil {
				t.Fatal(err)
			}
			err = canon.CheckFixedPoint(clara(t), list, nil)
			var loop *canon.LoopError
			if !errors.As(err, &loop) {
				t.Fatalf("got %v", err)
			}
			trail := loop.URLs
			last := len(trail) - 1
			if slices.Index(trail, trail[last]) == last && len(trail) != 8 {
				t.Errorf("%q neither ends where it comes back nor has eight URLs", trail)
			}
			if len(slices.Compact(slices.Sorted(slices.Values(trail[:last])))) != last {
				t.Errorf("%q goes on after the URL that comes back", trail)
			}
			for _, url := range c.urls {
				if !strings.Contains(err.Error(), url+" ") {
					t.Errorf("%v does not show %s", err, url)
				}
			}
		})
	}
}

// Unchecked overrides that loop are ignored: the policy alone has a fixed point.
func TestUncheckedLoopIsLeftAside(t *testing.T) {
	set, err := canon.CompileOverrides([]canon.Override{{
		Match:        canon.Match{Host: "a.gob.es"},
		RewriteRules: []canon.Rewrite{{FromPrefix: "https://a.gob.es/", ToPrefix: "https://a.gob.es/x/"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	r := canon.Canonicalize("http://a.gob.es/a/b/c/", clara(t), set, nil)
	if r.Canonical != "https://a.gob.es/a/b/c" {
		t.Errorf("got %s", r.Canonical)
	}
	checkTrace(t, r)
}

// Only a stored URL shows this loop.
func TestFixedPointOfSamples(t *testing.T) {
	list := []canon.Override{{
		Match:        canon.Match{Host: "a.gob.es"},
		RewriteRules: []canon.Rewrite{{FromPrefix: "https://a.gob.es/x", ToPrefix: "https://a.gob.es/"}},
	}, {
		Match: canon.Match{Host: "a.gob.es", PathPrefix: "/tramites/12"},
		RewriteRules: []canon.Rewrite{
			{FromPrefix: "https://a.gob.es/tramites", ToPrefix: "https://a.gob.es/xtramites"}},
	}}
	var loop *canon.LoopError
	if err := canon.CheckFixedPoint(clara(t), list, []string{"https://a.gob.es/tramites/12/ver"}); !errors.As(err,
		&loop) {
		t.Errorf("got %v", err)
	}
}

// TestMoreOverridesCostNoMore canonicalizes URLs under a hundred overrides and under a hundred times as many. The work
// on a URL depends on its labels and segments, so it allocates no more memory.
func TestMoreOverridesCostNoMore(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	for _, c := range []struct {
		name     string
		override func(i int) canon.Override
	}{
		{"hosts", func(i int) canon.Override {
			return canon.Override{Match: canon.Match{Host: fmt.Sprintf("www.a%d.es", i)},
				Accept: []string{"off-allowlist"}}
		}},
		{"patterns", func(i int) canon.Override {
			return canon.Override{Match: canon.Match{Host: fmt.Sprintf("*.a%d.es", i)},
				Accept: []string{"off-allowlist"}}
		}},
		{"paths of a host", func(i int) canon.Override {
			return canon.Override{Match: canon.Match{Host: "www.a1.es", PathPrefix: fmt.Sprintf("/p%d", i)},
				Accept: []string{"off-allowlist"}}
		}},
		{"paths anywhere", func(i int) canon.Override {
			return canon.Override{Match: canon.Match{Host: "*", PathPrefix: fmt.Sprintf("/p%d", i)},
				Accept: []string{"off-allowlist"}}
		}},
		{"rewrites", func(i int) canon.Override {
			from, to := fmt.Sprintf("https://www.a1.es/p%d/", i), fmt.Sprintf("https://www.a2.es/q%d/", i)
			return canon.Override{Match: canon.Match{Host: "www.a1.es"},
				RewriteRules: []canon.Rewrite{{FromPrefix: from, ToPrefix: to}}}
		}},
		{"captures in paths", func(i int) canon.Override {
			return canon.Override{Match: canon.Match{Host: "www.a1.es"}, RewriteRules: []canon.Rewrite{
				{From: fmt.Sprintf("/p%d/{x}", i), To: fmt.Sprintf("/q%d/{x}/y", i)}}}
		}},
		{"captures of one path", func(i int) canon.Override {
			return canon.Override{Match: canon.Match{Host: "www.a1.es"}, RewriteRules: []canon.Rewrite{
				{From: fmt.Sprintf("/{y}/x?op=%d&id={x}", i), To: fmt.Sprintf("/q%d/{x}/y", i)}}}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			few, many := bytesOfURLs(t, c.override, 100), bytesOfURLs(t, c.override, 10_000)
			if many > 2*few { // the runtime allocates a little itself
				t.Errorf("%d bytes for URLs under 100 overrides, %d under 10000", few, many)
			}
		})
	}
}

// bytesOfURLs returns the memory that URLs take under n overrides. Those of one match become one.
func bytesOfURLs(t *testing.T, override func(i int) canon.Override, n int) uint64 {
	t.Helper()
	var list []canon.Override
	for i := range n {
		o := override(i)
		if len(list) > 0 && list[0].Match == o.Match {
			list[0].RewriteRules = append(list[0].RewriteRules, o.RewriteRules...)
		} else {
			list = append(list, o)
		}
	}
	set, err := canon.CompileOverrides(list)
	if err != nil {
		t.Fatal(err)
	}
	c, before, after := canon.New(clara(t), set), new(runtime.MemStats), new(runtime.MemStats)
	for range 2 { // the first, uncounted run fills the memory of hosts
		runtime.ReadMemStats(before)
		for i := range 100 {
			c.Canonicalize(fmt.Sprintf("https://www.a%d.es/p%d/x?id=1&op=%d", i%7, 3*i, 3*i), nil)
			c.Canonicalize("https://www.a1.es/elsewhere/x", nil)
		}
		runtime.ReadMemStats(after)
	}
	return after.TotalAlloc - before.TotalAlloc
}

// An override for a host with that host as the canonical one keeps it against the map of the policy.
func TestCanonicalHostOfItself(t *testing.T) {
	set := compiled(t, clara(t), `[{"match":{"host":"boe.es"},"canonical_host":"boe.es"}]`)
	if r := canon.Canonicalize("https://boe.es/a", clara(t), nil, nil); r.Canonical != "https://www.boe.es/a" {
		t.Errorf("without the override: %s", r.Canonical)
	}
	if r := canon.Canonicalize("https://boe.es/a", clara(t), set, nil); r.Canonical != "https://boe.es/a" {
		t.Errorf("with it: %s", r.Canonical)
	}
}

// The overrides of a host are read when a URL of that host comes, and once.
func TestOverridesAreReadByHost(t *testing.T) {
	hosts := []string{"www.a.es", "www.b.es", "*.b.es", "www.c.es"}
	var read []int
	matches := func(yield func(int, canon.Match) bool) {
		for i, host := range hosts {
			if !yield(i, canon.Match{Host: host}) {
				return
			}
		}
	}
	set := canon.IndexOverrides(matches, func(i int) canon.Override {
		read = append(read, i)
		return canon.Override{Match: canon.Match{Host: hosts[i]}, DropQueryParams: []string{"x"}}
	})
	for range 2 {
		if r := canon.Canonicalize("https://www.b.es/p?x=1", clara(t), set, nil); r.Canonical != "https://www.b.es/p" {
			t.Errorf("canonical URL %s", r.Canonical)
		}
	}
	if !slices.Equal(read, []int{1, 2}) {
		t.Errorf("read the overrides %v", read)
	}
}
