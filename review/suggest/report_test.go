package suggest_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"visto/review/suggest"
)

var update = flag.Bool("update", false, "write testdata/REPORT.md")

const reportFile = "testdata/REPORT.md"

const reportIntro = `# Suggestions: mined rules against planted ones

` + "`go test ./review/suggest -run TestReport -update`" + ` writes this report. The sites are invented. A rule
counts as found if the recommended rules make one URL of nine in ten of its duplicates and the page that they show. A
prediction is a URL that a recommended rule changes. It is right if both URLs show the same page by the planted rules.

## Dust sites

The sites of testnet.Dust are asked by the prober, the evidence goes into a database, and suggest.Mine reads it. They
have %d URLs and %d planted rules:

%s

Beside them stand traps without a rule: error pages and logins in the place of pages, parameters with the names of
tracking that select the content, new tokens at each request, languages in a parameter, pages that differ by a word or a
number, sections that share some pages, portals of one software. Each seed gives another order in which the URLs are
asked. Duplicates are the URLs of a page but one.

| seed | asked | URLs | rules found | recommended | predictions | right | duplicates removed | wrong |
|--:|--:|--:|--:|--:|--:|--:|--:|--:|
`

const heldOutIntro = `
## Generated sites

Sites with sizes by Zipf's law have up to three rules each, drawn at random of all kinds, and every tenth one of a
software that they share. Others have none. They redirect, or state canonical links, or do neither. Parameters with
the names of tracking select contents, sections share pages, portals share texts, pages have versions in another
language, and a tenth of the URLs shows an error. Half of the URLs are probed. Of these, %.0f %% have wrong evidence:
a redirect or a canonical link elsewhere, another text, that of another page. Rules are mined on four fifths of the
probed URLs, and predict about the last fifth. Only planted rules with %d or more pairs among the mined URLs count.

| seed | hosts | URLs | probed | recommended | predictions | right | rules with a wrong one | planted | found |
|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
`

// dustRow is the row of a part of the dust sites.
func dustRow(seed uint64, percent int, s dustScore) string {
	return fmt.Sprintf("| %d | %d %% | %d | %d of %d | %d | %d | %s | %s | %s |\n", seed, percent, s.probed,
		total(s.found), total(s.planted), s.rules, s.predicted, share(s.right, s.predicted),
		share(s.urls-s.left, s.urls-s.pages), share(s.wrong, s.merged))
}

// heldOutRow is the row of generated sites.
func heldOutRow(seed uint64, h heldOut) string {
	return fmt.Sprintf("| %d | %d | %d | %d | %d | %d | %s | %d | %d | %s |\n", seed, h.hosts, h.urls, h.probed,
		h.rules, h.predicted, share(h.right, h.predicted), len(h.flawed), sum(h.planted),
		share(sum(h.found), sum(h.planted)))
}

func share(of, all int) string {
	if all == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(of)/float64(all))
}

// checkRow checks that the report has a row.
func checkRow(t *testing.T, row string) {
	t.Helper()
	report, err := os.ReadFile(reportFile)
	if err != nil || !strings.Contains(string(report), "\n"+row) {
		t.Errorf("%s is not up to date, -update writes it: %v\nit has no row\n%s", reportFile, err, row)
	}
}

// TestReport writes the report. The tests of its parts compare one row each with it.
func TestReport(t *testing.T) {
	if !*update {
		t.Skip("it writes " + reportFile)
	}
	var report strings.Builder
	var best dustScore
	for seed := range uint64(3) {
		d := newDustDesk(t, seed+1)
		if seed == 0 {
			d.writeIntro(&report)
		}
		for _, percent := range []int{5, 10, 20, 30, 50, 100} {
			d.probeUpTo(percent)
			s := d.score()
			report.WriteString(dustRow(seed+1, percent, s))
			if percent == 30 && seed == 0 {
				best = s
			}
		}
	}
	fmt.Fprintf(&report, heldOutIntro, 100*noiseShare, minPairs)
	planted, found := map[suggest.Kind]int{}, map[suggest.Kind]int{}
	var first heldOut
	for seed := range uint64(heldOutSeeds) {
		h := holdOut(t, seed+1, 250, 5000)
		if seed == 0 {
			first = h
		}
		report.WriteString(heldOutRow(seed+1, h))
		for kind := range h.planted {
			planted[kind], found[kind] = planted[kind]+h.planted[kind], found[kind]+h.found[kind]
		}
	}
	report.WriteString(heldOutRow(1, holdOut(t, 1, smallHosts, smallLargest)))
	writeKinds(&report, planted, found)
	writePublished(&report, best, first)
	if err := os.MkdirAll("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(reportFile, []byte(report.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (d *dustDesk) writeIntro(report *strings.Builder) {
	s := d.score()
	var kinds []string
	for kind, n := range s.planted {
		kinds = append(kinds, fmt.Sprintf("%d %s", n, kind))
	}
	slices.Sort(kinds)
	fmt.Fprintf(report, reportIntro, s.urls, total(s.planted), "- "+strings.Join(kinds, "\n- "))
}

func writeKinds(report *strings.Builder, planted, found map[suggest.Kind]int) {
	report.WriteString("\nBy kind, all large seeds together:\n\n| kind | planted | found |\n|---|--:|--:|\n")
	for k := suggest.DropParam; k <= suggest.Capture; k++ {
		fmt.Fprintf(report, "| %s | %d | %s |\n", k, planted[k], share(found[k], planted[k]))
	}
}

const published = `
## Beside published measures

| measure | dust sites, 30 %% asked | generated, seed 1 | published |
|---|--:|--:|---|
| URLs fewer, of all | %s | %s | DustBuster: up to 26 %% of a crawl |
| duplicates removed, of all | %s | %s | DustBuster (2006): up to 68 %% of the redundant URLs of a list |
| valid rules of the first 10 | %s | %s | of DustBuster, not at hand |
| valid rules of the first 100 | %s | %s | of DustBuster, not at hand |
| URLs merged with those of another page | %s | %s | of the pattern tree, not at hand |

A rule is valid if it is right about 95 %% of the URLs that it changes. First are the rules with the most pages.

DustBuster is Schonfeld, Bar-Yossef and Keidar, "Do not crawl in the DUST" (WWW 2006 and 2007; ACM TWEB 3, 2009). The
68 %% are as seed 002 quotes them. It guesses rules from a list of URLs alone, and asks about a sample for each rule
afterwards. Its figures are of real sites, whose share of duplicates is theirs: the first two rows depend on it more
than on the method. Here each rule comes from evidence about a part of the URLs.

The pattern tree is Lei, Cai, Yang, Ke, Fan and Zhang, "A pattern tree-based approach to learning URL normalization
rules" (WWW 2010). It learns from clusters of duplicates, and was evaluated on 200 sites with more than 70 million
duplicate URLs. Its abstract has no figures, and the paper was not at hand. Clusters of real sites are not comparable
with sites whose truth is planted.
`

// writePublished writes the measures of published work.
func writePublished(report *strings.Builder, dust dustScore, g heldOut) {
	fmt.Fprintf(report, published,
		share(dust.urls-dust.left, dust.urls), share(g.urls-g.left, g.urls),
		share(dust.urls-dust.left, dust.urls-dust.pages), share(g.urls-g.left, g.urls-g.pages),
		validOf(dust.valid, 10), validOf(g.valid, 10), validOf(dust.valid, 100), validOf(g.valid, 100),
		share(dust.wrong, dust.merged), share(g.wrong, g.merged))
}

// validOf returns the share of valid rules among the first ones.
func validOf(valid []bool, n int) string {
	count := 0
	for _, is := range valid[:min(n, len(valid))] {
		if is {
			count++
		}
	}
	return share(count, min(n, len(valid)))
}
