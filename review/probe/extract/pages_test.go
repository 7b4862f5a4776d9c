package extract_test

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"go.yaml.in/yaml/v3"

	"visto/review/probe/extract"
)

// page is a page of testdata/pages with the truth about it, which the README.md there explains.
type page struct {
	name  string
	body  []byte
	truth struct {
		URL         string   `yaml:"url"`
		ContentType string   `yaml:"content_type"`
		Titles      []string `yaml:"titles"`
		Description string   `yaml:"description"`
		Author      string   `yaml:"author"`
		Published   string   `yaml:"published"`
		Modified    string   `yaml:"modified"`
		Language    string   `yaml:"language"`
		Headings    []string `yaml:"headings"`
		Markdown    []string `yaml:"markdown"`
		Absent      []string `yaml:"absent"`
		Text        string   `yaml:"text"`
		Links       []struct {
			URL  string `yaml:"url"`
			Text string `yaml:"text"`
			Main bool   `yaml:"main"`
		} `yaml:"links"`
	}
}

func readPages(t *testing.T) (pages []page) {
	t.Helper()
	names, err := filepath.Glob("testdata/pages/*.yaml")
	if err != nil || len(names) < 25 {
		t.Fatalf("%d pages with truth: %v", len(names), err)
	}
	for _, name := range names {
		pages = append(pages, readPage(t, strings.TrimSuffix(name, ".yaml")))
	}
	return pages
}

func readPage(t *testing.T, path string) page {
	t.Helper()
	p := page{name: filepath.Base(path)}
	truth, err := os.ReadFile(path + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	d := yaml.NewDecoder(bytes.NewReader(truth))
	d.KnownFields(true)
	if err := d.Decode(&p.truth); err != nil {
		t.Fatalf("%s.yaml: %v", path, err)
	}
	if p.body, err = os.ReadFile(path + ".html"); err != nil {
		t.Fatal(err)
	}
	return p
}

// serveCommand makes this test binary the child of a Client; see TestMain.
func serveCommand() (*exec.Cmd, error) {
	self, err := os.Executable()
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "VISTO_TEST_CHILD=serve")
	return cmd, err
}

// minF1 is the token F1 that the main text reaches on average, and minPageF1 the least of a page.
const (
	minF1     = 0.9
	minPageF1 = 0.8
)

// TestPages measures "of an HTML page the main content as Markdown (navigation, banners, ads and footers left out;
// headings, lists, tables, code and links kept), title, description, author, published and modified dates, language,
// headings, and its links with their text" (section 15) against the truth. With -v it reports each page.
func TestPages(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	c := extract.NewClient(serveCommand, 0)
	t.Cleanup(func() { c.Close() })
	var report strings.Builder
	var sum float64
	pages := readPages(t)
	for _, p := range pages {
		doc, err := c.HTML(t.Context(), p.body, p.truth.ContentType, p.truth.URL)
		if err != nil {
			t.Errorf("%s: %v", p.name, err)
			continue
		}
		m := compareWords(words(p.truth.Text), words(plainText(doc.Text)))
		sum += m.f1()
		fmt.Fprintf(&report, "%-20s %v\n", p.name, m)
		t.Run(p.name, func(t *testing.T) {
			if m.f1() < minPageF1 {
				t.Errorf("F1 %v\n%s", m, doc.Text)
			}
			p.checkText(t, doc)
			p.checkFacts(t, doc)
			p.checkLinks(t, doc)
		})
	}
	t.Logf("main text of %d pages: F1 %.3f\n%s", len(pages), sum/float64(len(pages)), &report)
	if sum < minF1*float64(len(pages)) {
		t.Errorf("the average F1 is below %.2f", minF1)
	}
}

func (p page) checkText(t *testing.T, doc extract.Document) {
	t.Helper()
	text := phrase(plainText(doc.Text))
	for _, a := range p.truth.Absent {
		if strings.Contains(text, phrase(a)) {
			t.Errorf("the text has boilerplate: %s", a)
		}
	}
	marked := markdown(doc.Text)
	for _, m := range p.truth.Markdown {
		if !strings.Contains(marked, markdown(m)) {
			t.Errorf("the text lacks %s", m)
		}
	}
	if want, got := p.headings(p.truth.Headings), p.headings(doc.Headings); !equalHeadings(want, got) {
		t.Errorf("headings %q\nwant %q", got, want)
	}
}

// headings are the headings without the title, which stands in a field of its own, and without marks.
func (p page) headings(of []string) (kept []string) {
	for _, h := range of {
		level, text := splitHeading(h)
		isTitle := func(title string) bool { return phrase(title) == phrase(plainText(text)) }
		if !slices.ContainsFunc(p.truth.Titles, isTitle) {
			kept = append(kept, level+phrase(plainText(text)))
		}
	}
	return kept
}

func splitHeading(heading string) (level, text string) {
	text = strings.TrimLeft(heading, "#")
	return heading[:len(heading)-len(text)], text
}

// equalHeadings compares headings with the truth. One without a level there may be missing, or have any.
func equalHeadings(want, got []string) bool {
	for _, w := range want {
		level, text := splitHeading(w)
		switch {
		case len(got) > 0 && (got[0] == w || level == "" && strings.TrimLeft(got[0], "#") == text):
			got = got[1:]
		case level != "":
			return false
		}
	}
	return len(got) == 0
}

func (p page) checkFacts(t *testing.T, doc extract.Document) {
	t.Helper()
	if !slices.Contains(p.truth.Titles, doc.Title) {
		t.Errorf("title %q, want %q", doc.Title, p.truth.Titles)
	}
	for _, f := range []struct{ name, got, want string }{
		{"description", doc.Description, p.truth.Description},
		{"author", doc.Author, p.truth.Author},
		{"published", instant(doc.Published), instant(p.truth.Published)},
		{"modified", instant(doc.Modified), instant(p.truth.Modified)},
		{"language", doc.Language, p.truth.Language},
	} {
		if f.got != f.want {
			t.Errorf("%s %q, want %q", f.name, f.got, f.want)
		}
	}
}

func (p page) checkLinks(t *testing.T, doc extract.Document) {
	t.Helper()
	for _, want := range p.truth.Links {
		i := slices.IndexFunc(doc.Links, func(l extract.Link) bool { return l.URL == want.URL })
		if i < 0 {
			t.Errorf("no link to %s", want.URL)
		} else if got := doc.Links[i]; got.Text != want.Text || got.Main != want.Main {
			t.Errorf("link %+v, want %+v", got, want)
		}
	}
}

// instant is the time in UTC, so that one time is equal in all zones. Other text is returned as it is.
func instant(stated string) string {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(layout, stated); err == nil {
			return at.UTC().Format(time.RFC3339)
		}
	}
	return stated
}

var (
	fences    = regexp.MustCompile("(?m)^[ >]*(```|~~~).*$")
	images    = regexp.MustCompile(`!\[[^\]]*\]\([^()]*(\([^()]*\)[^()]*)*\)`)
	links     = regexp.MustCompile(`\[((?:[^\]\\]|\\.)*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)`)
	numbering = regexp.MustCompile(`(?m)^[ \t>*-]*\d+[.)] `)
	escapes   = regexp.MustCompile(`\\([[:punct:]])`)
	bullets   = regexp.MustCompile(`(?m)^(\s*)[*+] `)
)

// plainText is Markdown without addresses, pictures and the numbers of lists. Other marks are no words.
func plainText(s string) string {
	s = images.ReplaceAllString(fences.ReplaceAllString(s, ""), "")
	s = numbering.ReplaceAllString(links.ReplaceAllString(s, "$1"), "")
	return html.UnescapeString(escapes.ReplaceAllString(s, "$1"))
}

// markdown is Markdown in one form of bullets, escapes and space.
func markdown(s string) string {
	s = bullets.ReplaceAllString(s, "$1- ")
	return strings.Join(strings.Fields(html.UnescapeString(escapes.ReplaceAllString(s, "$1"))), " ")
}

func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N) })
}

// phrase is the words with spaces around each, so that a phrase is found at words alone.
func phrase(s string) string {
	return " " + strings.Join(words(s), " ") + " "
}

// match says how far two bags of words are the same.
type match struct {
	common         int
	missing, extra []string // words of the truth alone, and of the text alone
}

func compareWords(want, got []string) (m match) {
	left := map[string]int{}
	for _, w := range got {
		left[w]++
	}
	for _, w := range want {
		if left[w]--; left[w] < 0 {
			m.missing = append(m.missing, w)
		} else {
			m.common++
		}
	}
	for w, n := range left {
		for range n {
			m.extra = append(m.extra, w)
		}
	}
	slices.SortFunc(m.extra, func(a, b string) int { return cmp.Compare(slices.Index(got, a), slices.Index(got, b)) })
	return m
}

// f1 is the harmonic mean of precision and recall, from 0 to 1.
func (m match) f1() float64 {
	return 2 * float64(m.common) / float64(max(1, 2*m.common+len(m.missing)+len(m.extra)))
}

func (m match) String() string {
	some := func(w []string) []string { return w[:min(len(w), 6)] }
	return fmt.Sprintf("%.3f  %d words, %d missing %q, %d too many %q",
		m.f1(), m.common+len(m.missing), len(m.missing), some(m.missing), len(m.extra), some(m.extra))
}
