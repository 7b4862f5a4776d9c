package cli

import (
	"context"
	"fmt"
	"sync"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/probe"
	"visto/store/sqlite"
)

// network probes the URLs of a desk. It keeps one prober as long as the rules stay the same, for a prober remembers the
// last request to each host.
type network struct {
	desk  *review.Desk
	cfg   probe.Config
	lease *review.ProbeLease

	mu        sync.Mutex
	prober    *probe.Prober
	policy    *canon.Policy
	overrides *canon.Overrides
	watchers  map[int64]func(probe.Event) // by the ID of the target
}

func newNetwork(a *app, desk *review.Desk, cfg probe.Config) *network {
	lease := review.NewProbeLease(desk, sqlite.ThisProcess(), time.Now)
	n := &network{desk: desk, cfg: cfg, lease: lease, watchers: map[int64]func(probe.Event){}}
	n.cfg.Cache, n.cfg.Documents, n.cfg.Progress = desk.ProbeCache(), a.newDocuments(), n.notify
	return n
}

// notify passes an event to the watcher of its target.
func (n *network) notify(e probe.Event) {
	n.mu.Lock()
	watch := n.watchers[e.Target.ID]
	n.mu.Unlock()
	if watch != nil {
		watch(e)
	}
}

func (n *network) watch(id int64, watch func(probe.Event)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.watchers[id] = watch; watch == nil {
		delete(n.watchers, id)
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

// close ends the process that reads documents, if one runs.
func (n *network) close() { _ = n.cfg.Documents.Close() }

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
	prober, err := n.ready(ctx)
	if err != nil {
		return r, err
	}
	n.watch(id, watch)
	defer n.watch(id, nil)
	probing := review.NewProbing(n.desk, prober, time.Now)
	err = n.lease.Alone(ctx, func(ctx context.Context) error {
		return probing.Run(ctx, jobs, func(result review.ProbeResult) error {
			r = result
			return nil
		})
	})
	return r, err
}
