package diff_test

import (
	"testing"

	"visto/ui/diff"
)

func TestChangeOf(t *testing.T) {
	for _, c := range []struct {
		before, after string
		want          diff.Change
	}{
		{"https://boe.es/a?b=1#c", "https://boe.es/a?b=1#c", diff.Nothing},
		{"https://boe.es/", "https://boe.es", diff.Slash},
		{"https://boe.es/a/?b=1", "https://boe.es/a?b=1", diff.Slash},
		{"http://BOE.es/a", "https://boe.es/a", diff.Slash},
		{"https://boe.es/a?b=1&utm_source=x", "https://boe.es/a?b=1", diff.Query},
		{"https://boe.es/a?", "https://boe.es/a", diff.Query},
		{"https://boe.es/a/#b", "https://boe.es/a", diff.Query},
		{"https://boe.es/A?b=1", "https://boe.es/a", diff.Path},
		{"https://boe.es/index.html", "https://boe.es", diff.Path},
		{"https://www.boe.es/a", "https://boe.es/a", diff.Host},
		{"https://boe.es:8443/a", "https://boe.es/b", diff.Host},
		{"https://ana@boe.es/a", "https://boe.es/a", diff.Host},
	} {
		if got := diff.ChangeOf(c.before, c.after); got != c.want {
			t.Errorf("%s to %s: %d, want %d", c.before, c.after, got, c.want)
		}
	}
}
