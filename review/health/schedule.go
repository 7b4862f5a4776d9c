package health

import (
	"cmp"
	"time"

	"visto/canon"
)

// Settings are the keys of a policy for link health.
type Settings struct {
	Intervals          map[string]time.Duration // between two checks, by the priority of a record
	Interval           time.Duration            // for records without such a priority
	Similarity         float64                  // of texts, 0 to 1; below it the page has changed
	CertificateWarning time.Duration            // before the end of a certificate
	Zone               *time.Location           // of days, and of the hours of a schedule; nil: UTC
}

// The usual settings: those of the link-checking document of Clara's team, and for records without a priority that of
// its lowest one.
const (
	usualZone     = "Europe/Madrid"
	usualWarning  = 14 * day
	usualInterval = 30 * day

	day = 24 * time.Hour
)

var usualDays = map[string]float64{"P0": 1, "P1": 7, "P2": 30}

// SettingsOf returns the settings of a policy.
func SettingsOf(p *canon.Policy) Settings {
	s := Settings{Intervals: map[string]time.Duration{}, Interval: usualInterval, CertificateWarning: usualWarning,
		Similarity: cmp.Or(p.DriftSimilarity(), DefaultThreshold)}
	days := p.CheckDays()
	if days == nil {
		days = usualDays
	}
	for priority, n := range days {
		s.Intervals[priority] = time.Duration(n * float64(day))
	}
	zone, err := time.LoadLocation(cmp.Or(p.TimeZone(), usualZone))
	if err != nil {
		panic(err) // cannot happen: the policy was read with it, and the zones are part of the program
	}
	s.Zone = zone
	return s
}

// The waits after failures (section 16).
const (
	retryAfter = time.Hour // the first
	dailyAfter = day       // and after each later one
)

// IntervalOf returns the interval for records with these priorities: the shortest.
func (s *Settings) IntervalOf(priorities []string) time.Duration {
	shortest := s.Interval
	known := false
	for _, p := range priorities {
		if d, ok := s.Intervals[p]; ok && (!known || d < shortest) {
			shortest, known = d, true
		}
	}
	return shortest
}

// Due returns when to check the link next if all goes well every interval: an hour after a first failure, then daily
// until it answers or is inactive, and when its certificate comes near its end. It is the zero time before the first
// check. A link that robots.txt forbids is due every interval.
func (r *Record) Due(interval time.Duration, s Settings) time.Time {
	last := r.Last()
	if last == nil {
		return time.Time{}
	}
	due := s.after(last.At, interval)
	switch {
	case r.Failures == 1 && r.State == Active && last.Outcome == Failed:
		due = earlier(due, last.At.Add(retryAfter))
	case last.forbidden():
	case r.State != Inactive && (r.Failures > 1 || last.Outcome == Excused):
		due = earlier(due, s.after(last.At, dailyAfter))
	}
	if warning := r.Certificate.Add(-s.CertificateWarning); warning.After(last.At) {
		due = earlier(due, warning)
	}
	if r.NotBefore.After(due) {
		return r.NotBefore
	}
	return due
}

// after returns the end of a wait after a check. A wait of days ends with the last midnight in it, but not before half
// of it: a run at the same hour of every night finds the links that were checked some minutes later the night before.
func (s *Settings) after(at time.Time, wait time.Duration) time.Time {
	if wait < day {
		return at.Add(wait)
	}
	return later(s.midnight(at.Add(wait), 0), at.Add(wait/2))
}

// midnight returns the beginning of the day some calendar days after that of a time.
func (s *Settings) midnight(at time.Time, days int) time.Time {
	year, month, date := at.In(s.zone()).Date()
	return time.Date(year, month, date+days, 0, 0, 0, 0, s.zone())
}

func (s *Settings) zone() *time.Location { return cmp.Or(s.Zone, time.UTC) }

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
