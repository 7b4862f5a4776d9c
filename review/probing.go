package review

import (
	"context"
	"errors"
	"fmt"
	"time"

	"visto/canon"
	"visto/review/probe"
)

// Prober asks the network about URLs; *probe.Prober is one.
type Prober interface {
	Run(ctx context.Context, targets []probe.Target, sink func(probe.Report) error) error
}

// Probing has a prober ask about stored URLs and writes down what it says.
type Probing struct {
	desk   *Desk
	prober Prober
	now    func() time.Time
}

// NewProbing returns what stores the prober's reports through the desk. now is the clock by which evidence grows old.
func NewProbing(d *Desk, p Prober, now func() time.Time) *Probing {
	return &Probing{d, p, now}
}

// ProbeJob is something to ask the network, and the items that the answer is for: all that are asked for by one URL.
type ProbeJob struct {
	Target probe.Target // of the first of them
	URL    string       // that is asked
	IDs    []int64
}

// ProbeJobOptions say what is asked besides, and how.
type ProbeJobOptions struct {
	Fresh   bool // ask for the content even where it has not changed
	Private bool // also URLs at addresses that are not public
}

// ProbeJobs returns what has to be asked for the items of the filter. Items without a URL that may be asked at all are left out:
// no evidence would change what was made of them.
func (d *Desk) ProbeJobs(ctx context.Context, f Filter, opt ProbeJobOptions) ([]ProbeJob, error) {
	r, err := d.rules(ctx)
	if err != nil {
		return nil, err
	}
	var asks []ProbeJob
	place := map[string]int{} // in asks, by URL
	newAsker := func() worker[string] { return r.asker(opt.Private) }
	err = stream(ctx, d.store.EachAnswered, f, newAsker, func(it *Item, url string) error {
		at, known := place[url]
		switch {
		case url == "":
		case known:
			asks[at].IDs = append(asks[at].IDs, it.ID)
		default:
			place[url] = len(asks)
			target := probe.Target{ID: it.ID, URL: it.Original, Fresh: opt.Fresh}
			asks = append(asks, ProbeJob{Target: target, URL: url, IDs: []int64{it.ID}})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("looking for what to ask: %w", err)
	}
	return asks, nil
}

// asker returns the URL that is asked for an item: what the steps before "redirects" make of it. It is empty for what they
// reject.
func (r *rules) asker(private bool) worker[string] {
	c, err := canon.New(r.policy, r.overrides).Only(stepsBefore("redirects")...)
	if err != nil {
		panic(err) // they are the pipeline's own steps
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

// ProbeResult is what became of an item that was asked about.
type ProbeResult struct {
	Report        probe.Report
	Before, After Item
	Postponed     *Postponed // it could not be asked about yet
}

// Run asks, and stores each answer in a transaction of its own, with all that follows from it for its items. What an answer
// says of a host is then spread over the other URLs on it. learned is called for each item, one at a time. When ctx ends Run
// stops at once and returns its cause; what was found by then is stored.
func (p *Probing) Run(ctx context.Context, asks []ProbeJob, learned func(ProbeResult) error) error {
	targets := make([]probe.Target, len(asks))
	items := make(map[int64][]int64, len(asks))
	for i, a := range asks {
		targets[i], items[a.Target.ID] = a.Target, a.IDs
	}
	spreading := p.desk.startSpreading(context.WithoutCancel(ctx))
	err := p.prober.Run(ctx, targets, func(r probe.Report) error {
		defer spreading.wake()
		for _, id := range items[r.Target.ID] {
			l, err := p.desk.learn(context.WithoutCancel(ctx), id, r, p.now())
			if err == nil {
				err = learned(l)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, spreading.finish())
}

// learn stores what a report says of an item. What says the same as before is stored without a trace; what says something new
// is an entry of the log, with the item computed anew in the same transaction.
func (d *Desk) learn(ctx context.Context, id int64, report probe.Report, now time.Time) (l ProbeResult, err error) {
	if report.Evidence == nil {
		return d.postpone(ctx, id, report)
	}
	ev := *report.Evidence
	due := dueAfter(&ev, now)
	err = whileStale(func() error {
		r, err := d.rules(ctx)
		if err != nil {
			return err
		}
		l = ProbeResult{Report: report}
		if l.Before, err = d.store.Item(ctx, id); err != nil {
			return err
		}
		ev.URL = l.Before.Original
		earlier, err := d.store.Earlier(ctx, probe.Target{ID: id})
		if err != nil {
			return err
		}
		evidence := ItemEvidence{ID: id, Evidence: &ev, Due: due}
		if earlier != nil && sameEvidence(earlier, &ev) && !r.newOfHosts(l.Before.Computed.InHost, &ev) {
			l.After = l.Before
			return d.store.Refresh(ctx, []ItemEvidence{evidence})
		}
		if _, err = d.store.Commit(ctx, d.evidenceChange(r, &l.Before, evidence)); err != nil {
			return err
		}
		l.After, err = d.store.Item(ctx, id)
		return err
	})
	if err != nil {
		return l, fmt.Errorf("storing what was found of URL %d: %w", id, err)
	}
	return l, nil
}

func (d *Desk) postpone(ctx context.Context, id int64, report probe.Report) (ProbeResult, error) {
	l := ProbeResult{Report: report, Postponed: &Postponed{ID: id, Until: report.Until, Why: report.Deferred}}
	var err error
	if l.Before, err = d.store.Item(ctx, id); err == nil {
		err = d.store.Postpone(ctx, *l.Postponed)
	}
	l.After = l.Before
	return l, err
}

// evidenceChange is the change that gives an item its new evidence.
func (d *Desk) evidenceChange(r *rules, it *Item, e ItemEvidence) Change {
	c := canon.New(r.policy, r.overrides)
	answer := func(it *Item, hosts canon.Hosts) *Recomputed {
		after := compute(c, it.Original, withHosts(aboutHost(e.Evidence, it.Computed.InHost), hosts))
		return recomputed(it, after, e.Evidence.Title)
	}
	change := Change{
		Reviewer: d.reviewer, Action: ActEvidence, Summary: fmt.Sprintf("evidence of URL %d: %s", e.ID, Answer(e.Evidence)),
		Evidence: []ItemEvidence{e}, Gen: r.gen, LastID: r.lastID,
		Late: func(it Item, known *canon.Evidence) *Recomputed {
			switch {
			case it.ID != e.ID:
				return nil // whoever wrote it computed it
			case known == nil:
				return answer(&it, nil)
			}
			return answer(&it, known.Hosts)
		},
	}
	if re := answer(it, r.hosts); re != nil {
		change.Recomputed = []Recomputed{*re}
	}
	return change
}

// ProbeCache is what a prober remembers in the store.
func (d *Desk) ProbeCache() probe.Cache { return d.store }
