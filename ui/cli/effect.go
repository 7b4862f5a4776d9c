package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"visto/canon"
	"visto/review"
)

// effectJSON is an effect as --json prints it. Batch is the batch that saved it.
type effectJSON struct {
	Batch     int64          `json:"batch,omitempty"`
	Looked    int            `json:"looked_at"`
	Changed   int            `json:"changed"`
	Unchanged int            `json:"unchanged"`
	Settled   int            `json:"settled"`
	Reopened  int            `json:"reopened"`
	Merged    int            `json:"merged"`
	Approved  int            `json:"approved_changed"`
	Refused   int            `json:"rejected"`
	Cleared   map[string]int `json:"cleared"`
	Raised    map[string]int `json:"raised"`
	Samples   []sampleJSON   `json:"samples,omitempty"`
}

type sampleJSON struct {
	ID     int64  `json:"id"`
	Before string `json:"before"`
	After  string `json:"after"`
	Merges bool   `json:"merges,omitempty"`
}

// printEffect prints the effect of a change of the rules and, once it is saved, its batch and summary; batch is 0 for a
// preview.
func (a *app) printEffect(e *review.Effect, batch int64, summary string) error {
	return a.print(func(w *printer) error {
		if a.json {
			return w.data(effectData(e, batch))
		}
		table(w, []any{e.Scanned, "looked at"},
			[]any{e.Changed, "with another canonical URL"},
			[]any{e.Unchanged(), "keep theirs"},
			[]any{e.Settled, "settled: in the queue before, not after"},
			[]any{e.Reopened, "reopened: in the queue after, not before"},
			[]any{e.Merged, "become one page with another"},
			[]any{e.Approved, "approved ones change"},
			[]any{e.Refused, "rejected by the rules"})
		fmt.Fprintf(w, "flags cleared: %s\nflags raised: %s\n", codeCounts(e.Cleared), codeCounts(e.Raised))
		printSamples(w, e)
		if batch != 0 {
			fmt.Fprintf(w, "saved as batch %d: %s\n", batch, safe(summary))
		}
		return nil
	})
}

func effectData(e *review.Effect, batch int64) effectJSON {
	data := effectJSON{Batch: batch, Looked: e.Scanned, Changed: e.Changed, Unchanged: e.Unchanged(),
		Settled: e.Settled, Reopened: e.Reopened, Merged: e.Merged, Approved: e.Approved, Refused: e.Refused,
		Cleared: named(e.Cleared), Raised: named(e.Raised)}
	for _, s := range e.Samples {
		data.Samples = append(data.Samples, sampleJSON{s.ID, s.Before, s.After, s.Merges})
	}
	return data
}

// codeCounts writes counts by flag, in the order of the flags.
func codeCounts(counts map[canon.Code]int) string {
	var parts []string
	for _, c := range canon.Codes() {
		if n := counts[c]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", c, n))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), "none")
}

// maxPrinted is the number of samples in the output for people; --json prints all.
const maxPrinted = 10

func printSamples(w io.Writer, e *review.Effect) {
	shown := e.Samples[:min(len(e.Samples), maxPrinted)]
	for _, s := range shown {
		before, after := safe(cmp.Or(s.Before, "(none)")), safe(sampleAfter(s))
		fmt.Fprintf(w, "%6d  %s\n     -> %s%s\n", s.ID, before, after, sampleNote(s))
	}
	if more := e.Changed - len(shown); more > 0 && len(shown) > 0 {
		fmt.Fprintf(w, "        and %d more\n", more)
	}
}

// sampleAfter returns the new URL of a sample or, where the URL stays, the change of its flags.
func sampleAfter(s review.Sample) string {
	switch {
	case s.After == "":
		return "(rejected)"
	case s.After != s.Before:
		return s.After
	}
	return fmt.Sprintf("the same, %s in the place of %s", codeList(s.FlagsAfter), codeList(s.FlagsBefore))
}

func sampleNote(s review.Sample) string {
	note := ""
	if s.Merges {
		note = "  (becomes one page with another)"
	}
	if s.StatusBefore == review.Approved {
		note += "  (approved)"
	}
	return note
}

// codeList names the flags of a set.
func codeList(set canon.CodeSet) string {
	return cmp.Or(strings.Join(namesOf(set.Codes()), ", "), "no flag")
}
