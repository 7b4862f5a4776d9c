package canon_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"visto/canon"
)

// TestMaskUser: spec 2, row 1, "Credentials: strip, flag credentials", and spec 4, "one object a line": the original in
// it has neither user nor password.
func TestMaskUser(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{"https://bob:S3cret@host.es/a", "https://***@host.es/a"},
		{"https://bob@host.es/a", "https://***@host.es/a"},
		{"https://:S3cret@host.es", "https://***@host.es"},
		{"https://***@host.es/", "https://***@host.es/"},
		{"https://bob:S3@cret@host.es/", "https://***@host.es/"},
		{"HTTPS:bob:S3cret@host.es", "HTTPS:***@host.es"},
		{`https:\\bob:S3cret@host.es\a`, `https:\\***@host.es\a`},
		{"ht\ntps:/\t/bob:S3\ncret@host.es", "ht\ntps:/\t/***@host.es"},
		{"//bob:S3cret@host.es/", "//***@host.es/"},
		{"bob@host.es/", "***@host.es/"},
		{"bob:S3cret@host.es/", "bob:***@host.es/"},
		{"ftp://bob:S3cret@host.es/", "ftp://***@host.es/"},
		{"https://bob:S3cret@", "https://***@"},
		{"https://www.boe.eshttps://bob:S3cret@host.es/", "https://www.boe.eshttps://***@host.es/"},
		{"https://https://bob:S3cret@host.es/", "https://https://***@host.es/"},
		{"https://ftp://bob:S3cret@host.es/", "https://ftp://***@host.es/"},
		{"http://https//bob:S3cret@host.es/", "http://https//***@host.es/"},
		{" \x00https://bob:S3cret@host.es", "https://***@host.es"},
		{"\ufeff\"https://bob:S3cret@host.es/\"\u200b", "https://***@host.es/"},
		{"\ufeffh:@host.es", "h:@host.es"},
		{"https://bob:S3cret＠host.es/a", "https://***＠host.es/a"},
		{"https://bob:S3cret﹫host.es/a", "https://***﹫host.es/a"},
		{"https://bob:S3cret%40host.es/a", "https://***%40host.es/a"},
		{"https://bob:S3cret%ef%bc%A0host.es/a", "https://***%ef%bc%A0host.es/a"},
		{"https://bob:S3cret%EF%b9%abhost.es/a", "https://***%EF%b9%abhost.es/a"},
		{"https://bob:S3＠cret@host.es/%40", "https://***@host.es/%40"},
		{"https://bob:S3@cret＠host.es/", "https://***＠host.es/"},
		{"https://bob:S3cret%4\n0ho\tst.es/\na", "https://***%40host.es/\na"},
		{"bob:S3cret＠host.es/", "bob:***＠host.es/"},

		{"https://@host.es/", "https://@host.es/"},
		{"https://host.es/@bob", "https://host.es/@bob"},
		{"https://host.es/%40bob/＠eve?u=bob%40x.es", "https://host.es/%40bob/＠eve?u=bob%40x.es"},
		{"https://h%6fst.es/", "https://h%6fst.es/"},
		{"mailto:info%40host.es", "mailto:info%40host.es"},
		{"https://host.es?u=bob@x.es#c@d", "https://host.es?u=bob@x.es#c@d"},
		{"mailto:info@host.es", "mailto:info@host.es"},
		{"", ""},
	} {
		if got := canon.MaskUser(c.raw); got != c.want {
			t.Errorf("MaskUser(%q) = %q, want %q", c.raw, got, c.want)
		}
		if got := canon.MaskUser(c.want); got != c.want {
			t.Errorf("MaskUser(%q), masked already, = %q", c.want, got)
		}
	}
}

func TestMaskText(t *testing.T) {
	p := policyOf(t, "{extends: clara, name: p, secret_params: [pin]}")
	for _, c := range []struct{ text, want string }{
		{"see https://bob:S3cret@host.es/a, and //eve@x.es", "see https://***@host.es/a, and //***@x.es"},
		{`the URL "https://bob:S3cret＠x.es/a" and //eve%40x.es`, `the URL "https://***＠x.es/a" and //***%40x.es`},
		{"to https://x.es/a?token=S3cret&id=1#k", "to https://x.es/a?token=***&id=1#k"},
		{"https://x.es/?A=1&PassWord=S3&Key=S3;secret=S3, gone",
			"https://x.es/?A=1&PassWord=***&Key=***;secret=***, gone"},
		{"https://x.es/?%74oken=S3cret", "https://x.es/?%74oken=***"},
		{"https://x.es/?access_token=S3&api-key=S3", "https://x.es/?access_token=***&api-key=***"},
		{"https://x.es/?pin=1234&pine=1&keyword=a", "https://x.es/?pin=***&pine=1&keyword=a"},
		{`Get "https://x.es/?token=S3cret": no route`, `Get "https://x.es/?token=***": no route`},
		{"#token=S3cret removed and noted", "#token=*** removed and noted"},
		{"write to bob@host.es about the token=", "write to bob@host.es about the token="},
	} {
		if got := p.MaskText(c.text); got != c.want {
			t.Errorf("MaskText(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

// TestNoOutputHoldsTheSecret hides a user, a password and a value of a secret parameter in URLs of many spellings and
// in evidence, and looks for them in every output. Only URL fields may hold the parameter.
func TestNoOutputHoldsTheSecret(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	r := rand.New(rand.NewPCG(26, 1))
	for _, s := range setups(t) {
		c := canon.New(s.policy, s.overrides)
		for range 80 {
			raw, ev := secretURL(r), secretEvidence(r)
			for _, res := range []canon.Result{
				c.Explain(raw, nil), c.Explain(raw, ev), c.Explain(randomURL(r), ev), c.Clean(raw),
				c.Canonicalize(raw, nil),
			} {
				checkSecret(t, s.name, raw, &res)
			}
		}
	}
}

// checkSecret looks for the secrets in everything that a result shows.
func checkSecret(t *testing.T, policy, raw string, res *canon.Result) {
	t.Helper()
	text, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "S3cret") || strings.Contains(string(text), "bobUser") {
		t.Fatalf("%s: the result of %q has the credentials:\n%s", policy, raw, text)
	}
	words := []string{res.Detail}
	for _, f := range res.Flags {
		words = append(words, f.Detail)
	}
	for _, e := range res.Trace {
		words = append(words, e.Note)
	}
	if all := strings.Join(words, "\n"); strings.Contains(all, "T0ken") {
		t.Fatalf("%s: words about %q have the value of a secret parameter:\n%s", policy, raw, all)
	}
}

func oneOf(r *rand.Rand, list ...string) string { return pick(r, list) }

func secretURL(r *rand.Rand) string {
	name := oneOf(r, "token", "TOKEN", "password", "key", "%73ecret", "access_token")
	return oneOf(r, "https://", "http:", "//", `https:\\`, "HTTP:/", "ftp://", " https://", "ht\ttps://",
		"https://https://") +
		oneOf(r, "bobUser:S3cret", "bobUser", ":S3cret", "bobUser:x@S3cret", "bobUser:S3%20cret%S3cret") +
		oneOf(r, "@", "@", "@", "＠", "﹫", "%40", "%EF%BC%A0") +
		oneOf(r, "boe.es", "www.sepe.es", "10.0.0.1", "bit.ly", "x.es:8443", "", "a b", "x.es:99999", "a.example") +
		oneOf(r, "/", "", "/a/b//c", "/en/x;jsessionid=1", "/%zz") +
		oneOf(r, "?", "/?a=1&") + name + "=T0ken" + oneOf(r, "", "#/route?token=T0ken", "&page=2", "&utm_source=x")
}

func secretEvidence(r *rand.Rand) *canon.Evidence {
	ev := &canon.Evidence{FinalURL: secretURL(r),
		LangVariants: map[string]string{"es": secretURL(r), "en": secretURL(r)}}
	for range r.IntN(8) {
		ev.Hops = append(ev.Hops, canon.Hop{Status: 301, URL: secretURL(r)})
	}
	if r.IntN(4) == 0 {
		ev.Error = fmt.Sprintf("Get %q: no route to host", secretURL(r))
	}
	return ev
}
