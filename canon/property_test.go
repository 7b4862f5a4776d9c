package canon_test

import (
	"bytes"
	"encoding/json"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"visto/canon"
)

// overrideSets are sets that CheckFixedPoint passes.
var overrideSets = []string{
	`[]`,
	`[{"match":{"host":"sede.example.gob.es"},"drop_query_params":["plaza","a"],"keep_query_params":["sid","utm_*"],"trailing_slash":"keep","accept":["home-page"]}]`,
	`[{"match":{"host":"*.example.gob.es"},"canonical_host":"sede.example.gob.es"},{"match":{"host":"sede.example.gob.es"},"scheme":"http","not_pagination_params":["p"],"pagination_params":["id"]}]`,
	`[{"match":{"host":"www.boe.es"},"rewrite_rules":[{"from_prefix":"https://www.boe.es/a/","to_prefix":"https://www.boe.es/"},{"from_prefix":"https://www.boe.es/ca","to_prefix":"https://m.example.gob.es/../es"}]},{"match":{"host":"m.example.gob.es"},"drop_query_params":["id"]}]`,
	`[{"match":{"host":"*","path_prefix":"/sta"},"keep_query_params":["a","b"]},{"match":{"host":"web.gencat.cat"},"spanish":{"from_prefix":"/ca","to_prefix":"/es"}},{"match":{"host":"web.gencat.cat","path_prefix":"/es/a"},"drop_query_params":["b"]}]`,
}

func compiled(t testing.TB, list string) *canon.Overrides {
	t.Helper()
	overrides, err := canon.ParseOverrides("set", []byte(`{"version":1,"overrides":`+list+`}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := canon.CheckFixedPoint(clara(t), overrides, nil); err != nil {
		t.Fatal(err)
	}
	set, err := canon.CompileOverrides(overrides)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestGeneratedURLs(t *testing.T) {
	const each = 25_000
	for i, list := range overrideSets {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			c := canon.New(clara(t), compiled(t, list))
			r := rand.New(rand.NewPCG(1, uint64(i)))
			for n := 0; n < each && !t.Failed(); n++ {
				checkLaws(t, c, randomURL(r))
			}
		})
	}
}

// policyFiles are what is laid over "nothing" or a built-in policy: every value of every switch is in one.
var policyFiles = []string{
	"extends: rfc3986", "extends: aggressive", "extends: curious-now-v0", "extends: fetch-guidelines",
	"{extends: seoslug, canonical_host: blog.example.com}",
	"{extends: seoslug, canonical_host: blog.example.com, scheme: base, public_base_url: 'http://x.es:8080/A/%7e/../b', trailing_slash: always, allowed_query_params: [id, p, a], lowercase_paths: false}",
	"{extends: seoslug, canonical_host: blog.example.com, public_base_url: 'https://x.es/A/%7E', percent_encoding: normal, resolve_dot_segments: true, trailing_slash: preserve}",
	"{extends: aggressive, www: add, scheme: keep, trailing_slash: always, percent_encoding: keep, default_values: {id: '', a: b, p: '1'}, sort_query: key-value}",
	"{extends: nothing, name: bare}",
	"{extends: clara, trailing_slash: always, remove_index_pages: true, sort_query: key, empty_query: keep, collapse_duplicate_slashes: true}",
	"{extends: clara, fragment: keep, resolve_dot_segments: false, lowercase_paths: true, escape_query_values: true, www: strip}",
}

func TestGeneratedURLsOfPolicies(t *testing.T) {
	const each = 6_000
	for i, file := range policyFiles {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			p, err := canon.ParsePolicy(canon.PolicyFile{Name: "p.yaml", Data: []byte(file)})
			if err != nil {
				t.Fatal(err)
			}
			c := canon.New(p, nil)
			r := rand.New(rand.NewPCG(4, uint64(i)))
			for n := 0; n < each && !t.Failed(); n++ {
				checkLaws(t, c, randomURL(r))
			}
		})
	}
}

// checkLaws checks what holds for every URL.
func checkLaws(t *testing.T, c *canon.Canonicalizer, url string) {
	t.Helper()
	r := c.Explain(url, nil)
	checkTrace(t, r)
	plain := c.Canonicalize(url, nil)
	if plain.Canonical != r.Canonical || plain.Verdict != r.Verdict || plain.Codes() != r.Codes() {
		t.Errorf("%q: %q without the trace, %q with it", url, plain.Canonical, r.Canonical)
	}
	if (r.Verdict == canon.Rejected) != (r.Canonical == "") || (r.Verdict == canon.Rejected) != (r.Reason != canon.NotRejected) {
		t.Errorf("%q: verdict %v, reason %v, canonical %q", url, r.Verdict, r.Reason, r.Canonical)
	}
	checkFixedPoint(t, c, r)
	if r.Verdict != canon.Rejected {
		checkForm(t, r.Canonical)
	}
}

// checkForm checks what every canonical URL is: ASCII that may stand in a URL, no credentials, a lower-case host.
func checkForm(t *testing.T, url string) {
	t.Helper()
	url, _, _ = strings.Cut(url, "#") // there is none where the policy drops it, which the golden cases show
	scheme, rest, ok := strings.Cut(url, "://")
	host := rest
	if end := strings.IndexAny(rest, "/?"); end >= 0 {
		host = rest[:end]
	}
	if !ok || scheme != "https" && scheme != "http" || host != strings.ToLower(host) || strings.Contains(host, "@") {
		t.Errorf("canonical URL %q: scheme or host", url)
	}
	for i := range len(url) {
		behindHost := i >= len(scheme)+len("://")+len(host)
		if x := url[i]; x <= ' ' || x >= 0x7f || behindHost && strings.IndexByte("\"<>\\^`{|}", x) >= 0 {
			t.Errorf("canonical URL %q holds %q", url, x)
		}
	}
}

// TestSameBytesInTwoProcesses runs the same URLs in another process, where maps have other orders.
func TestSameBytesInTwoProcesses(t *testing.T) {
	const marker = "VISTO_TEST_DIGEST"
	digest := strconv.FormatUint(digestOfResults(t), 16)
	if os.Getenv(marker) != "" {
		os.Stdout.WriteString(marker + "=" + digest + "\n")
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestSameBytesInTwoProcesses$")
	cmd.Env = append(os.Environ(), marker+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("second process: %v\n%s", err, out)
	}
	if !bytes.Contains(out, []byte(marker+"="+digest+"\n")) {
		t.Errorf("digest %s here, and in another process:\n%s", digest, out)
	}
}

func digestOfResults(t *testing.T) uint64 {
	t.Helper()
	sum := fnv.New64a()
	add := func(r canon.Result) {
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		sum.Write(data)
	}
	for _, step := range canon.Steps() {
		for _, g := range goldens(t, "canon")[step.ID] {
			add(g.canonicalizer(t).Explain(g.input(t), g.evidence(t)))
		}
	}
	c := canon.New(clara(t), compiled(t, overrideSets[3]))
	r := rand.New(rand.NewPCG(2, 3))
	for range 5_000 {
		add(c.Explain(randomURL(r), nil))
	}
	return sum.Sum64()
}

func FuzzCanonicalize(f *testing.F) {
	for _, cases := range goldens(f, "canon") {
		for _, g := range cases {
			f.Add(g.input(f), uint8(0))
		}
	}
	var all []*canon.Canonicalizer
	for _, list := range overrideSets {
		all = append(all, canon.New(clara(f), compiled(f, list)))
	}
	f.Fuzz(func(t *testing.T, url string, set uint8) {
		checkLaws(t, all[int(set)%len(all)], url)
	})
}

// FuzzEvidence lets the network say anything: whatever it says, the trace replays and the result is a canonical URL.
func FuzzEvidence(f *testing.F) {
	f.Add("https://sepe.es/x", `{"hops":[{"status":301,"url":"https://www.sepe.es/x/"}],"https":false,"lang_variants":{"es":"https://www.sepe.es/es"}}`)
	for _, cases := range goldens(f, "canon") {
		for _, g := range cases {
			if g.keys["evidence"] != "" {
				f.Add(g.input(f), g.keys["evidence"])
			}
		}
	}
	c := canon.New(clara(f), compiled(f, overrideSets[4]))
	f.Fuzz(func(t *testing.T, url, evidence string) {
		var ev canon.Evidence
		if json.Unmarshal([]byte(evidence), &ev) != nil {
			return
		}
		r := c.Explain(url, &ev)
		checkTrace(t, r)
		if r.Verdict != canon.Rejected {
			checkForm(t, r.Canonical)
		}
	})
}
