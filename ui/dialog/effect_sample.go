package dialog

import (
	"slices"

	"visto/canon"
	"visto/review"
	"visto/ui/term"
	"visto/ui/theme"
)

// sampleKinds are the kinds of samples; those that need more care come first.
var sampleKinds = []struct {
	head string
	is   func(review.Sample) bool
}{
	{"! approved", func(x review.Sample) bool { return x.StatusBefore == review.Approved && x.Before != x.After }},
	{"! rejected", func(x review.Sample) bool { return x.After == "" }},
	{"! back to the queue", func(x review.Sample) bool { return !wasPending(x) && x.StatusAfter == review.Pending }},
	{"= becomes one with another", func(x review.Sample) bool { return x.Merges && x.Before != x.After }},
	{"", func(x review.Sample) bool { return x.Before != x.After }},
	{"", func(review.Sample) bool { return true }},
}

// wasPending reports whether the URL waited for a person before the change.
func wasPending(x review.Sample) bool {
	return x.StatusBefore == review.Pending || x.FlagsBefore.Has(canon.ChangedSinceApproval)
}

// sampleKind returns the index in sampleKinds.
func sampleKind(x review.Sample) int {
	for i, k := range sampleKinds {
		if k.is(x) {
			return i
		}
	}
	return len(sampleKinds) - 1
}

// oneOfEachFirst moves the first sample of each kind to the front, by kind, and keeps the order of the others.
func oneOfEachFirst(list []review.Sample) []review.Sample {
	first := make([][]review.Sample, len(sampleKinds))
	var rest []review.Sample
	for _, x := range list {
		if k := sampleKind(x); first[k] == nil {
			first[k] = []review.Sample{x}
		} else {
			rest = append(rest, x)
		}
	}
	return append(slices.Concat(first...), rest...)
}

// all returns the lines of the rules and of all samples. ends has the number of lines up to the end of each sample.
func (v *effectView) all(th *theme.Theme, width int) (lines []string, ends []int) {
	for _, rule := range v.state.Rules {
		lines = append(lines, term.Wrap(term.Safe(rule), width)...)
	}
	if v.state.Failed != "" || v.state.Effect == nil {
		return lines, nil
	}
	for _, x := range oneOfEachFirst(v.state.Effect.Samples) {
		lines = append(lines, sampleLines(th, x, width)...)
		ends = append(ends, len(lines))
	}
	return lines, ends
}

// samples draws as many samples as fit into room lines.
func (v *effectView) samples(s *sheet, room int) {
	for _, x := range oneOfEachFirst(v.state.Effect.Samples) {
		lines := sampleLines(s.th, x, s.width)
		if room -= len(lines); room < 0 {
			return
		}
		s.add(lines...)
	}
}

// sampleLines draws a sample below the heading of its kind. A sample that keeps its URL takes one line.
func sampleLines(th *theme.Theme, x review.Sample, width int) []string {
	url := "  " + th.Dim.Render(term.Middle(term.Safe(term.Clip(x.Before, 1024)), width-2))
	head := sampleKinds[sampleKind(x)].head
	if head != "" {
		head = th.Warn.Render(head)
	}
	switch x.After {
	case x.Before:
		return []string{url}
	case "":
		return []string{head, url}
	}
	lines := []string{head}
	for _, line := range th.Diff(term.Clip(x.Before, 1024), x.After, width-2) {
		lines = append(lines, "  "+line)
	}
	return lines
}
