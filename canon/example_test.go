package canon_test

import (
	"fmt"
	"log"

	"visto/canon"
)

// The trace says which step did what.
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

// A Canonicalizer is for many URLs.
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

// What the network said is recorded elsewhere and passed in.
func ExampleEvidence() {
	policy, err := canon.Builtin("clara")
	if err != nil {
		log.Fatal(err)
	}
	ev := &canon.Evidence{LangVariants: map[string]string{"es": "https://web.gencat.cat/es/tramits/tramit-12345"}}
	r := canon.Canonicalize("https://web.gencat.cat/ca/tramits/tramit-12345", policy, nil, ev)
	fmt.Println(r.Canonical, r.LangVariants)
	// Output: https://web.gencat.cat/es/tramits/tramit-12345 map[ca:https://web.gencat.cat/ca/tramits/tramit-12345]
}

// Overrides are checked together before they are used.
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
	fmt.Println(canon.CheckFixedPoint(policy, list, nil) != nil)
	// Output: true
}
