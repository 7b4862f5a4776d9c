package cli

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"visto/canon"
)

// explain writes a result for people: the way from the original to the canonical URL, step by step, and the facts
// about it.
func explain(w io.Writer, r *canon.Result) {
	fmt.Fprintf(w, "%s\n", safe(r.Original))
	for _, e := range r.Trace {
		explainEntry(w, e)
	}
	if r.Verdict == canon.Rejected {
		fmt.Fprintf(w, "  rejected: %s: %s\n\n", r.Reason, safe(r.Detail))
		return
	}
	fmt.Fprintf(w, "  = %s\n", safe(r.Canonical))
	for _, row := range facts(r) {
		fmt.Fprintf(w, "  %-12s %s\n", row[0], safe(row[1]))
	}
	fmt.Fprintln(w)
}

func explainEntry(w io.Writer, e canon.Entry) {
	rule := ""
	if e.Rule != 0 {
		rule = fmt.Sprintf(" (rule %d)", e.Rule)
	}
	fmt.Fprintf(w, "  %s%s: %s\n", e.Step, rule, safe(entryNote(e)))
	if e.After != e.Before {
		fmt.Fprintf(w, "      %s\n", safe(e.After))
	}
}

// entryNote returns the note of a step or, without one, the purpose of the step.
func entryNote(e canon.Entry) string {
	for _, s := range canon.Steps() {
		if e.Note == "" && s.ID == e.Step {
			return s.Text
		}
	}
	return e.Note
}

// facts lists the other parts of a result, beside its URLs, as name and value.
func facts(r *canon.Result) [][2]string {
	rows := [][2]string{{"verdict", r.Verdict.String()}}
	add := func(name, value string) {
		if value != "" {
			rows = append(rows, [2]string{name, value})
		}
	}
	for _, f := range r.Flags {
		add("flag", f.Code.String()+": "+cmp.Or(f.Detail, f.Code.Summary()))
	}
	add("type", r.LinkType.String())
	add("fragment", r.FragmentNote)
	add("page", pagination(r.Pagination))
	add("language", r.Language)
	for _, lang := range slices.Sorted(maps.Keys(r.LangVariants)) {
		add("also in "+lang, r.LangVariants[lang])
	}
	add("perhaps", r.SpanishCandidate)
	add("mended", r.WithoutPasted)
	for _, hop := range r.RedirectChain {
		text := "to " + hop.URL
		if hop.Status > 0 { // a link check does not tell it
			text = fmt.Sprintf("%d %s", hop.Status, text)
		}
		add("redirect", text)
	}
	add("policy", r.Policy)
	return rows
}

func pagination(p *canon.Pagination) string {
	if p == nil {
		return ""
	}
	of := ""
	if p.TotalPages > 0 {
		of = fmt.Sprintf(" of %d", p.TotalPages)
	}
	if p.Param == "" {
		return "the first" + of
	}
	return fmt.Sprintf("%s%s (parameter %s)", p.Page, of, p.Param)
}
