package review

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math"
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

// LinkStore keeps the histories of links. Commit, Refresh and KeepChecks replace that of an item by the Link of an
// ItemEvidence. They are not in the log: no result depends on them, but the flags and Link of an item do.
type LinkStore interface {
	// LinkRecord returns the history of the item's link, nil if there was no check.
	LinkRecord(ctx context.Context, id int64) (*health.Record, error)

	// KeepChecks stores the Content and the Link of each, all or none, and leaves evidence and log as they are. Error:
	// ErrNotFound.
	KeepChecks(ctx context.Context, list []ItemEvidence) error

	// EachLink calls fn for each item of the filter whose link was checked, with its history, by ID, from one snapshot.
	EachLink(ctx context.Context, f Filter, fn func(Item, *health.Record) error) error
}

// checked returns the history of an item's link with the check that a report is of.
func (p *Probing) checked(ctx context.Context, it *Item, report *probe.Report) (*health.Record, error) {
	r, err := p.desk.rules(ctx)
	if err != nil {
		return nil, err
	}
	record, err := p.desk.store.LinkRecord(ctx, it.ID)
	if err != nil {
		return nil, err
	}
	if record == nil {
		record = &health.Record{}
	}
	if !record.Add(r.observation(it, report, p.now()), it.approvedBy(), health.SettingsOf(r.policy)) {
		return nil, nil
	}
	return record, nil
}

// observation returns the check that a report is of.
func (r *rules) observation(it *Item, report *probe.Report, now time.Time) health.Observation {
	o := r.observed(it, report.Evidence, report.Content)
	o.At = now
	for _, ex := range report.Exchanges {
		if ex.Purpose == "page" {
			o.Took = ex.Elapsed
			if !ex.Certificate.IsZero() {
				o.Certificate = ex.Certificate
			}
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
