package suggest_test

import (
	"fmt"
	"slices"
	"testing"

	"visto/review/suggest"
)

// TestPlaces checks that a suggestion is for the path, the host or the hosts that votes are about.
func TestPlaces(t *testing.T) {
	at := func(host, path string) []suggest.Page {
		return []suggest.Page{
			{URL: host + path + "?v=1", Final: host + path},
			{URL: host + path + "/b?v=1", Final: host + path + "/b"},
			{URL: host + path + "/c?v=1", Final: host + path + "/c"},
		}
	}
	var eight []suggest.Page
	for i := range 8 {
		eight = append(eight, at(fmt.Sprintf("https://h%d.es", i), fmt.Sprint("/sta/", i))...)
	}
	for i := range 50 {
		eight = append(eight, showing(fmt.Sprintf("https://i.es/sta/%d?v=1 A%[1]d", i),
			fmt.Sprintf("https://i.es/sta/%d?v=2 B%[1]d", i))...)
	}
	var many []suggest.Page
	for i := range 20 {
		many = append(many, led(fmt.Sprintf("https://a.es/sta/%d?v=1 https://a.es/sta/%[1]d", i))...)
	}
	both := func(host, one, other string) (pages []suggest.Page) {
		for _, page := range []string{"/sta/x", "/sta/y", "/sta/z"} {
			url := fmt.Sprintf("%s%s?%s=1&%s=2", host, page, one, other)
			pages = append(pages, suggest.Page{URL: url, Final: host + page})
		}
		return pages
	}
	for _, test := range []struct {
		name  string
		pages []suggest.Page
		want  string
	}{
		{"two paths", append(at(host, "/x/y"), at(host, "/z")...),
			"*drop v on s.gob.es/x 3:0\n*drop v on s.gob.es/z 3:0\n"},
		{"two paths, one of which is enough", append(at(host, "/x/y"), at(host, "/z")[:2]...),
			"*drop v on s.gob.es/x 3:0\n"},
		{"two paths, both of which are not enough", append(at(host, "/x/y")[:2], at(host, "/z")[:2]...),
			"*drop v on s.gob.es 4:0\n"},
		{"three paths", slices.Concat(at(host, "/x/y"), at(host, "/z"), at(host, "/w")), "*drop v on s.gob.es 9:0\n"},
		{"three paths, and another one where it is content", slices.Concat(at(host, "/x"), at(host, "/z"),
			at(host, "/w"), showing("/t?v=1 A", "/t?v=2 B")),
			"*drop v on s.gob.es/w 3:0\n*drop v on s.gob.es/x 3:0\n*drop v on s.gob.es/z 3:0\n"},
		{"one path, and others where it is content", append(at(host, "/x"),
			showing("/z?v=1 A", "/z?v=2 B", "/z?v=3 C", "/w?v=1 D", "/w?v=2 D")...), "*drop v on s.gob.es/x 3:0\n"},
		{"parameters one by one and together", slices.Concat(at(host, "/x"), led("/x?w=1 /x", "/x/b?w=1 /x/b",
			"/x/c?w=1 /x/c",
			"/x?v=1&w=1 /x", "/x/b?v=1&w=1 /x/b", "/x/c?v=1&w=1 /x/c")),
			"*drop v on s.gob.es/x 3:0\n*drop w on s.gob.es/x 3:0\n"},
		{"three hosts", slices.Concat(at("https://a.es", "/sta/doc"), at("https://b.es", "/sta/doc"),
			at("https://c.es", "/sta")), "*drop v on */sta 9:0\n"},
		{"three hosts with one page each", []suggest.Page{{URL: "https://a.es/sta/x?v=1", Final: "https://a.es/sta/x"},
			{URL: "https://b.es/sta/x?v=1", Final: "https://b.es/sta/x"},
			{URL: "https://c.es/sta/y?v=1", Final: "https://c.es/sta/y"}}, "*drop v on */sta 3:0\n"},
		{"three hosts, and two that disagree", slices.Concat(many, at("https://b.es", "/sta"),
			at("https://c.es", "/sta"), showing("https://d.es/sta/b?v=1 A", "https://d.es/sta/b?v=2 B",
				"https://d.es/sta/b?v=3 A", "https://e.es/sta/b?v=1 C", "https://e.es/sta/b?v=2 D",
				"https://e.es/sta/b?v=3 C")),
			"*drop v on a.es/sta 20:0\n*drop v on b.es/sta 3:0\n*drop v on c.es/sta 3:0\n"},
		{"three hosts, and one whose pages all differ", slices.Concat(at("https://a.es", "/sta"), at("https://b.es",
			"/sta"), at("https://c.es", "/sta"), showing("https://d.es/sta/b?v=1 A", "https://d.es/sta/b?v=2 B")),
			"*drop v on */sta/c 3:0\n*drop v on a.es/sta 3:0\n*drop v on b.es/sta 3:0\n" +
				"*drop v on c.es/sta 3:0\n"},
		{"three hosts, and one whose pages say that they are others", slices.Concat(at("https://a.es", "/sta"),
			at("https://b.es", "/sta"), at("https://c.es", "/sta"), []suggest.Page{{URL: "https://d.es/sta/b?v=1",
				Canonical: "https://d.es/sta/b?v=1"}}),
			"*drop v on */sta/c 3:0\n*drop v on a.es/sta 3:0\n*drop v on b.es/sta 3:0\n" +
				"*drop v on c.es/sta 3:0\n"},
		{"three hosts, and one without the page", slices.Concat(at("https://a.es", "/sta"), at("https://b.es",
			"/sta"), at("https://c.es", "/sta"), showing("https://d.es/sta/b?v=1 A"),
			[]suggest.Page{{URL: "https://d.es/sta/b", Missing: true}}),
			"*drop v on */sta/c 3:0\n*drop v on a.es/sta 3:0\n*drop v on b.es/sta 3:0\n" +
				"*drop v on c.es/sta 3:0\n"},
		{"eight hosts, and one with many pages that differ", eight, "*drop v on */sta 24:3\n"},
		{"three hosts, and one whose pages differ elsewhere", slices.Concat(at("https://a.es", "/sta"),
			at("https://b.es", "/sta"), at("https://c.es", "/sta"), showing("https://d.es/doc/b?v=1 A",
				"https://d.es/doc/b?v=2 B", "https://d.es/doc/c?v=1 C", "https://d.es/doc/c?v=2 D",
				"https://d.es/?v=1 E", "https://d.es/?v=2 F")),
			"*drop v on */sta 9:0\n"},
		{"three hosts with parameters of their own", slices.Concat(both("https://a.es", "u", "v"),
			both("https://b.es", "w", "x"), both("https://c.es", "y", "z")),
			"*drop all parameters on a.es/sta 3:0\n*drop all parameters on b.es/sta 3:0\n" +
				"*drop all parameters on c.es/sta 3:0\n"},
		{"two hosts", append(at("https://a.es", "/sta"), at("https://b.es", "/sta")...),
			"*drop v on a.es/sta 3:0\n*drop v on b.es/sta 3:0\n"},
		{"three hosts without a path of their own", slices.Concat(at("https://a.es", "/x"), at("https://b.es", "/y"),
			at("https://c.es", "/z")),
			"*drop v on a.es/x 3:0\n*drop v on b.es/y 3:0\n*drop v on c.es/z 3:0\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := found(suggest.Find(test.pages, nil)); got != test.want {
				t.Errorf("%q\nwant %q", got, test.want)
			}
		})
	}
}

// TestLower compares the lower end of the Wilson interval with numbers computed by hand: for p = f/n and z² = 1.21 it
// is (p + 1.21/2n - 1.1 sqrt(p(1-p)/n + 1.21/4n²)) / (1 + 1.21/n).
func TestLower(t *testing.T) {
	for _, test := range []struct {
		yes, no int
		want    string
		star    bool
	}{
		{2, 0, "0.623", false}, {3, 0, "0.713", true}, {4, 1, "0.556", false}, {8, 1, "0.725", true},
		{7, 1, "0.696", false}, {9, 2, "0.661", false}, {20, 3, "0.774", true},
	} {
		var pages []suggest.Page
		for i := range test.yes {
			pages = append(pages, led(fmt.Sprintf("/y%d?v=1 /y%d", i, i))...)
		}
		for i := range test.no {
			url := fmt.Sprint(host, "/n", i, "?v=1")
			pages = append(pages, suggest.Page{URL: url, Canonical: url})
		}
		list := suggest.Find(pages, nil)
		if len(list) != 1 || fmt.Sprintf("%.3f", list[0].Lower) != test.want || list[0].Recommended != test.star {
			t.Errorf("%d for, %d against: %+v\nwant %s, %v", test.yes, test.no, list, test.want, test.star)
		}
	}
}
