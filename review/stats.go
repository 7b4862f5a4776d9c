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
