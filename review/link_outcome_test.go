package review

import (
	"testing"

	"visto/canon"
	"visto/review/health"
)

func TestOutcomeOf(t *testing.T) {
	for _, tt := range []struct {
		ev   canon.Evidence
		want health.Outcome
	}{
		{canon.Evidence{Status: 200}, health.Answered},
		{canon.Evidence{Status: 404}, health.Failed},
		{canon.Evidence{Status: 200, Blocked: "missing"}, health.Failed},
		{canon.Evidence{Status: 200, Blocked: "error"}, health.Failed},
		{canon.Evidence{Status: 200, Blocked: "maintenance"}, health.Excused},
		{canon.Evidence{Status: 200, Blocked: "login"}, health.Answered},
		{canon.Evidence{Status: 429, Blocked: "rate-limited"}, health.Excused},
		{canon.Evidence{Robots: "blocked"}, health.Excused},
		{canon.Evidence{Error: "no such host"}, health.Failed},
	} {
		if got := outcomeOf(&tt.ev); got != tt.want {
			t.Errorf("%+v: %d, want %d", tt.ev, got, tt.want)
		}
	}
}
