package review

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"visto/canon"
)

// Stats counts everything. Days are those of UTC.
type Stats struct {
	Total          int
	Unfinished     int // as that of Totals
	Open           int
	Reviewed       int // were open and are not
	Verdicts       map[canon.Verdict]int
	Statuses       map[Status]int
	OpenFlags      map[canon.Code]int // open items by flag
	Flags          map[canon.Code]int // all items by flag
	Hosts          []Bucket           // open items by host, largest first
	DecisionCounts []DecisionCount
	Settled        Settled
	Agreement      Agreement // of all reviewers
	Agreements     []Agreement
	Pace           Pace      // of all reviewers and days
	Reviewers      []Paced   // by name
	Days           []Paced   // with at least one batch, oldest first
	LastHour       []int     // decisions by minute, in the LastHourMinutes up to LastAt; nil without a batch
	LastAt         time.Time // of the last batch
}

// Stats returns the counts for the stats command and the Stats tab.
func (d itemDesk) Stats(ctx context.Context) (Stats, error) {
	totals, err := d.store.Totals(ctx)
	all, errAll := d.store.Facets(ctx, Filter{})
	open, errOpen := d.store.Facets(ctx, Filter{Open: true})
	decisions, errDecisions := d.store.DecisionCounts(ctx)
	work, errWork := d.store.Work(ctx)
	s := Stats{
		Total: totals.Items, Unfinished: totals.Unfinished, Open: totals.Open, Reviewed: totals.Reviewed,
		Verdicts: totals.Verdicts,
		Statuses: all.Statuses, Flags: all.Flags, OpenFlags: open.Flags, Hosts: open.Hosts,
		DecisionCounts: decisions, Settled: Settled{Rules: totals.ByRules},
	}
	s.addWork(work)
	errAgreements := d.agreements(ctx, &s)
	err = cmp.Or(err, errAll, errOpen, errDecisions, errWork, errAgreements)
	annotate(&err, "counting")
	return s, err
}

// Totals counts all items.
type Totals struct {
	Items    int // without those that are Gone; so are the others
	Open     int
	Reviewed int // items that were open once and are not now, by a decision or by a rule
	ByRules  int // of Reviewed, those without a decision: the machine accepts or rejects them
	Deferred int // of Reviewed, those put off: a person has to look at them some time
	Verdicts map[canon.Verdict]int
	Gone     int

	Unfinished int // about how many do not follow a change of very many yet
}

// DecisionCount is the number of decisions of one kind, reviewer and day (UTC), of batches that are not undone.
type DecisionCount struct {
	Reviewer string `json:"reviewer"`
	Day      string `json:"day"` // 2006-01-02
	Kind     Kind   `json:"-"`
	N        int    `json:"n"`
}

// Work sums up a reviewer's batches within one minute of the clock. Undone batches do not count, nor those of actions
// that cannot be undone.
type Work struct {
	Reviewer    string
	First, Last time.Time // of the batches
	Batches     int
	Decisions   int

	// Single counts the items that are neither open nor gone and whose decision in force is that of one of the
	// batches, where it is the only decision; Bulk counts the same for batches with several decisions.
	Single, Bulk int
}

// Group counts the items with the same host, status, flags and places. Several groups may be alike in all of them.
type Group struct {
	Host   string
	Status Status
	Flags  canon.CodeSet
	Places []FileField // in which the items are cited, sorted; shared between groups; must not be changed
	N      int
}

// FileField is a field of an input file.
type FileField struct{ File, Field string }

// Undecided is an item with unknown parameters.
type Undecided struct {
	Host      string
	Canonical string
	Flags     canon.CodeSet
	Params    []string // shared between items; must not be changed
}

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

// Judgement is a decision that approves, corrects or rejects an item.
type Judgement struct {
	Item      int64
	Reviewer  string
	Kind      Kind
	Canonical string // the URL of an approval or a correction
}

// Agreement tells how two persons judged the items that both looked at, one directly after the other. They agree if
// both reject the URL, or approve or correct it to the same one.
type Agreement struct {
	Reviewers [2]string // sorted; empty for all pairs together
	N, Alike  int       // second looks, and those of them that agree

	counts map[[2]rating]int // by the ratings of the first and the second person
}

// rating is the category of a judgement.
type rating uint8

const (
	rejects rating = iota
	approves
	corrects
	namesOther // approves or corrects to another URL than the judgement before it, in the same way
	ratingCount
)

// Share returns the share of items that were judged alike, 0 without items.
func (a *Agreement) Share() float64 {
	if a.N == 0 {
		return 0
	}
	return float64(a.Alike) / float64(a.N)
}

// Kappa returns Cohen's kappa, the share of agreement beyond that which chance gives: (p - e) / (1 - e) with the share
// p of agreement and the share e to expect of two persons who judge independently, each as often in each way as they
// did (J. Cohen, "A Coefficient of Agreement for Nominal Scales", Educational and Psychological Measurement 20, 1960,
// pages 37 to 46). It is false where e is 1: both judged all items in the same way.
func (a *Agreement) Kappa() (kappa float64, ok bool) {
	var first, second [ratingCount]float64
	for pair, n := range a.counts {
		first[pair[0]] += float64(n)
		second[pair[1]] += float64(n)
	}
	n, expected := float64(a.N), 0.0
	for r := range ratingCount {
		expected += first[r] * second[r]
	}
	if expected == n*n { // also without items
		return 0, false
	}
	expected /= n * n
	return (a.Share() - expected) / (1 - expected), true
}

func (a *Agreement) add(first, second rating) {
	if a.counts == nil {
		a.counts = map[[2]rating]int{}
	}
	a.counts[[2]rating{first, second}]++
	a.N++
	a.Alike += count(first == second)
}

// agreements counts the agreement of each two persons. Work of one person alone is not read.
func (d itemDesk) agreements(ctx context.Context, s *Stats) error {
	if len(s.Reviewers) < 2 {
		return nil
	}
	pairs := map[[2]string]*Agreement{}
	var last Judgement
	err := d.store.EachRejudged(ctx, func(j Judgement) error {
		if last.Item == j.Item && !strings.EqualFold(last.Reviewer, j.Reviewer) {
			first, second := last.rating(), j.ratingAfter(&last)
			s.Agreement.add(first, second)
			names := [2]string{last.Reviewer, j.Reviewer}
			if names[0] > names[1] {
				names[0], names[1], first, second = names[1], names[0], second, first
			}
			if pairs[names] == nil {
				pairs[names] = &Agreement{Reviewers: names}
			}
			pairs[names].add(first, second)
		}
		last = j
		return nil
	})
	for _, a := range pairs {
		s.Agreements = append(s.Agreements, *a)
	}
	slices.SortFunc(s.Agreements, func(a, b Agreement) int { return slices.Compare(a.Reviewers[:], b.Reviewers[:]) })
	return err
}

func (j *Judgement) rating() rating {
	switch {
	case j.Kind == Reject:
		return rejects
	case j.Kind.Corrects():
		return corrects
	}
	return approves
}

// ratingAfter is rating for the second of two judgements. The approval of a corrected URL is a correction.
func (j *Judgement) ratingAfter(first *Judgement) rating {
	switch own, before := j.rating(), first.rating(); {
	case own != rejects && before != rejects && j.Canonical == first.Canonical:
		return before
	case own == before && own != rejects:
		return namesOther
	default:
		return own
	}
}
