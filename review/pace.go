package review

import (
	"maps"
	"slices"
	"time"
)

// Active time is the time between the batches of a reviewer. A pause longer than LongestPause counts as PauseCounts,
// for the batch after it took some time too. So does the time before the first batch.
const (
	LongestPause = 5 * time.Minute
	PauseCounts  = time.Minute
)

// LastHourMinutes is the number of minutes in Stats.LastHour.
const LastHourMinutes = 60

// Settled counts the settled URLs by the way in which they were settled.
type Settled struct {
	Rules  int // were open, and are accepted or rejected by an override, a policy or evidence
	Single int // by a decision on one URL; includes the few URLs that were never open
	Bulk   int // by a decision on several URLs; includes the few URLs that were never open
}

// Total returns the number of all settled URLs.
func (s Settled) Total() int { return s.Rules + s.Single + s.Bulk }

// Pace is the amount of work in a span of active time, without undone batches; see LongestPause.
type Pace struct {
	Batches   int
	Decisions int // one for each URL of a batch
	Active    time.Duration
}

// PerMinute returns the decisions in a minute of active time, 0 without active time.
func (p Pace) PerMinute() float64 {
	if p.Active == 0 {
		return 0
	}
	return float64(p.Decisions) / p.Active.Minutes()
}

// Paced is the pace of a reviewer, or of a day (2006-01-02).
type Paced struct {
	Name string
	Pace
}

// BatchesPerSettled returns the batches for each settled URL, 0 without settled URLs.
func (s *Stats) BatchesPerSettled() float64 {
	if s.Settled.Total() == 0 {
		return 0
	}
	return float64(s.Pace.Batches) / float64(s.Settled.Total())
}

// addWork counts the work. The list has to be sorted by reviewer, then by time.
func (s *Stats) addWork(list []Work) {
	reviewers, days := map[string]Pace{}, map[string]Pace{}
	for i, w := range list {
		p := Pace{Batches: w.Batches, Decisions: w.Decisions, Active: PauseCounts + w.Last.Sub(w.First)}
		if i > 0 && list[i-1].Reviewer == w.Reviewer {
			p.Active = activeTime(w.First.Sub(list[i-1].Last)) + w.Last.Sub(w.First)
		}
		day := w.First.UTC().Format(time.DateOnly)
		reviewers[w.Reviewer], days[day] = reviewers[w.Reviewer].plus(p), days[day].plus(p)
		s.Pace = s.Pace.plus(p)
		s.Settled.Single += w.Single
		s.Settled.Bulk += w.Bulk
	}
	s.Reviewers, s.Days = paced(reviewers), paced(days)
	s.addLastHour(list)
}

// activeTime returns the active part of the time between two batches of a reviewer.
func activeTime(gap time.Duration) time.Duration {
	if gap > LongestPause {
		return PauseCounts
	}
	return gap
}

func (p Pace) plus(q Pace) Pace {
	return Pace{p.Batches + q.Batches, p.Decisions + q.Decisions, p.Active + q.Active}
}

func paced(by map[string]Pace) []Paced {
	list := make([]Paced, 0, len(by))
	for _, name := range slices.Sorted(maps.Keys(by)) {
		list = append(list, Paced{name, by[name]})
	}
	return list
}

func (s *Stats) addLastHour(list []Work) {
	if len(list) == 0 {
		return
	}
	s.LastAt = slices.MaxFunc(list, func(a, b Work) int { return a.Last.Compare(b.Last) }).Last
	s.LastHour = make([]int, LastHourMinutes)
	last := s.LastAt.Truncate(time.Minute)
	for _, w := range list {
		if ago := int(last.Sub(w.First.Truncate(time.Minute)).Minutes()); ago < LastHourMinutes {
			s.LastHour[LastHourMinutes-1-ago] += w.Decisions
		}
	}
}
