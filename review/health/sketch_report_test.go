package health_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"visto/review/health"
)

// minDrift is the precision and the recall that the measure reaches at least on each set of pairs.
const minDrift = 0.95

// driftSets are the sets of pairs, each with its description.
var driftSets = []struct{ file, about string }{
	{"pairs.yaml", "The measure was made by these pairs."},
	{"heldout.yaml", "These pairs were written after the measure was made. It was then improved by them: it had " +
		"reported four more."},
	{"heldout2.yaml", "These pairs were written after that. It was improved by them, too: it had reported three more."},
	{"heldout3.yaml", "These pairs were written after that, and nothing was changed by them."},
	{"heldout4.yaml", "These pairs of one line each were written for lines of substance that look like notices. The " +
		"measure was improved by them: it had missed five and reported three more."},
	{"heldout5.yaml", "These pairs of one line each were written before that, and measured after it. Two Galician " +
		"and Basque words were then added, for two notices that were reported; none had been missed."},
}

// driftIntro is the head of the report.
const driftIntro = `# Drift: reported changes of pages against hand labels

A pair is a page at two times. A person would look at it again (new amounts, terms, requirements, title, another page)
or not (dates, counters, banners, forms). Every page goes through the sketch of its title and main text. ` +
	"`go test ./review/health -run TestDrift -update`" + ` writes this report.
`

// TestDrift measures "content-changed: the main text differs by more than its dates and counters" (section 16) against
// hand labels. With -update it writes the report.
func TestDrift(t *testing.T) {
	pages := openDriftPages(t)
	var report strings.Builder
	report.WriteString(driftIntro)
	for _, set := range driftSets {
		var pairs []driftPair
		readDrift(t, set.file, &pairs)
		differences := make([]health.Difference, len(pairs))
		for i, pair := range pairs {
			before, after := pages.sides(t, pair)
			differences[i] = health.Compare(sketchOf(before), sketchOf(after))
		}
		fmt.Fprintf(&report, "\n## %s\n\n%s\n\n", set.file, set.about)
		all := writeKinds(&report, pairs, differences)
		writeThresholds(&report, pairs, differences)
		if all.precision() < minDrift || all.recall() < minDrift {
			t.Errorf("%s: precision %.3f, recall %.3f", set.file, all.precision(), all.recall())
		}
	}
	t.Log(report.String())
	checkReport(t, report.String())
}

func sketchOf(text driftText) health.Sketch { return health.SketchOf(text.Title, text.Text) }

// writeKinds writes the table by kinds, and the pairs that were misjudged. It returns the sum.
func writeKinds(report *strings.Builder, pairs []driftPair, differences []health.Difference) (all confusion) {
	var kinds, wrong []string
	counts := map[string]*confusion{}
	for i, pair := range pairs {
		if counts[pair.Kind] == nil {
			counts[pair.Kind] = &confusion{}
			kinds = append(kinds, pair.Kind)
		}
		reported := differences[i].Substantial(health.DefaultThreshold)
		counts[pair.Kind].add(pair.Changed, reported)
		all.add(pair.Changed, reported)
		if reported != pair.Changed {
			wrong = append(wrong, fmt.Sprintf("- pair %d, %s of %s: changed %v, %+v\n", i+1, pair.Kind, pair.Base,
				pair.Changed, differences[i]))
		}
	}
	report.WriteString(driftHead)
	for _, kind := range kinds {
		report.WriteString(counts[kind].row(kind))
	}
	report.WriteString(all.row("**all**"))
	if wrong != nil {
		report.WriteString("\nMisjudged:\n\n" + strings.Join(wrong, ""))
	}
	return all
}

// writeThresholds writes how other thresholds fare.
func writeThresholds(report *strings.Builder, pairs []driftPair, differences []health.Difference) {
	report.WriteString("\n" + strings.Replace(driftHead, "| |", "| threshold |", 1))
	thresholds := []float64{0.5, 0.8, 0.9, 0.93, 0.95, 0.96, 0.98, 0.99, 1, health.DefaultThreshold}
	slices.Sort(thresholds)
	for _, threshold := range thresholds {
		var c confusion
		for i, pair := range pairs {
			c.add(pair.Changed, differences[i].Substantial(threshold))
		}
		report.WriteString(c.row(fmt.Sprint(threshold)))
	}
}

// checkReport compares the report with the stored one, or stores it.
func checkReport(t *testing.T, report string) {
	const path = "testdata/drift/REPORT.md"
	if *updateDrift {
		if err := os.WriteFile(path, []byte(report), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	stored, err := os.ReadFile(path)
	if err != nil || string(stored) != report {
		t.Errorf("%s is not up to date; -update writes it: %v", path, err)
	}
}
