package widget_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"visto/ui/theme"
	"visto/ui/widget"
)

// bar draws a scroll bar in one line.
func bar(e widget.Extent, height int) string {
	return ansi.Strip(strings.Join(widget.ScrollBar(theme.New(theme.Terminal{}), e, height), ""))
}

func TestScrollBar(t *testing.T) {
	at := func(top, length int) widget.Extent {
		l := widget.List{Len: length, Height: 6, Top: top}
		return l.Extent()
	}
	for _, test := range []struct {
		name string
		e    widget.Extent
		want string
	}{
		{"all in view", at(0, 6), ""},
		{"one more below", at(0, 7), "█████│"},
		{"one more above", at(1, 7), "│█████"},
		{"the start of many", at(0, 1000), "█│││││"},
		{"one row further", at(1, 1000), "│█││││"},
		{"the middle", at(500, 1000), "││█│││"},
		{"one row before the end", at(993, 1000), "││││█│"},
		{"the end", at(994, 1000), "│││││█"},
		{"the place is unknown", widget.Extent{First: 9, Total: -1, Above: true, Below: true}, "↑││││↓"},
		{"so is the length", widget.Extent{Total: -1, Below: true}, "│││││↓"},
	} {
		if got := bar(test.e, 6); got != test.want {
			t.Errorf("%s: %q, not %q", test.name, got, test.want)
		}
	}
	if got := bar(widget.Extent{Total: 7, Below: true}, 9); got != "████████│" { // the rest is still being read
		t.Errorf("a list that is not all read yet: %q", got)
	}
	if got := bar(at(0, 1000), 1); got != "" {
		t.Errorf("one line has no room for a bar: %q", got)
	}
	for height := 3; height < 12; height++ {
		for length := height + 1; length < 60; length++ {
			for top := 0; top <= length-height; top++ {
				l := widget.List{Len: length, Height: height, Top: top}
				got := bar(l.Extent(), height)
				atStart, atEnd := strings.HasPrefix(got, "█"), strings.HasSuffix(got, "█")
				if strings.Trim(strings.Trim(got, "│"), "█") != "" || atStart != (top == 0) ||
					atEnd != (top == length-height) {
					t.Errorf("%d of %d in %d: %q", top, length, height, got)
				}
			}
		}
	}
}
