package suggest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/review/suggest"
)

// shared writes a file of one rule.
func shared(processor, args, patterns string) []byte {
	return fmt.Appendf(nil, `[{"processor": %q, "args": %s, "order": 0, "urlPattern": %s}]`, processor, args, patterns)
}

// TestSharedRules has each kind of rule and of pattern, with its templates or the reason why there are none.
func TestSharedRules(t *testing.T) {
	for _, test := range []struct{ processor, args, include, want string }{
		{"queryRemoval", `["pid", "Rec[]"]`, "tienda.es",
			"drop pid, rec[] on tienda.es; drop pid, rec[] on *.tienda.es"},
		{"queryRemoval", `["s"]`, "www.tienda.es", "drop s on www.tienda.es; drop s on *.www.tienda.es"},
		{"queryRemoval", `["s"]`, "Tienda.es/P/", "drop s on tienda.es/P; drop s on www.tienda.es/P"},
		{"queryRemoval", `["s"]`, "tienda.es/p/*", "drop s on tienda.es/p; drop s on www.tienda.es/p"},
		{"queryRemoval", `["s"]`, "tienda.es/", "drop s on tienda.es; drop s on www.tienda.es"},
		{"queryRemoval", `["s"]`, "tienda.es/*/p", "the path of an override for parameters has no *"},
		{"queryRemoval", `["s*"]`, "tienda.es", "an override cannot name the parameter"},
		{"queryRemoval", `[]`, "tienda.es", "it names no parameter"},
		{"queryRemoval", `["s"]`, "", "an override for all hosts needs a path"},
		{"queryRemoval", `["s"]`, "https://tienda.es", "an override is for both schemes"},
		{"queryRemoval", `["s"]`, "/p", "it has no host"},
		{"queryRemoval", `["s"]`, "tienda.es/p|", "an override is for all paths below its own"},
		{"queryRemoval", `["s"]`, "tienda.es/p?a=1", "an override does not look at the query"},
		{"queryRemoval", `["s"]`, "tienda.es/p//q", "a path has no empty segments"},
		{"queryRemoval", `["s"]`, "tienda.es:8080", `bad host "tienda.es:8080": `},
		{"queryRemovalExcept", `["id"]`, "tienda.es/p", "keep only id on tienda.es/p; keep only id on www.tienda.es/p"},
		{"queryRemovalExcept", `[]`, "tienda.es/p",
			"drop all parameters on tienda.es/p; drop all parameters on www.tienda.es/p"},
		{"subpathRemoval", `[0]`, "tienda.es/*/dp", "drop the segments in braces of /{*}/dp on tienda.es; " +
			"drop the segments in braces of /{*}/dp on www.tienda.es"},
		{"subpathRemoval", `[1]`, "tienda.es/a/b", "drop the segments in braces of /a/{b} on tienda.es; " +
			"drop the segments in braces of /a/{b} on www.tienda.es"},
		{"subpathRemoval", `[0]`, "tienda.es", "without a fixed segment behind it a rewrite would go on dropping"},
		{"subpathRemoval", `[1]`, "tienda.es/a/*", "without a fixed segment behind it a rewrite would go on dropping"},
		{"subpathRemoval", `[2]`, "tienda.es/*/a", "without a fixed segment behind it a rewrite would go on dropping"},
		{"subpathRemoval", `[0]`, "tienda.es/a*b/c", "a * in an override is a whole segment"},
		{"subpathRemoval", `[]`, "tienda.es/a", "it names no segment"},
		{"normalizer", `[]`, "", "the policy decides about www and slashes"},
	} {
		pattern, _ := json.Marshal(test.include)
		data := shared(test.processor, test.args, `{"include": [`+string(pattern)+`]}`)
		list, err := suggest.ReadShared("rules.json", data)
		if err != nil || len(list) != 1 {
			t.Errorf("%s %q: %v, %v", test.processor, test.include, list, err)
			continue
		}
		var got []string
		for _, template := range list[0].Templates {
			got = append(got, template.String())
		}
		for _, u := range list[0].Unsaid {
			got = append(got, u.Why)
		}
		text := strings.Join(got, "; ")
		if begins := strings.HasSuffix(test.want, ": "); text != test.want && !begins ||
			!strings.HasPrefix(text, test.want) {
			t.Errorf("%s %s %q: %s\nwant %s", test.processor, test.args, test.include, text, test.want)
		}
	}
}

// TestSharedExceptions: a rule is unsaid for each of its patterns if it has exceptions.
func TestSharedExceptions(t *testing.T) {
	list, err := suggest.ReadShared("r", shared("queryRemoval", `["s"]`,
		`{"include": ["a.es", "b.es"], "exclude": ["a.es/p"], "priority": 3}`))
	if err != nil || len(list[0].Templates) > 0 || fmt.Sprint(list[0].Unsaid) !=
		"[{a.es an override has no exceptions} {b.es an override has no exceptions}]" {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestSharedFileErrors: a bad file is none, and the error tells the place.
func TestSharedFileErrors(t *testing.T) {
	const good = `{"processor": "queryRemoval", "args": ["s"], "order": 0, "urlPattern": {"include": ["a.es"]}}`
	for _, test := range []struct{ data, want string }{
		{"", "r:1:1: unexpected end of JSON input"},
		{"[\n" + good + "\n", "r:3:1: unexpected end of JSON input"},
		{"[\n" + good + "\n] x", "r:3:3: invalid character 'x' after top-level value"},
		{good, "r:1:1: a list of rules is wanted"},
		{"[" + good + ",\n  5]", "r:2:3: rule 2: : number is not the kind of value that belongs here"},
		{"[\n " + strings.Replace(good, `["s"]`, `"s"`, 1) + "]",
			"r:2:42: rule 1: args: string is not the kind of value that belongs here"},
		{"[\n " + strings.Replace(good, "queryRemoval", "queryremoval", 1) + "]", `r:2:2: rule 1: processor: ` +
			`there is no "queryremoval"; known are normalizer, queryRemoval, queryRemovalExcept, subpathRemoval`},
		{"[" + strings.Replace(good, `"order"`, `"ordre"`, 1) + "]", `r:1:2: rule 1: unknown field "ordre"`},
		{"[" + strings.Replace(good, `"include"`, `"exclude"`, 1) + "]",
			"r:1:2: rule 1: urlPattern: the list include is missing"},
		{"[" + strings.Replace(good, `["s"]`, `["s", 5]`, 1) + "]",
			"r:1:2: rule 1: args[1]: 5 is not the name of a parameter"},
		{"[" + strings.Replace(good, "queryRemoval", "subpathRemoval", 1) + "]",
			"r:1:2: rule 1: args[0]: s is not the number of a segment"},
		{"[" + strings.Replace(good, "queryRemoval", "normalizer", 1) + "]",
			"r:1:2: rule 1: args: a normalizer has none"},
	} {
		list, err := suggest.ReadShared("r", []byte(test.data))
		if err == nil || err.Error() != test.want || list != nil {
			t.Errorf("%s: %v\nwant %s", test.data, err, test.want)
		}
	}
}

// imported returns the suggestions of shared rules that change a stored URL.
func (d *desk) imported(data string) []suggest.Suggestion {
	d.Helper()
	rules, err := suggest.ReadShared("rules.json", []byte(data))
	d.must(err)
	list, _, err := suggest.Import(d.Context(), d, review.Filter{}, "rules.json", rules)
	d.must(err)
	return slices.DeleteFunc(list, func(s suggest.Suggestion) bool { return s.Reach == 0 })
}

// TestImport takes each kind of shared rule, and looks at the URLs that its override makes.
func TestImport(t *testing.T) {
	for _, test := range []struct{ rule, found, url, want string }{
		{string(shared("queryRemoval", `["plaza"]`, `{"include": ["gob.es"]}`)), "drop plaza on *.gob.es 0:0\n",
			host + "/t/uno-dos?plaza=1&cod=2", host + "/t/uno-dos?cod=2"},
		{string(shared("queryRemovalExcept", `["cod"]`, `{"include": ["s.gob.es/t"]}`)),
			"keep only cod on s.gob.es/t 0:0\n", host + "/t/uno-dos?plaza=1&cod=2", host + "/t/uno-dos?cod=2"},
		{string(shared("subpathRemoval", `[0]`, `{"include": ["s.gob.es/*/dp"]}`)),
			"drop the segments in braces of /{*}/dp on s.gob.es 0:0\n", host + "/una-cosa/dp/77", host + "/dp/77"},
		{string(shared("subpathRemoval", `[1]`, `{"include": ["s.gob.es/a/b"]}`)),
			"drop the segments in braces of /a/{b} on s.gob.es 0:0\n", host + "/a/b/c/7", host + "/a/c/7"},
	} {
		d := newDesk(t)
		d.add(review.Found{URL: test.url}, review.Found{URL: "https://otro.es/t/uno-dos?plaza=1&cod=2"},
			review.Found{URL: "https://otro.es/una-cosa/dp/77"}, review.Found{URL: host + "/a/b"})
		list := d.imported(test.rule)
		if got := found(list); got != test.found {
			t.Errorf("%s: %q", test.rule, got)
			continue
		}
		if s := list[0]; s.Reach != 1 || s.Recommended || s.Source != "rules.json" || len(s.Ask) != 1 {
			t.Errorf("%s: %+v", test.rule, s)
		}
		change, err := d.Amend(d.Context(), list[0].Override())
		d.must(err)
		_, _, err = d.SaveOverrides(d.Context(), []review.OverrideChange{change}, "")
		d.must(err)
		items, err := d.Find(d.Context(), test.url)
		d.must(err)
		if got := items[0].Computed.Canonical; got != test.want {
			t.Errorf("%s: %s becomes %s", test.rule, test.url, got)
		}
	}
}

// A shared rule has the votes of the stored evidence, and is recommended or not as any other.
func TestImportVotes(t *testing.T) {
	d := newDesk(t)
	for i := range 3 {
		d.answered(fmt.Sprintf("/t/uno-%d?plaza=1", i), func(ev *canon.Evidence) {
			ev.RelCanonical = fmt.Sprintf("%s/t/uno-%d", host, i)
		})
		d.answered(fmt.Sprintf("/t/dos?cod=%d", i), func(ev *canon.Evidence) { ev.SHA256 = fmt.Sprint(i) })
	}
	const rules = `[
		{"processor": "queryRemoval", "args": ["plaza"], "urlPattern": {"include": ["s.gob.es", "otro.es"]}},
		{"processor": "queryRemoval", "args": ["cod"], "urlPattern": {"include": ["s.gob.es"]}}]`
	if got := found(d.imported(rules)); got != "*drop plaza on s.gob.es 3:0\ndrop cod on s.gob.es 0:2\n" {
		t.Errorf("%q", got)
	}
}

// A rule that sends its own result in a circle with a stored one is none.
func TestImportLoops(t *testing.T) {
	d := newDesk(t)
	d.add(review.Found{URL: host + "/x/dp/7"})
	rule := canon.Override{Match: canon.Match{Host: "s.gob.es"},
		RewriteRules: []canon.Rewrite{canon.NewRewrite("/dp/{a}", "/x/dp/{a}")}}
	change, err := d.Amend(d.Context(), rule)
	d.must(err)
	_, _, err = d.SaveOverrides(d.Context(), []review.OverrideChange{change}, "")
	d.must(err)
	rules, err := suggest.ReadShared("r", shared("subpathRemoval", `[0]`, `{"include": ["s.gob.es/*/dp"]}`))
	d.must(err)
	list, left, err := suggest.Import(d.Context(), d, review.Filter{}, "r", rules)
	d.must(err)
	if len(list) != 1 || len(left[0].Templates) != 1 ||
		fmt.Sprint(left[0].Unsaid) != "[{s.gob.es its override would never come to rest}]" {
		t.Errorf("%+v, %+v", list, left)
	}
}

// Without votes there are only offers: unknown parameters that many URLs have, with pairs to ask about.
func TestOffers(t *testing.T) {
	d := newDesk(t)
	for _, url := range []string{"/t/uno?rara=1", "/t/dos?rara=1", "/t/tres?rara=1", "/t/tres?rara=2",
		"/t/tres?rara=3", "/t/dos", "/t/seis?rara=1", "/t/mil?otra=1", "/t/mil?otra=2"} {
		d.add(review.Found{URL: absolute(url)})
	}
	d.want("")
	list := d.offers()
	if got := found(list); got != "drop rara on s.gob.es 0:0\n" {
		t.Fatalf("%q", got)
	}
	if s := list[0]; s.Reach != 6 || s.Recommended || s.Lacks(s.Template) != "nothing is known yet" ||
		!slices.Equal(s.Ask, []int64{3, 4, 2, 6, 1}) {
		t.Errorf("%+v", s)
	}
	d.answered("/t/siete?rara=1", hop("/t/siete"))
	if got := found(d.offers()); got != "" {
		t.Errorf("after an answer: %q", got)
	}
}

// No rule can name a parameter that is no UTF-8, so none is offered.
func TestNoOfferWithoutAName(t *testing.T) {
	d := newDesk(t)
	for i := range 6 {
		d.add(review.Found{URL: absolute(fmt.Sprintf("/t/%d?ra%%FFra=1", i))})
	}
	if got := found(d.offers()); got != "" {
		t.Errorf("%q", got)
	}
}

func (d *desk) offers() []suggest.Suggestion {
	d.Helper()
	list, err := suggest.Offer(d.Context(), d, review.Filter{}, d.suggestions(review.Filter{}))
	d.must(err)
	return list
}
