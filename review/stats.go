package review

import (
	"cmp"
	"context"
	"time"

	"visto/canon"
)

// Stats counts everything. Days are those of UTC.
type Stats struct {
	Total          int
	Open           int
	Reviewed       int // were open and are not
	Verdicts       map[canon.Verdict]int
	Statuses       map[Status]int
	OpenFlags      map[canon.Code]int // open items by flag
	Flags          map[canon.Code]int // all items by flag
	Hosts          []Bucket           // open items by host, largest first
	DecisionCounts []DecisionCount
	Settled        Settled
	Pace           Pace      // of all reviewers and days
	Reviewers      []Paced   // by name
	Days           []Paced   // with at least one batch, oldest first
	LastHour       []int     // decisions by minute, in the LastHourMinutes up to LastAt; nil without a batch
	LastAt         time.Time // of the last batch
}

// Stats returns the counts for the stats command and the Stats tab.
func (d *Desk) Stats(ctx context.Context) (Stats, error) {
	totals, err := d.store.Totals(ctx)
	all, errAll := d.store.Facets(ctx, Filter{})
	open, errOpen := d.store.Facets(ctx, Filter{Open: true})
	decisions, errDecisions := d.store.DecisionCounts(ctx)
	work, errWork := d.store.Work(ctx)
	s := Stats{
		Total: totals.Items, Open: totals.Open, Reviewed: totals.Reviewed, Verdicts: totals.Verdicts,
		Statuses: all.Statuses, Flags: all.Flags, OpenFlags: open.Flags, Hosts: open.Hosts,
		DecisionCounts: decisions, Settled: Settled{Rules: totals.ByRules},
	}
	s.addWork(work)
	err = cmp.Or(err, errAll, errOpen, errDecisions, errWork)
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

// Group counts the items with the same host, flags and places. Several groups may be alike in all of them.
type Group struct {
	Host   string
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
