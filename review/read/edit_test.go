package read_test

import (
	"bytes"
	"cmp"
	"os"
	"slices"
	"strings"
	"testing"

	"visto/canon"
	"visto/review/read"
)

// rewrite writes values for URLs, and returns the new text and the reason why the first edit was refused.
func rewrite(t *testing.T, name, data string, values map[string]string) (text, why string) {
	t.Helper()
	var edits []read.Edit
	for _, f := range foundIn(t, name, []byte(data), optionsFor(name)) {
		if v, ok := values[f.URL]; ok {
			edits = append(edits, read.Edit{Place: f.Place, Was: f.URL, Value: v})
		}
	}
	return applied(t, name, data, edits)
}

// optionsFor returns the options for an input: the name "list" stands for its format.
func optionsFor(name string) (opt read.Options) {
	if name == "list" {
		opt.Format = name
	}
	return opt
}

func applied(t *testing.T, name, data string, edits []read.Edit) (text, why string) {
	t.Helper()
	out, refused, err := read.Rewrite(t.Context(), name, []byte(data), optionsFor(name), edits)
	switch {
	case err != nil:
		return "", err.Error()
	case len(refused) > 0:
		why = refused[0].Why
	}
	return string(out), why
}

// Spec 13: lint --fix writes canonical URLs back into the files and nothing else: every other byte stays.
func TestRewriteStyles(t *testing.T) {
	const was, url = "https://a.es/x", "https://a.es/y"
	for _, test := range []struct{ name, before, after string }{
		{"x.txt", "\uFEFF# a\r\n\t<https://a.es/x>\r\nhttps://a.es/z",
			"\uFEFF# a\r\n\t<https://a.es/y>\r\nhttps://a.es/z"},
		{"x.json", `{ "url":"https:\/\/a.es\/x" ,"n":1.50,"s":"\u00f1"}`,
			`{ "url":"https://a.es/y" ,"n":1.50,"s":"\u00f1"}`},
		{"x.json", "\uFEFF{\"source_urls\": [\n\t\"https://a.es/x\",\n\t\"https://a.es/z\"]}\n" +
			"{\"url\": \" https://a.es/x \"}",
			"\uFEFF{\"source_urls\": [\n\t\"https://a.es/y\",\n\t\"https://a.es/z\"]}\n{\"url\": \" https://a.es/y \"}"},
		{"x.jsonl", "{\"url\": \"https://a.es/x\"}\r\nbroken\r\n{\"url\":\"https://a.es/z\"}",
			"{\"url\": \"https://a.es/y\"}\r\nbroken\r\n{\"url\":\"https://a.es/z\"}"},
		{"x.csv", "url;n\r\n\"https://a.es/x\";\"1\"\r\n https://a.es/x;\r\nshort\r\n",
			"url;n\r\n\"https://a.es/y\";\"1\"\r\n https://a.es/y;\r\nshort\r\n"},
		{"x.tsv", "url\tn\nhttps://a.es/x\t\"1\n2\"", "url\tn\nhttps://a.es/y\t\"1\n2\""},
		{"x.yaml", "# c\na:   # d\n  - url:  https://a.es/x   # e\n" +
			"    link: 'https://a.es/x'\n    href: \"https://a.es/x\"\n",
			"# c\na:   # d\n  - url:  https://a.es/y   # e\n" +
				"    link: 'https://a.es/y'\n    href: \"https://a.es/y\"\n"},
		{"x.yaml", "url: !!str https://a.es/x\nlink: z\n", "url: !!str https://a.es/y\nlink: z\n"},
		{"x.yaml", "\uFEFFurl: &a !!str https://a.es/x\r\nlink: *a\r\n---\r\nb: {url: https://a.es/x, n: 1}",
			"\uFEFFurl: &a !!str https://a.es/y\r\nlink: *a\r\n---\r\nb: {url: https://a.es/y, n: 1}"},
	} {
		after, why := rewrite(t, test.name, test.before, map[string]string{was: url})
		if after != test.after || why != "" {
			t.Errorf("%s\n\t%q\nbecame\n\t%q: %s\nwant\n\t%q", test.name, test.before, after, why, test.after)
		}
		if again, why := rewrite(t, test.name, after, map[string]string{was: url}); again != after || why != "" {
			t.Errorf("%s: a second time\n\t%q: %s", test.name, again, why)
		}
	}
}

// A place that has the value already stays as it is written.
func TestRewriteSame(t *testing.T) {
	const data = `{"url":"https:\/\/a.es\u002f"}`
	out, why := rewrite(t, "x.json", data, map[string]string{"https://a.es/": "https://a.es/"})
	if out != data || why != "" {
		t.Errorf("%s: %s", out, why)
	}
}

// The result is compared with the file: here the bare link would not be read as it was meant.
func TestRewriteCompares(t *testing.T) {
	const data = "(https://a.es/x)"
	out, why := rewrite(t, "x.md", data, map[string]string{"https://a.es/x": "https://a.es/("})
	if out != data || !strings.Contains(why, "written, the file would not be the same") {
		t.Errorf("%q: %s", out, why)
	}
}

// The edit because of which the result differs is refused, and not those before and after it.
func TestRewriteRefusesTheCulprit(t *testing.T) {
	const data = "<https://a.es/1> (https://a.es/x) (https://a.es/2) https://a.es/3"
	found := foundIn(t, "x.md", []byte(data), read.Options{})
	var edits []read.Edit
	for i, f := range found {
		value := f.URL + "0"
		if i == 1 {
			value = "https://a.es/("
		}
		edits = append(edits, read.Edit{Place: f.Place, Was: f.URL, Value: value})
	}
	_, refused, err := read.Rewrite(t.Context(), "x.md", []byte(data), read.Options{}, edits)
	if err != nil || len(refused) != 1 || refused[0].Edit != 1 {
		t.Errorf("%v, %v", refused, err)
	}
}

// A value is quoted or escaped where it must be, and only there.
func TestRewriteQuotes(t *testing.T) {
	for _, test := range []struct{ name, before, value, after string }{
		{"x.json", `{"url":"u"}`, `a"\ñ/`, `{"url":"a\"\\ñ/"}`},
		{"x.csv", "url,n\nu,1\n", `https://a.es/a,b;"c"`, "url,n\n\"https://a.es/a,b;\"\"c\"\"\",1\n"},
		{"x.csv", "url;n\nu;1\n", "https://a.es/a,b", "url;n\nhttps://a.es/a,b;1\n"},
		{"x.csv", "url,n\n'=u,1\n", "=v", "url,n\n'=v,1\n"},
		{"x.csv", "url,n\nu,1\n", "'=v", "url,n\n''=v,1\n"},
		{"x.yaml", "url: u\n", "https://a.es/a: b", "url: \"https://a.es/a: b\"\n"},
		{"x.yaml", "url: u\n", "https://a.es/a #b", "url: \"https://a.es/a #b\"\n"},
		{"x.yaml", "url: u\n", "https://a.es/a#b", "url: https://a.es/a#b\n"},
		{"x.yaml", "url: u\n", "true", "url: \"true\"\n"},
		{"x.yaml", "- [{url: u}]\n", "v", "- [{url: v}]\n"},
		{"x.yaml", "- [{url: u}]\n", "v, w: x", "- [{url: \"v, w: x\"}]\n"},
		{"x.yaml", "- [{url: u}]\n", "v]", "- [{url: \"v]\"}]\n"},
		{"x.html", "<a href=\"//u\">", `https://a.es/?a&b="'`, `<a href="https://a.es/?a&amp;b=&#34;&#39;">`},
		{"x.html", "<a href='//u?a&b'>", "https://a.es/?a=1&b=2", "<a href='https://a.es/?a=1&b=2'>"},
		{"x.html", "<a href='//u?a&b'>", "https://a.es/?a=1&lt;=2", "<a href='https://a.es/?a=1&amp;lt;=2'>"},
		{"x.html", "<a href=//u>", "https://a.es/x", "<a href=https://a.es/x>"},
		{"x.html", "<a href=//u>", "https://a.es/?a=1", "<a href=\"https://a.es/?a=1\">"},
		{"x.html", "<a title='x href=//u' href='//u'>", "https://a.es/", "<a title='x href=//u' href='https://a.es/'>"},
		{"x.html", "<a  HREF = \"//u\" a=b><br/>\r\n", "https://a.es/", "<a  HREF = \"https://a.es/\" a=b><br/>\r\n"},
		{"x.md", "[a](//u \"t\")", "https://a.es/a(b", "[a](https://a.es/a\\(b \"t\")"},
		{"x.md", "[a](//u)", "https://a.es/a(b)", "[a](https://a.es/a(b))"},
		{"x.md", "[a](//u)", "https://a.es/a b", "[a](<https://a.es/a b>)"},
		{"x.md", "[a](<//u>)", "https://a.es/<&lt;", "[a](<https://a.es/\\<&amp;lt;>)"},
		{"x.md", "[a]: //u  'x'", "https://a.es/x\\*", "[a]: https://a.es/x\\\\*  'x'"},
		{"x.md", "a www.u.es/x.", "https://a.es/y", "a https://a.es/y."},
		{"x.md", "a www.u.es/x.", "https://a.es/y.", "a <https://a.es/y.>."},
		{"x.md", "> <https://u.es>\r\n", "https://a.es/y.&lt;", "> <https://a.es/y.&amp;lt;>\r\n"},
		{"x.md", "<b><a href=//u>x</a>", "https://a.es/?a=1", "<b><a href=\"https://a.es/?a=1\">x</a>"},
		{"x.xml", "<urlset><url><loc> u\n</loc></url></urlset>", "https://a.es/?a=1&b=<",
			"<urlset><url><loc> https://a.es/?a=1&amp;b=&lt;\n</loc></url></urlset>"},
		{"x.yaml", "url: 'u'\n", "it's", "url: 'it''s'\n"},
		{"x.yaml", "url: \"u\"\n", `a"\b`, `url: "a\"\\b"` + "\n"},
		{"x.yaml", "url: 'u'\n", "a\u00a0b", `url: "a\u00A0b"` + "\n"},
	} {
		after, why := rewrite(t, test.name, test.before, map[string]string{"u": test.value, "=u": test.value,
			"//u": test.value, "//u?a&b": test.value, "www.u.es/x": test.value, "https://u.es": test.value})
		if after != test.after || why != "" {
			t.Errorf("%q with %q\nbecame\n\t%q: %s\nwant\n\t%q", test.before, test.value, after, why, test.after)
		}
	}
}

// Rewrite refuses an edit that it cannot write right, with a reason, and the file stays.
func TestRewriteRefuses(t *testing.T) {
	for _, test := range []struct{ name, data, value, why string }{
		{"x.yaml", "url: |\n  u\n", "v", "such as several lines"},
		{"x.yaml", "url: >-\n  u\n", "v", "such as several lines"},
		{"x.yaml", "url: \"u\\\n  \"\n", "v", "such as several lines"},
		{"x.yaml", "url: u\nb: {url: u, url: w}\nurl: u\n", "v", "/url stands twice"},
		{"x.yaml", "a: {url: w}\na: {url: u}\n", "v", "/a stands twice"},
		{"x.json", `{"a":{"url":"u","b":1,"b":2,"url":"w"}}`, "v", "/a/url stands twice"},
		{"x.json", `{"url":"u"}`, "a\nb", "control characters"},
		{"x.json", `{"url":"u"}`, "a\xff", "not UTF-8"},
		{"list", "u\n", "# v", "is a comment"},
		{"list", "u\n", " v", "begins or ends"},
		{"x.md", "<http:u>\n", "v", "cannot stand in the text"},
		{"x.xml", "<urlset><url><loc><![CDATA[u]]></loc></url></urlset>", "v", "in a form"},
	} {
		after, why := rewrite(t, test.name, test.data, map[string]string{"u": test.value, "http:u": test.value})
		if after != test.data || !strings.Contains(why, test.why) {
			t.Errorf("%q became %q: %q, want %q", test.data, after, why, test.why)
		}
	}
	for _, data := range []string{"\xFF\xFEu\x00", "\x1F\x8B\x08"} {
		_, _, err := read.Rewrite(t.Context(), "x.txt", []byte(data), read.Options{}, nil)
		if err == nil {
			t.Errorf("%q is written", data)
		}
	}
}

// Rewrite refuses a place whose bytes have changed.
func TestRewriteChanged(t *testing.T) {
	f := foundIn(t, "x.json", []byte(`{"url":"https://a.es/1"}`), read.Options{})[0]
	for _, data := range []string{`{"url":"https://a.es/2"}`, `{"uri":"https://a.es/1"}`, `{"link":"https://a.es/1"}`,
		` {"url":"https://a.es/1"}`, `{}`} {
		out, why := applied(t, "x.json", data, []read.Edit{{Place: f.Place, Was: f.URL, Value: "v"}})
		if out != data || why != "it has changed since it was read" {
			t.Errorf("%s became %s: %s", data, out, why)
		}
	}
}

// A URL that begins with a quote, among quotes, is refused; the others of its file are written.
func TestRewriteAmongQuotes(t *testing.T) {
	const data = "\t''\t'\nhttps://a.es/1\n"
	after, why := rewrite(t, "list", data, map[string]string{"'": "v", "https://a.es/1": "w"})
	if after != "\t''\t'\nw\n" || !strings.Contains(why, "in a form") {
		t.Errorf("%q: %s", after, why)
	}
}

// The bytes of an alias are written once, at its anchor, and only if every URL there is to change alike.
func TestRewriteAlias(t *testing.T) {
	const data = "a: {url: &u 'u', x: *u}\nb:\n  url: *u\n"
	list := foundIn(t, "x.yaml", []byte(data), read.Options{})
	edits := []read.Edit{{Place: list[0].Place, Was: "u", Value: "v"}, {Place: list[1].Place, Was: "u", Value: "v"}}
	if out, why := applied(t, "x.yaml", data, edits); out != strings.Replace(data, "'u'", "'v'", 1) || why != "" {
		t.Errorf("%q: %s", out, why)
	}
	if out, why := applied(t, "x.yaml", data, edits[:1]); out != data || !strings.Contains(why, "the URL at /b/url") {
		t.Errorf("%q: %s", out, why)
	}
	edits[1].Value = "w"
	if out, why := applied(t, "x.yaml", data, edits); out != data || !strings.Contains(why, "not to change alike") {
		t.Errorf("%q: %s", out, why)
	}
}

// Spec 13: --set verificado=true sets fields of the records.
func TestRewriteField(t *testing.T) {
	for _, test := range []struct{ name, before, value, after string }{
		{"x.json", `{"url":"u","f":false}`, "true", `{"url":"u","f":true}`},
		{"x.json", `{"url":"u","f":"no"}`, "true", `{"url":"u","f":"true"}`},
		{"x.json", `{"url":"u","f":1}`, "2.5", `{"url":"u","f":2.5}`},
		{"x.json", `{"url":"u","f":null}`, "true", `{"url":"u","f":true}`},
		{"x.json", `{"url":"u","f":null}`, "2026-01-02", `{"url":"u","f":"2026-01-02"}`},
		{"x.json", `{"url":"u","f":false}`, "ja", `! it is true or false, which "ja" is not`},
		{"x.json", `{"url":"u"}`, "true", "! its record has no field f"},
		{"x.json", `{"url":"u","f":[1]}`, "true", "! f is no scalar"},
		{"x.json", `{"url":"u","f":1,"f":2}`, "3", "! its record has the field f twice"},
		{"x.jsonl", "{}\n{\"url\":\"u\",\"f\":\"2024-12-01\"}", "2026-01-02",
			"{}\n{\"url\":\"u\",\"f\":\"2026-01-02\"}"},
		{"x.yaml", "url: u\nf: false # c\n", "true", "url: u\nf: true # c\n"},
		{"x.yaml", "url: u\nf: 2024-12-01\n", "2026-01-02", "url: u\nf: 2026-01-02\n"},
		{"x.yaml", "url: u\nf: \"2024-12-01\"\n", "2026-01-02", "url: u\nf: \"2026-01-02\"\n"},
		{"x.yaml", "url: u\nf: ~\n", "true", "url: u\nf: true\n"},
		{"x.yaml", "url: u\nf: text\n", "true", "url: u\nf: \"true\"\n"},
		{"x.yaml", "url: u\nf: false\n", "ja", `! it is true or false`},
		{"x.yaml", "url: u\nf:\n", "true", "! f is empty"},
		{"x.yaml", "url: u\nf: &f false\ng: *f\n", "true", "! its bytes also stand at /g"},
		{"x.yaml", "g: &f false\nurl: u\nf: *f\n", "true", "! f is no scalar of its own"},
		{"x.csv", "url,f\nu,no\n", "true", "url,f\nu,true\n"},
		{"x.csv", "url,f\nu,\n", "true", "url,f\nu,true\n"},
		{"x.csv", "f,url,f\n1,u,2\n", "true", "! its record has the field f twice"},
	} {
		f := foundIn(t, test.name, []byte(test.before), read.Options{})[0]
		after, why := applied(t, test.name, test.before, []read.Edit{{Record: f.Record, Field: "f", Value: test.value}})
		if want, ok := strings.CutPrefix(test.after, "! "); ok {
			if after != test.before || !strings.HasPrefix(why, want) {
				t.Errorf("%q became %q: %q, want %q", test.before, after, why, want)
			}
		} else if after != test.after || why != "" {
			t.Errorf("%q became %q: %s, want %q", test.before, after, why, test.after)
		}
	}
}

// rewritten writes a value for each URL of a file that a change can be made of, and checks that every byte outside of
// the places stays, and that the values at the places are the new ones.
func rewritten(t testing.TB, format string, data []byte, value func(url string) string) (done int) {
	t.Helper()
	opt := read.Options{Format: format}
	skip := func(read.Skip) {}
	var before, after []read.Found
	_, err := read.URLs(t.Context(), "x", bytes.NewReader(data), opt, collectTo(&before), skip)
	if err != nil {
		return 0
	}
	var edits []read.Edit
	for _, f := range before {
		edits = append(edits, read.Edit{Place: f.Place, Was: f.URL, Value: value(f.URL)})
	}
	out, refused, err := read.Rewrite(t.Context(), "x", data, opt, edits)
	if err != nil {
		return 0
	}
	if _, err := read.URLs(t.Context(), "x", bytes.NewReader(out), opt, collectTo(&after), skip); err != nil {
		t.Fatalf("%s: %q became %q: %v", format, data, out, err)
	}
	if len(before) != len(after) {
		t.Fatalf("%s: %q became %q: %d URLs, then %d", format, data, out, len(before), len(after))
	}
	why := map[int]string{}
	for _, r := range refused {
		why[r.Edit] = r.Why
	}
	places := map[int64]read.Place{} // of the written values in data, by their beginning in out
	for i, f := range after {
		want := before[i].URL
		if why[i] == "" {
			want = edits[i].Value
			places[f.Place.Begin] = before[i].Place
			done++
		}
		if f.URL != want || f.Place.Path != before[i].Place.Path && strings.Contains("json yaml csv", format) {
			t.Fatalf("%s: %q became %q: %+v in the place of %q (%s)", format, data, out, f, want, why[i])
		}
	}
	old, now := data, out
	for _, f := range slices.SortedFunc(slices.Values(after), byBegin) {
		at, was := f.Place, places[f.Place.Begin]
		if was.End == 0 || at.End == 0 || at.End > int64(len(now)) { // refused, in no known place, or an alias
			continue
		}
		if !bytes.Equal(now[at.End:], old[was.End:]) {
			t.Fatalf("%s: %q became %q: bytes after %v", format, data, out, at)
		}
		now, old = now[:at.Begin], old[:was.Begin]
	}
	if !bytes.Equal(now, old) {
		t.Fatalf("%s: %q became %q: bytes at the beginning", format, data, out)
	}
	return done
}

// byBegin orders URLs from the end of the file.
func byBegin(a, b read.Found) int { return cmp.Compare(b.Place.Begin, a.Place.Begin) }

func collectTo(list *[]read.Found) func(read.Found) error {
	return func(f read.Found) error {
		*list = append(*list, f)
		return nil
	}
}

func TestRewritePlaces(t *testing.T) {
	data, err := os.ReadFile("testdata/places.yaml")
	if err != nil {
		t.Fatal(err)
	}
	n := rewritten(t, "yaml", data, func(url string) string { return url + "/new" })
	if n != 14 {
		t.Errorf("%d of the places are written", n)
	}
}

func fuzzRewrite(f *testing.F, formats []string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s), "https://b.es/x?y=1&z=\"'#")
	}
	policy, err := canon.Builtin(canon.DefaultPolicy)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte, value string) {
		r := canon.Canonicalize(value, policy, nil, nil) // only canonical URLs are written
		if r.Verdict == canon.Rejected || r.WithoutPasted != "" {
			t.Skip()
		}
		value = r.Canonical
		for _, format := range formats {
			rewritten(t, format, data, func(string) string { return value })
		}
	})
}

func FuzzRewriteText(f *testing.F) {
	fuzzRewrite(f, []string{"text"}, "https://a.es/1\r\n<https://a.es/2>\n# no\n")
}

func FuzzRewriteCSV(f *testing.F) {
	fuzzRewrite(f, []string{"csv", "tsv"}, "id,url\n1,https://a.es/1\n\"2\",\"https://a.es/\"\"2\"\n",
		"url\tx\n'=a\t\"b\nc\"\n")
}

func FuzzRewriteJSON(f *testing.F) {
	fuzzRewrite(f, []string{"json", "jsonl"}, `{"url":"https://a.es/1","a":[{"link":"\u00f1\/"}]}`,
		"{\"url\":\"a\"}\n{\"href\":[\"b\",1,null]}")
}

func FuzzRewriteHTML(f *testing.F) {
	fuzzRewrite(f, []string{"html"}, "<a href=https://a.es/1?a&amp;b><a\nHREF = '//a.es/2' x=\"y\"/>z</a>")
}

func FuzzRewriteMarkdown(f *testing.F) {
	fuzzRewrite(f, []string{"markdown"},
		"# a\n[a](https://a.es/1 't') <https://a.es/2> www.a.es/3.\n\n[x]: <//a.es/4>\n",
		"> - `x` [a](//b\\)) <a href='//c'>\n```\n//d\n```\n<div>\n<a href=//e>\n")
}

func FuzzRewriteSitemap(f *testing.F) {
	fuzzRewrite(f, []string{"sitemap"},
		"<?xml version=\"1.0\"?><urlset><url><loc> https://a.es/?a&amp;b</loc></url></urlset>")
}

func FuzzRewriteYAML(f *testing.F) {
	data, err := os.ReadFile("testdata/places.yaml")
	if err != nil {
		f.Fatal(err)
	}
	fuzzRewrite(f, []string{"yaml"}, string(data), "url: u\nb: {url: 'u', link: \"v\"}\n", "- &a url: !!str u\n- *a\n")
}
