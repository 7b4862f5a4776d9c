package pane

import (
	"strings"
	"testing"

	"visto/review/health"
)

// Only a day without an answer has the lowest column, and only one without a failure the highest.
func TestTrend(t *testing.T) {
	var d health.Domain
	copy(d.Days[:], []health.Day{{Checks: 20}, {Checks: 20, Answered: 1}, {Checks: 20, Answered: 19},
		{Checks: 20, Answered: 20}})
	if got := Trend(&d); !strings.HasPrefix(got, "▁▂▇█··") {
		t.Error(got)
	}
	for value, want := range map[float64]string{0: "0 %", 0.001: "1 %", 0.5: "50 %", 0.999: "99 %", 1: "100 %"} {
		if got := Uptime(health.Share{Value: value, Known: true}); got != want {
			t.Errorf("%v: %s, want %s", value, got, want)
		}
	}
}
