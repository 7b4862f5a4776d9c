package review

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"visto/canon"
)

// Effect counts the consequences of a change of the rules.
type Effect struct {
	Total    int // URLs to scan; 0: not yet known
	Scanned  int
	Changed  int // with another canonical URL than before
	Settled  int // open before, not open after
	Reopened int // not open before, open after
	Merged   int // share their comparison key after with a URL that had another key before
	Approved int // approved URLs that get changed-since-approval, or another status or URL by a decision
	Refused  int // rejected by the machine after, but not before
	Decided  int // decided on; for a decision only
	Waiting  int // of Decided, those that wait for a second person
	Again    int // not decided on: the reviewer approved them as the first of two, or two persons settled them
	Affected int // with another result, or decided on: the samples are some of these
	Partly   Partly
	Cleared  map[canon.Code]int
	Raised   map[canon.Code]int
	Samples  []Sample // up to 200 affected URLs, merged and approved ones first
	Groups   []Merge  // up to 20 groups of merged URLs
}

// Partly counts the URLs that stay open because only some of their unknown parameters are answered, and these
// parameters.
type Partly struct{ URLs, Answered, Asked int }

// add counts a URL with asked unknown parameters, of which left stay.
func (p *Partly) add(asked, left int) {
	if left > 0 && left < asked {
		p.URLs++
		p.Answered += asked - left
		p.Asked += asked
	}
}

// String describes the counts, such as "1 of 2 answered".
func (p Partly) String() string { return fmt.Sprintf("%d of %d answered", p.Answered, p.Asked) }

func newEffect() Effect { return Effect{Cleared: map[canon.Code]int{}, Raised: map[canon.Code]int{}} }

// Unchanged returns the number of scanned URLs that keep their canonical URL.
func (e Effect) Unchanged() int { return e.Scanned - e.Changed }

// Sample is one URL before and after.
type Sample struct {
	ID                        int64
	Before, After             string
	FlagsBefore, FlagsAfter   canon.CodeSet
	StatusBefore, StatusAfter Status
	Merges                    bool
	Partly                    Partly
}

// Merge is a group of items that would become one page.
type Merge struct {
	Canonical string
	IDs       []int64
}

const (
	maxSamples    = 200
	maxGroups     = 20
	maxTested     = 1000 // number of originals on which the fixed point of new rules is tested
	progressEvery = 50 * time.Millisecond
)

// plan is a change of the rules: the new rules, and the items in their reach.
type plan struct {
	*rules
	filter Filter
}

// effectStore is the part of a Store that a trial reads.
type effectStore interface {
	Count(ctx context.Context, f Filter) (int, error)
	Each(ctx context.Context, f Filter, fn func(Item) error) error
	EachAnswered(ctx context.Context, f Filter, fn func(Item, *canon.Evidence) error) error
}

// trial runs a plan over the stored items and counts its effect.
type trial struct {
	plan
	store      effectStore
	keep       bool // the new results, to write them
	effect     Effect
	total      atomic.Int64 // number of items; 0 until counted, and without progress
	recomputed []Recomputed
	tested     []string       // originals for the test of the fixed point
	moved      map[Key][]move // items whose key changes, by their new key
	approved   []Sample
	others     []Sample
	progress   func(Effect)
	shown      time.Time
}

// move is an item with a new comparison key, and its old key.
type move struct {
	id   int64
	from Key
}

// try computes the effect of the plan on every item in its reach. It keeps the new results if they are to be written.
// progress may be nil. Rules without a fixed point give a *canon.LoopError.
func (d ruleDesk) try(ctx context.Context, planOf planner, keep bool, progress func(Effect)) (*trial, error) {
	current, err := d.finishedRules(ctx)
	if err != nil {
		return nil, err
	}
	p, err := planOf(current)
	if err != nil {
		return nil, err
	}
	t := &trial{plan: p, store: d.store, keep: keep, progress: progress, effect: newEffect(), moved: map[Key][]move{}}
	err = t.run(ctx)
	if loop, ok := errors.AsType[*canon.LoopError](err); ok {
		return nil, loop
	}
	if err != nil {
		return nil, fmt.Errorf("computing the effect: %w", err)
	}
	return t, nil
}

func (t *trial) run(ctx context.Context) error {
	endCount := func() error { return nil }
	if t.progress != nil {
		endCount = t.startCounting(ctx)
	}
	err := stream(ctx, t.store.EachAnswered, t.filter, t.worker, t.add)
	if err == nil && len(t.tested) < maxTested {
		err = t.test()
	}
	if err = errors.Join(err, endCount()); err != nil {
		return err
	}
	t.total.Store(int64(t.effect.Scanned)) // others may have added items since they were counted
	t.show()
	return t.merge(ctx)
}

// test checks that the rules reach a fixed point, on stored originals and on made-up URLs.
func (t *trial) test() error {
	list := mapped(t.list, func(p packedRule) canon.Override { return *p.override() })
	return canon.CheckFixedPoint(t.policy, list, t.tested)
}

// startCounting counts the items concurrently with the scan, which takes longer. The returned function ends the count.
func (t *trial) startCounting(ctx context.Context) (end func() error) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() {
		n, err := t.store.Count(ctx, t.filter)
		if err == nil {
			t.total.Store(int64(n))
		}
		done <- err
	}()
	return func() error {
		cancel() // after the scan the count has no use
		if err := <-done; !errors.Is(err, context.Canceled) {
			return err
		}
		return nil
	}
}

func (t *trial) add(it *Item, after Computed) error {
	if len(t.tested) < maxTested {
		if t.tested = append(t.tested, it.Original); len(t.tested) == maxTested {
			if err := t.test(); err != nil {
				return err
			}
		}
	}
	t.count(it, after)
	if time.Since(t.shown) >= progressEvery {
		t.show()
	}
	return nil
}

func (t *trial) show() {
	t.effect.Total = int(t.total.Load())
	if t.shown = time.Now(); t.progress != nil && t.effect.Total > 0 {
		t.progress(t.effect.snapshot())
	}
}

func (t *trial) count(it *Item, after Computed) {
	t.effect.Scanned++
	if recomputed(it, after, "") != nil {
		t.change(it, after)
	}
}

// change counts an item with a new result.
func (t *trial) change(it *Item, after Computed) {
	if t.keep {
		t.recomputed = append(t.recomputed, Recomputed{ID: it.ID, Computed: after})
	}
	if after.Key != it.Computed.Key && after.Key != (Key{}) {
		t.moved[after.Key] = append(t.moved[after.Key], move{it.ID, it.Computed.Key})
	}
	s := sampleOf(it, after)
	t.effect.Affected++
	t.effect.add(s, it.Computed.Verdict, after.Verdict)
	switch {
	case s.reapprove() && len(t.approved) < maxSamples:
		t.approved = append(t.approved, s)
	case len(t.others) < maxSamples:
		t.others = append(t.others, s)
	}
}

// recomputeLate returns a function for Results.Late. It counts items that were added after the trial. The trial has
// counted older ones, so for these it only returns the new result.
func (t *trial) recomputeLate(lastID int64) func(Item, *canon.Evidence) *Recomputed {
	compute := t.worker()
	return func(it Item, ev *canon.Evidence) *Recomputed {
		after, n := compute(&it, ev), len(t.recomputed)
		if it.ID <= lastID {
			return recomputed(&it, after, "")
		}
		t.effect.Total++
		if t.count(&it, after); len(t.recomputed) == n {
			return nil
		}
		return &t.recomputed[n]
	}
}

func sampleOf(it *Item, after Computed) Sample {
	s := Sample{ID: it.ID, Before: it.Computed.Canonical, After: after.Canonical}
	s.StatusBefore, s.FlagsBefore = ResolveStatus(it.Computed, it.Link, it.Decision, it.ByRecord...)
	s.StatusAfter, s.FlagsAfter = ResolveStatus(after, it.Link, it.Decision, it.ByRecord...)
	if open(s.StatusAfter, s.FlagsAfter) {
		s.Partly.add(len(it.Computed.Unknown), len(after.Unknown))
	}
	return s
}

// reapprove reports whether the item is approved and would be open again.
func (s *Sample) reapprove() bool {
	outdated := canon.ChangedSinceApproval
	return s.StatusBefore == Approved && s.FlagsAfter.Has(outdated) &&
		(s.Before != s.After || !s.FlagsBefore.Has(outdated))
}

func (e *Effect) add(s Sample, before, after canon.Verdict) {
	openBefore, openAfter := open(s.StatusBefore, s.FlagsBefore), open(s.StatusAfter, s.FlagsAfter)
	e.Changed += count(s.Before != s.After)
	e.Settled += count(openBefore && !openAfter)
	e.Reopened += count(!openBefore && openAfter)
	e.Approved += count(s.reapprove())
	e.Partly.URLs += s.Partly.URLs
	e.Partly.Answered += s.Partly.Answered
	e.Partly.Asked += s.Partly.Asked
	e.Refused += count(before != canon.Rejected && after == canon.Rejected)
	for _, c := range (s.FlagsBefore &^ s.FlagsAfter).Codes() {
		e.Cleared[c]++
	}
	for _, c := range (s.FlagsAfter &^ s.FlagsBefore).Codes() {
		e.Raised[c]++
	}
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// snapshot returns a copy of the effect so far, to be read while counting continues.
func (e *Effect) snapshot() Effect {
	s := *e
	s.Cleared, s.Raised = maps.Clone(e.Cleared), maps.Clone(e.Raised)
	return s
}

// merge finds the items that newly share a key: all items with the same key after the change, if they had more than
// one key before.
func (t *trial) merge(ctx context.Context) error {
	moving := make(map[int64]bool)
	for _, list := range t.moved {
		for _, m := range list {
			moving[m.id] = true
		}
	}
	keys := slices.SortedFunc(maps.Keys(t.moved), func(a, b Key) int { return slices.Compare(a[:], b[:]) })
	for part := range slices.Chunk(keys, readChunk) {
		err := t.store.Each(ctx, Filter{Keys: part}, func(it Item) error {
			if k := it.Computed.Key; !moving[it.ID] { // it keeps its key
				t.moved[k] = append(t.moved[k], move{it.ID, k})
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return t.pick(ctx, t.groups(keys))
}

// groups counts the merged items and returns their groups in the order of their first items.
func (t *trial) groups(keys []Key) []Merge {
	var groups []Merge
	for _, k := range keys {
		if members := t.moved[k]; mergesKeys(members) {
			ids := mapped(members, func(m move) int64 { return m.id })
			slices.Sort(ids)
			t.effect.Merged += len(ids)
			groups = append(groups, Merge{IDs: ids})
		}
	}
	slices.SortFunc(groups, func(a, b Merge) int { return int(a.IDs[0] - b.IDs[0]) })
	return groups
}

// mergesKeys reports whether the members had more than one key before. A rejected item has no key and shares none.
func mergesKeys(members []move) bool {
	return slices.ContainsFunc(members[1:], func(m move) bool { return m.from != members[0].from || m.from == (Key{}) })
}

// pick selects the groups and samples to show.
func (t *trial) pick(ctx context.Context, groups []Merge) error {
	merged, err := t.sampleMerged(ctx, groups)
	if err != nil {
		return err
	}
	taken := map[int64]bool{}
	for _, list := range [][]Sample{merged, t.approved, t.others} {
		for _, s := range list {
			if !taken[s.ID] && len(t.effect.Samples) < maxSamples {
				taken[s.ID] = true
				t.effect.Samples = append(t.effect.Samples, s)
			}
		}
	}
	t.effect.Groups = groups[:min(len(groups), maxGroups)]
	return nil
}

// sampleMerged computes the first merged items again. It returns their samples and sets the URL of the groups.
func (t *trial) sampleMerged(ctx context.Context, groups []Merge) ([]Sample, error) {
	group := map[int64]int{}
	var ids []int64
	for i, g := range groups {
		for n, id := range g.IDs {
			group[id] = i
			if i < maxGroups && n == 0 || len(ids) < maxSamples {
				ids = append(ids, id)
			}
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	var samples []Sample
	f := Filter{IDs: ids, Presence: AnyPresence}
	err := stream(ctx, t.store.EachAnswered, f, t.worker, func(it *Item, after Computed) error {
		s := sampleOf(it, after)
		s.Merges = true
		if s.Before != s.After {
			samples = append(samples, s)
		}
		if g := &groups[group[it.ID]]; g.IDs[0] == it.ID {
			g.Canonical = after.Canonical
		}
		return nil
	})
	return samples, err
}
