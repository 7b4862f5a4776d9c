package theme_test

import (
	"testing"

	"github.com/charmbracelet/x/ansi"

	"visto/ui/theme"
)

// One spot of the path or the query takes one line. A host that differs never does.
func TestDiffLine(t *testing.T) {
	th := theme.New(theme.Terminal{})
	for _, test := range []struct{ before, after, want string }{
		{"https://boe.es/a", "https://boe.es/a", "  https://boe.es/a"},
		{"https://boe.es/", "https://boe.es", "~ https://boe.es[-/-]"},
		{"https://boe.es/a?x=1&utm_id=2", "https://boe.es/a?x=1", "~ https://boe.es/a?x=1[-&utm_id=2-]"},
		{"https://boe.es/ca/a", "https://boe.es/es/a", "~ https://boe.es/[-ca-]{+es+}/a"},
		{"https://boe.es", "https://www.boe.es", ""}, {"https://boe.es", "https://boe.es.evil.com", ""},
		{"https://boe.es/a", "https://boe.es:81/a", ""}, {"http://boe.es/a", "https://boe.es/a", ""},
		{"https://a@boe.es/a", "https://boe.es/a", ""}, {"https://boe.es/a#b", "https://boe.es/a", ""},
		{"https://boe.es/a/?utm_id=2", "https://boe.es/a", "~ https://boe.es/a[-/?utm_id=2-]"},
		{"https://boe.es/x/a/?utm_id=2&y=1", "https://boe.es/a?y=1", ""}, {"https://boe.es/a", "", ""},
		{"https://boe.es/0123456789012345678901234567890123456789", "https://boe.es/0", ""},
	} {
		line, ok := th.DiffLine(test.before, test.after, 50)
		if got := ansi.Strip(line); ok != (test.want != "") || ok && got != test.want {
			t.Errorf("%s, %s: %q %v, want %q", test.before, test.after, got, ok, test.want)
		}
	}
}
