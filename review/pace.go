package review

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// What counts as active time: the time between the batches of a reviewer. A pause longer than LongestPause is no work; it, and
// what came before a reviewer's first batch, counts as PauseCounts, for what comes after it took some time too.
const (
	LongestPause = 5 * time.Minute
	PauseCounts  = time.Minute
)

// LastHourMinutes is how many minutes Stats.LastHour tells apart.
const LastHourMinutes = 60

// Settled says by what URLs came to wait for nobody any more.
type Settled struct {
	Rules  int // waited once, and are accepted or rejected without a decision: by an override, a policy or what was learned of them
	Single int // decided on by a person, one at a time; also those few that never waited
	Bulk   int // decided on by a person together with others, in one batch; also those few that never waited
}

// Total is all of them.
func (s Settled) Total() int { return s.Rules + s.Single + s.Bulk }

// Pace is how much was done in how much active time, of batches that stand: see LongestPause.
type Pace struct {
	Batches   int // what was done at once: a decision on one URL or many, a rule, a note
	Decisions int // one for each URL
	Active    time.Duration
}

// PerMinute is how many decisions were made in a minute of active time; 0 if nothing was done.
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

// BatchesPerSettled is how many batches it took for each URL that is settled; 0 if none is.
func (s *Stats) BatchesPerSettled() float64 {
	if s.Settled.Total() == 0 {
		return 0
	}
	return float64(s.Pace.Batches) / float64(s.Settled.Total())
}

// addWork counts what was done, which is in the order of the reviewers and then of the time.
func (s *Stats) addWork(list []Work) {
	reviewers, days := map[string]Pace{}, map[string]Pace{}
	for i, w := range list {
		p := Pace{Batches: w.Batches, Decisions: w.Decisions, Active: PauseCounts + w.Last.Sub(w.First)}
		if i > 0 && list[i-1].Reviewer == w.Reviewer {
			p.Active = activeGap(w.First.Sub(list[i-1].Last)) + w.Last.Sub(w.First)
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

// activeGap is how much of the time between two batches of a reviewer is active.
func activeGap(gap time.Duration) time.Duration {
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
	s.LastAt = slices.MaxFunc(list, func(a, b Work) int { return cmp.Compare(a.Last.UnixMilli(), b.Last.UnixMilli()) }).Last
	s.LastHour = make([]int, LastHourMinutes)
	last := s.LastAt.Truncate(time.Minute)
	for _, w := range list {
		if ago := int(last.Sub(w.First.Truncate(time.Minute)).Minutes()); ago < LastHourMinutes {
			s.LastHour[LastHourMinutes-1-ago] += w.Decisions
		}
	}
}
