package review

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"visto/canon"
	"visto/review/health"
	"visto/review/probe"
	"visto/review/probe/extract"
	"visto/review/read"
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

// under returns the flags of a link with the decision in force. One that approves the item after the last check accepts
// the page as that found it.
func (l Link) under(d *Decision) canon.CodeSet {
	if d != nil && d.Kind.Approves() && d.Batch > l.Batch {
		return 0
	}
	return l.Flags
}

// LinkState returns the state of the item's link. An approval after the last check ends the state inactive if the page
// answered. A link without a check is active.
func (it *Item) LinkState() health.State {
	if it.Link.Answers && it.approvedBy() > it.Link.Batch {
		return health.Active
	}
	return it.Link.State
}

// LinkStates are the states of a link.
var LinkStates = []health.State{health.Active, health.Degraded, health.Inactive}

// ParseLinkState returns the state of that name.
func ParseLinkState(name string) (health.State, bool) {
	return parseName(health.State(len(LinkStates)), name)
}

// approvedBy returns the batch of the decision in force that approves the item, 0 if none does. With decisions for
// records alone it is the oldest by which a record cites the item: what one record accepts, the others do not.
func (it *Item) approvedBy() int64 {
	if len(it.ByRecord) == 0 {
		return it.Decision.approval()
	}
	var batches []int64
	for _, r := range it.ByRecord {
		if d := cmp.Or(r.Decision, it.Decision); d == nil || d.Kind.Approves() {
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
	if d == nil || !d.Kind.Approves() {
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
	History  *health.Record // nil: there was no check
	Until    time.Time      // of its Postponed; zero: none
	Citing   []string       // attributes of the records that cite it, as JoinAttributes; "" for a file as a whole
}

// KeepCheck stores a report about the URL that a correction put in the place of an item's original, as a check of the
// item's link. The item's evidence, which is about its original, stays. It returns the item before and after.
func (d *Desk) KeepCheck(ctx context.Context, id int64, report probe.Report, now time.Time) (r ProbeResult, err error) {
	defer annotate(&err, "storing a check of URL %d", id)
	r.Report = report
	if r.Before, err = d.store.Item(ctx, id); err != nil {
		return r, err
	}
	if report.Evidence == nil {
		return r, d.postpone(ctx, &r, true, now)
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

// postpone notes that the URL of r.Before could not be asked yet, or not to the end. If its server answered before it
// asked for the pause, that is a check of the link, unless the item cites another URL.
func (d *Desk) postpone(ctx context.Context, r *ProbeResult, cites bool, now time.Time) error {
	id := r.Before.ID
	r.Postponed = &Postponed{ID: id, Until: r.Report.Until, Why: r.Report.Deferred}
	if status := lastStatus(r.Report.Exchanges); cites && status >= http.StatusTooManyRequests {
		report, e := r.Report, ItemEvidence{ID: id}
		report.Evidence = &canon.Evidence{Status: status}
		err := d.addCheck(ctx, &r.Before, &report, now, &e)
		if err == nil {
			err = d.store.KeepChecks(ctx, []ItemEvidence{e})
		}
		if err != nil {
			return err
		}
	}
	err := d.store.Postpone(ctx, *r.Postponed)
	if err == nil {
		r.After, err = d.store.Item(ctx, id)
	}
	return err
}

// lastStatus returns the status of the last answer about a page or its robots.txt, 0 if there is none.
func lastStatus(list []probe.Exchange) int {
	for _, ex := range slices.Backward(list) {
		if ex.Purpose == "page" || ex.Purpose == "robots" {
			return ex.Status
		}
	}
	return 0
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
	if o.At = now; report.Unready >= 500 {
		o.Outcome, o.Status = health.Failed, report.Unready
	}
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
	c := health.Check{Outcome: outcomeOf(ev), Status: ev.Status, Error: ev.Error, Hops: len(ev.Hops)}
	c.At, _ = time.Parse(time.RFC3339, ev.FetchedAt)
	c.NotBefore, _ = time.Parse(time.RFC3339, ev.RetryAfter)
	if c.Outcome != health.Answered {
		return health.Observation{Check: c}
	}
	page := &health.Page{Title: ev.Title, Canonical: r.otherPage(it, ev.RelCanonical)}
	from := it.Original
	if d := it.correction(); d != nil {
		from = d.Canonical
	}
	page.Hops = r.hops(from, ev.Hops)
	if content != nil && content.Text != "" {
		page.Sketch = health.SketchOf(ev.Title, content.Text)
		sum := sha256.Sum256([]byte(content.Text))
		c.Text = binary.BigEndian.Uint64(sum[:])
	}
	return health.Observation{Check: c, Page: page}
}

// outcomeOf returns the outcome of the check that evidence is of.
func outcomeOf(ev *canon.Evidence) health.Outcome {
	switch {
	case ev.Robots == "blocked":
		return health.Excused
	case ev.Error != "":
		return health.Failed
	}
	return health.OutcomeOf(ev.Status)
}

// outlasts reports whether evidence stays in the place of that of a check: it tells of the page, and the check did not
// reach it. Failures are a matter of the link's state: no status and no canonical URL changes by one. Another URL that
// shows the page counts as soon as the link is no longer active.
func outlasts(earlier, ev *canon.Evidence, link *health.Record) bool {
	shown := outcomeOf(earlier) == health.Answered || earlier.Alternative != ""
	failed := link != nil && outcomeOf(ev) != health.Answered
	return shown && failed && (ev.Alternative == "" || link.State == health.Active)
}

// hops returns redirects in the form of Page.Hops. One that changes only scheme, session or tracking parameters leads
// nowhere else, so it is left out.
func (r *rules) hops(from string, list []canon.Hop) (hops []string) {
	form := r.jobURL(true)
	at := form(&Item{Original: from}, nil)
	for _, hop := range list {
		to := cmp.Or(form(&Item{Original: hop.URL}, nil), hop.URL)
		if to != at {
			hops = append(hops, to)
		}
		at = to
	}
	return hops
}

// addChecks adds the checks that came with URLs to the histories of their links, as far as they are newer. Those of an
// item that cites another URL are no checks of the page that it cites.
func (d *Desk) addChecks(
	ctx context.Context, r *rules, found []Found, outcomes []AddOutcome, report *AddReport,
) error {
	var list []ItemEvidence
	var settings health.Settings
	for i := range found {
		if len(found[i].Checks) == 0 {
			continue
		}
		if settings.Zone == nil {
			settings = health.SettingsOf(r.policy)
		}
		it, err := d.store.Item(ctx, outcomes[i].ID)
		if err != nil {
			return err
		}
		record, err := d.history(ctx, &it)
		if err != nil {
			return err
		}
		n := 0
		for _, c := range found[i].Checks {
			if it.correction() == nil && record.Add(r.imported(&it, record, c), it.approvedBy(), settings) {
				n++
			}
		}
		if report.Checks += n; n > 0 {
			list = append(list, ItemEvidence{ID: it.ID, Link: record})
		}
	}
	for part := range slices.Chunk(list, checksAtOnce) {
		if err := d.store.KeepChecks(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// checksAtOnce is the number of histories that are written in one transaction, for which others wait.
const checksAtOnce = 200

// imported returns a check of another program. It tells of the page only which redirects lead to it.
func (r *rules) imported(it *Item, record *health.Record, c read.Check) health.Observation {
	o := r.observed(it, &c.Evidence, nil)
	o.Took, o.Certificate = c.Took, c.Certificate
	if o.Page != nil {
		o.Page.Title, o.Page.Canonical = record.Page.Title, record.Page.Canonical
	}
	return o
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
	l := health.Link{ID: it.ID, URL: cmp.Or(it.Canonical(), it.Original), State: it.LinkState(),
		Flags: it.Computed.Flags & health.Flags, Approved: it.approvedAt(), Record: record}
	host, path := SplitCanonical(l.URL)
	l.Domain, l.Path = strings.TrimPrefix(host, "www."), path
	if record != nil && len(record.Page.Hops) > 0 && r.policy.Allows(host) {
		to, _ := SplitCanonical(record.Page.Hops[len(record.Page.Hops)-1])
		if to != "" && !r.policy.Allows(to) {
			l.Stray = to
		}
	}
	return l
}
