package health

import (
	"cmp"
	"slices"
	"time"
)

// Domain sums up the links of one host.
type Domain struct {
	Name      string // the host of the URLs without "www."
	URLs      int
	Unchecked int // of these, those without a check
	Failing   int // those whose last check failed
	Degraded  int
	Inactive  int

	Uptime   Share         // mean of its URLs
	Response time.Duration // mean of its URLs; 0: not known
	LastFull time.Time     // all its URLs were checked then or later; zero: not all were checked
	Days     [Days]Day     // the last days, today last
	Issues   int           // of the domain and its URLs
}

// Share is a share of checks or of URLs, from 0 to 1.
type Share struct {
	Value float64
	Known bool // there was a check
}

// Days is the number of days that uptime, response times and Domain.Days cover.
const Days = 30

// Day counts the checks of a day that were answered or failed. A day is one of Settings.Zone.
type Day struct{ Checks, Answered int }

// Share returns the share of the checks that were answered.
func (d Day) Share() Share {
	if d.Checks == 0 {
		return Share{}
	}
	return Share{float64(d.Answered) / float64(d.Checks), true}
}

// compareDomains puts the worst domain first: by the share of its URLs that fail, then by uptime, issues and name.
// Domains without a check come last.
func compareDomains(a, b Domain) int {
	return cmp.Or(cmp.Compare(b.failing(), a.failing()), cmp.Compare(a.Uptime.rank(), b.Uptime.rank()),
		cmp.Compare(b.Issues, a.Issues), cmp.Compare(a.checkedRank(), b.checkedRank()), cmp.Compare(a.Name, b.Name))
}

// checkedRank is 0 for a domain of which URLs were checked, and 1 for another.
func (d *Domain) checkedRank() int {
	if d.Unchecked < d.URLs {
		return 0
	}
	return 1
}

func (d *Domain) failing() float64 {
	if checked := d.URLs - d.Unchecked; checked > 0 {
		return float64(d.Failing) / float64(checked)
	}
	return 0
}

// rank is the share for sorting: an unknown one is no trouble.
func (s Share) rank() float64 {
	if !s.Known {
		return 1
	}
	return s.Value
}

// calendar has the beginnings of the last Days days in a zone, and of tomorrow, as seconds since 1970.
type calendar [Days + 1]int64

func newCalendar(now time.Time, zone *time.Location) (c calendar) {
	y, m, d := now.In(zone).Date()
	for i := range c {
		c[i] = time.Date(y, m, d-Days+1+i, 0, 0, 0, 0, zone).Unix()
	}
	return c
}

// day returns the index of the day of a time, and false if it is not one of these days.
func (c *calendar) day(t time.Time) (int, bool) {
	i, exact := slices.BinarySearch(c[:], t.Unix())
	if !exact {
		i--
	}
	return i, i >= 0 && i < Days
}

// mean is a sum with the number of its terms.
type mean struct {
	sum float64
	n   int
}

func (m *mean) add(value float64) {
	m.sum += value
	m.n++
}

func (m mean) share() Share {
	if m.n == 0 {
		return Share{}
	}
	return Share{m.sum / float64(m.n), true}
}

func (m mean) duration() time.Duration {
	return time.Duration(m.share().Value).Round(time.Millisecond)
}
