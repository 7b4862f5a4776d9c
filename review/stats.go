package review

import (
	"context"
	"fmt"
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
	s, err := d.stats(ctx)
	if err != nil {
		return s, fmt.Errorf("counting: %w", err)
	}
	return s, nil
}

func (d *Desk) stats(ctx context.Context) (Stats, error) {
	totals, err := d.store.Totals(ctx)
	if err != nil {
		return Stats{}, err
	}
	all, err := d.store.Facets(ctx, Filter{})
	if err != nil {
		return Stats{}, err
	}
	open, err := d.store.Facets(ctx, Filter{Open: true})
	if err != nil {
		return Stats{}, err
	}
	decisions, err := d.store.DecisionCounts(ctx)
	if err != nil {
		return Stats{}, err
	}
	work, err := d.store.Work(ctx)
	s := Stats{
		Total: totals.Items, Open: totals.Open, Reviewed: totals.Reviewed, Verdicts: totals.Verdicts,
		Statuses: all.Statuses, Flags: all.Flags,
		OpenFlags: open.Flags, Hosts: open.Hosts,
		DecisionCounts: decisions, Settled: Settled{Rules: totals.ByRules},
	}
	s.addWork(work)
	return s, err
}
