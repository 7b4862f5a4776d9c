package watch_test

import (
	"testing"
	"time"

	"visto/review/watch"
)

func madrid(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Madrid")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// Section 16: "--between 02:00-06:00 keeps to hours", in a time zone, also over midnight and when the clocks change.
func TestHours(t *testing.T) {
	for _, test := range []struct{ hours, at, next string }{
		{"02:00-06:00", "2026-01-10T00:59:59Z", "2026-01-10T01:00:00Z"},
		{"02:00-06:00", "2026-01-10T01:00:00Z", "2026-01-10T01:00:00Z"},
		{"02:00-06:00", "2026-01-10T04:59:59Z", "2026-01-10T04:59:59Z"},
		{"02:00-06:00", "2026-01-10T05:00:00Z", "2026-01-11T01:00:00Z"},
		{"22:30-05:00", "2026-01-10T21:29:30Z", "2026-01-10T21:30:00Z"},
		{"22:30-05:00", "2026-01-10T23:30:00Z", "2026-01-10T23:30:00Z"},
		{"22:30-05:00", "2026-01-10T04:00:00Z", "2026-01-10T21:30:00Z"},
		{"00:00-24:00", "2026-01-10T22:59:59Z", "2026-01-10T22:59:59Z"},
		{"18:00-24:00", "2026-01-10T23:00:00Z", "2026-01-11T17:00:00Z"},
		// on 29 March 02:00 is followed by 03:00, on 25 October 03:00 by 02:00
		{"02:00-06:00", "2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z"},
		{"02:00-06:00", "2026-03-29T04:00:00Z", "2026-03-30T00:00:00Z"},
		{"02:00-02:45", "2026-03-28T12:00:00Z", "2026-03-30T00:00:00Z"},
		{"02:00-02:45", "2026-10-24T23:59:00Z", "2026-10-25T00:00:00Z"},
		{"02:00-02:45", "2026-10-25T00:50:00Z", "2026-10-25T01:00:00Z"},
		{"02:00-02:45", "2026-10-25T01:45:00Z", "2026-10-26T01:00:00Z"},
	} {
		h, err := watch.ParseHours(test.hours, madrid(t))
		if err != nil {
			t.Fatal(err)
		}
		at, err := time.Parse(time.RFC3339, test.at)
		if err != nil {
			t.Fatal(err)
		}
		if got := h.Next(at).UTC().Format(time.RFC3339); got != test.next || h.Contain(at) != (test.at == test.next) {
			t.Errorf("%s at %s: next %s, want %s; within %v", test.hours, test.at, got, test.next, h.Contain(at))
		}
	}
	for _, wrong := range []string{"", "02:00", "2-6", "02:00-02:00", "00:00-00:00", "24:00-06:00", "02:60-06:00",
		"25:00-06:00", "-06:00", "02:00-06:00-07:00", "02:00–06:00"} {
		if h, err := watch.ParseHours(wrong, time.UTC); err == nil {
			t.Errorf("%q is read as %s", wrong, h)
		}
	}
}
