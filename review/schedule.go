package review

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"visto/review/health"
	"visto/review/probe"
)

// DueOptions control which of the links that are due DueLinks returns.
type DueOptions struct {
	Private bool // also those at addresses that are not public
	Limit   int  // at most so many jobs, those that are due longest; 0: all
	PerHost int  // at most so many on one host; 0: all
}

// DueLinks returns the jobs for the links of the filter that are due, and when the next of the others is: now if the
// options leave out some that are due, the zero time if none ever will be. A link that was never checked is due, one of
// a rejected item, of one that nothing cites, or of one that only records with the access method auth_only cite, never
// is. Items with the same URL to fetch share a job, which waits while one of them is postponed.
func (d linkDesk) DueLinks(ctx context.Context, f Filter, now time.Time, opt DueOptions) (
	jobs []ProbeJob, next time.Time, err error,
) {
	defer annotate(&err, "listing the links that are due")
	r, err := d.rules(ctx)
	if err != nil {
		return nil, next, err
	}
	f.Presence = Cited
	if len(f.Statuses) == 0 {
		f.Statuses = []Status{Pending, Accepted, Approved, Deferred}
	}
	f.Not.Statuses = append(slices.Clip(f.Not.Statuses), Rejected)
	s := &schedule{settings: health.SettingsOf(r.policy), now: now, url: r.jobURL(opt.Private),
		delays: map[string]time.Duration{}, shared: map[string]*sharedJob{}}
	if err = d.store.EachScheduled(ctx, f, s.add); err != nil {
		return nil, next, err
	}
	join := func(ids []int64, keys []Key) error {
		f.IDs, f.Keys = ids, keys
		return d.store.EachScheduled(ctx, f, s.join)
	}
	keys, alone := s.choose(opt)
	for part := range slices.Chunk(keys, readChunk) {
		if err = join(nil, part); err != nil {
			return nil, next, err
		}
	}
	for part := range slices.Chunk(alone, readChunk) {
		if err = join(part, nil); err != nil {
			return nil, next, err
		}
	}
	return s.jobs(), s.next, nil
}

// schedule finds the links that are due: add takes all links, choose selects some, join takes all links of their pages.
type schedule struct {
	settings health.Settings
	now      time.Time
	url      worker[string]

	due    []dueLink
	delays map[string]time.Duration // by host: the slowest pace of its records
	next   time.Time

	chosen IDSet
	shared map[string]*sharedJob // by URL
}

type dueLink struct {
	id   int64
	at   time.Time
	host string
	key  Key
}

type sharedJob struct {
	ProbeJob
	due   bool      // a link of it was chosen
	until time.Time // of its postponed items, the last
}

// add takes a link. One without a URL to fetch is not due: it would take the place of another one.
func (s *schedule) add(l Scheduled) error {
	for _, attributes := range l.Citing {
		s.delays[l.InHost] = max(s.delays[l.InHost], delayOf(attributes))
	}
	switch at, ok := l.due(s.settings, s.now); {
	case !ok:
	case at.After(s.now):
		s.wait(at)
	case s.url(&Item{Original: l.cited()}, nil) != "":
		s.due = append(s.due, dueLink{l.ID, at, l.InHost, l.Key})
	}
	return nil
}

// wait notes that a link is due at a time.
func (s *schedule) wait(at time.Time) {
	if s.next.IsZero() || at.Before(s.next) {
		s.next = at
	}
}

// choose selects the links that are due longest, as far as the options allow, and returns the keys of their pages, and
// the IDs of the items without a key: the machine rejects their URL.
func (s *schedule) choose(opt DueOptions) (keys []Key, alone []int64) {
	slices.SortFunc(s.due, func(a, b dueLink) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.id, b.id)) })
	onHost := map[string]int{}
	for _, l := range s.due {
		if opt.Limit > 0 && len(keys)+len(alone) == opt.Limit || opt.PerHost > 0 && onHost[l.host] == opt.PerHost {
			s.wait(s.now)
			continue
		}
		onHost[l.host]++
		s.chosen.Add(l.id)
		if l.key == (Key{}) {
			alone = append(alone, l.id)
		} else {
			keys = append(keys, l.key)
		}
	}
	s.due = nil
	slices.SortFunc(keys, func(a, b Key) int { return bytes.Compare(a[:], b[:]) })
	return slices.Compact(keys), alone
}

// join adds a link to the job with its URL.
func (s *schedule) join(l Scheduled) error {
	if !l.asked() {
		return nil
	}
	url := s.url(&Item{Original: l.cited()}, nil)
	if url == "" {
		return nil
	}
	j := s.shared[url]
	if j == nil {
		target := probe.Target{ID: l.ID, URL: l.cited(), Delay: s.delays[l.InHost]}
		j = &sharedJob{ProbeJob: ProbeJob{Target: target, URL: url}}
		s.shared[url] = j
	}
	j.IDs = append(j.IDs, l.ID)
	if l.Cited != "" {
		j.Corrected = append(j.Corrected, l.ID)
	}
	j.due = j.due || s.chosen.Has(l.ID)
	if l.Until.After(j.until) {
		j.until = l.Until
	}
	return nil
}

// jobs returns the jobs of the chosen links, in the order of their items.
func (s *schedule) jobs() (jobs []ProbeJob) {
	for _, j := range s.shared {
		switch {
		case !j.due:
		case j.until.After(s.now):
			s.wait(j.until)
		default:
			jobs = append(jobs, j.ProbeJob)
		}
	}
	slices.SortFunc(jobs, func(a, b ProbeJob) int { return cmp.Compare(a.Target.ID, b.Target.ID) })
	return jobs
}

// cited returns the URL that is cited.
func (l *Scheduled) cited() string { return cmp.Or(l.Cited, l.Original) }

// asked reports whether the link is asked at all.
func (l *Scheduled) asked() bool {
	needsLogin := func(attributes string) bool {
		return slices.Contains(attributeValues(attributes, "access_method"), "auth_only")
	}
	return slices.ContainsFunc(l.Citing, func(attributes string) bool { return !needsLogin(attributes) })
}

// clockError is the time by which the clocks of two machines differ at most. A check that is further in the future was
// made while a clock was wrong.
const clockError = time.Hour

// due returns when the link is due: the zero time if it was never checked, or at a time that is yet to come. ok is
// false if it is not asked.
func (l *Scheduled) due(s health.Settings, now time.Time) (at time.Time, ok bool) {
	if !l.asked() {
		return at, false
	}
	if l.History != nil && !l.History.Last().At.After(now.Add(clockError)) {
		var priorities []string
		for _, attributes := range l.Citing {
			priorities = append(priorities, attributeValues(attributes, "priority")...)
		}
		at = l.History.Due(s.IntervalOf(priorities), s)
	}
	if l.Until.After(at) {
		at = l.Until
	}
	return at, true
}

// delayOf returns the pause between two requests that a record's rate_limit_rps asks for, 0 if it asks for none.
func delayOf(attributes string) (delay time.Duration) {
	for _, text := range attributeValues(attributes, "rate_limit_rps") {
		rate, err := strconv.ParseFloat(text, 64)
		if err == nil && rate > 0 {
			delay = max(delay, time.Duration(min(float64(time.Second)/rate, float64(maxDelay))))
		}
	}
	return delay
}

// maxDelay is the longest pause that a record can ask for.
const maxDelay = time.Hour

// Postponed is an item that cannot be probed before a time, because its host asks for a pause.
type Postponed struct {
	ID    int64
	Until time.Time
	Why   string
}

// Holder names the program that has a lease. Two programs that run at the same time have different ones.
type Holder struct {
	Machine string // host name
	PID     int    // process on that machine
}

// Lease is the right to probe the URLs of a store, which one program has at a time, so that each host gets the
// requests of one prober. The right to watch them is a lease of its own: a watch probes now and then, for days, and
// others may probe in between.
type Lease struct {
	Watch    bool
	Reviewer string
	Holder
	Since time.Time
	Until time.Time // it ends then unless the holder prolongs it
}

// LeaseError is the error of a program that wants to probe while another one does.
type LeaseError struct{ Held Lease }

func (e *LeaseError) Error() string {
	h, what := &e.Held, "probe"
	if h.Watch {
		what = "visto probe --watch"
	}
	return fmt.Sprintf("another %s runs on this database: %s's, on %s since %s (process %d)", what, h.Reviewer,
		h.Machine, h.Since.UTC().Format(time.RFC3339), h.PID)
}

// ProbeLease keeps other programs from probing the URLs of the store, so that the request limits of the prober hold
// for each host. All probes of a program share its lease.
type ProbeLease struct {
	store ProbeStore
	now   func() time.Time

	mu     sync.Mutex
	users  int
	lease  Lease           // of the users
	held   context.Context // ends with the lease; the cause is the reason of its loss
	cancel context.CancelCauseFunc
	keeper sync.WaitGroup
}

// NewProbeLease returns a lease for the holder, which is not taken yet.
func NewProbeLease(d *Desk, holder Holder, now func() time.Time) *ProbeLease {
	return &ProbeLease{store: d.store, lease: Lease{Reviewer: d.reviewer, Holder: holder}, now: now}
}

// NewWatchLease is NewProbeLease for the right to watch.
func NewWatchLease(d *Desk, holder Holder, now func() time.Time) *ProbeLease {
	l := NewProbeLease(d, holder, now)
	l.lease.Watch = true
	return l
}

// Alone runs fn while it holds the lease. It fails with a *LeaseError if another program holds it. If another program
// takes it over, the context of fn ends with a *LeaseError.
func (s *ProbeLease) Alone(ctx context.Context, fn func(context.Context) error) error {
	held, err := s.take(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(held, func() { cancel(context.Cause(held)) })
	defer stop()
	return errors.Join(fn(ctx), s.leave(ctx))
}

// take takes the lease, or joins its users in this program.
func (s *ProbeLease) take(ctx context.Context) (held context.Context, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users == 0 {
		s.lease.Since = s.now()
		if err := s.prolong(ctx); err != nil {
			return nil, err
		}
		s.held, s.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
		held, cancel := s.held, s.cancel
		s.keeper.Go(func() { s.keep(held, cancel) })
	}
	s.users++
	return s.held, nil
}

// leave ends the lease with its last user.
func (s *ProbeLease) leave(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users--; s.users > 0 {
		return nil
	}
	s.cancel(nil)
	s.keeper.Wait()
	return s.store.EndLease(context.WithoutCancel(ctx), s.lease)
}

// leaseTerm is the time after which the lease of a killed program on another machine ends.
const leaseTerm = 30 * time.Second

// prolong extends the lease. take calls it first, then only the keeper does.
func (s *ProbeLease) prolong(ctx context.Context) error {
	now := s.now()
	s.lease.Until = now.Add(leaseTerm)
	return s.store.Lease(ctx, s.lease, now)
}

// keep prolongs the lease until it ends. If another program has taken it, keep cancels its users.
func (s *ProbeLease) keep(held context.Context, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(leaseTerm / 3)
	defer tick.Stop()
	for {
		select {
		case <-held.Done():
			return
		case <-tick.C:
		}
		if err := s.prolong(held); err != nil && held.Err() == nil {
			cancel(err)
			return
		}
	}
}
