package review

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"visto/canon"
	"visto/review/health"
)

// Link holds the findings about an item's link on which the status of the item depends (package health).
type Link struct {
	Checked bool // there was a check
	State   health.State
	Answers bool          // an inactive link answers again
	Flags   canon.CodeSet // of health.Flags
	Batch   int64         // of the newest decision that approved the item before a check, even if it is undone
}

// NewBatch is the Batch of a decision that is not written yet: it is newer than all others.
const NewBatch = math.MaxInt64

// LinkOf returns the Link of a history.
func LinkOf(r *health.Record) Link {
	return Link{Checked: true, State: r.State, Answers: r.Answers, Flags: r.Flags, Batch: r.Known()}
}

// under returns the flags of a link with the decision in force. One that approves the item after the last check accepts
// the page as that found it. A record with a correction of its own cites another page.
func (l Link) under(d *Decision) canon.CodeSet {
	if d != nil && d.Approves() && (d.Batch > l.Batch || d.citesOther()) {
		return 0
	}
	return l.Flags
}

// citesOther reports whether the decision is a correction for one record alone: that cites another page than the one
// that is checked.
func (d *Decision) citesOther() bool { return d.Record != 0 && d.Kind.Corrects() }

// LinkState returns the state of the item's link. An approval after the last check ends the state inactive if the page
// answered. A link without a check is active, and so is one whose check was of another page.
func (it *Item) LinkState() health.State {
	if it.citesUnchecked() || it.Link.Answers && it.approvedBy() > it.Link.Batch {
		return health.Active
	}
	return it.Link.State
}

// citesUnchecked reports whether a correction since the last check cites another page than the one that was checked.
func (it *Item) citesUnchecked() bool {
	d := it.correction()
	return d != nil && d.Canonical != d.From && d.Batch > it.Link.Batch
}

// LinkStates are the states of a link.
var LinkStates = []health.State{health.Active, health.Degraded, health.Inactive}

// ParseLinkState returns the state of that name.
func ParseLinkState(name string) (health.State, bool) {
	return parseName(health.State(len(LinkStates)), name)
}

// approvedBy returns the batch of the decision in force that approves the item, 0 if none does. With decisions for
// records alone it is the oldest by which a record cites its page: a record accepts for itself alone.
func (it *Item) approvedBy() int64 {
	if len(it.ByRecord) == 0 {
		return it.Decision.approval()
	}
	var batches []int64
	for _, r := range it.ByRecord {
		if d := cmp.Or(r.Decision, it.Decision); d == nil || d.Approves() && !d.citesOther() {
			batches = append(batches, d.approval())
		}
	}
	if len(batches) == 0 {
		return 0
	}
	return slices.Min(batches)
}

// approvedAt returns the time of the decision that approvedBy names, the zero time if there is none.
func (it *Item) approvedAt() time.Time {
	batch := it.approvedBy()
	for _, r := range append([]RecordDecision{{Decision: it.Decision}}, it.ByRecord...) {
		if batch != 0 && r.Decision.approval() == batch {
			return r.Decision.At
		}
	}
	return time.Time{}
}

// approval returns the batch of a decision that approves, 0 for another or none.
func (d *Decision) approval() int64 {
	if d == nil || !d.Approves() {
		return 0
	}
	return d.Batch
}

// priorities returns the values of the attribute "priority" of the records that cite the item.
func (it *Item) priorities() (list []string) {
	for _, r := range it.Records() {
		for _, a := range r.Attributes {
			if a.Name == "priority" {
				list = append(list, a.Values...)
			}
		}
	}
	return list
}

// LinkStore keeps the histories of links. Commit, Refresh and KeepChecks replace that of an item by the Link of an
// ItemEvidence. They are not in the log: no result depends on them, but the flags and Link of an item do.
type LinkStore interface {
	// LinkRecord returns the history of the item's link, nil if there was no check.
	LinkRecord(ctx context.Context, id int64) (*health.Record, error)

	// KeepChecks stores the Content and the Link of each, all or none, and leaves evidence and log as they are. Errors:
	// ErrNotFound; ErrStale as ItemEvidence.Basis says.
	KeepChecks(ctx context.Context, list []ItemEvidence) error

	// EachLink calls fn for each item of the filter with the history of its link, nil if there was no check, by ID,
	// from one snapshot.
	EachLink(ctx context.Context, f Filter, fn func(Item, *health.Record) error) error

	// LastReport returns the time of the last report on the links of a filter, the zero time if there was none.
	// KeepReport sets it. The filter is given in words (Filter.String).
	LastReport(ctx context.Context, filter string) (time.Time, error)
	KeepReport(ctx context.Context, filter string, at time.Time) error

	// EachScheduled calls fn for each item of the filter with the facts that decide when its link is due, by ID, from
	// one snapshot.
	EachScheduled(ctx context.Context, f Filter, fn func(Scheduled) error) error
}

// Scheduled is an item with the facts that decide when its link is due.
type Scheduled struct {
	ID       int64
	Original string
	Key      Key // Computed.Key
	InHost   string
	Cited    string         // the URL of the correction in force; "": there is none
	History  *health.Record // as by health.UnpackLast; nil: there was no check of the page that it cites
	Until    time.Time      // of its Postponed; zero: none
	Citing   []string       // attributes of the records that cite it, as JoinAttributes; "" for a file as a whole
}

// linkDesk is the part of a Desk for the checks of links, and for the URLs to probe.
type linkDesk struct{ *deskBase }

// LinkRecord returns the history of an item's link, nil if there was no check.
func (d linkDesk) LinkRecord(ctx context.Context, id int64) (r *health.Record, err error) {
	defer annotate(&err, "URL %d", id)
	return d.store.LinkRecord(ctx, id)
}

// reportEvery is the time between two reports; without an earlier report a summary compares with so long ago.
const reportEvery = 7 * 24 * time.Hour

// Health sums up the links of the items of the filter, and compares them with the last report on the same filter, or
// without one with 7 days ago.
func (d linkDesk) Health(ctx context.Context, f Filter, now time.Time) (s health.Summary, err error) {
	defer annotate(&err, "summing up the checks of links")
	r, err := d.rules(ctx)
	if err != nil {
		return s, err
	}
	before, err := d.store.LastReport(ctx, f.String())
	if err != nil {
		return s, err
	}
	if before.IsZero() || !before.Before(now) {
		before = now.Add(-reportEvery)
	}
	return d.sumUp(ctx, f, r, health.Summarize(now, before, health.SettingsOf(r.policy)))
}

// Trends counts the links of the items of the filter by state and domain. Its summary has no issues and no rows.
func (d linkDesk) Trends(ctx context.Context, f Filter, now time.Time) (s health.Summary, err error) {
	defer annotate(&err, "summing up the checks of links")
	r, err := d.rules(ctx)
	if err != nil {
		return s, err
	}
	return d.sumUp(ctx, f, r, health.Brief(now, health.SettingsOf(r.policy)))
}

// sumUp sums up the links of the items of the filter. Of the items that cite one page only the worst counts. An item that
// is changed meanwhile counts too if nothing was known of its page.
func (d linkDesk) sumUp(ctx context.Context, f Filter, r *rules, sum *health.Summarizer) (health.Summary, error) {
	pages, err := d.citedPages(ctx, f, r)
	if err != nil {
		return health.Summary{}, err
	}
	err = d.eachLink(ctx, f, r, func(l health.Link) {
		if page, ok := pages[KeyOf(l.URL)]; !ok || page.item == l.ID {
			sum.Add(l)
		}
	})
	return sum.Done(), err
}

// citedPage is a page that items cite.
type citedPage struct {
	item int64 // the one whose link does worst
	rank uint64
}

func (d linkDesk) citedPages(ctx context.Context, f Filter, r *rules) (map[Key]citedPage, error) {
	pages := map[Key]citedPage{}
	err := d.eachLink(ctx, f, r, func(l health.Link) {
		key, rank := KeyOf(l.URL), l.Rank()
		if page, ok := pages[key]; !ok || rank > page.rank {
			pages[key] = citedPage{l.ID, rank}
		}
	})
	return pages, err
}

func (d linkDesk) eachLink(ctx context.Context, f Filter, r *rules, fn func(health.Link)) error {
	return d.store.EachLink(ctx, f, func(it Item, record *health.Record) error {
		fn(r.healthLink(&it, record))
		runtime.Gosched() // a key comes before the next link, or it waits for 10 ms where processors are few
		return nil
	})
}

// KeepReport notes that there was a report on the links of the filter at a time: Health compares with it from then on.
func (d linkDesk) KeepReport(ctx context.Context, f Filter, at time.Time) error {
	return d.store.KeepReport(ctx, f.String(), at)
}

// DomainOf returns the domain of a host in a health.Summary: the host without "www.".
func DomainOf(host string) string { return strings.TrimPrefix(host, "www.") }

// healthLink returns the link of an item for a summary.
func (r *rules) healthLink(it *Item, record *health.Record) health.Link {
	if it.citesUnchecked() {
		record = nil
	}
	l := health.Link{ID: it.ID, URL: cmp.Or(it.Canonical(), it.Original), State: it.LinkState(),
		Flags: it.Computed.Flags & health.Flags, Approved: it.approvedAt(), Record: record}
	host, path := SplitCanonical(l.URL)
	l.Domain, l.Path = DomainOf(host), cmp.Or(path, "/")
	if record != nil && len(record.Page.Hops) > 0 && r.policy.Allows(host) {
		to, _ := SplitCanonical(record.Page.Hops[len(record.Page.Hops)-1])
		if to != "" && !r.policy.Allows(to) {
			l.Stray = to
		}
	}
	return l
}
