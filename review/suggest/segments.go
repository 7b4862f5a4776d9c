package suggest

import (
	"fmt"
	"strings"
)

// step is a segment in the From of a DropSegments: "*" is any, and one in braces is dropped.
type step struct {
	text    string
	dropped bool
}

func (t Template) steps() (list []step) {
	for text := range splitPath(t.From) {
		inner, dropped := strings.CutPrefix(text, "{")
		list = append(list, step{strings.TrimSuffix(inner, "}"), dropped})
	}
	return list
}

// applySegments drops segments from the beginning of a path. A rewrite needs a capture, so where no step is any segment
// there has to be one behind them.
func (t Template) applySegments(a address) (address, bool) {
	steps := t.steps()
	if len(a.segments) < len(steps) || len(a.segments) == len(steps) && !strings.Contains(t.From, "*") {
		return a, false
	}
	var kept []string
	for i, s := range steps {
		if s.text != "*" && s.text != a.segments[i] {
			return a, false
		}
		if !s.dropped {
			kept = append(kept, a.segments[i])
		}
	}
	a.segments = append(kept, a.segments[len(steps):]...)
	return a, true
}

// segmentRewrite returns the two sides of the rewrite that a DropSegments is, for URLs with so many segments.
func (t Template) segmentRewrite(depth int) (from, to string) {
	steps := t.steps()
	for i := range max(depth, len(steps)) {
		s := step{text: "*"}
		if i < len(steps) {
			s = steps[i]
		}
		if s.text == "*" {
			s.text = captureName(i)
		}
		from += "/" + s.text
		if !s.dropped {
			to += "/" + s.text
		}
	}
	return from, to
}

// captureName returns a capture for each segment of a path: {a}, {b} and so on.
func captureName(i int) string {
	if i > 'z'-'a' {
		return fmt.Sprintf("{a%d}", i)
	}
	return "{" + string(rune('a'+i)) + "}"
}
