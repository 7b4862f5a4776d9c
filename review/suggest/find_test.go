package suggest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"visto/canon"
	"visto/review/health"
	"visto/review/suggest"
)

const host = "https://s.gob.es"

// led returns pages that lead from one URL to another. An argument is "FROM TO", relative to host.
func led(pairs ...string) (list []suggest.Page) {
	for _, pair := range pairs {
		from, to, _ := strings.Cut(pair, " ")
		list = append(list, suggest.Page{URL: absolute(from), Final: absolute(to)})
	}
	return list
}

// showing returns pages with texts. An argument is "URL TEXT".
func showing(list ...string) (pages []suggest.Page) {
	for _, one := range list {
		url, text, _ := strings.Cut(one, " ")
		pages = append(pages, suggest.Page{URL: absolute(url), SHA256: text})
	}
	return pages
}

func absolute(url string) string {
	if strings.HasPrefix(url, "/") {
		return host + strings.TrimSuffix(url, "/")
	}
	return url
}

// found writes suggestions, a line each: a star if recommended, the template, the pages for and against.
func found(list []suggest.Suggestion) string {
	var b strings.Builder
	for _, s := range list {
		star := ""
		if s.Recommended {
			star = "*"
		}
		fmt.Fprintf(&b, "%s%s %d:%d\n", star, s.Template, s.For, s.Against)
	}
	return b.String()
}

// TestKinds has the pairs of each kind of template with the rule, and pairs with a difference that is none.
func TestKinds(t *testing.T) {
	for _, test := range []struct {
		name  string
		pages []suggest.Page
		want  string
		rule  string
	}{
		{"drop a parameter", led("/a/x?id=1&v=3 /a/x?id=1", "/a/x?id=2&v=3 /a/x?id=2", "/a/y?v=8 /a/y"),
			"*drop v on s.gob.es/a 3:0",
			`{"match":{"host":"s.gob.es","path_prefix":"/a"},"drop_query_params":["v"]}`},
		{"names are compared without case and escapes", led("/a?Rar%61=1 /a", "/b?rara=3 /b", "/c?RARA /c"),
			"*drop rara on s.gob.es 3:0", `{"match":{"host":"s.gob.es"},"drop_query_params":["rara"]}`},
		{"keep one parameter of many",
			led("/p?id=1&a=2&b=3 /p?id=1", "/p?a=2&id=2&b=3 /p?id=2", "/p?b=4&c=2&id=3 /p?id=3"),
			"*keep only id on s.gob.es/p 3:0",
			`{"match":{"host":"s.gob.es","path_prefix":"/p"},"drop_query_params":["a","b","c"]}`},
		{"drop a segment", led("/web/a/x /a/x", "/web/a/y /a/y", "/web/b?id=1 /b?id=1"),
			"*/web/ is / on s.gob.es 3:0", `{"match":{"host":"s.gob.es"},` +
				`"rewrite_rules":[{"from_prefix":"https://s.gob.es/web/","to_prefix":"https://s.gob.es/"}]}`},
		{"add a segment", led("/a/x /web/a/x", "/a/y /web/a/y", "/a/z/1 /web/a/z/1"),
			"*/a/ is /web/a/ on s.gob.es 3:0", `{"match":{"host":"s.gob.es"},` +
				`"rewrite_rules":[{"from_prefix":"https://s.gob.es/a/","to_prefix":"https://s.gob.es/web/a/"}]}`},
		{"replace a segment", led("/t/viejo/x /t/nuevo/x", "/t/viejo/y /t/nuevo/y", "/t/viejo/z?a=1 /t/nuevo/z?a=1"),
			"*/t/viejo/ is /t/nuevo/ on s.gob.es 3:0", `{"match":{"host":"s.gob.es"},"rewrite_rules":` +
				`[{"from_prefix":"https://s.gob.es/t/viejo/","to_prefix":"https://s.gob.es/t/nuevo/"}]}`},
		{"another language", led("/ca/x-1 /es/x-1", "/ca/y-2 /es/y-2", "/ca/z-3 /es/z-3"),
			"*/ca/ is /es/ on s.gob.es 3:0",
			`{"match":{"host":"s.gob.es"},"spanish":{"from_prefix":"/ca/","to_prefix":"/es/"}}`},
		{"the prefix of the language", led("/es/x-1 /x-1", "/es/y-2 /y-2", "/es/z-3 /z-3"),
			"*/es/ is / on s.gob.es 3:0", `{"match":{"host":"s.gob.es"},` +
				`"rewrite_rules":[{"from_prefix":"https://s.gob.es/es/","to_prefix":"https://s.gob.es/"}]}`},
		{"case", led("/Portal/Web/x /portal/web/x", "/Portal/Web/y /portal/web/y", "/Portal/Web/z /portal/web/z"),
			"*/Portal/Web/ is /portal/web/ on s.gob.es 3:0", `{"match":{"host":"s.gob.es"},"rewrite_rules":` +
				`[{"from_prefix":"https://s.gob.es/Portal/Web/","to_prefix":"https://s.gob.es/portal/web/"}]}`},
		{"another host", led("https://viejo.gob.es/x "+host+"/x", "https://viejo.gob.es/y?a=1 "+host+"/y?a=1",
			"https://viejo.gob.es/z "+host+"/z"),
			"*cite s.gob.es in the place of viejo.gob.es 3:0",
			`{"match":{"host":"viejo.gob.es"},"canonical_host":"s.gob.es"}`},
		{"index pages", led("/a/index.html /a", "/a/b/index.html /a/b", "/c/index.html?v=1 /c?v=1"),
			"*drop /index.html at the end on s.gob.es 3:0", `{"match":{"host":"s.gob.es"},"rewrite_rules":` +
				`[{"from":"/{a}/index.html","to":"/{a}"},{"from":"/{a}/{b}/index.html","to":"/{a}/{b}"}]}`},
		{"a file extension", led("/a/x.html /a/x", "/a/y.html /a/y", "/a/b/z.html?v=1 /a/b/z?v=1"),
			"*.html is nothing at the end on s.gob.es/a 3:0", `{"match":{"host":"s.gob.es","path_prefix":"/a"},` +
				`"rewrite_rules":[{"from":"/a/{x}.html","to":"/a/{x}"},{"from":"/a/{a}/{x}.html","to":"/a/{a}/{x}"}]}`},
		{"another file extension", led("/x.asp /x.php", "/a/y.asp /a/y.php", "/b/z.asp /b/z.php"),
			"*.asp is .php at the end on s.gob.es 3:0", `{"match":{"host":"s.gob.es"},"rewrite_rules":` +
				`[{"from":"/{x}.asp","to":"/{x}.php"},{"from":"/{a}/{x}.asp","to":"/{a}/{x}.php"}]}`},
		{"a parameter in the path", led("/story?id=abc-1 /story_abc-1", "/story?id=2&v=3 /story_2?v=3",
			"/story?id=z /story_z"),
			"*/story?id={x} is /story_{x} on s.gob.es 3:0",
			`{"match":{"host":"s.gob.es"},"rewrite_rules":[{"from":"/story?id={x}","to":"/story_{x}"}]}`},
		{"a segment in the query", led("/t/ver/12.html /t/ver?id=12", "/t/ver/7.html?v=1 /t/ver?id=7&v=1",
			"/t/ver/8.html /t/ver?id=8"), "*/t/ver/{x}.html is /t/ver?id={x} on s.gob.es 3:0",
			`{"match":{"host":"s.gob.es"},"rewrite_rules":[{"from":"/t/ver/{x}.html","to":"/t/ver?id={x}"}]}`},
		{"a segment in two", led("/t/ver-12 /t/ver/12", "/t/ver-ayuda-3 /t/ver/ayuda-3", "/t/ver-8 /t/ver/8"),
			"*/t/ver-{x} is /t/ver/{x} on s.gob.es 3:0",
			`{"match":{"host":"s.gob.es"},"rewrite_rules":[{"from":"/t/ver-{x}","to":"/t/ver/{x}"}]}`},

		{"an extension more", led("/a/x /a/x.html", "/a/y /a/y.html", "/a/z /a/z.html"), "", ""},
		{"another value", led("/story?id=1 /story_2", "/story?id=2 /story_3", "/story?id=3 /story_4"), "", ""},
		{"a part of a word", led("/story?id=1 /story_11", "/story?id=2 /story_22", "/story?id=3 /story_33"), "", ""},
		{"the end of a word", led("/t/ab12 /t/c/12", "/t/ab7 /t/c/7", "/t/ab3 /t/c/3"), "", ""},
		{"to a port", led("/a?v=1 https://s.gob.es:8443/a", "/b?v=1 https://s.gob.es:8443/b"), "", ""},
		{"any page", led("/1 /ver?id=1", "/2 /ver?id=2", "/3 /ver?id=3"), "", ""},
		{"host and path", led("https://viejo.gob.es/x "+host+"/a/x", "https://viejo.gob.es/y "+host+"/a/y",
			"https://viejo.gob.es/z "+host+"/a/z"), "", ""},
		{"the value of a parameter", led("/a?v=1 /a?v=2", "/b?v=1 /b?v=2", "/c?v=1 /c?v=2"), "", ""},
		{"a parameter more", led("/a /a?v=2", "/b /b?v=2", "/c /c?v=2"), "", ""},
		{"parameter and path", led("/a/x?v=1 /b/x", "/a/y?v=1 /b/y", "/a/z?v=1 /b/z"), "", ""},
		{"the last segment", led("/a/x /a/y", "/b/x /b/y", "/c/x /c/y"), "", ""},
		{"two segments", led("/a/b/x /c/d/x", "/a/b/y /c/d/y", "/a/b/z /c/d/z"), "", ""},
		{"to the home page", led("/a/x /", "/b/x /", "/c/x /"), "", ""},
		{"a port", led("https://s.gob.es:8443/a?v=1 https://s.gob.es:8443/a",
			"https://s.gob.es:8443/b?v=1 https://s.gob.es:8443/b"), "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			list := suggest.Find(test.pages, nil)
			if got := strings.TrimSpace(found(list)); got != test.want {
				t.Fatalf("%s\nwant %s", got, test.want)
			}
			if test.rule != "" {
				checkRule(t, &list[0], test.rule)
			}
		})
	}
}

// checkRule checks the rule of a suggestion, and that canon makes one URL of both of each pair with it.
func checkRule(t *testing.T, s *suggest.Suggestion, want string) {
	t.Helper()
	rule := s.Override()
	text, err := json.Marshal(rule)
	if err != nil || string(text) != want {
		t.Errorf("the rule is %s, %v\nwant        %s", text, err, want)
	}
	policy, err := canon.Builtin(canon.DefaultPolicy)
	if err != nil {
		t.Fatal(err)
	}
	if err = canon.CheckFixedPoint(policy, []canon.Override{rule}, nil); err != nil {
		t.Error(err)
	}
	set, err := canon.CompileOverrides([]canon.Override{rule})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range s.Votes {
		a, b := canon.Canonicalize(v.URL, policy, set, nil), canon.Canonicalize(v.Other, policy, set, nil)
		if a.Canonical != b.Canonical {
			t.Errorf("the rule makes %s of %s, not %s", a.Canonical, v.URL, b.Canonical)
		}
	}
}

// TestSignals has votes of each signal for and against one rule.
func TestSignals(t *testing.T) {
	near := func(url, post string) suggest.Page {
		return suggest.Page{URL: host + url, Sketch: health.SketchOf("Plazas", "Se convocan plazas de "+post+
			" en el ayuntamiento. Presente la solicitud en la oficina de registro.")}
	}
	for _, test := range []struct {
		name  string
		pages []suggest.Page
		rules []canon.Override
		want  string
	}{
		{"canonical links", []suggest.Page{
			{URL: host + "/a?v=1", Canonical: host + "/a"}, {URL: host + "/b?v=1", Canonical: host + "/b"},
			{URL: host + "/c?v=1", Canonical: host + "/c"},
		}, nil, "*drop v on s.gob.es 3:0 for canonical-link 3"},
		{"a canonical link that has it", []suggest.Page{
			{URL: host + "/a?v=1", Canonical: host + "/a"}, {URL: host + "/b?v=1", Canonical: host + "/b"},
			{URL: host + "/c?v=1", Canonical: host + "/c?v=1"},
		}, nil, "drop v on s.gob.es 2:1 for canonical-link 2 against canonical-link 1"},
		{"texts", showing("/a?v=1 A", "/a A", "/b?v=1 B", "/b?v=2 B", "/c?v=1 C", "/c C"), nil,
			"*drop v on s.gob.es 3:0 for text 3"},
		{"one text under two paths is one page",
			showing("/a?v=1 A", "/a A", "/b?v=1 A", "/b A", "/c?v=1 C", "/c C"), nil,
			"drop v on s.gob.es 2:0 for text 2"},
		{"many URLs of one page are one page", showing("/a?v=1 A", "/a?v=2 A", "/a?v=3 A", "/a?v=4 A", "/a A",
			"/b?v=1 B", "/b B"), nil, "drop v on s.gob.es 2:0 for text 2"},
		{"other texts", showing("/a?v=1 A", "/a A", "/b?v=1 B", "/b B", "/c?v=1 C", "/c C", "/d?v=1 D", "/d?v=2 E",
			"/d?v=3 F"), nil, "drop v on s.gob.es 3:2 for text 3 against text 2"},
		{"redirects the other way", append(led("/a?v=1 /a", "/b?v=1 /b", "/c?v=1 /c"), led("/d /d?v=1")...), nil,
			"drop v on s.gob.es 3:1 for redirect 3 against redirect 1"},
		{"canonical links the other way", append(led("/a?v=1 /a", "/b?v=1 /b", "/c?v=1 /c"),
			suggest.Page{URL: host + "/d", Canonical: host + "/d?v=1"}), nil,
			"drop v on s.gob.es 3:1 for redirect 3 against canonical-link 1"},
		{"canonical links to another page", append(led("/a?v=1 /a", "/b?v=1 /b", "/c?v=1 /c"),
			suggest.Page{URL: host + "/d", Canonical: host + "/e?v=1"}), nil,
			"*drop v on s.gob.es 3:0 for redirect 3"},
		{"nearly the same texts", []suggest.Page{
			near("/a?v=1", "cocinero"), near("/a?v=2", "cocinera"), near("/b?v=1", "vigilante"),
			near("/b?v=2", "vigilante"), near("/c?v=1", "conserje"), near("/c?v=2", "conserje"),
			near("/d?v=1", "celador"), near("/d?v=2", "celador"),
		}, nil, "*drop v on s.gob.es 3:0 for text 3"},
		{"corrections", []suggest.Page{
			{URL: host + "/a?v=1", Approved: host + "/a"}, {URL: host + "/b?v=1", Approved: host + "/b"},
			{URL: host + "/c?v=1", Approved: host + "/c"},
		}, nil, "*drop v on s.gob.es 3:0 for person 3"},
		{"an approval as it is", append(led("/a?v=1 /a", "/b?v=1 /b", "/c?v=1 /c", "/d?v=1 /d", "/e?v=1 /e"),
			suggest.Page{URL: host + "/z?v=1", Approved: host + "/z?v=1"}), nil,
			"drop v on s.gob.es 5:1 for redirect 5 against person 1"},
		{"a rule that keeps it", led("/a?v=1 /a", "/b?v=1 /b", "/c?v=1 /c"), []canon.Override{
			{Match: canon.Match{Host: "*.gob.es"}, KeepQueryParams: []string{"V*"}},
		}, "drop v on s.gob.es 3:1 for redirect 3 against person 1"},
		{"a rule that keeps another", led("/a?v=1 /a", "/b?v=1 /b", "/c?v=1 /c"), []canon.Override{
			{Match: canon.Match{Host: "s.gob.es"}, KeepQueryParams: []string{"w"}},
		}, "*drop v on s.gob.es 3:0 for redirect 3"},
		{"a rule that keeps the same one in capitals", led("/p?id=1&a=2&b=3 /p?id=1", "/p?a=2&id=2&b=3 /p?id=2",
			"/p?b=4&c=2&id=3 /p?id=3"), []canon.Override{
			{Match: canon.Match{Host: "s.gob.es"}, KeepQueryParams: []string{"ID"}},
		}, "*keep only id on s.gob.es/p 3:0 for redirect 3"},
		{"a page counts once for all signals", append(led("/a?v=1 /a", "/b?v=1 /b"),
			suggest.Page{URL: host + "/a?v=2", Canonical: host + "/a", Approved: host + "/a"}), nil,
			"drop v on s.gob.es 2:0 for redirect 2 canonical-link 1 person 1"},
		{"a missing page", append(led("/a?v=1 /a", "/b?v=1 /b", "/c?v=1 /c"), append(showing("/d?v=1 D", "/d?v=2 E"),
			suggest.Page{URL: host + "/d", Missing: true})...), nil,
			"drop v on s.gob.es 3:2 for redirect 3 against text 1 status 1"},
		{"a missing page for equal texts", append(led("/a?v=1 /a", "/b?v=1 /b"), append(showing("/d?v=1 D", "/d?v=2 D"),
			suggest.Page{URL: host + "/d", Missing: true})...), nil,
			"drop v on s.gob.es 3:1 for redirect 2 text 1 against status 1"},
		{"a page that is missing with the parameter too", append(led("/a?v=1 /a", "/b?v=1 /b", "/c?v=1 /c"),
			suggest.Page{URL: host + "/d?v=1", Missing: true}, suggest.Page{URL: host + "/d", Missing: true}), nil,
			"*drop v on s.gob.es 3:0 for redirect 3"},
		{"a page that is missing at one of its URLs", append(led("/a?v=1 /a", "/b?v=1 /b"), append(
			showing("/d?v=1 D", "/d D"), suggest.Page{URL: host + "/d", Missing: true})...), nil,
			"*drop v on s.gob.es 3:0 for redirect 2 text 1"},
		{"a redirect to another place",
			led("/t/viejo/x /t/nuevo/x", "/t/viejo/y /t/nuevo/y", "/t/viejo/z /t/otro/z"), nil,
			"/t/viejo/ is /t/nuevo/ on s.gob.es 2:1 for redirect 2 against redirect 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			list := suggest.Find(test.pages, test.rules)
			if len(list) != 1 {
				t.Fatalf("%d suggestions: %s", len(list), found(list))
			}
			first := list[0]
			got := strings.TrimSpace(found(list)) + counts(" for", first.ForBy) + counts(" against", first.AgainstBy)
			if got != test.want {
				t.Errorf("%s\nwant %s", got, test.want)
			}
		})
	}
}

func counts(word string, by suggest.Counts) string {
	if len(by) == 0 {
		return ""
	}
	for _, s := range []suggest.Signal{suggest.Redirect, suggest.Canonical, suggest.Text, suggest.Status,
		suggest.Person} {
		if by[s] > 0 {
			word += fmt.Sprintf(" %s %d", s, by[s])
		}
	}
	return word
}

// TestTraps has pages that look like duplicates and are none, and such that are in spite of it.
func TestTraps(t *testing.T) {
	tick := func(url, words, at string) suggest.Page {
		body := "Solicitud de " + words + ". Presente el impreso en la oficina de registro.\n\nHora: " + at
		return suggest.Page{URL: host + url, Sketch: health.SketchOf("Trámite de "+words, body), SHA256: at + url}
	}
	var shared, several, content []string
	for i := range 12 {
		shared = append(shared, fmt.Sprintf("/p/%d?v=1 E", i), fmt.Sprintf("/p/%d E", i))
		several = append(several, fmt.Sprintf("/p/%d?v=1 E%d", i, i%3), fmt.Sprintf("/p/%d E%d", i, i%3))
		content = append(content, fmt.Sprintf("/p?ref=%d T%d", i, i))
	}
	onHosts := func(list ...string) (pages []suggest.Page) {
		for _, host := range []string{"https://a.es", "https://b.es", "https://c.es"} {
			for _, one := range list {
				pages = append(pages, showing(host+one+host)...)
			}
		}
		return pages
	}
	var portals []suggest.Page
	for i, page := range []string{"aviso", "mapa", "ayuda", "cookies"} {
		for _, town := range []string{"https://a.es/", "https://b.es/"} {
			portals = append(portals, suggest.Page{URL: town + page, SHA256: fmt.Sprint("text ", i)})
		}
	}
	for _, test := range []struct {
		name  string
		pages []suggest.Page
		want  string
	}{
		{"an error page on many paths", showing(shared...), ""},
		{"three error pages on many paths", showing(several...), ""},
		{"three texts on three paths each", showing(several[:18]...), "*drop v on s.gob.es/p 3:0\n"},
		{"a canonical link of an error page", func() []suggest.Page {
			pages := showing(shared...)
			for i := range pages {
				pages[i].Canonical, _, _ = strings.Cut(pages[i].URL, "?")
			}
			return pages
		}(), ""},
		{"a content parameter, with some pages twice", showing(append(content, "/p?ref=20 T1", "/p?ref=21 T2",
			"/p?ref=22 T3", "/p?ref=23 T4")...), "drop ref on s.gob.es/p 4:11\n"},
		{"a session that the server adds", led("/a /a?s=1", "/b /b?s=2", "/c /c?s=3", "/d /d?s=4"), ""},
		{"pages that tick", []suggest.Page{
			tick("/a?v=1", "la beca de comedor", "10:15"), tick("/a", "la beca de comedor", "10:16"),
			tick("/b?v=1", "el padrón municipal", "10:17"), tick("/b", "el padrón municipal", "10:18"),
			tick("/c?v=1", "una plaza de garaje", "10:19"), tick("/c", "una plaza de garaje", "10:20"),
		}, "*drop v on s.gob.es 3:0\n"},
		{"a page that two hosts share", portals[:2], ""},
		{"two pages that two hosts share", portals[:4], "cite a.es in the place of b.es 2:0\n"},
		{"two portals of one software", portals, "cite a.es in the place of b.es 4:0\n"},
		{"two portals of one software that share two pages", append(led("https://b.es/x https://a.es/x",
			"https://b.es/y https://a.es/y"), portals...), "cite a.es in the place of b.es 6:0\n"},
		{"a host that leads to another one three times", append(led("https://b.es/x https://a.es/x",
			"https://b.es/y https://a.es/y", "https://b.es/z https://a.es/z"), portals...),
			"*cite a.es in the place of b.es 7:0\n"},
		{"sections that share pages", showing("/a/x A", "/b/x A", "/a/y B", "/b/y B", "/a/z C", "/b/z C", "/b/w D"),
			"/b/ is /a/ on s.gob.es 3:0\n"},
		{"sections that share pages, one with a parameter", showing("/a/x A", "/b?id=x A", "/a/y B", "/b?id=y B",
			"/a/z C", "/b?id=z C"), "/b?id={x} is /a/{x} on s.gob.es 3:0\n"},
		{"a parameter in the path", showing("/a/x A", "/a?id=x A", "/a/y B", "/a?id=y B", "/a/z C", "/a?id=z C"),
			"*/a?id={x} is /a/{x} on s.gob.es 3:0\n"},
		{"pages without a translation", showing("/ca/x A", "/es/x A", "/ca/y B", "/es/y B", "/ca/z C", "/es/z C"),
			"/es/ is /ca/ on s.gob.es 3:0\n"},
		{"a segment more", showing("/web/a/x A", "/a/x A", "/web/a/y B", "/a/y B", "/web/b/z C", "/b/z C"),
			"*/web/ is / on s.gob.es 3:0\n"},
		{"an error page of each host", onHosts("/ver?id=1 A", "/ver?id=2 A"), ""},
		{"pages of several hosts", onHosts("/ver/x?v=1 A", "/ver/x?v=2 A", "/ver/y?v=1 B", "/ver/y?v=2 B"),
			"*drop v on */ver 6:0\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := found(suggest.Find(test.pages, nil)); got != test.want {
				t.Errorf("%q\nwant %q", got, test.want)
			}
		})
	}
}
