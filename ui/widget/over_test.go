package widget_test

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"visto/ui/term"
	"visto/ui/widget"
)

func TestOver(t *testing.T) {
	const box = "[ab]\n[cd]"
	for _, test := range []struct {
		under, want string
		x, y        int
	}{
		{"......\n......\n......", "......\n.[ab].\n.[cd].", 1, 1},
		{"......\n......", "......\n..[ab]", 2, 1}, // the box is cut below the last line
		{"\n.", "  [ab]\n. [cd]", 2, 0},            // lines that end before the box
		{"統計統計統計\n統計統計統計", "統計[ab]統計\n統計[cd]統計", 4, 0},
		{"統計統計統計\n.統計統計統計", "統計 [ab] 計\n.統計[cd]統計", 5, 0}, // half of a wide character on both sides, or on none
		{"हिन्दीन्दीx", "हि [ab] x", 3, 0},                // parts of syllables of three cells
		{"हिन्दीन्दीx", "हि  [ab]x", 4, 0},
		{"prestacio\u0301n\n", "prestacio\u0301[ab]\n         [cd]", 9, 0},
	} {
		got := widget.Over(test.under, box, test.x, test.y)
		if got != test.want {
			t.Errorf("in column %d:\n%s\nand not\n%s", test.x, got, test.want)
		}
	}
}

// Styles continue behind the box, also over half of a wide character, and do not affect the box.
func TestOverKeepsStyles(t *testing.T) {
	look := lipgloss.NewStyle().Bold(true).Reverse(true)
	under := "ab" + look.Render("統計統計統計") + "cd"
	got := widget.Over(under, "[x]", 5, 0)
	want := "ab\x1b[1;7m統 \x1b[m[x]\x1b[1;7m計統計\x1b[mcd"
	if same(got) != same(want) {
		t.Errorf("%q, not %q", got, want)
	}
	if got = widget.Over(under, "[]", 5, 0); same(got) != same("ab\x1b[1;7m統 \x1b[m[]\x1b[1;7m 計統計\x1b[mcd") {
		t.Errorf("%q", got)
	}
	for x := range 14 {
		got := widget.Over(under, "[]", x, 0)
		text := ansi.Strip(got)
		left, _, ok := strings.Cut(text, "[]")
		if !ok || term.Width(text) != 16 || term.Width(left) != x {
			t.Errorf("in column %d: %q", x, got)
		}
	}
}

// same returns the text without empty styles.
func same(s string) string {
	for old := ""; old != s; {
		old, s = s, strings.NewReplacer("\x1b[1;7m\x1b[m", "", "\x1b[m\x1b[m", "\x1b[m").Replace(s)
	}
	return s
}
