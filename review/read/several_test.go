package read_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"visto/review/read"
)

// partsIn returns "line:column part url" of each URL, and checks that its bytes stand there.
func partsIn(t *testing.T, name, data string) (list []string) {
	t.Helper()
	for _, f := range foundIn(t, name, []byte(data), read.Options{}) {
		p := f.Place
		url := strings.TrimPrefix(f.URL, "https://a.es/")
		list = append(list, fmt.Sprintf("%d:%d %d %s", p.Line, p.Column, p.Part, url))
		if p.End > 0 {
			atLine(t, []byte(data), p)
			if got := strings.NewReplacer(`\/`, "/", `\u0031`, "1", `""`, `"`, "''", "'").Replace(data[p.Begin:p.End]); got != f.URL {
				t.Errorf("%s: the bytes of %q are %q", name, f.URL, got)
			}
		} else {
			list[len(list)-1] += " -"
		}
	}
	return list
}

// Spec 13: "A value of a field that holds several URLs is several occurrences, each with its own bytes; the second of
// /0/url is its part: 2".
func TestSeveralURLs(t *testing.T) {
	for _, test := range []struct {
		name, data string
		want       []string
	}{
		{"x.json", `{"url":"https://a.es/1 | https:\/\/a.es\/2"}`, []string{"1:9 0 1", "1:26 2 2"}},
		{"x.json", `{"url":"https://a.es/\u0031, https://a.es/2;https://a.es/3","n":1}`,
			[]string{"1:9 0 1", "1:30 2 2", "1:45 3 3"}},
		{"x.jsonl", "\n" + `{"url":"https://a.es/1\nhttps://a.es/2"}`, []string{"2:9 0 1", "2:25 2 2"}},
		{"x.csv", "n,url\r\n1,\"https://a.es/1\r\nhttps://a.es/2\"\r\n", []string{"2:4 0 1", "3:1 2 2"}},
		{"x.csv", "n,url\n\"a\nb\",\"https://a.es/\"\"1 https://a.es/2\"\n", []string{`3:5 0 "1`, "3:22 2 2"}},
		{"x.csv", "url;n\nhttps://a.es/1,https://a.es/2;1\n", []string{"2:1 0 1", "2:16 2 2"}},
		{"x.tsv", "url\tn\nhttps://a.es/1 https://a.es/2\t1\n", []string{"2:1 0 1", "2:16 2 2"}},
		{"x.yaml", "url: 'https://a.es/it''s, https://a.es/2'\n", []string{"1:7 0 it's", "1:27 2 2"}},
		{"x.yaml", "url: https://a.es/1 https://a.es/2 # c\n", []string{"1:6 0 1", "1:21 2 2"}},
		{"x.yaml", "url: |\n  https://a.es/1\n\n  https://a.es/2\n", []string{"2:3 0 1", "4:3 2 2"}},
		{"x.yaml", "url: \"https:\\/\\/a.es\\/1 | https://a.es/2\"\n", []string{"1:7 0 1", "1:27 2 2"}},
		{"x.yaml", "url: \"https://a.es/1\n  https:\\/\\/a.es/2\"\n", []string{"1:7 0 1", "1:6 2 2 -"}},
		{"x.csv", "url\nhttps://a.es/?u=https://a.es/2\n", []string{"2:1 0 ?u=https://a.es/2"}},
		{"x.txt", "https://a.es/1, https://a.es/2\nhttps://a.es/3;https://a.es/4\n",
			[]string{"1:1 0 1", "1:17 0 2", "2:1 0 3", "2:16 0 4"}},
	} {
		if got := partsIn(t, test.name, test.data); !slices.Equal(got, test.want) {
			t.Errorf("%q has %q, want %q", test.data, got, test.want)
		}
	}
}

// Spec 13: in a list, text behind the first white space is a remark, which names the record, if no part of it holds /,
// ?, = or a file extension; otherwise the whole line is the value.
func TestListRemarks(t *testing.T) {
	for line, want := range map[string]string{
		"https://a.es/1 Padrón municipal":          "https://a.es/1 [Padrón municipal]",
		"a.es/1\t# Padrón: sólo 18":                "a.es/1 [Padrón: sólo 18]",
		"<https://a.es/1> Padrón":                  "https://a.es/1 [Padrón]",
		"https://a.es/1 a/b":                       "https://a.es/1 a/b",
		"https://a.es/1 ver ficha.PDF":             "https://a.es/1 ver ficha.PDF",
		"https://a.es/1 x?":                        "https://a.es/1 x?",
		"https://a.es/1 S.A. de 3.5":               "https://a.es/1 [S.A. de 3.5]",
		"https://a.es/1 véase (https://a.es/2).":   "https://a.es/1 [véase ().] https://a.es/2 [véase ().]",
		"https://a.es/1 - https://a.es/2":          "https://a.es/1 https://a.es/2",
		"https://a.es/1 a/b https://a.es/2":        "https://a.es/1 a/b https://a.es/2",
		"https://a.es/con espacios/1":              "https://a.es/con espacios/1",
		"  https://a.es/1  ":                       "https://a.es/1",
		"mailto:x@boe.es":                          "mailto:x@boe.es",
		"https://localhost/ una dirección privada": "https://localhost/ [una dirección privada]",
	} {
		var got []string
		for _, f := range foundIn(t, "x.txt", []byte("# a\n\n"+line+"\n"), read.Options{}) {
			text := f.URL
			if f.Record != nil {
				text += " [" + f.Record.Name + "]"
			}
			got = append(got, text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q has %q, want %q", line, got, want)
		}
	}
}

// Spec 13: a text is a list if every line that is neither blank nor # begins with a URL; otherwise it is prose.
func TestListOrProse(t *testing.T) {
	for text, want := range map[string]string{
		"https://a.es/1\n\n# x\na.es/2 b\n":    "list",
		"a.es\n//a.es/x\nHTTP://A.ES\n":        "list",
		"":                                     "",
		"# only a remark\n":                    "list",
		"https://a.es/1\nvéase https://a.es\n": "prose",
		"Nota: https://a.es/1\n":               "prose",
		"pendiente https://a.es/1\n":           "prose",
		"= Doc https://a.es/1":                 "prose",
	} {
		if got := readString("x.txt", text); got.err != nil || got.summary.Format != want {
			t.Errorf("%q is %q (%v), want %q", text, got.summary.Format, got.err, want)
		}
	}
	readString("x.txt", "nada\n").expect(t, nil, nil, "there is no URL in this text: the formats are text, list, prose")
}

// Spec 13: where a URL in prose ends.
func TestProse(t *testing.T) {
	for text, want := range map[string]string{
		"a «https://a.es/1»; “https://a.es/2”. 'https://a.es/3', ‹https://a.es/4›":  "1 2 3 4",
		"a https://a.es/1— b https://a.es/2… c https://a.es/3–":                     "1 2 3",
		"a (https://a.es/1) [https://a.es/2] {https://a.es/3} (https://a.es/4_(x))": "1 2 3 4_(x)",
		"a <https://a.es/1> \"https://a.es/2\" `https://a.es/3` |https://a.es/4|":   "1 2 3 4",
		"a https://a.es/1[BOE] [[https://a.es/2][x]] link:https://a.es/3[y]":        "1 2 3",
		"a https://a.es/1?! https://a.es/2*. https://a.es/3_: https://a.es/4~":      "1 2 3 4",
		"a https://a.es/1; https://a.es/2&copy; https://a.es/3,https://a.es/4":      "1; 2 3 4",
		"a https://a.es/l’estudi xhttps://a.es/2 https://a.es/it's":                 "l’estudi it's",
	} {
		var got []string
		for _, f := range foundIn(t, "x.adoc", []byte(text), read.Options{}) {
			got = append(got, strings.TrimPrefix(f.URL, "https://a.es/"))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q has %q, want %q", text, got, want)
		}
	}
	const unclear = "1: a URL with a backslash or a raw sign in it"
	for _, name := range []string{"x.adoc", "x.md"} {
		readString(name, `a https://a.es/x\y and https://a.es\z`).expect(t, nil, []string{unclear, unclear}, "")
		readString(name, "a https://a.es/plan-2020–2024/ and https://a.es/x—bueno, https://a.es/y/—bueno").expect(t,
			[]string{"@1 https://a.es/y/"}, []string{unclear, unclear}, "")
	}
	readString("x.tex", `\url{https://a.es/a\_b\%20\&c\#d}\\ \href{https://a.es/x_y}{z} https://a.es/x\y`).expect(t,
		[]string{"@1 https://a.es/a_b%20&c#d", "@1 https://a.es/x_y"}, []string{"1: a URL with a backslash"}, "")
	for before, after := range map[string]string{
		`a \url{https://a.es/a\_b}`: `a \url{https://a.es/\%41\_\&\#}`,
		`a \url{https://a.es/a_b}`:  `a \url{https://a.es/%41_&#}`,
		`a \url{https://a.es/ab}`:   `a \url{https://a.es/\%41\_\&\#}`,
	} {
		value := "https://a.es/%41_&#"
		got, why := rewrite(t, "x.tex", before, map[string]string{"https://a.es/a_b": value, "https://a.es/ab": value})
		if got != after || why != "" {
			t.Errorf("%s became %s: %s", before, got, why)
		}
	}
}

// Spec 13: placeholders and relative links are no URLs and are counted, in every format.
func TestNotTaken(t *testing.T) {
	for name, text := range map[string]string{
		"x.json":  `{"url":"https://a.es/{{ x }}","link":"/a","href":"https://a.es/1"}`,
		"x.jsonl": `{"url":"${x}","link":"../a","href":"https://a.es/1"}`,
		"x.csv":   "url\nhttps://a.es/<%= x %>\n?a=1\nhttps://a.es/1\n",
		"x.tsv":   "url\n{% x %}\n#a\nhttps://a.es/1\n",
		"x.yaml":  "- url: \"https://a.es/{{ x }}\"\n- url: ./a\n- url: https://a.es/1\n",
		"x.html":  `<a href="{{ x }}"></a><a href="a"></a><a href="https://a.es/1"></a>`,
		"x.md":    "[a](<https://a.es/{{ x }}>) [b](a) https://a.es/1",
		"x.xml": "<urlset><url><loc>https://a.es/${x}</loc></url><url><loc>/a</loc></url>" +
			"<url><loc>https://a.es/1</loc></url></urlset>",
	} {
		got := readString(name, text)
		s := got.summary
		if s.Found != 1 || s.Relative != 1 || s.Placeholders != 1 || len(got.skipped) > 0 || got.err != nil {
			t.Errorf("%s: %+v, %v", name, s, got.err)
		}
	}
	got := readString("x.txt", "ver https://a.es/{{ x }} http://{{ x }}/ https://${x}/a https://a.es/<%= x %> https://a.es/1")
	if s := got.summary; s.Found != 1 || s.Placeholders != 4 {
		t.Errorf("%+v", s)
	}
}

// A URL of a text that is not taken because of what stands before it is counted, once a word.
func TestGlued(t *testing.T) {
	for text, want := range map[string]int{
		"ver:www.boe.es/a y https://a.es/1":                       1,
		"Enlacehttp://www.boe.es/a, xhttps://b.es https://a.es/1": 2,
		"ftp://www.boe.es/www.x.es/http://c.es https://a.es/1":    1,
		"archivo.es/2020/http://www.boe.es/a https://a.es/1":      1,
		"boe.es/a?b=1&url=http://a.es?x=2 https://a.es/1":         1,
		"sub.www.boe.es (1http://www.boe.es) https://a.es/1":      2,
		"ana@www.boe.es xhttp y www. ahttp://x https://a.es/1":    0,
		"https://a.es/www.boe.es/xhttp://b.es":                    0,
	} {
		for _, name := range []string{"x.txt", "x.md", "x.adoc"} {
			if got := readString(name, "Nota "+text); got.summary.Glued != want || got.summary.Found != 1 {
				t.Errorf("%s %q: %+v, want %d", name, text, got.summary, want)
			}
		}
	}
	list := readString("x.txt", "https://a.es/1 ver:www.boe.es\n")
	if s := list.summary; s.Format != "list" || s.Found != 1 || s.Glued != 1 {
		t.Errorf("%+v", s)
	}
	if got := readString("x.txt", "Nota ver:www.boe.es"); got.err != nil || got.summary.Glued != 1 {
		t.Errorf("%+v, %v", got.summary, got.err)
	}
}
