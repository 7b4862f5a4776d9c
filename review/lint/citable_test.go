package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"visto/canon"
	"visto/review/lint"
)

// TestRegistryOfAStranger: a registry may come with the pull request that it is to judge. Neither an approval nor an
// acceptance in it lets a URL be cited that the pipeline, the allowlist or the blocklist refuse; an override does.
func TestRegistryOfAStranger(t *testing.T) {
	forms := []string{
		`{"original":"http://www.boe.es/a","canonical":%q,"status":"accepted"}`,
		`{"original":"http://www.boe.es/a","canonical":%q,"status":"approved","decision":{"kind":"correct-as-typed",` +
			`"reviewer":"ana","at":"2026-11-20T10:00:00Z"}}`,
		`{"original":"http://www.boe.es/a","canonical":"https://www.boe.es/a","status":"approved","decision":{` +
			`"kind":"approve","reviewer":"ana","at":"2026-11-20T10:00:00Z"},"occurrences":[{"file":"f",` +
			`"status":"approved","canonical":%q,"decision":{"kind":"correct","at":"2026-11-20T10:00:00Z"}}]}`,
	}
	foreign := canon.Override{Match: canon.Match{Host: "shop.example"}, Accept: []string{"off-allowlist"}}
	withPort := canon.Override{Match: canon.Match{Host: "www.boe.es"}, Accept: []string{"nonstandard-port"}}
	policy, err := canon.ParsePolicy(canon.PolicyFile{Name: "p.yaml", Data: []byte("blocklist: {foro.gob.es: forum}")})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		url, codes string
		overrides  []canon.Override
	}{
		{"https://www.boe.es/diario/x/y", "", nil},
		{"https://www.boe.es", "", nil}, // a home page that a person took is settled
		{"javascript:alert(1)", "rejected", nil},
		{"http://127.0.0.1/", "rejected", nil},
		{"https://intranet/a/b", "rejected", nil},
		{"mailto:ana@boe.es", "rejected", nil},
		{"https://www.boe.es/a b", "rejected", nil},
		{"https://www.boe.es/x\n- url: https://shop.example/", "rejected", nil},
		{"https://www.boe.es/trámite", "rejected", nil},
		{"https://shop.example/a/b/c", "off-allowlist", nil},
		{"https://shop.example/a/b/c", "", []canon.Override{foreign}},
		{"https://shop.example\\@www.boe.es/a/b/c", "rejected", nil},
		{"https://www.boe.es@shop.example/a/b/c", "credentials off-allowlist", nil},
		{"https://ana:secret@www.boe.es/a/b/c", "credentials", nil},
		{"https://www.google.com/url?q=https://www.boe.es/a/b/c", "off-allowlist", nil},
		{"https://foro.gob.es/a/b/c", "blocked", nil},
		{"https://www.boe.es:1/", "nonstandard-port", nil},
		{"https://www.boe.es:8443/a/b/c", "nonstandard-port", nil},
		{"https://www.boe.es:8443/a/b/c", "", []canon.Override{withPort}},
		{"https://xn--mnisterio-v9h.gob.es/a/b/c", "suspicious-host", nil},
		{"https://bit.ly/3abcde", "unresolved-shortener", nil},
	} {
		for i, form := range forms {
			line := fmt.Sprintf(form, tc.url)
			reg, err := lint.ReadRegistry("r.jsonl", strings.NewReader(line), rulesOf(t, policy, tc.overrides...))
			if err != nil {
				t.Fatal(err)
			}
			l := &lint.Linter{Decisions: reg, File: "f", Flags: canon.SetOf(canon.Codes()...)}
			j := judge(t, l, "http://www.boe.es/a")
			want, target := tc.codes, ""
			if want == "" {
				target, want = tc.url, [...]string{"not-canonical", "decided-otherwise", "decided-otherwise"}[i]
			}
			if codes(j) != want || j.Target != target {
				t.Errorf("form %d, %s: %s, target %q", i, tc.url, codes(j), j.Target)
			}
		}
	}
}
