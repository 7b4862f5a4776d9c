package review

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"visto/canon"
	"visto/review/health"
)

// Reader is the part of a Store that a Desk offers unchanged; see Store and the interfaces that it holds.
type Reader interface {
	CountStore
	LogStore
	SuggestionStore

	Page(ctx context.Context, q Query, from *Cursor, n int) ([]Item, error)
	Each(ctx context.Context, f Filter, fn func(Item) error) error
	EachWithEvidence(ctx context.Context, f Filter, fn func(Item, *canon.Evidence) error) error
	EachAnswered(ctx context.Context, f Filter, fn func(Item, *canon.Evidence) error) error
	EachLink(ctx context.Context, f Filter, fn func(Item, *health.Record) error) error
	Proposals(ctx context.Context) ([]Batch, error)
	Hosts(ctx context.Context, after int64) (canon.Hosts, error)
	Version(ctx context.Context) (int64, error)
	ReadOnly() bool
}

// Desk is the only way to the stored URLs, for every command and for the console. It computes the consequences of a
// reviewer's decision or rule, and has the Store write them. It is safe for concurrent use. Each of its parts has the
// methods for one noun. Its own ones use several parts, or concern the log.
type Desk struct {
	Reader // the store
	*deskBase
	itemDesk     // finds, counts and exports
	queueDesk    // saves views, and shares items out
	decisionDesk // decides and notes
	ruleDesk     // changes the rules
	linkDesk     // has the checks of links, and the URLs to probe
}

// deskBase holds the store, its rules and the reviewer, which all parts of a Desk need.
type deskBase struct {
	ruleCache // with the store
	reviewer  string
}

// ErrPolicy is Open's error for a policy other than that of the stored results.
var ErrPolicy = errors.New("results of two policies do not mix")

// Open returns a desk on the store. If policy is nil the desk uses the store's policy, or canon.DefaultPolicy in a new
// store. Any other policy than that of the stored results is ErrPolicy; Recanon changes the policy. The reviewer's name
// must not be blank.
func Open(ctx context.Context, s Store, reviewer string, policy *canon.Policy) (*Desk, error) {
	d, err := newDesk(s, reviewer)
	if err != nil {
		return nil, err
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
	s.UseRules(d.computing)
	return d, nil
}

// As returns a desk for another reviewer on the same store. It knows the rules that d has read.
func (d *Desk) As(reviewer string) (*Desk, error) {
	other, err := newDesk(d.store, reviewer)
	if err == nil {
		other.known.Store(d.known.Load())
	}
	return other, err
}

func newDesk(s Store, reviewer string) (*Desk, error) {
	b := &deskBase{ruleCache: ruleCache{store: s}, reviewer: cleanName(reviewer)}
	if b.reviewer == "" {
		return nil, errors.New("opening the review: the reviewer has no name")
	}
	return &Desk{s, b, itemDesk{b}, queueDesk{b}, decisionDesk{b}, ruleDesk{b}, linkDesk{b}}, nil
}

func cleanName(name string) string { return strings.ToValidUTF8(strings.TrimSpace(name), "\uFFFD") }

// begin gives a new store its policy, as the first entry of its log, and returns the Meta after that.
func (d *Desk) begin(ctx context.Context, policy *canon.Policy) (Meta, error) {
	meta, err := d.store.Meta(ctx)
	if err != nil || meta.PolicyID != "" {
		return meta, err
	}
	if policy == nil {
		if policy, err = canon.Builtin(canon.DefaultPolicy); err != nil {
			return meta, err
		}
	}
	d.known.Store(&rules{gen: -1, policy: policy})
	if d.store.ReadOnly() || meta.LastSeq > 0 { // a store with a log had a policy: Check tells that it is gone
		return meta, nil
	}
	_, err = d.store.Commit(ctx, Recanon{Reviewer: d.reviewer, Summary: "policy " + policy.ID(), Policy: policy,
		Results: Results{Gen: meta.Gen, LastID: meta.LastID}})
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

// Reviewer returns the name of the reviewer who uses the desk.
func (d *Desk) Reviewer() string { return d.reviewer }

// Meta returns the store's policy and generations, and makes that policy the one that Policy returns.
func (d *Desk) Meta(ctx context.Context) (Meta, error) {
	if _, err := d.rules(ctx); err != nil {
		return Meta{}, err
	}
	return d.store.Meta(ctx)
}

// Maintain finishes work that makes later reads faster and that an interrupted import or probe may have left, while
// others may write. Add ends with it, and the console runs it in the background.
func (d *Desk) Maintain(ctx context.Context) error {
	if d.ReadOnly() {
		return nil
	}
	return errors.Join(d.finish(ctx), d.Propagate(ctx), d.store.Maintain(ctx))
}

// annotate puts a text before the error, unless it is nil.
func annotate(err *error, format string, args ...any) {
	if *err != nil {
		*err = fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), *err)
	}
}
