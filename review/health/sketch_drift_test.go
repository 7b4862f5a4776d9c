package health_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"visto/review/probe/extract"
)

var updateDrift = flag.Bool("update", false, "write testdata/drift/REPORT.md")

// driftPair is a page at two times, and whether a person would look at it again; pairs.yaml explains it.
type driftPair struct {
	Kind    string      `yaml:"kind"`
	Base    string      `yaml:"base"`
	Page    bool        `yaml:"page"`
	Edits   [][2]string `yaml:"edits"`
	Title   string      `yaml:"title"`
	Text    string      `yaml:"text"`
	Other   string      `yaml:"other"`
	Changed bool        `yaml:"changed"`
}

// driftText is a page as it was extracted.
type driftText struct {
	Title string `yaml:"title"`
	Text  string `yaml:"text"`
}

// driftPages are the texts of bases.yaml and the pages of extract.
type driftPages struct {
	texts  map[string]driftText
	client *extract.Client
}

func readDrift(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile("testdata/drift/" + name)
	if err != nil {
		t.Fatal(err)
	}
	d := yaml.NewDecoder(strings.NewReader(string(data)))
	d.KnownFields(true)
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func openDriftPages(t *testing.T) *driftPages {
	t.Helper()
	p := &driftPages{texts: map[string]driftText{}}
	readDrift(t, "bases.yaml", &p.texts)
	p.client = extract.NewClient(func() (*exec.Cmd, error) {
		self, err := os.Executable()
		cmd := exec.Command(self, "-test.run=^TestServeDocuments$")
		cmd.Env = append(os.Environ(), "VISTO_TEST_CHILD=serve")
		return cmd, err
	}, 0)
	t.Cleanup(func() { p.client.Close() })
	return p
}

// TestServeDocuments is the child of the client that reads pages.
func TestServeDocuments(t *testing.T) {
	if os.Getenv("VISTO_TEST_CHILD") != "serve" {
		t.Skip("only as a child")
	}
	if err := extract.Serve(os.Stdin, os.Stdout); err != nil {
		t.Fatal(err)
	}
	os.Exit(0)
}

// read returns a text, or the extracted page of this name after edits of its HTML.
func (p *driftPages) read(t *testing.T, name string, edits [][2]string) driftText {
	t.Helper()
	if text, ok := p.texts[name]; ok {
		return text
	}
	body, err := os.ReadFile("../probe/extract/testdata/pages/" + name + ".html")
	if err != nil {
		t.Fatal(err)
	}
	edited := applyEdits(t, string(body), edits)
	doc, err := p.client.HTML(t.Context(), []byte(edited), "text/html", "https://www.example.org/")
	if err != nil {
		t.Fatal(err)
	}
	return driftText{doc.Title, doc.Text}
}

func applyEdits(t *testing.T, text string, edits [][2]string) string {
	t.Helper()
	for _, e := range edits {
		switch {
		case e[0] == "^":
			text = e[1] + text
		case e[0] == "$":
			text += e[1]
		case !strings.Contains(text, e[0]):
			t.Errorf("%q is not in the text", e[0])
		default:
			text = strings.Replace(text, e[0], e[1], 1)
		}
	}
	return text
}

// sides returns a pair as two texts.
func (p *driftPages) sides(t *testing.T, pair driftPair) (before, after driftText) {
	t.Helper()
	before = p.read(t, pair.Base, nil)
	switch {
	case pair.Other != "":
		return before, p.read(t, pair.Other, nil)
	case pair.Page:
		return before, p.read(t, pair.Base, pair.Edits)
	}
	after = driftText{cmp.Or(pair.Title, before.Title), cmp.Or(pair.Text, before.Text)}
	after.Text = applyEdits(t, after.Text, pair.Edits)
	return before, after
}

// confusion counts pairs by the labels of a person and of the measure.
type confusion struct{ hits, misses, alarms, rests int }

func (c *confusion) add(changed, reported bool) {
	switch {
	case changed && reported:
		c.hits++
	case changed:
		c.misses++
	case reported:
		c.alarms++
	default:
		c.rests++
	}
}

func (c confusion) precision() float64 { return ratio(c.hits, c.hits+c.alarms) }
func (c confusion) recall() float64    { return ratio(c.hits, c.hits+c.misses) }

func ratio(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

func (c confusion) row(name string) string {
	pairs := c.hits + c.misses + c.alarms + c.rests
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %.3f | %.3f |\n", name, pairs, c.hits, c.misses, c.alarms,
		c.rests, c.precision(), c.recall())
}

const driftHead = "| | pairs | reported | missed | false | left alone | precision | recall |\n" +
	"|---|---|---|---|---|---|---|---|\n"
