package review

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"visto/canon"
)

// rules are the policy, overrides and host evidence that results are computed under. They are current as long as the
// store's RulesGen and HostsGen are not after gen.
type rules struct {
	gen       int64
	lastID    int64 // of the newest item when the rules were read
	lastSeq   int64 // of the newest log entry then
	policy    *canon.Policy
	stored    []StoredOverride
	list      []canon.Override // of stored, or those after a change
	overrides *canon.Overrides // list, compiled
	hosts     canon.Hosts
}

// with returns the rules with another policy and other overrides.
func (r rules) with(policy *canon.Policy, list []canon.Override) (*rules, error) {
	var err error
	r.policy, r.list = policy, list
	r.overrides, err = canon.CompileOverrides(list)
	return &r, err
}

func (r *rules) canonicalizer() *canon.Canonicalizer { return canon.New(r.policy, r.overrides) }

// worker returns a worker for the results of items.
func (r *rules) worker() worker[Computed] {
	c := r.canonicalizer()
	return func(it *Item, ev *canon.Evidence) Computed { return compute(c, it, ev) }
}

// computeOne returns a function for Change.Compute.
func (r *rules) computeOne() func(Item, *canon.Evidence) Computed {
	compute := r.worker()
	return func(it Item, ev *canon.Evidence) Computed { return compute(&it, ev) }
}

// ruleCache reads the rules from a store and keeps them parsed.
type ruleCache struct {
	source interface {
		RuleStore
		Hosts(ctx context.Context) (canon.Hosts, error)
	}
	known atomic.Pointer[rules] // the newest rules read; never changed in place
}

// Policy returns the policy that was last read from the store.
func (c *ruleCache) Policy() *canon.Policy { return c.known.Load().policy }

// Rules returns the store's current policy and compiled overrides. As long as they stay the same, so do the pointers.
func (c *ruleCache) Rules(ctx context.Context) (*canon.Policy, *canon.Overrides, error) {
	r, err := c.rules(ctx)
	if err != nil {
		return nil, nil, err
	}
	return r.policy, r.overrides, nil
}

// rules returns the store's current rules. It parses policy and overrides again only if their generation has changed,
// which any process may do at any time.
func (c *ruleCache) rules(ctx context.Context) (*rules, error) {
	for {
		before, err := c.source.Meta(ctx)
		if err != nil {
			return nil, err
		}
		if r := c.known.Load(); r != nil && r.gen >= max(before.RulesGen, before.HostsGen) {
			current := *r
			current.gen, current.lastID, current.lastSeq = before.Gen, before.LastID, before.LastSeq
			return &current, nil
		}
		r, err := c.read(ctx, before)
		if err != nil {
			return nil, err
		}
		after, err := c.source.Meta(ctx)
		if err != nil {
			return nil, err
		}
		if after.RulesGen == before.RulesGen && after.HostsGen == before.HostsGen {
			c.known.Store(r) // else the overrides may be newer than the policy
			return r, nil
		}
	}
}

func (c *ruleCache) read(ctx context.Context, m Meta) (*rules, error) {
	policy, err := c.policyOf(m)
	if err != nil {
		return nil, fmt.Errorf("reading the stored policy: %w", err)
	}
	stored, err := c.source.Overrides(ctx)
	if err != nil {
		return nil, err
	}
	hosts, err := c.source.Hosts(ctx)
	if err != nil {
		return nil, err
	}
	r := rules{gen: m.Gen, lastID: m.LastID, lastSeq: m.LastSeq, stored: stored, hosts: hosts}
	list := mapped(stored, func(o StoredOverride) canon.Override { return o.Override })
	compiled, err := r.with(policy, list)
	if err != nil {
		return nil, fmt.Errorf("reading the stored overrides: %w", err)
	}
	return compiled, nil
}

// policyOf returns the policy that the store names, or the known one if the store has none yet.
func (c *ruleCache) policyOf(m Meta) (*canon.Policy, error) {
	known := c.known.Load()
	if known != nil && (m.PolicyDigest == "" || known.policy.Digest() == m.PolicyDigest) {
		return known.policy, nil
	}
	return canon.ParsePolicy(canon.PolicyFile{Name: m.PolicyID, Data: m.PolicyYAML})
}

// maxTries is the number of attempts to compute and write a change while others write.
const maxTries = 5

// whileStale calls fn again while it fails with ErrStale, maxTries times at most.
func whileStale(fn func() error) error {
	for try := 1; ; try++ {
		if err := fn(); !errors.Is(err, ErrStale) || try == maxTries {
			return err
		}
	}
}
