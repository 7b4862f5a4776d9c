package canon_test

import (
	"fmt"
	"strings"
	"testing"

	"visto/canon"
)

// A file in the form of Clara's canonical_rules.yaml.
const rulesFile = `version: "1.0"
generated_at: "2026-02-18"
pipeline_order: [parse, normalize_protocol, lowercase_domain, strip_session_params, strip_tracking_params,
	strip_fragment,
  remove_trailing_slash, follow_redirects, normalize_www, detect_language_variant, annotate_pagination,
	classify_link_type]
rules:
  - id: 1
    name: protocol
    description: "Always HTTPS"
    exception: "A site without it is looked at"
tracking_params_strip: ["utm_source", "campaign_*"]
session_params_strip: ["SID*"]
session_params_regex: "^tok[a-z]+$"
content_params_preserve: ["lang"]
www_mappings: {"uno.es": "dos.es", "dos.es": "www.tres.es"}
link_type_classification: {types: [informative]}
edge_cases: {boe_urls: {rule: "Never strip"}}
`

// A file in the form of Clara's allowlist.yaml.
const allowFile = `version: "1.0"
default_action: reject
auto_allow_rules:
  - {pattern: "*.gob.es", tier: 1}
  - {pattern: "*.cat", tier: 2, condition: "Only if root domain is in the CCAA list"}
tier_1_age:
  domains:
    - {domain: uno.es, entity: Uno, aliases: [sede.dos.es]}
tier_2_ccaa:
  domains:
    - {domain: web.gencat.cat, ccaa: Cataluna}
domain_review_process: {adding: {}}
`

// A file in the form of Clara's blocklist.yaml.
const blockFile = `version: "1.0"
generated_at: "2026-02-18"
default_action: reject
categories:
  - category: "forums"
    reason: "User-generated, unverified"
    domains: ["Foro.example", "sede.dos.es"]
  - category: "opinion"
    domains: ["opinión.example"]
  - category: "on_discovery"
    reason: "Cannot verify accuracy"
    domains: []
    notes: "Various sites"
patterns:
  - "*.blog.example"
`

func parsed(t *testing.T, files ...string) *canon.Policy {
	t.Helper()
	var list []canon.PolicyFile
	for i, data := range files {
		list = append(list, canon.PolicyFile{Name: []string{"rules.yaml", "allow.yaml"}[i], Data: []byte(data)})
	}
	p, err := canon.ParsePolicy(list...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestClarasOwnFiles(t *testing.T) {
	p := parsed(t, rulesFile, allowFile)
	if p.ID() != "rules+allow@1.0" {
		t.Errorf("ID %q", p.ID())
	}
	if got := p.Rule(canon.HTTPOnly); got != "Rule 1: Always HTTPS. A site without it is looked at." {
		t.Errorf("rule text %q", got)
	}
	c := canon.New(p, nil)
	for _, u := range []struct{ in, out, flags string }{
		{"http://uno.es/a/b/c?utm_source=1&campaign_x=2&sidx=3&token=4&utm_medium=5&lang=es",
			"https://www.tres.es/a/b/c?utm_medium=5&lang=es", "off-allowlist unknown-param"},
		{"https://x.sede.dos.es/a/b/c", "https://x.sede.dos.es/a/b/c", ""},
		{"https://salut.gencat.cat/a/b/c", "https://salut.gencat.cat/a/b/c", ""},
		{"https://otro.cat/a/b/c", "https://otro.cat/a/b/c", "off-allowlist"},
		{"https://x.gob.es/a/b/c", "https://x.gob.es/a/b/c", ""},
		{"https://gob.es/a/b/c", "https://gob.es/a/b/c", "off-allowlist"},
	} {
		r := c.Canonicalize(u.in, nil)
		if got := fields["flags"](r); r.Canonical != u.out || got != u.flags {
			t.Errorf("%s: %s [%s], want %s [%s]", u.in, r.Canonical, got, u.out, u.flags)
		}
	}
}

// TestClarasBlocklist reads a file in her form and judges by it (spec 13: "as part of a policy").
func TestClarasBlocklist(t *testing.T) {
	p := parsed(t, allowFile, blockFile)
	for _, u := range []struct{ in, want string }{
		{"https://www.foro.example/a", "foro.example is on the blocklist: User-generated, unverified"},
		{"https://sede.dos.es/a/b/c", "sede.dos.es is on the blocklist: User-generated, unverified"},
		{"https://opinión.example/a", "xn--opinin-fxa.example is on the blocklist: opinion"},
		{"https://mi.blog.example/a", "mi.blog.example is on the blocklist"},
		{"https://blog.example/a", ""},
		{"https://uno.es/a/b/c", ""},
	} {
		r := canon.Canonicalize(u.in, p, nil, nil)
		if blocked := r.Reason == canon.Blocked; blocked != (u.want != "") || !strings.HasSuffix(r.Detail, u.want) {
			t.Errorf("%s: %v %q, want %q", u.in, r.Reason, r.Detail, u.want)
		}
	}
	if p.Allows("sede.dos.es") || !p.Allows("uno.es") {
		t.Error("a blocked host is not allowed, one on the allowlist alone is")
	}
	if got := fmt.Sprint(p.BlockedAllowed()); got != "[sede.dos.es]" {
		t.Errorf("on both lists: %s", got)
	}
}

// TestBlockedAllowed finds the entries that both lists hold, whichever is the wider one.
func TestBlockedAllowed(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"allowlist: [a.es, b.es]\nblocklist: {x.a.es: '', c.es: ''}\n", "[x.a.es]"},
		{"allowlist: [x.a.es, b.es]\nblocklist: {a.es: ''}\n", "[x.a.es]"},
		{"allowlist: ['*.a.es']\nblocklist: {a.es: '', '*.a.es': ''}\n", "[*.a.es]"},
		{"allowlist: []\nblocklist: {a.es: ''}\n", "[]"},
		{"allowlist: [a.es]\n", "[]"},
	} {
		if got := fmt.Sprint(parsed(t, c.file).BlockedAllowed()); got != c.want {
			t.Errorf("%s: %s, want %s", c.file, got, c.want)
		}
	}
}

// TestPolicyWithoutBlocklist checks that the text of such a policy, and so its digest, is that of older versions.
func TestPolicyWithoutBlocklist(t *testing.T) {
	if text := string(clara(t).YAML()); strings.Contains(text, "blocklist") {
		t.Error("the text of a policy without a blocklist names it")
	}
	with := parsed(t, "blocklist: {foro.example: Forum}\n")
	if again := parsed(t, string(with.YAML()), "blocklist: {}\n"); again.BlockedAllowed() != nil ||
		strings.Contains(string(again.YAML()), "blocklist") {
		t.Error("an empty blocklist does not take the place of another")
	}
}

func TestPolicyYAMLReadsBack(t *testing.T) {
	for _, p := range []*canon.Policy{clara(t), parsed(t, rulesFile, allowFile), parsed(t, allowFile, blockFile),
		parsed(t, "extends: nothing\nname: bare\n")} {
		again, err := canon.ParsePolicy(canon.PolicyFile{Name: "again.yaml", Data: p.YAML()})
		if err != nil {
			t.Fatalf("%s: %v", p.ID(), err)
		}
		if again.Digest() != p.Digest() || again.ID() != p.ID() {
			t.Errorf("%s %s reads back as %s %s", p.ID(), p.Digest(), again.ID(), again.Digest())
		}
	}
}

func TestPolicyForOneSite(t *testing.T) {
	p, err := canon.Builtin("seoslug")
	if err != nil || !strings.Contains(p.Missing(), "needs canonical_host") {
		t.Errorf("%v, missing %q", err, p.Missing())
	}
	own := parsed(t, "name: s\nextends: seoslug\n").Missing() // no policy can extend this one
	if want := `policy s needs canonical_host: add "canonical_host: …" to its file`; own != want {
		t.Errorf("missing %q, not %q", own, want)
	}
	if missing := clara(t).Missing(); missing != "" {
		t.Errorf("clara is for every site, and misses %q", missing)
	}
	if p := parsed(t, "extends: seoslug\ncanonical_host: BLOG.example.com\n"); p.Missing() != "" {
		t.Errorf("missing %q", p.Missing())
	}
}

func TestPolicyFromNothing(t *testing.T) {
	p := parsed(t, "extends: nothing\nname: bare\nversion: 3\n")
	r := canon.Canonicalize("http://UNO.es/a/b/c?utm_source=1&jsessionid=2", p, nil, nil)
	if r.Canonical != "http://uno.es/a/b/c?utm_source=1&jsessionid=2" || r.Policy != "bare@3" {
		t.Errorf("%s under %s", r.Canonical, r.Policy)
	}
}

func TestBadPolicyFiles(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"empty", "", "rules.yaml: the policy file is empty"},
		{"list", "- a\n", "rules.yaml:1: a policy file is a mapping"},
		{"syntax", "name: x\nb: [\n", "rules.yaml:2: did not find"},
		{"syntax of the first line", "\"", "rules.yaml:1: found unexpected end of stream"},
		{"unknown key", "name: x\nfoo: 1\n", "rules.yaml:2: foo: unknown key"},
		{"key twice", "name: x\nname: y\n", "rules.yaml:2: name: it is there twice"},
		{"bad pattern", "name: x\ntracking_params_strip:\n  - ok\n  - a*b\n",
			`rules.yaml:4: tracking_params_strip: bad pattern "a*b"`},
		{"several regexps", "session_params_regex:\n  - ^sid$\n  - ^token$\n",
			`rules.yaml:2: session_params_regex: it is one pattern, not a list: join several with "|"`},
		{"bad regexp", "session_params_regex: '['\n", "rules.yaml:1: session_params_regex: bad pattern"},
		{"no list", "shorteners: bit.ly\n", "rules.yaml:1: shorteners: a list is wanted"},
		{"no text", "shorteners: [[a]]\n", "a list of texts is wanted"},
		{"no number", "max_hops: many\n", `rules.yaml:1: max_hops: a number above 0 is wanted, not "many"`},
		{"no hops", "max_hops: 0\n", `max_hops: a number above 0 is wanted, not "0"`},
		{"no truth", "session_segments: 7\n", `rules.yaml:1: session_segments: it is true or false, not "7"`},
		{"scheme", "scheme: ftp\n", `scheme: it is one of https, http, known-https, base, keep, not "ftp"`},
		{"extends", "extends: foo\n", `rules.yaml:1: extends: no built-in policy "foo": there is aggressive, clara`},
		{"extends a list", "extends: [clara]\n", "rules.yaml:1: extends: no built-in policy"},
		{"circle", "www_mappings: {a.es: b.es, b.es: a.es}\n", "www_mappings: b.es and a.es map to each other"},
		{"bad host", "www_mappings: {a.es: 'b c'}\n", "bad pattern"},
		{"other order", "pipeline_order: [parse]\n", "pipeline_order: it has 1 steps, the pipeline has 12"},
		{"other order of twelve", "pipeline_order: [parse, lowercase_domain, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]\n",
			`pipeline_order: step 2 is "lowercase_domain", the pipeline has "normalize_protocol" there`},
		{"language without a list", "languages: {es: es}\n", "rules.yaml:1: languages: a list is wanted"},
		{"rules", "rules: 5\n", "rules.yaml:1: rules: the value is not of the right kind"},
		{"no such rule", "rules: [{id: 77}]\n", "there is no rule 77"},
		{"no such step", "rule_texts: {foo: x}\n", `there is no step "foo"`},
		{"allowlist", "allowlist: ['*.*.es']\n", "bad pattern"},
		{"tier", "tier_1_x: {domains: [{domain: 'a b'}]}\n", "tier_1_x: bad pattern"},
		{"action", "default_action: allow\n", "a list of hosts rejects by default"},
		{"categories", "categories: {domains: [a.es]}\n", "rules.yaml:1: categories: a list is wanted"},
		{"category without domains", "categories:\n  - category: forums\n",
			"rules.yaml:2: categories: the category has no list of domains"},
		{"key of a category", "categories:\n  - domains: [a.es]\n    reasons: x\n",
			`rules.yaml:3: categories: unknown key "reasons": a category has category, reason, domains and notes`},
		{"domain of a category", "categories:\n  - domains:\n    - a.es\n    - https://b.es\n",
			`rules.yaml:4: categories: bad pattern "https://b.es"`},
		{"private domain", "categories:\n  - domains: [10.0.0.1]\n", `categories: bad pattern "10.0.0.1"`},
		{"domain of two categories", "categories:\n  - domains: [foro.es]\n  - domains:\n    - FORO.es.\n",
			`rules.yaml:4: categories: "FORO.es." is there twice: line 2 has it`},
		{"pattern twice", "categories:\n  - domains: ['*.blog.es']\npatterns:\n  - '*.blog.es'\n",
			`rules.yaml:4: patterns: "*.blog.es" is there twice: line 2 has it`},
		{"blocked pattern", "patterns: ['*blog.es']\n", `rules.yaml:1: patterns: bad pattern "*blog.es"`},
		{"blocklist", "blocklist: [a.es]\n", "rules.yaml:1: blocklist: a mapping is wanted"},
		{"reasons of a host", "blocklist: {a.es: [x]}\n", "rules.yaml:1: blocklist: a reason is wanted"},
		{"blocked twice", "blocklist: {españa.es: x, xn--espaa-rta.es: y}\n", "is there twice: line 1 has it"},
		{"slashes", "trailing_slash: maybe\n",
			`trailing_slash: it is one of never, never-but-root, always, preserve, not "maybe"`},
		{"base without its URL", "scheme: base\n", "public_base_url has to say which"},
		{"base with a query", "public_base_url: https://a.es/?b\n", "scheme, host and path are all it may have"},
		{"host pattern", "canonical_host: '*.a.es'\n", "a host name is wanted"},

		// Which of the two would count, would depend on the order of a map (spec 5, "An unknown key or a bad pattern is
		// an error that names file, line and key"; seed 004, "never changes for the same input").
		{"code of two languages", "languages:\n  es: [es]\n  ca: [ca,\n    ES]\n",
			`rules.yaml:4: languages: "ES" is a code of "es" and of "ca"`},
		{"language twice", "languages:\n  es: [es]\n  ca: [ca]\n  ES: [spa]\n",
			`rules.yaml:4: languages: "ES" is there twice: line 2 has "es"`},
		{"default twice", "default_values:\n  Sort: a\n  sort: b\n",
			`rules.yaml:3: default_values: "sort" is there twice: line 2 has "Sort"`},
		{"host twice", "www_mappings:\n  boe.es: www.boe.es\n  boe.es: sede.boe.es\n",
			`rules.yaml:3: www_mappings: "boe.es" is there twice: line 2 has "boe.es"`},
		{"host twice, in capitals", "www_mappings: {boe.es: www.boe.es, BOE.es: sede.boe.es}\n",
			`rules.yaml:1: www_mappings: "BOE.es" is there twice: line 1 has "boe.es"`},
		{"host twice, in ASCII", "www_mappings:\n  españa.es: a.es\n  xn--espaa-rta.es.: b.es\n",
			`rules.yaml:3: www_mappings: "xn--espaa-rta.es." is there twice`},
		{"step twice", "rule_texts: {www: a, path: b, www: c}\n",
			`rules.yaml:1: rule_texts: "www" is there twice: line 1 has "www"`},
		{"alias", "shorteners: &a [*a]\n", "a list of texts is wanted"},

		// of the checks of links
		{"days", "check_days: 7\n", `rules.yaml:1: check_days: days by priority are wanted, such as "P0: 1"`},
		{"negative days", "check_days:\n  P0: 1\n  P1: -7\n",
			`rules.yaml:3: check_days: P1: 0.01 to 3650 days are wanted, not "-7"`},
		{"days without a pause", "check_days: {P0: 0.00001}\n", "P0: 0.01 to 3650 days"},
		{"days without end", "check_days: {P0: .inf}\n", "P0: 0.01 to 3650 days"},
		{"no days", "check_days: {P0: .nan}\n", "P0: 0.01 to 3650 days"},
		{"days in words", "check_days: {P0: daily}\n", `P0: 0.01 to 3650 days are wanted, not "daily"`},
		{"priority twice", "check_days:\n  P0: 1\n  P0: 2\n", `rules.yaml:3: check_days: "P0" is there twice`},
		{"similarity", "drift_similarity: 1.1\n", `a number above 0 and up to 1 is wanted, not "1.1"`},
		{"no similarity", "drift_similarity: 0\n", "a number above 0 and up to 1 is wanted"},
		{"no zone", "time_zone: Europe/Madird\n", "a time zone is wanted, such as Europe/Madrid"},
		{"second look at no flag", "second_look:\n  - home-page\n  - homepage\n",
			`rules.yaml:3: second_look: there is no flag "homepage"`},
		{"second look at a link", "second_look: [link-broken]\n", "link-broken is no flag of the rules"},
		{"second look at one", "second_look: home-page\n", "a list is wanted"},
		{"zone of the machine", "time_zone: Local\n", `a time zone is wanted, such as Europe/Madrid, not "Local"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := canon.ParsePolicy(canon.PolicyFile{Name: "rules.yaml", Data: []byte(c.data)})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v; want %q", err, c.want)
			}
		})
	}
}

// A policy without the key has the text and so the digest that it had before there was one.
func TestSecondLook(t *testing.T) {
	if p := clara(t); p.SecondLook() != 0 || strings.Contains(string(p.YAML()), "second_look") {
		t.Errorf("the built-in policy wants second looks at %v", p.SecondLook().Codes())
	}
	p := parsed(t, "second_look: [suspicious-host, off-allowlist]\n")
	again := parsed(t, string(p.YAML()))
	if want := canon.SetOf(canon.OffAllowlist, canon.SuspiciousHost); p.SecondLook() != want ||
		again.SecondLook() != want {
		t.Errorf("%v, and read again %v", p.SecondLook().Codes(), again.SecondLook().Codes())
	}
}

// A code twice in the list of one language is no contradiction.
func TestLanguageCodeTwice(t *testing.T) {
	p := parsed(t, "languages: {es: [es, ES, es], ca: [ca]}\n")
	if r := canon.Canonicalize("https://www.boe.es/es/a/b/c", p, nil, nil); r.Language != "es" {
		t.Errorf("language %q", r.Language)
	}
}

func TestRuleTextForEveryFlag(t *testing.T) {
	p := clara(t)
	for _, c := range canon.Codes() {
		if c.Step() != "review" && c.Step() != "health" && p.Rule(c) == "" {
			t.Errorf("%s: the policy has no text for step %s", c, c.Step())
		}
	}
}

// TestGuidelines checks that the policy has each numbered rule of the seed in its own words, that a file replaces the
// words of a rule, and that a policy without guidelines has its sentences.
func TestGuidelines(t *testing.T) {
	p := clara(t)
	for _, s := range canon.Steps() {
		if want := fmt.Sprintf("Rule %d: ", s.Rule); s.Rule > 0 && !strings.HasPrefix(p.Guideline(s.ID), want) {
			t.Errorf("%s: %.60q", s.ID, p.Guideline(s.ID))
		}
	}
	if got := p.Guideline("tracking"); !strings.Contains(got,
		"When uncertain: Preserve the parameter and log it for manual review.") {
		t.Errorf("rule 3 is not whole: %s", got)
	}
	own := parsed(t, "guidelines: {www: Ours}\n")
	if got := own.Guideline("www") + "|" + own.Guideline("scheme"); !strings.HasPrefix(got,
		"Ours|Rule 1: always HTTPS.") {
		t.Errorf("%q", got)
	}
	theirs := parsed(t, "rules: [{id: 1, description: Another rule}]\n")
	if got := theirs.Guideline("scheme"); got != "Rule 1: Another rule." {
		t.Errorf("%q", got)
	}
	if got := theirs.Guideline("path"); !strings.HasPrefix(got, "Rule 2: Trailing Slashes -- Remove\n") {
		t.Errorf("%q", got)
	}
}
