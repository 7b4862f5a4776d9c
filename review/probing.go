package review

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"visto/canon"
	"visto/review/probe"
)

// Prober fetches URLs; *probe.Prober implements it.
type Prober interface {
	Run(ctx context.Context, targets []probe.Target, sink func(probe.Report) error) error
}

// Probing runs a prober on stored URLs and stores its reports.
type Probing struct {
	desk   *Desk
	prober Prober
	now    func() time.Time
}

// NewProbing returns a Probing of the desk. now is the clock for the age of evidence.
func NewProbing(d *Desk, p Prober, now func() time.Time) *Probing {
	return &Probing{d, p, now}
}

// ProbeJob is a URL to fetch, with all items that its answer is for.
type ProbeJob struct {
	Target probe.Target // of the first item
	URL    string       // to fetch
	IDs    []int64

	// Corrected are those of IDs whose correction has the URL. The answer is a check of their link, and no evidence of
	// theirs: that is about their original.
	Corrected []int64
}

// ProbeJobOptions control which URLs are fetched, and how.
type ProbeJobOptions struct {
	Fresh   bool // fetch the content even if it has not changed
	Private bool // also fetch from addresses that are not public
}

// ProbeJobs returns the jobs for the items of the filter. It leaves out items without a URL that may be fetched:
// evidence would not change their result.
func (d linkDesk) ProbeJobs(ctx context.Context, f Filter, opt ProbeJobOptions) (jobs []ProbeJob, err error) {
	defer annotate(&err, "listing the URLs to probe")
	r, err := d.rules(ctx)
	if err != nil {
		return nil, err
	}
	index := map[string]int{} // in jobs, by URL
	worker := func() worker[string] { return r.jobURL(opt.Private) }
	err = stream(ctx, d.store.EachAnswered, f, worker, func(it *Item, url string) error {
		i, known := index[url]
		switch {
		case url == "":
		case known:
			jobs[i].IDs = append(jobs[i].IDs, it.ID)
		default:
			index[url] = len(jobs)
			target := probe.Target{ID: it.ID, URL: it.Original, Fresh: opt.Fresh}
			jobs = append(jobs, ProbeJob{Target: target, URL: url, IDs: []int64{it.ID}})
		}
		return nil
	})
	return jobs, err
}

// jobURL returns a worker for the URL to fetch for an item: the result of the steps before "redirects", or "" if they
// reject it.
func (r *rules) jobURL(private bool) worker[string] {
	c, err := r.engine().bare.Only(stepsBefore("redirects")...)
	if err != nil {
		panic(err) // cannot happen: they are steps of the pipeline
	}
	return func(it *Item, _ *canon.Evidence) string {
		res := c.Canonicalize(it.Original, nil)
		if private && res.Reason == canon.PrivateAddress {
			return res.Original
		}
		return res.Canonical
	}
}

func stepsBefore(id string) (ids []string) {
	for _, s := range canon.Steps() {
		if s.ID == id {
			break
		}
		ids = append(ids, s.ID)
	}
	return ids
}

// ProbeResult is the outcome of a probe for an item.
type ProbeResult struct {
	Report        probe.Report
	Before, After Item
	Postponed     *Postponed // the item could not be probed yet
}

// Run probes the jobs. It stores each report in a transaction of its own, with the new results of its items, and
// propagates new host evidence to the other URLs on the host in the background. It calls done for each item, one at a
// time. When ctx ends, Run stops at once and returns the cause; reports until then are stored.
func (p *Probing) Run(ctx context.Context, jobs []ProbeJob, done func(ProbeResult) error) error {
	return p.run(ctx, jobs, nil, done)
}

// RunDue is Run for jobs of DueLinks. It postpones each item by an hour before the first request for it, until its
// report is stored. So after an abrupt end nobody asks again at once for a URL whose request was under way.
func (p *Probing) RunDue(ctx context.Context, jobs []ProbeJob, done func(ProbeResult) error) error {
	begun := &begunTargets{probing: p, items: map[int64][]int64{}, open: map[int64]bool{}}
	for _, j := range jobs {
		begun.items[j.Target.ID] = j.IDs
	}
	err := p.run(ctx, jobs, begun, func(r ProbeResult) error {
		begun.mark(r.After.ID, false)
		return done(r)
	})
	if errors.Is(err, probe.ErrOffline) {
		err = errors.Join(err, begun.release(context.WithoutCancel(ctx)))
	}
	return err
}

// begunTargets postpones items whose targets were begun. It is a probe.TargetLog.
type begunTargets struct {
	probing *Probing
	items   map[int64][]int64 // by the ID of the target

	mu   sync.Mutex
	open map[int64]bool // items that have no report yet
}

// cutShort is the time for which a target is postponed whose probe did not end.
const cutShort = time.Hour

// Begin is that of probe.TargetLog.
func (b *begunTargets) Begin(ctx context.Context, t probe.Target) error {
	for _, id := range b.items[t.ID] {
		until := b.probing.now().Add(cutShort)
		err := b.probing.desk.store.Postpone(ctx, Postponed{ID: id, Until: until, Why: "a check was cut short"})
		if err != nil {
			return err
		}
		b.mark(id, true)
	}
	return nil
}

func (b *begunTargets) mark(id int64, open bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if open {
		b.open[id] = true
	} else {
		delete(b.open, id)
	}
}

// release makes the items due again that have no report: nobody was asked.
func (b *begunTargets) release(ctx context.Context) error {
	for id := range b.open {
		err := b.probing.desk.store.Postpone(ctx, Postponed{ID: id, Until: b.probing.now()})
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *Probing) run(ctx context.Context, jobs []ProbeJob, log probe.TargetLog, done func(ProbeResult) error) error {
	targets := make([]probe.Target, len(jobs))
	byTarget := make(map[int64]ProbeJob, len(jobs))
	for i, j := range jobs {
		targets[i], byTarget[j.Target.ID] = j.Target, j
		targets[i].Log = log
	}
	propagator := startPropagator(context.WithoutCancel(ctx), p.desk)
	err := p.prober.Run(ctx, targets, func(r probe.Report) error {
		defer propagator.wake()
		job := byTarget[r.Target.ID]
		for _, id := range job.IDs {
			result, err := p.keepFor(context.WithoutCancel(ctx), id, &job, r)
			if err == nil {
				err = done(result)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, propagator.finish())
}

// keepFor stores a report on a job for one of its items.
func (p *Probing) keepFor(ctx context.Context, id int64, job *ProbeJob, report probe.Report) (ProbeResult, error) {
	if slices.Contains(job.Corrected, id) {
		return p.desk.KeepCheck(ctx, id, report, p.now())
	}
	return p.keep(ctx, id, report)
}

// keep stores a report for an item.
func (p *Probing) keep(ctx context.Context, id int64, report probe.Report) (result ProbeResult, err error) {
	defer annotate(&err, "storing the evidence of URL %d", id)
	if report, err = maskedReport(report); err != nil {
		return result, err
	}
	err = whileStale(func() error {
		result = ProbeResult{Report: report}
		if result.Before, err = p.desk.followed(ctx, id); err != nil {
			return err
		}
		if report.Evidence == nil {
			return p.desk.postpone(ctx, &result, result.Before.correction() == nil, p.now())
		}
		ev := *report.Evidence
		ev.URL = result.Before.Original
		e := ItemEvidence{ID: id, Evidence: &ev, Due: dueAfter(&ev, p.now())}
		if report.Deferred != "" {
			e.Due = report.Until
		}
		if result.Before.correction() == nil { // else it does not cite the page that was read
			if err = p.desk.addCheck(ctx, &result.Before, &report, p.now(), &e); err != nil {
				return err
			}
		}
		if err = p.replace(ctx, &result.Before, e); err != nil {
			return err
		}
		if report.Deferred != "" {
			result.Postponed = &Postponed{ID: id, Until: report.Until, Why: report.Deferred}
			if err = p.desk.store.Postpone(ctx, *result.Postponed); err != nil {
				return err
			}
		}
		result.After, err = p.desk.store.Item(ctx, id)
		return err
	})
	return result, err
}

// replace gives an item new evidence, which is logged, and recomputes the item in the same transaction. Evidence with
// the same content as before is only refreshed, without a log entry.
func (p *Probing) replace(ctx context.Context, it *Item, e ItemEvidence) error {
	r, err := p.desk.rules(ctx)
	if err != nil {
		return err
	}
	earlier, err := p.desk.store.Earlier(ctx, probe.Target{ID: e.ID})
	if err != nil {
		return err
	}
	if earlier != nil && outlasts(earlier, e.Evidence, e.Link) {
		e.Evidence = earlier
		return p.desk.store.Refresh(ctx, []ItemEvidence{e})
	}
	if earlier != nil && sameEvidence(earlier, e.Evidence) && !r.hasHostNews(it.Computed.InHost, e.Evidence) {
		return p.desk.store.Refresh(ctx, []ItemEvidence{e})
	}
	_, err = p.desk.store.Commit(ctx, r.evidenceChange(p.desk.reviewer, []givenEvidence{{*it, e}}))
	return err
}

// ProbeCache returns the cache of a prober in the store.
func (d linkDesk) ProbeCache() probe.Cache { return d.store }
