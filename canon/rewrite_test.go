package canon_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"visto/canon"
)

// onHost returns a rule with rewrites for a.gob.es.
func onHost(list ...canon.Rewrite) canon.Override {
	return canon.Override{Match: canon.Match{Host: "a.gob.es"}, RewriteRules: list}
}

func TestBadCaptures(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"/a", "/b", "it has no capture such as {x}"},
		{"", "/b", `from "": it has to begin with https:// or http://, or be a path`},
		{"/{x}", "", `to "": it has to begin`},
		{"ftp://a.es/{x}", "/b", "it has to begin with https://"},
		{"/{x}", "https://a.es/{x}", "either both are paths or both are whole URLs"},
		{"/{x}", "/{x}", "would be rewritten to itself"},
		{"/{x}/{x}", "/b", "{x} stands there twice"},
		{"/{x}", "/b/{x}/{x}", "{x} stands there twice"},
		{"/{x}", "/b/{y}", "from has no {y}"},
		{"/{x}{y}", "/b", "two captures need a text between them"},
		{"/{x", "/b", "a capture is a name of letters"},
		{"/{}", "/b", "a capture is a name of letters"},
		{"/{a/b}", "/b", "a capture is a name of letters"},
		{"/{a b}", "/b", "a capture is a name of letters"},
		{"/x}/{y}", "/b", "a } stands alone"},
		{"/{y}/}", "/b", "a } stands alone"},
		{"https://{x}.es/a", "https://a.es/{x}", "a capture stands in the path or in the query, not in the host"},
		{"https://10.0.0.1/{x}", "https://a.es/{x}", `from "https://10.0.0.1/{x}": `},
		{"https://u:s3cret@a.es/{x}", "https://a.es/b", "it has a user or a password"},
		{"/{x}#b", "/b", "it has a fragment"},
		{"/{x}", "/b#{x}", "it has a fragment"},
		{"/a?id=b{x}", "/b", "in the query a capture is the whole value"},
		{"/a?id={x}{y}", "/b", "in the query a capture is the whole value"},
		{"/a?{x}=b", "/b", "in the query a capture is the whole value"},
		{"/a?{x}", "/b", "in the query a capture is the whole value"},
		{"/a?id={x}&i%64={y}", "/b", `the parameter "id" stands there twice`},
		{"/{x}", "/b?{x}=1", "a capture cannot stand in the name of a parameter"},
		{"/{x}", "/" + strings.Repeat("b", 2047), "it has 2048 bytes; a URL has fewer than 2048"},
	} {
		rule := onHost(canon.Rewrite{From: c.from, To: c.to})
		key, err := rule.Check()
		if err == nil || key != "rewrite_rules[0]" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s to %s: %s: %v, want %q", c.from, c.to, key, err, c.want)
		}
	}
	both := onHost(canon.Rewrite{FromPrefix: "https://a.es/b", ToPrefix: "https://a.es/c", From: "/{x}", To: "/b"})
	if _, err := both.Check(); err == nil || !strings.Contains(err.Error(), "either from_prefix and to_prefix") {
		t.Errorf("both forms at once: %v", err)
	}
}

// Braces are literal in prefixes. Only a file of version 1 has captures.
func TestCapturesInFiles(t *testing.T) {
	v0 := `{"overrides":[{"match":{"host":"a.es"},"rewrite_rules":[{%s}]}]}`
	list, err := canon.ParseOverrides("o", fmt.Appendf(nil, v0,
		`"from_prefix":"https://a.es/{x}","to_prefix":"https://a.es/b{x}"`))
	if err != nil || list[0].RewriteRules[0] !=
		(canon.Rewrite{FromPrefix: "https://a.es/{x}", ToPrefix: "https://a.es/b{x}"}) {
		t.Errorf("prefixes with braces: %+v, %v", list, err)
	}
	if data, err := canon.MarshalOverrides(list); err != nil || strings.Contains(string(data), "version") {
		t.Errorf("prefixes with braces are written as %s, %v", data, err)
	}
	capture := `"from":"/b/{x}","to":"/{x}"`
	if _, err := canon.ParseOverrides("o", fmt.Appendf(nil, v0, capture)); err == nil || !strings.Contains(err.Error(),
		`o:1:56: rewrite_rules: a file without "version": 1`) {
		t.Errorf("captures in version 0: %v", err)
	}
	list = []canon.Override{onHost(canon.Rewrite{From: "/b/{x}", To: "/{x}"})}
	data, err := canon.MarshalOverrides(list)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := canon.ParseOverrides("o", data); err != nil || !reflect.DeepEqual(again, list) {
		t.Errorf("%s is read back as %+v, %v", data, again, err)
	}
}

func TestNewRewrite(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     canon.Rewrite
	}{
		{"https://a.es/a", "https://a.es/b", canon.Rewrite{FromPrefix: "https://a.es/a", ToPrefix: "https://a.es/b"}},
		{"/a?id={x}", "/b", canon.Rewrite{From: "/a?id={x}", To: "/b"}},
		{"/a", "/{x}", canon.Rewrite{From: "/a", To: "/{x}"}},
	} {
		got := canon.NewRewrite(c.from, c.to)
		if from, to := got.Texts(); got != c.want || from != c.from || to != c.to {
			t.Errorf("%s and %s: %+v", c.from, c.to, got)
		}
	}
}

// TestCapturesAgainstRegexp compares generated rewrites with regular expressions. The rewrite gives the same text on
// another host, so its captures have to make the URL again.
func TestCapturesAgainstRegexp(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	policy := policyOf(t, "{extends: nothing, name: bare, percent_encoding: normal}")
	r := rand.New(rand.NewPCG(18, 1))
	matched := 0
	const n = 6_000
	for range n {
		from, expression := randomCaptures(r)
		path := capture.ReplaceAllStringFunc(from, func(string) string { return piecesOf(r) })
		if at := r.IntN(len(path)) + 1; r.IntN(2) == 0 {
			path = path[:at] + "/"[:r.IntN(5)/4] + piecesOf(r) + path[at:]
		}
		if cutEscape.MatchString(path) {
			continue
		}
		rule := onHost(canon.Rewrite{From: "https://a.gob.es" + from, To: "https://b.gob.es" + from})
		set, err := canon.CompileOverrides([]canon.Override{rule})
		if err != nil {
			t.Fatal(err)
		}
		want := "https://a.gob.es" + path
		if expression.MatchString(tokens(path)) {
			want = "https://b.gob.es" + path
			matched++
		}
		if got := canon.Canonicalize("https://a.gob.es"+path, policy, set, nil).Canonical; got != want {
			t.Fatalf("%s on %s: %s, the expression %s says %s", from, path, got, expression, want)
		}
	}
	if matched < n/20 || matched > n*19/20 {
		t.Errorf("%d of %d match", matched, n)
	}
}

// capture matches a capture, and cutEscape a "%" that begins no escape of piecesOf.
var (
	capture   = regexp.MustCompile(`{[^}]*}`)
	cutEscape = regexp.MustCompile(`%([^2]|2[^0F])|%.?$`)
)

func piecesOf(r *rand.Rand) (text string) {
	for range 1 + r.IntN(3) {
		text += pick(r, []string{"a", "b", "-", "%20", "20", "2", "ab", "a-", "%2F"})
	}
	return text
}

// tokens writes each escape of a path as one character, so that an expression does not cut it.
func tokens(path string) string { return strings.NewReplacer("%20", "é", "%2F", "ñ").Replace(path) }

// randomCaptures returns From of a rewrite, and an expression for the tokens of paths that it matches.
func randomCaptures(r *rand.Rand) (from string, expression *regexp.Regexp) {
	text := ""
	captures := 0
	for range 1 + r.IntN(3) {
		from, text = from+"/", text+"/"
		literal := false
		for range 1 + r.IntN(4) {
			if !literal || r.IntN(2) == 0 {
				piece := pick(r, []string{"a", "b", "-", "20", "%20", "2"})
				from, text, literal = from+piece, text+tokens(piece), true
				continue
			}
			from += fmt.Sprintf("{x%d}", captures)
			text, literal = text+"[^/]+", false
			captures++
		}
	}
	if captures == 0 {
		from, text = from+"/{x}", text+"/[^/]+"
	}
	return from, regexp.MustCompile("^" + text + "$")
}

// The values that a rewrite takes out of a URL are those that a server reads there, and in the new URL.
func TestCapturedValuesKeepTheirMeaning(t *testing.T) {
	policy := policyOf(t, "{extends: nothing, name: bare, percent_encoding: normal}")
	there, err := canon.CompileOverrides([]canon.Override{onHost(canon.Rewrite{From: "/a?id={x}", To: "/b/{x}/c"})})
	if err != nil {
		t.Fatal(err)
	}
	back, err := canon.CompileOverrides([]canon.Override{onHost(canon.Rewrite{From: "/b/{x}/c", To: "/a?id={x}"})})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(18, 2))
	for range 2_000 {
		value := ""
		for range 1 + r.IntN(5) {
			value += pick(r, []string{"a", "/", "?", ";", "+", "%2F", "%2B", "&", "%26", "%3B", "=", "%", " ", "é",
				"..", "."})
		}
		path := canon.Canonicalize("https://a.gob.es/a?id="+url.QueryEscape(value), policy, there, nil).Canonical
		dots := value == "." || value == ".."
		if u, err := url.Parse(path); err != nil || (u.Path != "/b/"+value+"/c" || u.RawQuery != "") != dots {
			t.Fatalf("the value %q gives %s", value, path)
		}
		if dots {
			continue
		}
		again := canon.Canonicalize(path, policy, back, nil).Canonical
		if u, err := url.Parse(again); err != nil || u.Path != "/a" || u.Query().Get("id") != value {
			t.Fatalf("the value %q gives %s and that %s", value, path, again)
		}
	}
}

// A rewrite that orders parameters otherwise than the policy sorts them never comes to rest, so it is refused. If it
// takes another URL it is not.
func TestCapturesOfSortedQueries(t *testing.T) {
	for _, c := range []struct {
		from, to, url, want string // want is empty: refused
	}{
		{"/a?b={x}&c={y}", "/a?c={y}&b={x}", "", ""},
		{"/a?c={y}&b={x}", "/a?b={x}&c={y}", "", ""},
		{"/a/?b={x}", "/a?b={x}", "", ""},
		{"/a?c={x}&b=1", "/a?b={x}&c=1", "", ""},
		{"/a?b={x}&c={y}", "/b?c={y}&b={x}", "/a?z=3&c=2&Z=4&b=1", "/b?Z=4&b=1&c=2&z=3"},
		{"/a?b={x}&c=1", "/a?z=1&b={x}", "/a?c=1&d=3&b=2", "/a?b=2&d=3&z=1"},
	} {
		policy := policyOf(t, "{extends: nothing, name: bare, percent_encoding: normal, sort_query: key-value}")
		list := []canon.Override{onHost(canon.Rewrite{From: c.from, To: c.to})}
		set, err := canon.CompileOverrides(list)
		if err != nil {
			t.Fatal(err)
		}
		err = canon.CheckFixedPoint(policy, list, nil)
		if got := canon.Canonicalize("https://a.gob.es"+c.url, policy, set, nil); (err != nil) != (c.want == "") ||
			err == nil && got.Canonical != "https://a.gob.es"+c.want {
			t.Errorf("%s to %s: %v, %s", c.from, c.to, err, got.Canonical)
		}
	}
}

// FuzzCaptures checks that any rewrite with captures is refused, or keeps the laws once it has a fixed point.
func FuzzCaptures(f *testing.F) {
	for _, c := range [][3]string{
		{"/story?id={x}", "/a/story_{x}", "/story?id=12"},
		{"/{a}-{b}.html", "/{b}/{a}?v=1", "/1-2-3.html"},
		{"https://a.gob.es/%7e/{x}/", "https://b.gob.es:8080/{x}", "/~/a%2Fb"},
		{"/a?b=1&c={x}", "/{x}", "/a?c=..&b=1"},
		{"/{x}", "/n/{x}", "/x"},
	} {
		f.Add(c[0], c[1], c[2])
	}
	policy := clara(f)
	f.Fuzz(func(t *testing.T, from, to, path string) {
		list := []canon.Override{onHost(canon.Rewrite{From: from, To: to})}
		url := "https://a.gob.es/" + strings.TrimPrefix(path, "/")
		var loop *canon.LoopError
		if err := canon.CheckFixedPoint(policy, list, []string{url}); err != nil {
			if errors.As(err, &loop) != (list[0].RewriteRules[0].From+to != "" && checks(list[0])) {
				t.Fatal(err)
			}
			return
		}
		set, err := canon.CompileOverrides(list)
		if err != nil {
			t.Fatal(err)
		}
		c := canon.New(policy, set)
		first := c.Explain(url, nil)
		checkTrace(t, first)
		checkFixedPoint(t, c, first)
		if thorough := canon.Thorough(policy, set).Canonicalize(url, nil); thorough.Canonical != first.Canonical {
			t.Errorf("%q: %q, and with every step %q", url, first.Canonical, thorough.Canonical)
		}
		if first.Verdict != canon.Rejected {
			checkForm(t, first.Canonical, false)
		}
	})
}

func checks(o canon.Override) bool {
	_, err := o.Check()
	return err == nil
}

// BenchmarkCaptures measures URLs of a host with a thousand rewrites of captures.
func BenchmarkCaptures(b *testing.B) {
	rule := canon.Override{Match: canon.Match{Host: "www.boe.es"}}
	for i := range 500 {
		rule.RewriteRules = append(rule.RewriteRules,
			canon.Rewrite{From: fmt.Sprintf("/a/p%d_{x}.html", i), To: fmt.Sprintf("/b/c/%d/{x}", i)},
			canon.Rewrite{From: fmt.Sprintf("/index.php?op=%d&id={x}", i), To: fmt.Sprintf("/b/d/%d/{x}", i)})
	}
	set, err := canon.CompileOverrides([]canon.Override{rule})
	if err != nil {
		b.Fatal(err)
	}
	c := canon.New(clara(b), set)
	for _, url := range []string{"https://www.boe.es/buscar/act.php?id=BOE-A-2023-12345",
		"https://www.boe.es/a/p77_8.html", "https://www.boe.es/index.php?id=1&op=499&lang=es"} {
		b.Run(url[len("https://www.boe.es"):], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.Canonicalize(url, nil)
			}
		})
	}
}
