package probe_test

import (
	"net/url"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"visto/canon"
	"visto/review/probe"
)

// FuzzReadPage reads any bytes as any type. The result must hold valid text, absolute http and https URLs, and
// possible numbers.
func FuzzReadPage(f *testing.F) {
	files, err := filepath.Glob("testdata/page/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for i := 0; i < len(archive.Files); i += 2 {
			r := readAnswer(f, archive.Files[i].Data)
			f.Add(uint16(r.Status), r.Header.Get("Content-Type"), strings.Join(r.Header["Link"], ", "),
				string(r.Body), i%4 == 0)
		}
	}
	f.Add(uint16(200), "text/html", `<x>;rel="next";title="\"`,
		"<title>\xf3</title><base href=//x><a rel=last href=?p=9>", true)
	f.Fuzz(func(t *testing.T, status uint16, contentType, links, body string, cut bool) {
		r := answer(contentType, body)
		r.Status, r.Truncated = int(status), cut
		r.Header.Set("Link", links)
		r.Header.Set("Refresh", links)
		r.Header.Set("Content-Language", links)
		page := readText(t, r)
		checkPage(t, page)
		if again := readText(t, r); !reflect.DeepEqual(page, again) {
			t.Errorf("read twice:\n%+v\n%+v", page, again)
		}
	})
}

// readText reads a page without a reader of PDF files.
func readText(t *testing.T, r *probe.Response) probe.Page {
	t.Helper()
	page, err := probe.ReadPage(t.Context(), r, builtin(t, canon.DefaultPolicy), nil, true)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func checkPage(t *testing.T, page probe.Page) {
	t.Helper()
	urls := []string{page.RelCanonical, page.RelNext, page.RelPrev, page.MetaRefresh}
	for tag, u := range page.LangVariants {
		if tag == "" || u == "" {
			t.Errorf("version %q: %q", tag, u)
		}
		urls = append(urls, u)
	}
	for _, text := range urls {
		if text == "" {
			continue
		}
		u, err := url.Parse(text)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil ||
			len(text) >= 2048 {
			t.Errorf("URL %q: %v", text, err)
		}
	}
	if !utf8.ValidString(page.Title) || len(page.Title) > 1100 || strings.ContainsAny(page.Title, "\n\t\x00\x1b") {
		t.Errorf("title %q", page.Title)
	}
	if page.TotalPages < 0 || page.PDFPages < 0 || page.TotalPages > 1<<21 || page.PDFPages > 1<<21 ||
		len(page.Language) > 100 {
		t.Errorf("%d pages, %d of a PDF, language %q", page.TotalPages, page.PDFPages, page.Language)
	}
	for _, c := range page.Caveats {
		if !utf8.ValidString(c) {
			t.Errorf("caveat %q", c)
		}
	}
}
