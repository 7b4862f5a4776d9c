package theme_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"visto/ui/term"
	"visto/ui/theme"
)

func TestDiffIsReadableWithoutColour(t *testing.T) {
	th := theme.New(theme.Terminal{Profile: colorprofile.ASCII})
	lines := th.Diff("http://BOE.es/a?utm_source=x&b=1", "https://boe.es/a?b=1", 80)
	text := strings.Split(ansi.Strip(strings.Join(lines, "\n")), "\n")
	if len(text) != 2 || !strings.HasPrefix(text[0], "- http://BOE") || !strings.HasPrefix(text[1], "+ https://boe") {
		t.Fatalf("%q", lines)
	}
	if !strings.Contains(lines[0], "\x1b[4m") || strings.Contains(lines[0], "38;") {
		t.Errorf("changed characters are underlined and not coloured: %q", lines[0])
	}
}

func TestDiffWrapsWithinItsWidth(t *testing.T) {
	th := theme.New(theme.Terminal{Profile: colorprofile.TrueColor})
	before := "https://sede.ejemplo.gob.es/" + strings.Repeat("tramites/", 20) + "?a=1&統計=\x1b&utm_source=x"
	after := strings.TrimSuffix(before, "&utm_source=x")
	for width := 5; width < 90; width++ {
		var got string
		for _, line := range th.Diff(before, after, width) {
			if term.Width(line) > width {
				t.Fatalf("width %d: a line of %d cells", width, term.Width(line))
			}
			got += ansi.Strip(line)[2:]
		}
		if want := term.Safe(before) + term.Safe(after); got != want {
			t.Fatalf("width %d: %q", width, got)
		}
	}
}

func TestDiffOfEqualURLsIsOne(t *testing.T) {
	th := theme.New(theme.Terminal{})
	if lines := th.Diff("https://boe.es", "https://boe.es", 80); len(lines) != 1 || lines[0] != "  https://boe.es" {
		t.Errorf("%q", lines)
	}
}

func TestProfilesDiffer(t *testing.T) {
	render := func(p colorprofile.Profile, light bool) string {
		th := theme.New(theme.Terminal{Profile: p, Light: light})
		return th.Warn.Render("x") + th.Selected.Render("y")
	}
	seen := map[string]bool{}
	for _, p := range []colorprofile.Profile{
		colorprofile.ASCII, colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor,
	} {
		seen[render(p, false)] = true
		seen[render(p, true)] = true
	}
	if len(seen) != 7 { // without colours light and dark are the same
		t.Errorf("%d looks: %v", len(seen), seen)
	}
}
