package plain_test

import (
	"strings"
	"testing"
)

// A host that no stored URL has is asked about, with the nearest one, before the effect.
func TestStrangersAreAskedAbout(t *testing.T) {
	const (
		mistyped = `o {"match":{"host":"sede.ejemplo.gob.ess"},"drop_query_params":["plaza"]}`
		question = "no stored URL has the host sede.ejemplo.gob.ess; did you mean sede.ejemplo.gob.es?\n" +
			"Go on with this name"
	)
	for _, tc := range []struct {
		answers []string
		saved   int
	}{{[]string{"no", "y"}, 0}, {[]string{"y", "no"}, 0}, {[]string{"y", "y"}, 1}} {
		d := desk(t, urls...)
		out := plainly(t, d, append([]string{mistyped}, tc.answers...)...)
		if !strings.Contains(out, question) {
			t.Errorf("no question:\n%s", out)
		}
		if list, err := d.Overrides(t.Context()); err != nil || len(list) != tc.saved {
			t.Errorf("%v: saved %+v, %v:\n%s", tc.answers, list, err, out)
		}
	}
}
