package plain_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/probe"
	"visto/review/probe/extract"
	"visto/ui/plain"
)

// site is a prober that reads the same document behind every URL.
type site struct{ extract.Document }

func (s site) Run(_ context.Context, targets []probe.Target, sink func(probe.Report) error) error {
	for _, target := range targets {
		ev := &canon.Evidence{Status: 200, Title: s.Title}
		report := probe.Report{Target: target, Evidence: ev, Content: &s.Document}
		if err := sink(report); err != nil {
			return err
		}
	}
	return nil
}

// readPage has a probe read a document behind URL 1.
func readPage(t *testing.T, d *review.Desk, doc extract.Document) {
	t.Helper()
	jobs, err := d.ProbeJobs(t.Context(), review.Filter{IDs: []int64{1}}, review.ProbeJobOptions{})
	if err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }
	err = review.NewProbing(d, site{doc}, now).Run(t.Context(), jobs, func(review.ProbeResult) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
}

// grant is a page with two links, of which its text has one.
func grant() extract.Document {
	return extract.Document{
		Title: "Ayudas al alquiler", Description: "Plazos y requisitos", Author: "Vivienda", Published: "2026-01-13",
		Language: "es",
		Text: "## Requisitos\n\nVea [las bases](https://www.ejemplo.gob.es/bases).\n\n" +
			"Hasta mayo.\x1b[31m\nGratis.\nEn línea.",
		Links: []extract.Link{{URL: "https://www.ejemplo.gob.es", Text: "Inicio\u202e"},
			{URL: "https://www.ejemplo.gob.es/bases", Text: "las\n bases", Main: true}},
	}
}

// Spec 15: the page "as a reader would see it, scrolled and searched, its links listed; the diff between two versions
// when it changed", line by line.
func TestPlainPage(t *testing.T) {
	newer := grant()
	newer.Text = strings.Replace(newer.Text, "mayo", "junio", 1)
	linked := grant()
	linked.Links = append([]extract.Link{{URL: "https://www.ejemplo.gob.es/ca", Text: "ca"}}, linked.Links...)
	for name, c := range map[string]struct {
		versions []extract.Document
		commands []string
		want     []string
	}{
		"unread": {nil, []string{"page", "page links", "page diff", "page cite 1"},
			slices.Repeat([]string{"Not done: no content of this page is stored: probe reads it"}, 4)},
		"text": {[]extract.Document{grant()}, []string{"page", "page more"}, []string{
			"As it was read at 2026-11-21 09:00.\nTitle: Ayudas al alquiler\nDescription: Plazos y requisitos\n" +
				"Author: Vivienda\nPublished: 2026-01-13\nLanguage: es\n\n## Requisitos\n\n" +
				"Vea [las bases][2].\n\nHasta mayo.\\x1b[31m\nGratis.\nEn línea.\n",
			"There is no more."}},
		"links": {[]extract.Document{grant()}, []string{"page links"}, []string{"In the text:\n" +
			"2: las bases: https://www.ejemplo.gob.es/bases\nElsewhere on the page:\n" +
			"1: Inicio\\u{202e}: https://www.ejemplo.gob.es\n"}},
		"no links": {[]extract.Document{{Text: "a"}}, []string{"page links"}, []string{"It has no links."}},
		"no text":  {[]extract.Document{{Title: "a", Text: " \n"}}, []string{"page"}, []string{"It has no text."}},
		"a reference in a title": {[]extract.Document{{Title: "Uso de &#x9b; en HTML", Text: "a"}}, []string{"page"},
			[]string{"Title: Uso de &#x9b; en HTML\n"}},
		"a long title": {[]extract.Document{{Title: strings.Repeat("Ayudas al alquiler ", 50), Text: "a"}},
			[]string{"go 1"},
			[]string{"\nTitle: " + strings.Repeat("Ayudas al alquiler ", 4) + "Ayudas al\nalquiler "}},
		"locked": {[]extract.Document{{Locked: true}}, []string{"page"}, []string{"A password is needed to read"}},
		"PDF":    {[]extract.Document{{Pages: 12, Text: "a"}}, []string{"page"}, []string{"Pages: 12\n\na\n"}},
		"cut":    {[]extract.Document{{Text: "a", Cut: true}}, []string{"page"}, []string{"The page goes on."}},
		"unchanged": {[]extract.Document{grant()}, []string{"page diff"},
			[]string{"not changed since 2026-11-21 09:00."}},
		"diff": {[]extract.Document{grant(), newer}, []string{"page diff"}, []string{
			"Read at 2026-11-21 09:00, and before at 2026-11-21 09:00.\n\n" +
				"Removed: Hasta mayo.\\x1b[31m\nAdded: Hasta junio.\\x1b[31m\nSame: Gratis.\n\n>"}},
		"diff of links": {[]extract.Document{grant(), linked}, []string{"page diff"},
			[]string{"The text is the same: only links changed."}},
		"cite": {[]extract.Document{grant()}, []string{"page cite 3", "page cite x", "page cite 2", "go 1", "open"},
			[]string{"which link? A number from 1 to 2", "which link?", "corrected and approved: URL 1",
				"https://www.ejemplo.gob.es/bases"}},
		"another word": {[]extract.Document{grant()}, []string{"page up"}, []string{"there is no page up, but"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := desk(t, urls...)
			for _, doc := range c.versions {
				readPage(t, d, doc)
			}
			said := plainly(t, d, c.commands...)
			for _, want := range c.want {
				_, rest, found := strings.Cut(said, want)
				if !found {
					t.Fatalf("it did not say %q next:\n%s", want, said)
				}
				said = rest
			}
		})
	}
}

// page more does not go on with the page of another URL, and nothing is cited in a database that is read-only.
func TestPlainPageElsewhere(t *testing.T) {
	d := desk(t, urls...)
	readPage(t, d, grant())
	if out := plainly(t, d, "page", "go 2", "page more"); !strings.HasSuffix(out,
		"> Not done: no content of this page is stored: probe reads it\n\n> \n") {
		t.Errorf("told of another URL: %s", out)
	}
	var out bytes.Buffer
	err := plain.Run(t.Context(), readOnly{d}, plain.Options{In: strings.NewReader("page cite 2\npage\n"), Out: &out})
	if err != nil || !strings.Contains(out.String(), "Not done: the database is open read-only") ||
		!strings.Contains(out.String(), "## Requisitos") {
		t.Errorf("%v: %s", err, &out)
	}
}

// A long page is told in parts. Another URL begins anew.
func TestPlainLongPage(t *testing.T) {
	d := desk(t, urls...)
	var text strings.Builder
	for i := range 98 {
		fmt.Fprintf(&text, "line %d\n", i)
	}
	text.WriteString(strings.Repeat("largo ", 30)) // two lines
	readPage(t, d, extract.Document{Text: text.String()})
	for _, c := range []struct {
		commands          []string
		first, last, left string
	}{
		{[]string{"page"}, "As it was read", "line 37", "62"},
		{[]string{"page", "page more"}, "line 38", "line 77", "22"},
		{[]string{"page", "page more", "page more"}, "line 78", "largo", ""},
		{[]string{"page all"}, "As it was read", "largo", ""},
		{[]string{"page", "page all"}, "line 38", "largo", ""},
		{[]string{"page more", "page"}, "As it was read", "line 37", "62"},
		{[]string{"page more", "go 2", "go 1", "page more"}, "line 38", "line 77", "22"},
	} {
		parts := strings.Split(plainly(t, d, c.commands...), "\n> ")
		lines := strings.Split(strings.TrimSpace(parts[len(parts)-2]), "\n")
		last := lines[len(lines)-1]
		if left, found := strings.CutPrefix(last, "Lines to come: "); found {
			if !strings.HasPrefix(left, c.left+".") || c.left == "" {
				t.Errorf("%v: %s", c.commands, last)
			}
			last = lines[len(lines)-2]
		} else if c.left != "" {
			t.Errorf("%v does not tell that there is more: %s", c.commands, last)
		}
		if !strings.HasPrefix(lines[0], c.first) || !strings.HasPrefix(last, c.last) {
			t.Errorf("%v: from %q to %q", c.commands, lines[0], last)
		}
	}
}
