package canon_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"

	"visto/canon"
)

// Many URLs go through one Canonicalizer. It never fails: a rejection is a result too.
func Example() {
	policy, err := canon.Builtin(canon.DefaultPolicy)
	if err != nil {
		log.Fatal(err)
	}
	c := canon.New(policy, nil)
	for _, raw := range []string{
		"http://www.SEPE.es/HomeSepe/prestaciones/desempleo/?utm_source=boletin",
		"https://sede.gob.es/tramites/solicitud/12345?plaza=2",
		"http://127.1/admin",
	} {
		switch res := c.Canonicalize(raw, nil); res.Verdict {
		case canon.Accepted:
			fmt.Println(res.Canonical)
		case canon.Flagged:
			fmt.Println(res.Canonical, res.Flags[0].Code, res.UnknownParams)
		case canon.Rejected:
			fmt.Println(res.Reason, "-", res.Detail)
		}
	}
	// Output:
	// https://www.sepe.es/HomeSepe/prestaciones/desempleo
	// https://sede.gob.es/tramites/solicitud/12345?plaza=2 unknown-param [plaza]
	// private-address - the address 127.0.0.1 is not public
}

// The trace names the step of each change.
func ExampleCanonicalize() {
	policy, err := canon.Builtin("clara")
	if err != nil {
		log.Fatal(err)
	}
	r := canon.Canonicalize("http://BOE.es/buscar/?p=7&tipo=leyes&utm_source=x#top", policy, nil, nil)
	fmt.Println(r.Canonical, r.Verdict)
	for _, e := range r.Trace {
		fmt.Printf("%-10s %s\n", e.Step, e.Note)
	}
	for _, f := range r.Flags {
		fmt.Println(f.Code, "-", f.Code.Summary())
	}
	// Output:
	// https://www.boe.es/buscar?tipo=leyes flagged
	// scheme     https instead of http
	// host       host in lower case
	// tracking   utm_source is a tracking parameter
	// fragment   #top removed and noted
	// path       slash at the end removed
	// www        boe.es prefers www.boe.es
	// pagination p 7 of a list; the list begins without it
	// home-page - a home page where a procedure page should be cited
}

// Overrides are compiled once and given to every Canonicalizer.
func ExampleNew() {
	policy, err := canon.Builtin("clara")
	if err != nil {
		log.Fatal(err)
	}
	overrides, err := canon.CompileOverrides([]canon.Override{
		{Match: canon.Match{Host: "sede.valencia.es"}, KeepQueryParams: []string{"plaza"}},
		{Match: canon.Match{Host: "*", PathPrefix: "/sta/CarpetaPublic"}, DropQueryParams: []string{"DETALLE"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	c := canon.New(policy, overrides)
	for _, raw := range []string{
		"https://sede.valencia.es/tramite/empadronamiento-de-vecinos?plaza=2",
		"https://sede.carm.es/sta/CarpetaPublic/12345?DETALLE=6",
	} {
		r := c.Canonicalize(raw, nil)
		fmt.Println(r.Canonical, r.Verdict)
	}
	// Output:
	// https://sede.valencia.es/tramite/empadronamiento-de-vecinos?plaza=2 accepted
	// https://sede.carm.es/sta/CarpetaPublic/12345 accepted
}

// The policy rfc3986 has nothing but safe normalizations.
func ExampleCanonicalizer_Canonicalize() {
	policy, err := canon.Builtin("rfc3986")
	if err != nil {
		log.Fatal(err)
	}
	c := canon.New(policy, nil)
	for _, raw := range []string{"HTTP://Example.com:80/%7Eana/./a", "http://10.0.0.1/", "example.com"} {
		r := c.Canonicalize(raw, nil)
		fmt.Println(r.Verdict, r.Canonical+r.Detail)
	}
	// Output:
	// accepted http://example.com/~ana/a
	// rejected the address 10.0.0.1 is not public
	// accepted https://example.com/
}

// The details of the flags tell a person how to act.
func ExampleCanonicalizer_Explain() {
	policy, err := canon.Builtin("clara")
	if err != nil {
		log.Fatal(err)
	}
	r := canon.New(policy, nil).Explain("https://www.gva.es/es/tramites/ayuda-al-alquiler?plaza=2&plaza=3", nil)
	for _, f := range r.Flags {
		fmt.Printf("%v (step %s): %s\n", f.Code, f.Rule, f.Detail)
	}
	// Output:
	// unknown-param (step tracking): no list knows "plaza": keep it or drop it on this host
}

// Steps can be run one by one.
func ExampleCanonicalizer_Only() {
	policy, err := canon.Builtin("clara")
	if err != nil {
		log.Fatal(err)
	}
	c, err := canon.New(policy, nil).Only("host", "session")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.Canonicalize("HTTP://SEDE.gob.es:80/a/;jsessionid=1?b=2&sid=3", nil).Canonical)
	// Output: HTTP://sede.gob.es/a/?b=2
}

// A URL that a person typed is not rewritten by the rules, but it has to be a URL.
func ExampleCanonicalizer_Clean() {
	policy, err := canon.Builtin("clara")
	if err != nil {
		log.Fatal(err)
	}
	c := canon.New(policy, nil)
	for _, raw := range []string{"http://BOE.es/a/../trámite/?utm_source=x", "http://localhost/"} {
		r := c.Clean(raw)
		fmt.Println(r.Canonical + r.Detail)
	}
	// Output:
	// http://boe.es/tr%C3%A1mite/?utm_source=x
	// localhost is this machine, not a public site
}

// Evidence is recorded elsewhere and passed in.
func ExampleEvidence() {
	policy, err := canon.Builtin("clara")
	if err != nil {
		log.Fatal(err)
	}
	c := canon.New(policy, nil)
	spanish := &canon.Evidence{LangVariants: map[string]string{"es": "https://web.gencat.cat/es/tramits/tramit-12345"}}
	r := c.Canonicalize("https://web.gencat.cat/ca/tramits/tramit-12345", spanish)
	fmt.Println(r.Canonical, r.LangVariants)

	moved := &canon.Evidence{Hops: []canon.Hop{{Status: 301, URL: "https://www.seg-social.es/wps/portal/imv-2026/"}}}
	r = c.Canonicalize("https://seg-social.es/imv", moved)
	fmt.Println(r.Canonical, r.RedirectChain)
	// Output:
	// https://web.gencat.cat/es/tramits/tramit-12345 map[ca:https://web.gencat.cat/ca/tramits/tramit-12345]
	// https://www.seg-social.es/wps/portal/imv-2026 [{301 https://www.seg-social.es/wps/portal/imv-2026/}]
}

// A file only has the differences from the policy that it extends. An error names its place.
func ExampleParsePolicy() {
	policy, err := canon.ParsePolicy(canon.PolicyFile{Name: "mine.yaml", Data: []byte(`
extends: rfc3986
name: mine
tracking_params_strip: [utm_*, fbclid]
sort_query: key
`)})
	if err != nil {
		log.Fatal(err)
	}
	r := canon.New(policy, nil).Canonicalize("https://example.com/a?b=2&utm_term=x&a=1", nil)
	fmt.Println(r.Canonical, r.Policy)

	_, err = canon.ParsePolicy(canon.PolicyFile{Name: "mine.yaml", Data: []byte("name: mine\nsort_qeury: key\n")})
	fmt.Println(err)
	// Output:
	// https://example.com/a?a=1&b=2 mine@1
	// mine.yaml:2: sort_qeury: unknown key
}

// Overrides are checked together before use: a set that sends a URL in a circle is refused.
func ExampleCheckFixedPoint() {
	policy, err := canon.Builtin("clara")
	if err != nil {
		log.Fatal(err)
	}
	list, err := canon.ParseOverrides("overrides.json", []byte(`{"overrides": [{
		"match": {"host": "example.gob.es"},
		"rewrite_rules": [{"from_prefix": "https://example.gob.es/a/", "to_prefix": "https://example.gob.es/a/a/"}]
	}]}`))
	if err != nil {
		log.Fatal(err)
	}
	var loop *canon.LoopError
	if errors.As(canon.CheckFixedPoint(policy, list, nil), &loop) {
		fmt.Println(loop.URLs[0])
		fmt.Println(loop.URLs[1])
	}
	// Output:
	// https://example.gob.es/a/b?c=1
	// https://example.gob.es/a/a/b?c=1
}

// Canonical URLs keep the order of their parameters, and still share a key if they differ in nothing else.
func ExampleResult_Hash() {
	policy, err := canon.Builtin("clara")
	if err != nil {
		log.Fatal(err)
	}
	c := canon.New(policy, nil)
	a := c.Canonicalize("https://www.boe.es/buscar/act.php?tipo=leyes&id=BOE-A-2023-12345", nil)
	b := c.Canonicalize("https://www.boe.es/buscar/act.php?id=BOE-A-2023-12345&tipo=leyes", nil)
	fmt.Println(a.Canonical == b.Canonical, a.Hash() == b.Hash())
	fmt.Println(a.Normalized())
	// Output:
	// false true
	// https://www.boe.es/buscar/act.php?id=BOE-A-2023-12345&tipo=leyes
}

// The JSON form is the object that visto canon --json prints; testdata/result.schema.json describes it.
func ExampleResult_MarshalJSON() {
	policy, err := canon.Builtin("clara")
	if err != nil {
		log.Fatal(err)
	}
	r := canon.New(policy, nil).Canonicalize("mailto:a@060.es", nil)
	if err := json.NewEncoder(os.Stdout).Encode(r); err != nil {
		log.Fatal(err)
	}
	// Output: {"original":"mailto:a@060.es","verdict":"rejected","reason":"unsupported-scheme","policy":"clara@1"}
}
