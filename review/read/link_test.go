package read_test

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"visto/review/read"
)

// targets returns the URLs of an input, and checks their places.
func targets(t *testing.T, name, data string) []string {
	t.Helper()
	list := foundIn(t, name, []byte(data), read.Options{})
	format := map[string]string{"x.md": "markdown", "x.html": "html", "x.xml": "sitemap"}[name]
	placed(t, format, []byte(data), list)
	urls := []string{}
	for _, f := range list {
		urls = append(urls, f.URL)
		if f.Place.End > 0 {
			atLine(t, []byte(data), f.Place)
		}
	}
	return urls
}

// Spec 13: also read are the links of Markdown, but nothing inside code (CommonMark 0.31; GitHub Flavored Markdown).
func TestMarkdownLinks(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"see [a](https://a.es/1), [b](<https://a.es/2>) and [c](https://a.es/3 \"title\").", "1 2 3"},
		{"[a]( https://a.es/1 'it' )\n[b](\nhttps://a.es/2\n)", "1 2"},
		{"<https://a.es/1> <mailto:x@a.es> <x@a.es> <no link>", "1"},
		{"[1]: https://a.es/1 \"t\"\n[2]: <https://a.es/2>\n[3]:\n  https://a.es/3\n'title'\ntext", "1 2 3"},
		{"text\n[1]: https://a.es/1", "1"}, // no definition, but a bare link
		{"[^1]: see https://a.es/1.", "1"},
		{"see https://a.es/1, (https://a.es/2) or *https://a.es/3*, www.a.es/4?x=(1).", "1 2 3 4?x=(1)"},
		{"https://a.es/1?a=1&amp;b https://localhost/2 ftp://a.es/3 xhttps://a.es/4", "1?a=1&b"},
		{"[text](https://a.es/1) [https://a.es/2](https://a.es/3) [https://a.es/4] [https://a.es/5][x]", "1 3 4"},
		{"![image](https://a.es/1) [![i](https://a.es/2)](https://a.es/3)", "3"},
		{"[a [b](https://a.es/1) c](https://a.es/2)", "1 2"},
		{"[a [b](//a.es/1) c](//a.es/2)", "//a.es/1"},
		{strings.Repeat("- a\n", 200) + "10.    b\n\n       https://a.es/1", "1"},
		{"`https://a.es/1` ``x ` [a](https://a.es/2)`` [b](https://a.es/3) `open", "3"},
		{"```\nhttps://a.es/1\n```\nhttps://a.es/2\n~~~ x\n[a](https://a.es/3)\n```\n~~~~\nhttps://a.es/4", "2 4"},
		{"> ```\n> https://a.es/1\n\nhttps://a.es/2", "2"},
		{"    https://a.es/1\n\ntext\n    https://a.es/2\n\n\thttps://a.es/3", "2"},
		{"- a\n\n  https://a.es/1\n\n      https://a.es/2\n  - > https://a.es/3\n    ```\n" +
			"    https://a.es/4\n    ```\n\nhttps://a.es/5",
			"1 3 5"},
		{"\\[a](https://a.es/1) [b\\](https://a.es/2) \\`https://a.es/3\\`", "1 2 3"},
		{"[a](https://a.es/1\\(x\\)) [b](https://a.es/2(y)) [c](https://a.es/3?a&amp;b&copy=1)",
			"1(x) 2(y) 3?a&b&copy=1"},
		{"<!-- https://a.es/1\n\n[a](https://a.es/2) -->\nhttps://a.es/3 <!-- https://a.es/4 -->", "3"},
		{"<p align=center>\n<a href=\"https://a.es/1\">https://a.es/2</a>\n[a](https://a.es/3)\n</p>\n\nhttps://a.es/4",
			"1 4"},
		{"a <a href='https://a.es/1'>https://a.es/2</a> <b>[c](https://a.es/3)</b>", "1 3"},
		{"<pre>\n<a href=\"https://a.es/1\">\n\nhttps://a.es/2\n</pre>\nhttps://a.es/3", "3"},
		{"| a | b |\n|---|---|\n| https://a.es/1|[c](https://a.es/2) |", "1 2"},
		{"# https://a.es/1\nhttps://a.es/2\n===\n---\nurl: \"https://a.es/3\"", "1 2 3"},
		{"[a](/x) [b](#y) [c](../z) [d](tel:010) [e]()", ""},
	} {
		for _, text := range []string{test.text, strings.ReplaceAll(test.text, "\n", "\r\n")} {
			got := targets(t, "x.md", text)
			for i := range got {
				got[i] = strings.TrimPrefix(strings.TrimPrefix(got[i], "https://a.es/"), "www.a.es/")
			}
			if want := strings.Fields(test.want); !slices.Equal(got, want) {
				t.Errorf("%q has %q, want %q", text, got, want)
			}
		}
	}
}

// Spec 13: a[href] is read; relative and mailto links are counted, not rejected.
func TestHTMLLinks(t *testing.T) {
	const page = "\uFEFF<!DOCTYPE html>\r\n<html><head><link href=https://no.es/>" +
		"<script>'<a href=https://no.es/>'</script><body><!-- <a href=https://no.es/> -->\n" +
		"<A class=x HREF = 'https://a.es/1?a=1&amp;b=&#50;'>x</A>" +
		"<a href=https://a.es/3><a href=\" //a.es/4 \" href=https://no.es><a href=/5><a href='#x'>" +
		"<a href=\"mailto:x@a.es\"><a href><a name=x>" +
		"<a/href=https://a.es/6/ ><img src=https://no.es>\n<a\nhref\n=\n\"https://a.es/7\""
	want := []string{"https://a.es/1?a=1&b=2", "https://a.es/3", "//a.es/4", "https://a.es/6/"}
	if got := targets(t, "x.html", page+">"); !slices.Equal(got, append(want, "https://a.es/7")) {
		t.Errorf("%q", got)
	}
	got := readString("page", page)
	if s := got.summary; s.Format != "html" || s.Relative != 2 || s.Other != 1 || s.Found != 4 {
		t.Errorf("%+v", s)
	}
	const based = `<base href="/r"><base href="https://b.es/d/"><base href="https://c.es/"><a href="x?y">`
	list := foundIn(t, "x.html", []byte(based), read.Options{})
	if len(list) != 1 || list[0].URL != "https://b.es/d/x?y" || list[0].Place.End != 0 ||
		list[0].Place.Path != "1:81" || list[0].Place.Field != "href" {
		t.Errorf("%+v", list)
	}
}

// Spec 13: sitemap.xml is read. An index fetches nothing: it says which sitemaps it names.
func TestSitemap(t *testing.T) {
	const head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	got := targets(t, "x.xml", head+`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="i">
	<url><loc>
		https://a.es/1?a=1&amp;b=2 </loc><image:image><image:loc>https://no.es</image:loc></image:image></url>
	<url><!-- x --><loc><![CDATA[https://a.es/2&]]></loc></url><loc>https://no.es</loc>
	<url><loc>https://a.es/<!-- x -->3?a=1<![CDATA[&b]]></loc></url></urlset>`)
	if !slices.Equal(got, []string{"https://a.es/1?a=1&b=2", "https://a.es/2&", "https://a.es/3?a=1&b"}) {
		t.Errorf("%q", got)
	}
	const sitemap = "https://a.es/s.xml.gz"
	index := readString("sitemap", head+"<sitemapindex><sitemap><loc>"+sitemap+"</loc></sitemap></sitemapindex>")
	if index.err != nil || len(index.found) > 0 || !slices.Equal(index.summary.Sitemaps, []string{sitemap}) {
		t.Errorf("%+v", index)
	}
	index = readString("sitemap", "<sitemapindex><sitemap><loc>https://ana:x@a.es/s?token=y</loc></sitemap>"+
		"</sitemapindex>")
	if !slices.Equal(index.summary.Sitemaps, []string{"https://***@a.es/s?token=***"}) {
		t.Errorf("%+v", index)
	}
	readString("x.xml", "<rss/>").expect(t, nil, nil, `it is XML, but no sitemap: its root is "rss"`)
	readString("x.xml", "no").expect(t, nil, nil, `it is not XML`)
	readString("x.xml", "<?xml version=\"1.0\" encoding=\"latin1\"?><urlset/>").expect(t, nil, nil,
		"convert it to UTF-8")
	readString("x.xml", "<urlset>\n<url><loc>u</loc></url>\n</url>").expect(t, []string{"loc@2 u"},
		[]string{"3: nothing can be read from here on"}, "")
}

// Spec 15: the hreflang of a sitemap (xhtml:link) says which language versions a page has, before or after its address.
// They are no URLs of the sitemap: each has an entry of its own.
func TestSitemapVersions(t *testing.T) {
	const link = `<xhtml:link rel="alternate" hreflang="`
	list := foundIn(t, "x.xml", []byte(`<urlset xmlns:xhtml="http://www.w3.org/1999/xhtml">
	<url><loc>https://a.es/ca</loc>`+link+`es_ES" href=" https://a.es/es?a&amp;b "/>`+link+`CA" href="https://a.es/ca"/>
		<xhtml:link rel="stylesheet" hreflang="fr" href="https://a.es/fr"/>`+link+`" href="https://a.es/x"/></url>
	<url>`+link+`es" href="https://a.es/es2"></xhtml:link><loc>https://a.es/gl2</loc></url>
	<url><loc>https://a.es/3</loc></url>`+link+`es" href="https://a.es/4"/>
	<url>`+link+`es" href="https://a.es/5"/></url><url><loc>https://a.es/6</loc>`), read.Options{})
	want := []read.Found{
		{URL: "https://a.es/ca", Versions: map[string]string{"es-es": "https://a.es/es?a&b", "ca": "https://a.es/ca"}},
		{URL: "https://a.es/gl2", Versions: map[string]string{"es": "https://a.es/es2"}},
		{URL: "https://a.es/3"}, {URL: "https://a.es/6"},
	}
	for i := range list {
		list[i].Place = read.Place{}
	}
	if !reflect.DeepEqual(list, want) {
		t.Errorf("%+v", list)
	}
	many := strings.Repeat(`<link rel="alternate" hreflang="es-%d" href="https://a.es/"/>`, 1000)
	for i := range 1000 {
		many = strings.Replace(many, "%d", strconv.Itoa(i), 1)
	}
	hostile := []byte("<urlset><url><loc>https://a.es</loc>" + many + "</url></urlset>")
	if n := len(foundIn(t, "x.xml", hostile, read.Options{})[0].Versions); n > 200 {
		t.Errorf("%d versions are kept", n)
	}
}
