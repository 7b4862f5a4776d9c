package read_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"visto/canon/suite"
	"visto/review/read"
)

// TestMarkdownAsGoldmark: the reader finds the links that goldmark renders, in documents of this repository and in
// generated ones. goldmark reads them whole; the reader takes its blocks alone.
func TestMarkdownAsGoldmark(t *testing.T) {
	files, err := filepath.Glob("../../testdata/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, name := range append(files, "../../README.md") {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		links += sameLinks(t, name, string(data))
	}
	for seed := range suite.Rounds(400, 20_000) {
		d := &markdownGenerator{r: rand.New(rand.NewPCG(uint64(seed), 38))}
		document := strings.Join(append(d.blocks(0), d.defined...), "\n")
		links += sameLinks(t, fmt.Sprint("seed ", seed), document)
	}
	if links < 500 {
		t.Errorf("only %d links are compared", links)
	}
}

// sameLinks compares the web links of a document as sets, and returns their number: a definition is one link here and
// one for each of its references there.
func sameLinks(t *testing.T, name, document string) int {
	t.Helper()
	got := map[string]bool{}
	for _, f := range foundIn(t, "x.md", []byte(document), read.Options{}) {
		got[f.URL] = true
	}
	want := linksOfGoldmark(document)
	if !maps.Equal(got, want) {
		t.Errorf("%s: %q\nhas %q,\ngoldmark has %q", name, document, slices.Sorted(maps.Keys(got)),
			slices.Sorted(maps.Keys(want)))
	}
	return len(want)
}

func linksOfGoldmark(document string) map[string]bool {
	source := []byte(document)
	links := map[string]bool{}
	add := func(url string) {
		if strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://") {
			links[url] = true
		}
	}
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch link := n.(type) {
		case *ast.Link:
			add(string(link.Destination))
		case *ast.AutoLink:
			add(string(link.URL(source)))
		}
		return ast.WalkContinue, nil
	})
	return links
}

// markdownGenerator writes documents with blocks in each other. Every link has another number.
type markdownGenerator struct {
	r       *rand.Rand
	links   int
	defined []string // definitions for the end of the document, each with a reference that no block takes in
}

func (d *markdownGenerator) url() string {
	d.links++
	return fmt.Sprintf("https://a.es/%d", d.links)
}

func (d *markdownGenerator) blocks(depth int) (lines []string) {
	for range 1 + d.r.IntN(4) {
		lines = append(append(lines, d.block(depth)...), []string{"", "", " \t", "text"}[d.r.IntN(4)])
	}
	return lines
}

// block returns the lines of a block. Some are not aligned as they should be, as people write them.
func (d *markdownGenerator) block(depth int) []string {
	kinds := 8
	if depth < 4 {
		kinds = 12
	}
	switch d.r.IntN(kinds) {
	case 0:
		return []string{"    " + d.url()}
	case 1:
		fence := []string{"```", "~~~", "````"}[d.r.IntN(3)]
		return []string{fence, d.url(), fence}
	case 2:
		return []string{"## " + d.inline()}
	case 3:
		return []string{"a | b", "--|--", d.inline() + " | `" + d.url() + "`"}
	case 4:
		return []string{d.inline(), d.inline(), "==="}
	case 5:
		return []string{"<div>", "text", "</div>"}
	case 6, 7:
		return []string{d.inline(), strings.Repeat(" ", d.r.IntN(7)) + d.inline()}
	case 8, 9:
		return d.within([]string{"> ", ">", " > "}[d.r.IntN(3)], "> ", depth)
	default:
		mark := []string{"- ", "* ", "1. ", "10)  ", "+   "}[d.r.IntN(5)]
		return d.within(mark, strings.Repeat(" ", len(mark)-d.r.IntN(6)/5), depth)
	}
}

// within returns blocks behind the mark of a quote or a list item.
func (d *markdownGenerator) within(first, rest string, depth int) []string {
	lines := d.blocks(depth + 1)
	for i := range lines {
		if i == 0 {
			lines[i] = first + lines[i]
		} else {
			lines[i] = rest + lines[i]
		}
	}
	return lines
}

func (d *markdownGenerator) inline() string {
	url := d.url()
	switch d.r.IntN(9) {
	case 0:
		return "see " + url + ", and *" + d.url() + "*."
	case 1:
		return "[a](" + url + ` "title")`
	case 2:
		return "[a `](` b](<" + url + ">)"
	case 3:
		return "<" + url + "> and `" + d.url() + "`"
	case 4:
		d.defined = append(d.defined, "", fmt.Sprintf("[ref %d]: %s\n\n[ref %[1]d]", d.links, url))
		return fmt.Sprintf("[text][ref %d]", d.links)
	case 5:
		return "(" + url + "/x_(1))"
	case 6:
		return "![image](" + url + ") [" + d.url() + "](" + d.url() + ")"
	case 7:
		return `\[a](` + url + ") `` ` " + d.url() + " ``"
	default:
		return "plain text"
	}
}
