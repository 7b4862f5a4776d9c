package plain_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/probe"
	"visto/ui/plain"
)

// The line mode tells how the links do in words: a drawing is noise to a screen reader.
func TestPlainLinks(t *testing.T) {
	d := desk(t, urls...)
	corrected := review.Choice{Kind: review.CorrectAsTyped, Canonical: page}
	if _, err := d.Decide(t.Context(), corrected, review.Target{ID: 1}); err != nil {
		t.Fatal(err)
	}
	for i, status := range []int{200, 200, 429, 404} {
		at := time.Now().AddDate(0, 0, i-5)
		report := probe.Report{Target: probe.Target{URL: page},
			Evidence: &canon.Evidence{Status: status, FetchedAt: at.Format(time.RFC3339)}}
		if _, err := d.KeepCheck(t.Context(), 1, report, at); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	in := strings.NewReader("go 1\nopen\nstats\n")
	if err := plain.Run(t.Context(), d, plain.Options{In: in, Out: &out}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"last checks  2 answered, then 1 not counted, then 1 failed\n",
		": 1 healthy, 0 degraded, 0 inactive, 0 never checked.\n",
		"The last check failed: 1. Uptime 67 %, answers in an unknown time, mean of 30 days.\n",
		": 1 URL, 1 failing, uptime 67 %, all answered on 2 of 3 days with checks.\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if strings.ContainsAny(out.String(), "▁▂▃▄▅▆▇█") {
		t.Error("it draws")
	}
}
