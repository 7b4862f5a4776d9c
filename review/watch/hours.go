package watch

import (
	"fmt"
	"strings"
	"time"
)

// Hours are the hours of a day in which requests may begin, from and including the first minute up to the last. They
// may span midnight. The clocks on the walls of their time zone count: an hour that is left out in spring is none, and
// one that is repeated in autumn counts twice.
type Hours struct {
	from, to int // minutes since midnight
	zone     *time.Location
}

const dayMinutes = 24 * 60

// ParseHours reads hours such as 02:00-06:00 or 22:30-05:00.
func ParseHours(text string, zone *time.Location) (*Hours, error) {
	from, to, ok := strings.Cut(text, "-")
	h := &Hours{zone: zone}
	var errFrom, errTo error
	h.from, errFrom = minuteOf(from)
	h.to, errTo = minuteOf(to)
	if !ok || errFrom != nil || errTo != nil || h.from == dayMinutes {
		return nil, fmt.Errorf("%q are no hours such as 02:00-06:00", text)
	}
	if h.from == h.to {
		return nil, fmt.Errorf("%q end when they begin", text)
	}
	return h, nil
}

// minuteOf reads a time of day. The end of the day is 24:00.
func minuteOf(text string) (int, error) {
	text = strings.TrimSpace(text)
	if text == "24:00" {
		return dayMinutes, nil
	}
	t, err := time.Parse("15:04", text)
	return t.Hour()*60 + t.Minute(), err
}

// String returns the hours as ParseHours reads them, with the time zone.
func (h *Hours) String() string {
	clock := func(m int) string { return fmt.Sprintf("%02d:%02d", m/60, m%60) }
	return clock(h.from) + "-" + clock(h.to) + " in " + h.zone.String()
}

// Contain reports whether a time is within the hours. All times are within nil.
func (h *Hours) Contain(t time.Time) bool {
	if h == nil {
		return true
	}
	local := t.In(h.zone)
	m := local.Hour()*60 + local.Minute()
	if h.from < h.to {
		return h.from <= m && m < h.to
	}
	return m >= h.from || m < h.to
}

// Next returns the first time from t on that is within the hours. It looks at each minute: no arithmetic with hours is
// right on the days on which the clocks change.
func (h *Hours) Next(t time.Time) time.Time {
	for at := t; ; at = at.Truncate(time.Minute).Add(time.Minute) {
		if h.Contain(at) {
			return at
		}
	}
}
