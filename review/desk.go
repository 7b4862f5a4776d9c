package review

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"visto/canon"
)

// Desk is the only way to the stored URLs, for every command and for the console. It computes the consequences of a
// reviewer's decision or rule, and has the Store write them. It is safe for concurrent use.
type Desk struct {
	store    Store
	reviewer string

	mu    sync.Mutex
	known *rules // the newest rules read; never changed in place
}

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

// ErrPolicy is Open's error for a policy other than that of the stored results.
var ErrPolicy = errors.New("results of two policies do not mix")

// Open returns a desk on the store. If policy is nil the desk uses the store's policy, or the built-in "clara" in a new
// store. Any other policy than that of the stored results is ErrPolicy; Recanon changes the policy. The reviewer's name
// must not be blank.
func Open(ctx context.Context, s Store, reviewer string, policy *canon.Policy) (*Desk, error) {
	d := &Desk{store: s, reviewer: strings.ToValidUTF8(strings.TrimSpace(reviewer), "\uFFFD")}
	if d.reviewer == "" {
		return nil, errors.New("opening the review: the reviewer has no name")
	}
	meta, err := d.begin(ctx, policy)
	if err != nil {
		return nil, fmt.Errorf("opening the review: %w", err)
	}
	if policy != nil && meta.PolicyDigest != "" && policy.Digest() != meta.PolicyDigest {
		return nil, otherPolicy(policy, meta)
	}
	if _, err := d.rules(ctx); err != nil {
		return nil, fmt.Errorf("opening the review: %w", err)
	}
	return d, nil
}

// begin gives a new store its policy, as the first entry of its log, and returns the Meta after that.
func (d *Desk) begin(ctx context.Context, policy *canon.Policy) (Meta, error) {
	meta, err := d.store.Meta(ctx)
	if err != nil || meta.PolicyID != "" {
		return meta, err
	}
	if policy == nil {
		if policy, err = canon.Builtin("clara"); err != nil {
			return meta, err
		}
	}
	d.known = &rules{gen: -1, policy: policy}
	if d.store.ReadOnly() {
		return meta, nil
	}
	_, err = d.store.Commit(ctx, Change{
		Reviewer: d.reviewer, Action: ActPolicy, Summary: "policy " + policy.ID(),
		Policy: policy, Gen: meta.Gen, LastID: meta.LastID,
	})
	if err != nil && !errors.Is(err, ErrStale) { // stale: another desk was first
		return meta, err
	}
	return d.store.Meta(ctx)
}

func otherPolicy(p *canon.Policy, meta Meta) error {
	given, stored := p.ID(), meta.PolicyID
	if given == stored {
		given += " (" + p.Digest()[:12] + ")"
		stored += " (" + meta.PolicyDigest[:12] + ")"
	}
	return fmt.Errorf("the stored URLs were canonicalized under policy %s, not %s: %w", stored, given, ErrPolicy)
}

// rules returns the store's current rules. It parses policy and overrides again only if their generation has changed,
// which any process may do at any time.
func (d *Desk) rules(ctx context.Context) (*rules, error) {
	for {
		before, err := d.store.Meta(ctx)
		if err != nil {
			return nil, err
		}
		if r := d.cached(before); r != nil {
			return r, nil
		}
		r, err := d.read(ctx, before)
		if err != nil {
			return nil, err
		}
		after, err := d.store.Meta(ctx)
		if err != nil {
			return nil, err
		}
		if after.RulesGen == before.RulesGen && after.HostsGen == before.HostsGen {
			d.keep(r) // else the overrides may be newer than the policy
			return r, nil
		}
	}
}

func (d *Desk) cached(m Meta) *rules {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known == nil || d.known.gen < max(m.RulesGen, m.HostsGen) {
		return nil
	}
	r := *d.known
	r.gen, r.lastID = m.Gen, m.LastID
	return &r
}

func (d *Desk) keep(r *rules) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known = r
}

func (d *Desk) read(ctx context.Context, m Meta) (*rules, error) {
	policy, err := d.policyOf(m)
	if err != nil {
		return nil, fmt.Errorf("reading the stored policy: %w", err)
	}
	stored, err := d.store.Overrides(ctx)
	if err != nil {
		return nil, err
	}
	compiled, err := canon.CompileOverrides(plain(stored))
	if err != nil {
		return nil, fmt.Errorf("reading the stored overrides: %w", err)
	}
	hosts, err := d.store.Hosts(ctx)
	return &rules{gen: m.Gen, lastID: m.LastID, policy: policy, stored: stored, overrides: compiled, hosts: hosts}, err
}

// policyOf returns the policy that the store names, or the known one if the store has none yet.
func (d *Desk) policyOf(m Meta) (*canon.Policy, error) {
	d.mu.Lock()
	known := d.known
	d.mu.Unlock()
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

func plain(stored []StoredOverride) []canon.Override {
	list := make([]canon.Override, len(stored))
	for i, o := range stored {
		list[i] = o.Override
	}
	return list
}

// Policy returns the policy that the desk last read from the store.
func (d *Desk) Policy() *canon.Policy {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.known.policy
}

// Reviewer returns the name of the reviewer who uses the desk.
func (d *Desk) Reviewer() string { return d.reviewer }

// ReadOnly reports whether every write fails with ErrReadOnly.
func (d *Desk) ReadOnly() bool { return d.store.ReadOnly() }

// Meta returns the store's policy and generations, and makes that policy the one that Policy returns.
func (d *Desk) Meta(ctx context.Context) (Meta, error) {
	if _, err := d.rules(ctx); err != nil {
		return Meta{}, err
	}
	return d.store.Meta(ctx)
}

// Version returns a number that changes with every write of any process.
func (d *Desk) Version(ctx context.Context) (int64, error) { return d.store.Version(ctx) }

// Page returns up to n items of the query from the cursor on, in display order.
func (d *Desk) Page(ctx context.Context, q Query, from *Cursor, n int) ([]Item, error) {
	return d.store.Page(ctx, q, from, n)
}

// Each calls fn for each item of the filter, by ID, from one snapshot.
func (d *Desk) Each(ctx context.Context, f Filter, fn func(Item) error) error {
	return d.store.Each(ctx, f, fn)
}

// Count returns the number of items of the filter.
func (d *Desk) Count(ctx context.Context, f Filter) (int, error) { return d.store.Count(ctx, f) }

// Facets counts the items of the filter by flag, status, host, file and field.
func (d *Desk) Facets(ctx context.Context, f Filter) (Facets, error) { return d.store.Facets(ctx, f) }

// Facet counts the items of the filter by a dimension that Facets leaves out, in a pass over all of them.
func (d *Desk) Facet(ctx context.Context, f Filter, by Dimension) ([]Bucket, error) {
	return d.store.Facet(ctx, f, by)
}

// Overrides returns the overrides in force, in the order in which they were made.
func (d *Desk) Overrides(ctx context.Context) ([]StoredOverride, error) {
	return d.store.Overrides(ctx)
}

// Log returns at most n entries of the log before the one with the number, newest first; before 0: the newest.
func (d *Desk) Log(ctx context.Context, before int64, n int) ([]EntryInfo, error) {
	return d.store.Log(ctx, before, n)
}

// Entry returns the entry of the log with the number. Error: ErrNotFound.
func (d *Desk) Entry(ctx context.Context, seq int64) (Entry, error) {
	e, err := d.store.Entry(ctx, seq)
	if err != nil {
		err = fmt.Errorf("log entry %d: %w", seq, err)
	}
	return e, err
}

// EachEntry calls fn for each entry of the log, oldest first.
func (d *Desk) EachEntry(ctx context.Context, fn func(Entry) error) error {
	return d.store.EachEntry(ctx, fn)
}

// Maintain finishes work that makes later reads faster and that an interrupted import or probe may have left, while
// others may write. Add ends with it, and the console runs it in the background.
func (d *Desk) Maintain(ctx context.Context) error {
	if d.store.ReadOnly() {
		return nil
	}
	return errors.Join(d.Propagate(ctx), d.store.Maintain(ctx))
}
