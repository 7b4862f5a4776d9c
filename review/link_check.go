package review

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"maps"
	"net/http"
	"slices"
	"time"

	"visto/canon"
	"visto/review/health"
	"visto/review/probe"
	"visto/review/probe/extract"
	"visto/review/read"
)

// KeepCheck stores a report about the URL that a correction put in the place of an item's original, as a check of the
// item's link, unless the item cites another URL by now. The item's evidence, which is about its original, stays. It
// returns the item before and after.
func (d linkDesk) KeepCheck(
	ctx context.Context, id int64, report probe.Report, now time.Time,
) (r ProbeResult, err error) {
	defer annotate(&err, "storing a check of URL %d", id)
	if report, err = maskedReport(report); err != nil {
		return r, err
	}
	err = whileStale(func() error {
		r = ProbeResult{Report: report}
		return d.keepCheck(ctx, id, now, &r)
	})
	return r, err
}

func (d linkDesk) keepCheck(ctx context.Context, id int64, now time.Time, r *ProbeResult) (err error) {
	if r.Before, err = d.store.Item(ctx, id); err != nil {
		return err
	}
	if cites, err := d.cites(ctx, &r.Before, r.Report.Target.URL); err != nil || !cites {
		r.After = r.Before
		return errors.Join(err, d.store.Postpone(ctx, Postponed{ID: id}))
	}
	if r.Report.Evidence == nil || r.Report.Deferred != "" {
		return d.postpone(ctx, r, true, now)
	}
	e := ItemEvidence{ID: id}
	if err = d.addCheck(ctx, &r.Before, &r.Report, now, &e); err == nil {
		err = d.store.KeepChecks(ctx, []ItemEvidence{e})
	}
	if err == nil {
		err = d.store.Postpone(ctx, Postponed{ID: id})
	}
	if err == nil {
		r.After, err = d.store.Item(ctx, id)
	}
	return err
}

// cites reports whether the item cites the page that was asked for: a person may have corrected it, or taken that back,
// since the request.
func (d linkDesk) cites(ctx context.Context, it *Item, asked string) (bool, error) {
	r, err := d.rules(ctx)
	if err != nil {
		return false, err
	}
	cited := it.Original
	if correction := it.correction(); correction != nil {
		cited = correction.Canonical
	}
	form := r.jobURL(true)
	return form(&Item{Original: cited}, nil) == form(&Item{Original: asked}, nil), nil
}

// postpone notes that the URL of r.Before could not be asked yet, or not to the end. If its server answered before it
// asked for the pause, that is a check of the link, unless the item cites another URL.
func (d linkDesk) postpone(ctx context.Context, r *ProbeResult, cites bool, now time.Time) error {
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
func (d linkDesk) addCheck(ctx context.Context, it *Item, report *probe.Report, now time.Time, e *ItemEvidence) error {
	r, err := d.rules(ctx)
	if err != nil {
		return err
	}
	record, basis, err := d.history(ctx, it)
	if err != nil {
		return err
	}
	if e.Content = report.Content; report.NoContent {
		e.Content = nil
	}
	record.SetBack(now)
	record.Add(r.observation(it, report, now), it.approvedBy(), health.SettingsOf(r.policy))
	e.Link, e.Basis = record, basis
	return nil
}

// history returns the history of an item's link, a new one if there was no check of the URL that the item cites: a
// correction puts another page in its place.
func (d linkDesk) history(ctx context.Context, it *Item) (*health.Record, *LinkBasis, error) {
	record, err := d.store.LinkRecord(ctx, it.ID)
	if err != nil {
		return nil, nil, err
	}
	basis := &LinkBasis{Rev: it.Rev}
	if record == nil {
		return &health.Record{}, basis, nil
	}
	basis.Last = *record.Last()
	if same, err := d.citesAsBefore(ctx, it, record); err != nil || !same {
		return &health.Record{}, basis, err
	}
	return record, basis, nil
}

// citesAsBefore reports whether the item cites the URL that it cited at the last check.
func (d linkDesk) citesAsBefore(ctx context.Context, it *Item, record *health.Record) (bool, error) {
	if record.Batch == it.approvedBy() {
		return true, nil
	}
	past, err := d.store.History(ctx, it.ID)
	if err != nil {
		return false, err
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
	return was == is, nil
}

// observation returns the check that a report is of.
func (r *rules) observation(it *Item, report *probe.Report, now time.Time) health.Observation {
	o := r.observed(it, report.Evidence, report.Content)
	if o.At = now; report.Unready >= 500 {
		o.Outcome, o.Status = health.Failed, report.Unready
	}
	for _, ex := range report.Exchanges {
		if ex.Purpose == "page" {
			o.Took = ex.Elapsed
		}
	}
	o.Certificate = certificate(report)
	return o
}

// certificate returns the end of the certificate of the host that a report's redirects led to. If it is refused, only
// robots.txt was asked for. Another host of the domain, asked whether it shows the page too, has one of its own.
func certificate(report *probe.Report) (ends time.Time) {
	if len(report.Exchanges) == 0 {
		return ends
	}
	last := report.Exchanges[0].URL
	if hops := report.Evidence.Hops; len(hops) > 0 {
		last = hops[len(hops)-1].URL
	}
	host := hostOf(last)
	for _, ex := range report.Exchanges {
		if (ex.Purpose == "page" || ex.Purpose == "robots" && hostOf(ex.URL) == host) && !ex.Certificate.IsZero() {
			ends = ex.Certificate
		}
	}
	return ends
}

// observed returns the check that evidence and the content of a page are of; content may be nil. Its time is that of
// the evidence.
func (r *rules) observed(it *Item, ev *canon.Evidence, content *extract.Document) health.Observation {
	c := health.Check{Outcome: outcomeOf(ev), Status: ev.Status, Error: ev.Error, Hops: len(ev.Hops)}
	if ev.Blocked == string(canon.MaintenancePage) {
		c.Status = http.StatusServiceUnavailable
	}
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
	page.Hops = r.hops(from, ev)
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
	case ev.Error != "" || ev.Blocked == string(canon.MissingPage) || ev.Blocked == string(canon.FaultPage):
		return health.Failed
	case ev.Blocked == string(canon.MaintenancePage):
		return health.Excused
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

// hops returns the redirects of evidence in the form of Page.Hops. One that changes only scheme, session or tracking
// parameters leads nowhere else, so it is left out. A chain that ends at a URL of its own, for a cookie, counts that as
// its last redirect, as it was recorded before such a repeat was no hop.
func (r *rules) hops(from string, ev *canon.Evidence) (hops []string) {
	form := r.jobURL(true)
	at := form(&Item{Original: from}, nil)
	seen := []string{at}
	add := func(to string) {
		if to != at {
			hops = append(hops, to)
		}
		at, seen = to, append(seen, to)
	}
	for _, hop := range ev.Hops {
		add(cmp.Or(form(&Item{Original: hop.URL}, nil), hop.URL))
	}
	end := form(&Item{Original: ev.FinalURL}, nil)
	if end != "" && len(ev.Hops) > 0 && slices.Contains(seen, end) && ev.Blocked != string(canon.LoginPage) {
		add(end)
	}
	return hops
}

// addChecks adds the checks that came with URLs to the histories of their links, as far as they are newer. Those of an
// item that cites another URL are no checks of the page that it cites.
func (d linkDesk) addChecks(
	ctx context.Context, r *rules, found []Found, outcomes []AddOutcome, report *AddReport,
) error {
	checks := map[int64][]read.Check{}
	for i := range found {
		if list := found[i].checks(outcomes[i].Known); len(list) > 0 {
			checks[outcomes[i].ID] = append(checks[outcomes[i].ID], list...)
		}
	}
	if len(checks) == 0 {
		return nil
	}
	settings := health.SettingsOf(r.policy)
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(checks)), checksAtOnce) {
		added := 0
		err := whileStale(func() error {
			added = 0
			var list []ItemEvidence
			for _, id := range ids {
				e, n, err := d.withChecks(ctx, r, id, checks[id], settings)
				if err != nil {
					return err
				}
				if added += n; n > 0 {
					list = append(list, e)
				}
			}
			return d.store.KeepChecks(ctx, list)
		})
		if err != nil {
			return err
		}
		report.Checks += added
	}
	return nil
}

// checks returns the checks that came with a URL. Evidence of a known URL is one too if its time is known, as that of a
// probe.
func (f *Found) checks(known bool) []read.Check {
	if len(f.Checks) > 0 || !known || f.Evidence == nil {
		return f.Checks
	}
	c := read.Check{Evidence: *f.Evidence}
	if c.At().IsZero() {
		return nil
	}
	return []read.Check{c}
}

// withChecks returns the history of an item's link with checks that came with its URL, and how many of them are new.
func (d linkDesk) withChecks(
	ctx context.Context, r *rules, id int64, checks []read.Check, settings health.Settings,
) (e ItemEvidence, added int, err error) {
	it, err := d.store.Item(ctx, id)
	if err != nil || it.correction() != nil {
		return e, 0, err
	}
	record, basis, err := d.history(ctx, &it)
	if err != nil {
		return e, 0, err
	}
	for _, c := range checks {
		if record.Add(r.imported(&it, record, c), it.approvedBy(), settings) {
			added++
		}
	}
	return ItemEvidence{ID: id, Link: record, Basis: basis}, added, nil
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
