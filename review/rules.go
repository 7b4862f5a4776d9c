package review

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"visto/canon"
)

// rules are the policy, overrides and host evidence that results are computed under. They are current as long as the
// store's RulesGen and HostsGen are not after gen.
type rules struct {
	gen       int64
	lastID    int64 // of the newest item when the rules were read
	policy    *canon.Policy
	stored    []StoredOverride
	overrides *canon.Overrides
	hosts     canon.Hosts
}

// ruleCache reads the rules from a store and keeps them parsed.
type ruleCache struct {
	source interface {
		RuleStore
		Hosts(ctx context.Context) (canon.Hosts, error)
	}
	mu    sync.Mutex
	known *rules // the newest rules read; never changed in place
}

// Policy returns the policy that was last read from the store.
func (c *ruleCache) Policy() *canon.Policy {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known.policy
}

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
		if r := c.cached(before); r != nil {
			return r, nil
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
			c.keep(r) // else the overrides may be newer than the policy
			return r, nil
		}
	}
}

func (c *ruleCache) cached(m Meta) *rules {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || c.known.gen < max(m.RulesGen, m.HostsGen) {
		return nil
	}
	r := *c.known
	r.gen, r.lastID = m.Gen, m.LastID
	return &r
}

func (c *ruleCache) keep(r *rules) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = r
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
	compiled, err := canon.CompileOverrides(overridesOf(stored))
	if err != nil {
		return nil, fmt.Errorf("reading the stored overrides: %w", err)
	}
	hosts, err := c.source.Hosts(ctx)
	return &rules{gen: m.Gen, lastID: m.LastID, policy: policy, stored: stored, overrides: compiled, hosts: hosts}, err
}

// policyOf returns the policy that the store names, or the known one if the store has none yet.
func (c *ruleCache) policyOf(m Meta) (*canon.Policy, error) {
	c.mu.Lock()
	known := c.known
	c.mu.Unlock()
	if known != nil && (m.PolicyDigest == "" || known.policy.Digest() == m.PolicyDigest) {
		return known.policy, nil
	}
	return canon.ParsePolicy(canon.PolicyFile{Name: m.PolicyID, Data: m.PolicyYAML})
}

func overridesOf(stored []StoredOverride) []canon.Override {
	list := make([]canon.Override, len(stored))
	for i, o := range stored {
		list[i] = o.Override
	}
	return list
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
