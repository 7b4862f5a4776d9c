package term_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"visto/ui/term"
)

// The fast path for plain text gives the same result as the general one: a combining mark on the last letter, which
// takes the general path, changes nothing else.
func TestPlainIsAsAnyText(t *testing.T) {
	const url, mark = "https://sede.gob.es/tramite?a=1&b=2", "\u0301"
	cuts := map[string]func(string, int) string{"truncate": term.Truncate, "middle": term.Middle, "pad": term.Pad}
	for n := 1; n <= len(url); n++ {
		plain := url[:n]
		if w, marked := term.Width(plain), term.Width(plain+mark); w != n || marked != n {
			t.Errorf("%q takes %d cells, with a mark %d", plain, w, marked)
		}
		for width := range n + 3 {
			for name, cut := range cuts {
				if got, want := cut(plain, width), strings.ReplaceAll(cut(plain+mark, width), mark, ""); got != want {
					t.Errorf("%s %q to %d: %q, with a mark %q", name, plain, width, got, want)
				}
			}
		}
	}
}

// Texts of letters, signs and styles have the same width and cuts as by the search for characters.
func TestSimpleWidth(t *testing.T) {
	parts := []string{"a", " ", "~", "ñ", "À", "ʰ", "\u0301", "\u02ff", "…", "·", "│", "▌", "█", "■", "奖", "e\u0301",
		"👍", "\ufe0f", "\u00ad", "\u200d", "©", "\u00b7", "\u0600", "\xff", "\x1b[1m", "\x1b[38;2;1;2;3m", "\x1b[4:3m",
		"\x1b[m", "\x1b", "\x1b[", "\x1b[2J", "\x1b]8;;x\a", "m", "\n", "\t", "\x7f", "\u009b"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var s string
		for range random.IntN(6) {
			s += parts[random.IntN(len(parts))]
		}
		if got, want := term.Width(s), ansi.StringWidthWc(s); got != want {
			t.Fatalf("%q: %d cells, by characters %d", s, got, want)
		}
		width := 1 + random.IntN(8)
		want := s
		if ansi.StringWidthWc(s) > width { // see Cut
			want = ansi.TruncateWc(s+strings.Repeat(" ", width+1), width, "…")
		}
		if got := term.Truncate(s, width); got != want {
			t.Fatalf("%q to %d: %q, by characters %q", s, width, got, want)
		}
	}
}
