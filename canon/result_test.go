package canon_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"visto/canon"
)

// The documented example of the output format: fields, their order, and absent fields.
func TestResultJSON(t *testing.T) {
	r := canon.Canonicalize("http://BOE.es/buscar?p=7&tipo=leyes&utm_source=x#top", clara(t), nil, nil)
	r.Trace = r.Trace[:1]
	got, err := r.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	want := `{"original":"http://BOE.es/buscar?p=7&tipo=leyes&utm_source=x#top",` +
		`"canonical":"https://www.boe.es/buscar?tipo=leyes",` +
		`"normalized":"https://www.boe.es/buscar?tipo=leyes",` +
		`"canonical_hash":"52588e6b0d17d389ee568eeb2d82a218bdbd635d0381bcaf97876ff253e8b71e","verdict":"flagged",` +
		`"flags":[{"code":"home-page","rule":"classify",` +
		`"detail":"https://www.boe.es/buscar?tipo=leyes is a home page: ` +
		`cite the page of the procedure, or accept it where the body has none"}],` +
		`"link_type":"homepage","fragment_note":"#top",` +
		`"pagination":{"paginated":true,"page_param":"p","page":7,"total_pages":null},"policy":"clara@1",` +
		`"trace":[{"step":"scheme","rule":1,` +
		`"before":"http://BOE.es/buscar?p=7&tipo=leyes&utm_source=x#top",` +
		`"after":"https://BOE.es/buscar?p=7&tipo=leyes&utm_source=x#top","note":"https instead of http"}]}`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A page number is a JSON number of any length, and absent at the beginning of a list (spec 2, row 11).
func TestPaginationJSON(t *testing.T) {
	const digits = "98765432109876543210987654321098765432109876543210"
	for url, want := range map[string]string{
		"https://www.boe.es/a/b/c?p=" + digits: `{"paginated":true,"page_param":"p",` +
			`"page":` + digits + `,"total_pages":12}`,
		"https://www.boe.es/a/b/c?pagina=0": `{"paginated":true,"page_param":"pagina","page":0,"total_pages":12}`,
		"https://www.boe.es/a/b/c":          `{"paginated":true,"total_pages":12}`,
	} {
		got, err := json.Marshal(canon.Canonicalize(url, clara(t), nil, &canon.Evidence{TotalPages: 12}))
		if err != nil || !strings.Contains(string(got), `"pagination":`+want+`,`) {
			t.Errorf("%s: %v\n%s", url, err, got)
		}
	}
}

func TestRejectedResultJSON(t *testing.T) {
	r := canon.Canonicalize("https://"+strings.Repeat("a", 2040), clara(t), nil, nil)
	got, err := r.MarshalJSON()
	if err != nil || !strings.HasSuffix(string(got), `","verdict":"rejected","reason":"too-long","policy":"clara@1"}`) {
		t.Errorf("%v\n%s", err, got)
	}
}

// A rejected URL still has the host of the input.
func TestHostOfRejected(t *testing.T) {
	ev := canon.Evidence{Hops: []canon.Hop{{Status: 301, URL: "https://parking.example.com/"}}}
	if r := canon.Canonicalize("http://WWW.Sepe.es/x", clara(t), nil, &ev); r.InHost != "www.sepe.es" || r.Host != "" {
		t.Errorf("in %q, host %q", r.InHost, r.Host)
	}
}

// The limit applies to the input and to the result, which escapes make longer.
func TestLengthLimit(t *testing.T) {
	for _, c := range []struct {
		name, url string
		rejected  bool
	}{
		{"one below", "https://boe.gob.es/" + strings.Repeat("a", 2047-19), false},
		{"at the limit", "https://boe.gob.es/" + strings.Repeat("a", 2048-19), true},
		{"short, and long in escapes", "https://boe.gob.es/" + strings.Repeat("ñ", 900), true},
		{"long, and short without tracking", "https://boe.gob.es/?utm_source=" + strings.Repeat("a", 2048), true},
	} {
		r := canon.Canonicalize(c.url, clara(t), nil, nil)
		if got := r.Reason == canon.TooLong; got != c.rejected {
			t.Errorf("%s (%d bytes): rejected %v as %v", c.name, len(c.url), got, r.Reason)
		}
	}
}

// Bytes that are not UTF-8 are written so that the text canonicalizes to the same URL.
func TestResultJSONOfBytes(t *testing.T) {
	r := canon.Canonicalize("https://www.boe.es/a/tr\xe1mite/\xf3#\xff", clara(t), nil, nil)
	data, err := r.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var back struct{ Original, Canonical, Fragment_note string }
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if again := canon.Canonicalize(back.Original, clara(t), nil, nil); again.Canonical != r.Canonical ||
		back.Canonical != r.Canonical {
		t.Errorf("%q canonicalizes to %q, not to %q", back.Original, again.Canonical, r.Canonical)
	}
	if back.Fragment_note != "#%FF" {
		t.Errorf("fragment %q", back.Fragment_note)
	}
}

// Each detail has the words that a person needs to act.
func TestFlagDetails(t *testing.T) {
	for _, c := range []struct {
		url   string
		code  canon.Code
		words []string
	}{
		{"https://www.boe.es/a/b/c?plaza=1&%F1=2&id=3", canon.UnknownParam, []string{`"plaza"`, "\"\xf1\""}},
		{"https://www.boe.es/a/b/c?p\x1b[31mlaza=1", canon.UnknownParam, []string{"\"p\x1b[31mlaza\""}},
		// unescaped: printing escapes it, once
		{"https://www.boe.es/a/b/c?id=1&amp;lang=es", canon.UnknownParam,
			[]string{`"amp;lang"`, "left over from HTML"}},
		{"https://www.boe.es/a/b/c?plaza=1", canon.UnknownParam, []string{"keep it or drop it"}},
		{"https://www.boe.es:8443/a/b/c", canon.NonstandardPort, []string{"8443", "www.boe.es"}},
		{"https://web.gencat.cat/ca/a/b/c", canon.NoSpanish, []string{`"ca"`, "https://web.gencat.cat/es/a/b/c"}},
		{"https://www.boe.es.evil.com/a/b/c", canon.SuspiciousHost, []string{"imitates boe.es"}},
		{"https://ana:secreto@www.boe.es/a/b/c", canon.Credentials, []string{"removed"}},
	} {
		r := canon.Canonicalize(c.url, clara(t), nil, nil)
		detail := ""
		for _, f := range r.Flags {
			if f.Code == c.code {
				detail = f.Detail
			}
			if strings.Contains(f.Detail, "secreto") {
				t.Errorf("%s: the detail tells the password: %s", c.url, f.Detail)
			}
		}
		for _, word := range c.words {
			if !strings.Contains(detail, word) {
				t.Errorf("%s: %v says %q, without %q", c.url, c.code, detail, word)
			}
		}
	}
	r := canon.Canonicalize("https://www.boe.es/a/b/c?plaza=1", clara(t), nil, nil)
	if strings.Contains(r.Flags[0].Detail, "HTML") {
		t.Errorf("no HTML in %q", r.Flags[0].Detail)
	}
}

// A typed URL only changes to normal form.
func TestClean(t *testing.T) {
	c := canon.New(clara(t), nil)
	for in, want := range map[string]string{
		"  HTTP://BOE.es:80/a/../B/?utm_source=x&p=2#top\n": "http://boe.es/B/?utm_source=x&p=2#top",
		"boe.es/tr%e1mite con espacios/":                    "https://boe.es/tr%E1mite%20con%20espacios/",
		"https://boe.es":                                    "https://boe.es",
		"https://boe.es/":                                   "https://boe.es/",
		"https://www.ejemplo.com/?":                         "https://www.ejemplo.com/",
	} {
		if r := c.Clean(in); r.Canonical != want {
			t.Errorf("%q: got %q (%s), want %q", in, r.Canonical, r.Detail, want)
		}
	}
	for in, want := range map[string]canon.Reason{
		"": canon.InvalidURL, "hola que tal": canon.InvalidURL, "mailto:a@b.es": canon.UnsupportedScheme,
		"http://10.0.0.1/": canon.PrivateAddress,
		"https://boe.es/" + strings.Repeat("a", 3000): canon.TooLong,
	} {
		if r := c.Clean(in); r.Reason != want || r.Canonical != "" {
			t.Errorf("%.40q: got %q, %v, want %v", in, r.Canonical, r.Reason, want)
		}
	}
}

// The comparison key ignores the order of parameters, and nothing else.
func TestNormalized(t *testing.T) {
	if got := canon.NormalizedOf("https://a.es/x?b=2&a=1&b=1&%61=0&&c"); got != "https://a.es/x?%61=0&a=1&b=1&b=2&c" {
		t.Errorf("got %s", got)
	}
	if canon.HashOf("https://a.es/?b=2&a=1") != canon.HashOf("https://a.es/?a=1&b=2") {
		t.Error("two orders, two keys")
	}
	for _, pair := range [][2]string{
		{"https://a.es/x%2Fy", "https://a.es/x/y"}, {"https://a.es/?a", "https://a.es/?a="},
		{"https://a.es/?a=b+c", "https://a.es/?a=b%20c"},
		{"https://a.es/%E1", "https://a.es/%F3"}, {"https://a.es/?a=1&a=2", "https://a.es/?a=1"},
		{"https://a.es/A", "https://a.es/a"},
	} {
		a, b := canon.Canonicalize(pair[0], clara(t), nil, nil), canon.Canonicalize(pair[1], clara(t), nil, nil)
		if a.Hash() == b.Hash() {
			t.Errorf("%s and %s are two pages with one key", pair[0], pair[1])
		}
	}
}

func TestOnlyKnownSteps(t *testing.T) {
	if _, err := canon.New(clara(t), nil).Only("host", "foo"); err == nil ||
		!strings.Contains(err.Error(), `no step "foo": there is parse, scheme`) {
		t.Errorf("got %v", err)
	}
}

// Stored numbers and documented names never change.
func TestStoredNumbers(t *testing.T) {
	verdicts := []canon.Verdict{canon.Accepted, canon.Flagged, canon.Rejected}
	reasons := []canon.Reason{canon.NotRejected, canon.InvalidURL, canon.UnsupportedScheme, canon.TooLong,
		canon.PrivateAddress, canon.LeftAllowlist}
	types := []canon.LinkType{canon.NoLinkType, canon.Informative, canon.Section, canon.Homepage}
	var names []string
	for i, v := range verdicts {
		names = append(names, fmt.Sprint(int(v) == i, v))
	}
	for i, v := range reasons {
		names = append(names, fmt.Sprint(int(v) == i, v))
	}
	for i, v := range types {
		names = append(names, fmt.Sprint(int(v) == i, v))
	}
	for i, v := range canon.Codes() {
		names = append(names, fmt.Sprint(int(v) == i, v))
	}
	want := "true accepted,true flagged,true rejected," +
		"true ,true invalid-url,true unsupported-scheme,true too-long,true private-address,true off-allowlist," +
		"true ,true informative,true section,true homepage," +
		"true unknown-param,true http-only,true no-spanish,true redirect-limit,true home-page," +
		"true section-page,true trailing-slash,true nonstandard-port," +
		"true unresolved-shortener,true credentials,true broken-encoding,true fragment-route," +
		"true off-allowlist,true suspicious-host,true unreachable," +
		"true robots-blocked,true changed-since-approval,true no-content,true link-broken,true content-changed," +
		"true redirect-changed," +
		"true certificate-expiring,true canonical-conflict,true pasted-text"
	if got := strings.Join(names, ","); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The pipeline has the order and the rules of the policy document.
func TestSteps(t *testing.T) {
	var got []string
	for _, s := range canon.Steps() {
		got = append(got, fmt.Sprint(s.ID, " ", s.Rule))
	}
	want := "parse 0, scheme 1, host 6, session 8, tracking 3, fragment 4, path 2, redirects 7, www 5, override 0, " +
		"language 10, pagination 9, query 0, classify 0"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %s", strings.Join(got, ", "))
	}
}

// The trace names the rule of each step, and the flags the step they come from.
func TestRulesOfTrace(t *testing.T) {
	ev := &canon.Evidence{Hops: []canon.Hop{{Status: 301, URL: "http://boe.es/ca/x/?p=2&utm_id=1"}},
		LangVariants: map[string]string{"es": "https://www.boe.es/es/x?p=2"}}
	r := canon.Canonicalize("http://BOE.es:80/a/;jsessionid=1/?utm_source=x#y", clara(t), nil, ev)
	var got []string
	for _, e := range r.Trace {
		got = append(got, fmt.Sprint(e.Step, " ", e.Rule))
	}
	want := "scheme 1, host 6, session 8, tracking 3, fragment 4, path 2, redirects 7, scheme 1, tracking 3, " +
		"path 2, www 5, language 10, pagination 9"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %s", strings.Join(got, ", "))
	}
}
