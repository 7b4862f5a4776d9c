package main

import (
	"fmt"
	"strings"

	"visto/canon"
)

// unit is the peer that all times are divided by.
const unit = "net/url"

// peer is a row of the tables. ways has its function.
type peer struct{ name, module, does string }

var peers = []peer{
	{unit, "", "`Parse` and `String`, which normalize nothing"},
	{"canon", "visto", "`Canonicalize` with the policy `clara`"},
	{"canon, with trace", "visto", "`Explain` with the policy `clara`"},
	{"purell, safe", "github.com/PuerkitoBio/purell", "`FlagsSafe`"},
	{"purell, usually safe", "github.com/PuerkitoBio/purell", "`FlagsUsuallySafeGreedy` and `FlagRemoveFragment`"},
	{"purell, all", "github.com/PuerkitoBio/purell", "`FlagsAllGreedy`, of its sets the nearest to `clara`"},
	{"urlx", "github.com/goware/urlx", "`NormalizeString`"},
	{"whatwg-url", "github.com/nlnwa/whatwg-url", "`Parse` and `Href`"},
	{"whatwg-url, Safe Browsing", "github.com/nlnwa/whatwg-url", "its canonicalizer `GoogleSafeBrowsing`"},
	{"whatwg-url, semantic", "github.com/nlnwa/whatwg-url", "its canonicalizer `Semantic`"},
}

// report is the content of REPORT.md.
type report struct {
	samples samples
	rounds  int
	memory  []use
	machine machine
}

func (r report) markdown() (string, error) {
	policy, err := canon.Builtin(canon.DefaultPolicy)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	r.head(&b)
	if err := r.summary(&b); err != nil {
		return "", err
	}
	for _, set := range sets(policy) {
		if err := r.table(&b, set); err != nil {
			return "", err
		}
	}
	r.stream(&b)
	return b.String(), nil
}

func (r report) head(b *strings.Builder) {
	fmt.Fprintf(b, `# How fast canon is

Written by `+"`go -C testdata/bench run .`"+`. A time is a ratio to another time of the same round:
the median of %d rounds, with the least and the greatest. The machine was a %s with %d processors, %s.
The peers are measured in processor time, on one processor, so that each pays for its own garbage collection. The
program `+"`visto canon`"+` is measured by the clock, unless the row says otherwise.

| peer | version | measured call |
|---|---|---|
`, r.rounds, r.machine.cpu, r.machine.processors, r.machine.goVersion)
	for _, p := range peers {
		version := r.machine.versions[p.module]
		if p.module == "" {
			version = r.machine.goVersion
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", p.name, version, p.does)
	}
}

// comparison is a row of the summary: the time of one benchmark divided by that of another.
type comparison struct{ name, of, to, unit, wanted string }

var comparisons = []comparison{
	{"`canon`, short links", "Peers/short/canon", "Peers/short/net/url", processor, "0.8 or less"},
	{"`canon`, links to procedures", "Peers/gov/canon", "Peers/gov/net/url", processor, "1 or less"},
	{"`canon`, every second URL on a new host", "Peers/hosts/canon", "Peers/hosts/net/url", processor, "1 or less"},
	{"`canon`, odd URLs", "Peers/odd/canon", "Peers/odd/net/url", processor, "1 or less"},
	{"`canon` where nothing changes", "Peers/canonical/canon", "Peers/canonical/net/url", processor, "1 or less"},
	{"purell, all, to `canon`", "Peers/gov/purell, all", "Peers/gov/canon", processor, "5 or more"},
	{"with trace, to `canon` without", "Peers/gov/canon, with trace", "Peers/gov/canon", processor, "3 or less"},
	{"`visto canon`, a million lines to nowhere, to the engine alone", "Stream/nowhere", "Stream/engine", clock,
		"1.5 or less"},
	{"`visto canon`, a million lines to a file, to the engine alone", "Stream/file", "Stream/engine", clock,
		"1.5 or less"},
	{"the same, time of the processors", "Stream/file", "Stream/engine", processor, ""},
}

func (r report) summary(b *strings.Builder) error {
	b.WriteString("\n## In short\n\n| comparison | wanted | measured | least to greatest |\n|---|---|---|---|\n")
	for _, c := range comparisons {
		ratio, err := r.samples.ratio(c.of, c.to, c.unit)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "| %s | %s | %.2f | %.2f to %.2f |\n", c.name, c.wanted, ratio.median, ratio.least, ratio.most)
	}
	return nil
}

func (r report) table(b *strings.Builder, s set) error {
	fmt.Fprintf(b, "\n## %s\n\n%d URLs of %d bytes on average: %s.\n\n", s.title, len(s.urls), s.meanLength(), s.about)
	fmt.Fprintf(b, "| peer | time, %s = 1 | least to greatest | allocations a URL | bytes allocated |\n", unit)
	b.WriteString("|---|--:|--:|--:|--:|\n")
	for _, p := range peers {
		name := "Peers/" + s.name + "/" + p.name
		ratio, err := r.samples.ratio(name, "Peers/"+s.name+"/"+unit, processor)
		if err != nil {
			return err
		}
		allocs, err := r.samples.get(name, allocations)
		if err != nil {
			return err
		}
		bytes, err := r.samples.get(name, bytesEach)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "| %s | %.2f | %.2f to %.2f | %.2f | %.0f |\n",
			p.name, ratio.median, ratio.least, ratio.most, spreadOf(allocs).median, spreadOf(bytes).median)
	}
	return nil
}

func (r report) stream(b *strings.Builder) {
	b.WriteString(`
## A million lines

The program runs from start to end on a file of links to procedures. The engine alone has the same lines in memory, and
shares them out among all processors. The ratios are above. The program took this much memory, which 60 MB should bound:

| lines | list | peak resident memory |
|--:|---|--:|
`)
	for _, u := range r.memory {
		fmt.Fprintf(b, "| %d | %s | %.0f MB |\n", u.lines, u.list, float64(u.peak)/1e6)
	}
}
