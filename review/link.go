package review

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"strings"
	"time"

	"visto/canon"
	"visto/review/health"
	"visto/review/probe"
	"visto/review/probe/extract"
)

// Link is what the checks of an item's link found, as far as the status of the item depends on it (package health).
type Link struct {
	Checked bool // there was a check
	State   health.State
	Answers bool          // an inactive link answers again
	Flags   canon.CodeSet // of health.Flags
	Batch   int64         // of the newest decision before the last check that approved the item
}

// NewBatch is the Batch of a decision that is not written yet: it is newer than all others.
const NewBatch = math.MaxInt64

// LinkOf returns the Link of a history.
func LinkOf(r *health.Record) Link {
	return Link{Checked: true, State: r.State, Answers: r.Answers, Flags: r.Flags, Batch: r.Batch}
}

// under returns the state and the flags of a link with the decision in force. One that approves the item after the last
// check accepts the page as that found it, and ends the state inactive if the page answered.
func (l Link) under(d *Decision) (health.State, canon.CodeSet) {
	switch {
	case d == nil || !d.Kind.Approves() || d.Batch <= l.Batch:
		return l.State, l.Flags
	case l.State == health.Inactive && l.Answers:
		return health.Active, 0
	}
	return l.State, 0
}

// LinkState returns the state of the item's link.
func (it *Item) LinkState() health.State {
	state, _ := it.Link.under(it.newest())
	return state
}

// approvedBy returns the batch of the newest decision in force that approves the item, 0 if none does.
func (it *Item) approvedBy() int64 {
	var batch int64
	if d := it.Decision; d != nil && d.Kind.Approves() {
		batch = d.Batch
	}
	for _, r := range it.ByRecord {
		if d := r.Decision; d != nil && d.Kind.Approves() {
			batch = max(batch, d.Batch)
		}
	}
	return batch
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

	// KeepChecks stores the Content and the Link of each, all or none, and leaves evidence and log as they are. Error:
	// ErrNotFound.
	KeepChecks(ctx context.Context, list []ItemEvidence) error

	// EachLink calls fn for each item of the filter with the history of its link, nil if there was no check, by ID,
	// from one snapshot.
	EachLink(ctx context.Context, f Filter, fn func(Item, *health.Record) error) error

	// LastReport returns the time of the last report on the links of a filter, the zero time if there was none.
	// KeepReport sets it. The filter is given in words (Filter.String).
	LastReport(ctx context.Context, filter string) (time.Time, error)
	KeepReport(ctx context.Context, filter string, at time.Time) error
}

// KeepCheck stores a report about the URL that a correction put in the place of an item's original, as a check of the
// item's link. The item's evidence, which is about its original, stays. It returns the item before and after.
func (d *Desk) KeepCheck(ctx context.Context, id int64, report probe.Report, now time.Time) (r ProbeResult, err error) {
	defer annotate(&err, "storing a check of URL %d", id)
	r.Report = report
	if r.Before, err = d.store.Item(ctx, id); err != nil {
		return r, err
	}
	r.After = r.Before
	if report.Evidence == nil {
		r.Postponed = &Postponed{ID: id, Until: report.Until, Why: report.Deferred}
		return r, d.store.Postpone(ctx, *r.Postponed)
	}
	if report, err = maskedReport(report); err != nil {
		return r, err
	}
	e := ItemEvidence{ID: id}
	if err = d.addCheck(ctx, &r.Before, &report, now, &e); err == nil {
		err = d.store.KeepChecks(ctx, []ItemEvidence{e})
	}
	if err == nil {
		r.After, err = d.store.Item(ctx, id)
	}
	return r, err
}

// maskedReport returns the report as it is stored.
func maskedReport(report probe.Report) (_ probe.Report, err error) {
	report.Evidence = report.Evidence.Masked()
	report.Content, err = maskedContent(report.Content)
	return report, err
}

// addCheck adds the check that a report is of to e: the history of the item's link, and the content of its page.
func (d *Desk) addCheck(ctx context.Context, it *Item, report *probe.Report, now time.Time, e *ItemEvidence) error {
	r, err := d.rules(ctx)
	if err != nil {
		return err
	}
	record, err := d.history(ctx, it)
	if err != nil {
		return err
	}
	if e.Content = report.Content; report.NoContent {
		e.Content = nil
	}
	if e.Link = nil; record.Add(r.observation(it, report, now), it.approvedBy(), health.SettingsOf(r.policy)) {
		e.Link = record
	}
	return nil
}

// history returns the history of an item's link, a new one if there was no check of the URL that the item cites: a
// correction puts another page in its place.
func (d *Desk) history(ctx context.Context, it *Item) (*health.Record, error) {
	record, err := d.store.LinkRecord(ctx, it.ID)
	if err != nil || record == nil || record.Batch == it.approvedBy() {
		return cmp.Or(record, &health.Record{}), err
	}
	past, err := d.store.History(ctx, it.ID)
	if err != nil {
		return nil, err
	}
	was, is := "", ""
	if now := it.correction(); now != nil {
		is = now.Canonical
	}
	for _, p := range past {
		if p.Batch == record.Batch && p.Kind.Corrects() && p.Record == 0 {
			was = p.Canonical
		}
	}
	if was != is {
		return &health.Record{}, nil
	}
	return record, nil
}

// observation returns the check that a report is of.
func (r *rules) observation(it *Item, report *probe.Report, now time.Time) health.Observation {
	o := r.observed(it, report.Evidence, report.Content)
	o.At = now
	for _, ex := range report.Exchanges {
		page := ex.Purpose == "page"
		if page {
			o.Took = ex.Elapsed
		}
		if (page || ex.Purpose == "robots") && !ex.Certificate.IsZero() { // with a bad one the page is not asked for
			o.Certificate = ex.Certificate
		}
	}
	return o
}

// observed returns the check that evidence and the content of a page are of; content may be nil. Its time is that of
// the evidence.
func (r *rules) observed(it *Item, ev *canon.Evidence, content *extract.Document) health.Observation {
	c := health.Check{Outcome: health.OutcomeOf(ev.Status), Status: ev.Status, Error: ev.Error, Hops: len(ev.Hops)}
	c.At, _ = time.Parse(time.RFC3339, ev.FetchedAt)
	c.NotBefore, _ = time.Parse(time.RFC3339, ev.RetryAfter)
	switch {
	case ev.Robots == "blocked":
		c.Outcome = health.Excused
	case ev.Error != "":
		c.Outcome = health.Failed
	}
	if c.Outcome != health.Answered {
		return health.Observation{Check: c}
	}
	page := &health.Page{Title: ev.Title, Canonical: r.otherPage(it, ev.RelCanonical)}
	for _, hop := range ev.Hops {
		page.Hops = append(page.Hops, cmp.Or(r.engine().bare.Clean(hop.URL).Canonical, hop.URL))
	}
	if content != nil && content.Text != "" {
		page.Sketch = health.SketchOf(ev.Title, content.Text)
		sum := sha256.Sum256([]byte(content.Text))
		c.Text = binary.BigEndian.Uint64(sum[:])
	}
	return health.Observation{Check: c, Page: page}
}

// otherPage returns the canonical form of the URL that a page names as its canonical one, if that is another page than
// the item cites; "" otherwise.
func (r *rules) otherPage(it *Item, url string) string {
	if url == "" {
		return ""
	}
	named := r.engine().bare.Canonicalize(url, nil)
	if named.Canonical == "" || canon.HashOf(named.Canonical) == canon.HashOf(it.Canonical()) {
		return ""
	}
	return named.Canonical
}

// LinkRecord returns the history of an item's link, nil if there was no check.
func (d *Desk) LinkRecord(ctx context.Context, id int64) (r *health.Record, err error) {
	defer annotate(&err, "URL %d", id)
	return d.store.LinkRecord(ctx, id)
}

// reportEvery is the time between two reports; without an earlier report a summary compares with so long ago.
const reportEvery = 7 * 24 * time.Hour

// Health sums up the links of the items of the filter, and compares them with the last report on the same filter, or
// without one with 7 days ago.
func (d *Desk) Health(ctx context.Context, f Filter, now time.Time) (s health.Summary, err error) {
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
	sum := health.Summarize(now, before, health.SettingsOf(r.policy))
	err = d.store.EachLink(ctx, f, func(it Item, record *health.Record) error {
		sum.Add(r.healthLink(&it, record))
		return nil
	})
	return sum.Done(), err
}

// KeepReport notes that there was a report on the links of the filter at a time: Health compares with it from then on.
func (d *Desk) KeepReport(ctx context.Context, f Filter, at time.Time) error {
	return d.store.KeepReport(ctx, f.String(), at)
}

// healthLink returns the link of an item for a summary.
func (r *rules) healthLink(it *Item, record *health.Record) health.Link {
	state, flags := it.Link.under(it.newest())
	l := health.Link{ID: it.ID, URL: cmp.Or(it.Canonical(), it.Original), State: state, Flags: flags, Record: record}
	host, path := SplitCanonical(l.URL)
	l.Domain, l.Path = strings.TrimPrefix(host, "www."), path
	if d := it.newest(); d != nil && d.Kind.Approves() {
		l.Approved = d.At
	}
	if record != nil && len(record.Page.Hops) > 0 && r.policy.Allows(host) {
		to, _ := SplitCanonical(record.Page.Hops[len(record.Page.Hops)-1])
		if to != "" && !r.policy.Allows(to) {
			l.Stray = to
		}
	}
	return l
}
