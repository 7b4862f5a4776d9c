package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"

	"visto/canon"
	"visto/review"
	"visto/review/candidate"
	"visto/review/probe"
	"visto/review/probe/browser"
	"visto/store/file"
	"visto/store/rows"
)

// network probes the URLs of a desk. It keeps one prober as long as the rules stay the same, for a prober remembers the
// last request to each host.
type network struct {
	desk  *review.Desk
	warn  func(format string, args ...any)
	cfg   probe.Config
	lease *review.ProbeLease

	watching sync.Mutex
	watchers []*watcher

	mu        sync.Mutex
	prober    *probe.Prober
	policy    *canon.Policy
	overrides *canon.Overrides
}

// newNetwork returns the network for a desk. It removes what killed programs left among the temporary files.
func newNetwork(a *app, desk *review.Desk, cfg probe.Config) *network {
	file.Sweep(os.TempDir())
	lease := review.NewProbeLease(desk, rows.ThisProcess(), a.clock.Now)
	n := &network{desk: desk, warn: a.warn, cfg: cfg, lease: lease}
	n.cfg.Cache, n.cfg.Documents, n.cfg.Progress = desk.ProbeCache(), newDocuments(a.env), n.notify
	n.cfg.Clock = a.clock
	if a.adjust != nil {
		a.adjust(&n.cfg)
	}
	return n
}

// watcher sees the events of a target. Two people may watch the same one.
type watcher struct {
	target int64
	see    func(probe.Event)
}

// watch has see called with each event of a target, one at a time, until stop.
func (n *network) watch(target int64, see func(probe.Event)) (stop func()) {
	if see == nil {
		return func() {}
	}
	w := &watcher{target, see}
	n.watching.Lock()
	defer n.watching.Unlock()
	n.watchers = append(n.watchers, w)
	return func() {
		n.watching.Lock()
		defer n.watching.Unlock()
		n.watchers = slices.DeleteFunc(n.watchers, func(other *watcher) bool { return other == w })
	}
}

// notify passes an event to the watchers of its target.
func (n *network) notify(e probe.Event) {
	n.watching.Lock()
	defer n.watching.Unlock()
	for _, w := range n.watchers {
		if w.target == e.Target.ID {
			w.see(e)
		}
	}
}

// ready returns a prober for the present rules.
func (n *network) ready(ctx context.Context) (*probe.Prober, error) {
	policy, overrides, err := n.desk.Rules(ctx)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.prober != nil && n.policy == policy && n.overrides == overrides {
		return n.prober, nil
	}
	cfg := n.cfg
	cfg.Policy, cfg.Overrides = policy, overrides
	prober, err := probe.New(cfg)
	if err != nil {
		return nil, err
	}
	n.prober, n.policy, n.overrides = prober, policy, overrides
	return prober, nil
}

// close ends the process that reads documents and the browser, as far as they run.
func (n *network) close() {
	_ = n.cfg.Documents.Close()
	if n.cfg.Browser == nil {
		return
	}
	n.cfg.Browser.Close()
	if b, ok := n.cfg.Browser.(*browser.Browser); ok && b.Unsandboxed() {
		n.warn("visto: pages were drawn by a browser without its sandbox (--no-sandbox), for it has none for root; " +
			"probe as another user, or with --no-browser\n")
	}
}

// Probe requests one stored URL and stores the result; watch receives each step. It fails with a *review.LeaseError
// while another program probes: neither would know the requests of the other, and a host could get too many.
func (n *network) Probe(ctx context.Context, id int64, watch func(probe.Event)) (r review.ProbeResult, err error) {
	opt := review.ProbeJobOptions{Fresh: true, Private: n.cfg.AllowPrivate}
	jobs, err := n.desk.ProbeJobs(ctx, review.Filter{IDs: []int64{id}}, opt)
	if err != nil {
		return r, err
	}
	if len(jobs) == 0 {
		return r, fmt.Errorf("URL %d cannot be probed: it is no URL of a public page", id)
	}
	defer n.watch(id, watch)()
	err = n.run(ctx, jobs, func(result review.ProbeResult) error {
		r = result
		return nil
	})
	return r, err
}

// Candidates finds pages to cite in the place of a stored URL, while no other program probes; watch receives each step.
func (n *network) Candidates(
	ctx context.Context, q candidate.Question, watch func(probe.Event),
) (list []candidate.Candidate, err error) {
	prober, err := n.ready(ctx)
	if err != nil {
		return nil, err
	}
	defer n.watch(candidate.TargetID(q.Item), watch)()
	err = n.lease.Alone(ctx, func(ctx context.Context) error {
		list, err = candidate.Find(ctx, n.desk, prober, q)
		return err
	})
	return list, err
}

// run requests URLs and stores the results, while no other program probes.
func (n *network) run(ctx context.Context, jobs []review.ProbeJob, sink func(review.ProbeResult) error) error {
	prober, err := n.ready(ctx)
	if err != nil {
		return err
	}
	probing := review.NewProbing(n.desk, prober, n.cfg.Clock.Now)
	return n.lease.Alone(ctx, func(ctx context.Context) error { return probing.Run(ctx, jobs, sink) })
}

// runDue is run for links that are due. Its prober is a new one: it knows nothing of the network as it was before, and
// begins as if an earlier program had made the last request to each host just now.
func (n *network) runDue(ctx context.Context, jobs []review.ProbeJob, sink func(review.ProbeResult) error) error {
	return n.lease.Alone(ctx, func(ctx context.Context) error {
		cfg := n.cfg
		var err error
		if cfg.Policy, cfg.Overrides, err = n.desk.Rules(ctx); err != nil {
			return err
		}
		cfg.Since = cfg.Clock.Now()
		prober, err := probe.New(cfg)
		if err != nil {
			return err
		}
		return review.NewProbing(n.desk, prober, cfg.Clock.Now).RunDue(ctx, jobs, sink)
	})
}
