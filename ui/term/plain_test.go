package term_test

import (
	"strings"
	"testing"

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
