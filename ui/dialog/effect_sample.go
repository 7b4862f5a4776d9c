package dialog

import (
	"visto/canon"
	"visto/review"
	"visto/ui/term"
	"visto/ui/theme"
)

// sampleKinds are the kinds of samples, those that need most care first: one of each is shown before a second of any.
var sampleKinds = []struct {
	head string
	care bool
	is   func(review.Sample) bool
}{
	{"! approved", true, func(x review.Sample) bool { return x.StatusBefore == review.Approved && x.Before != x.After }},
	{"! rejected", true, func(x review.Sample) bool { return x.After == "" }},
	{"! back to the queue", true, func(x review.Sample) bool { return !wasPending(x) && x.StatusAfter == review.Pending }},
	{"= becomes one with another", true, func(x review.Sample) bool { return x.Merges && x.Before != x.After }},
	{"", false, func(x review.Sample) bool { return x.Before != x.After }},
	{"", false, func(review.Sample) bool { return true }},
}

func wasPending(x review.Sample) bool {
	return x.StatusBefore == review.Pending || x.FlagsBefore.Has(canon.ChangedSinceApproval)
}

func sampleKind(x review.Sample) int {
	for i, k := range sampleKinds {
		if k.is(x) {
			return i
		}
	}
	return len(sampleKinds) - 1
}

// oneOfEachFirst orders samples: one of each kind, then the others as they came.
func oneOfEachFirst(list []review.Sample) []review.Sample {
	first := make([]*review.Sample, len(sampleKinds))
	var rest []review.Sample
	for i := range list {
		if k := sampleKind(list[i]); first[k] == nil {
			first[k] = &list[i]
		} else {
			rest = append(rest, list[i])
		}
	}
	var out []review.Sample
	for _, x := range first {
		if x != nil {
			out = append(out, *x)
		}
	}
	return append(out, rest...)
}

// samples shows as many URLs before and after as there is room for.
func (v *effectView) samples(s *sheet, room int) {
	for _, x := range oneOfEachFirst(v.state.Effect.Samples) {
		lines := sampleLines(s.th, x, s.width)
		if room -= len(lines); room < 0 {
			return
		}
		s.add(lines...)
	}
}

// sampleLines draws a sample below what there is to say of its kind. One that keeps its URL takes a line.
func sampleLines(th *theme.Theme, x review.Sample, width int) []string {
	kind := sampleKinds[sampleKind(x)]
	if x.Before == x.After {
		return []string{"  " + th.Dim.Render(term.Middle(term.Safe(term.Clip(x.After, 1024)), width-2))}
	}
	var lines []string
	switch {
	case kind.care:
		lines = append(lines, th.Warn.Render(kind.head))
	default:
		lines = append(lines, "")
	}
	if x.After == "" {
		return append(lines, "  "+th.Dim.Render(term.Middle(term.Safe(term.Clip(x.Before, 1024)), width-2)))
	}
	for _, line := range th.Diff(term.Clip(x.Before, 1024), x.After, width-2) {
		lines = append(lines, "  "+line)
	}
	return lines
}
