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

// Effect is what a change of the rules would do, or did.
type Effect struct {
	Total    int // URLs to look at; 0 while not known
	Scanned  int
	Changed  int // another canonical URL than before
	Settled  int // open before, not open after
	Reopened int // not open before, open after
	Merged   int // URLs that would share their comparison key with another one they did not share it with before
	Approved int // approved ones among Changed: they get changed-since-approval
	Refused  int // machine-rejected after but not before
	Decided  int // decided on: of a decision, not of a rule
	Cleared  map[canon.Code]int
	Raised   map[canon.Code]int
	Samples  []Sample // up to 50 that change, merged and approved ones first
	Groups   []Merge  // up to 20 of the merged
}

// Unchanged returns how many keep their canonical URL.
func (e Effect) Unchanged() int { return e.Scanned - e.Changed }

// Sample is one URL before and after.
type Sample struct {
	ID                        int64
	Before, After             string
	FlagsBefore, FlagsAfter   canon.CodeSet
	StatusBefore, StatusAfter Status
	Merges                    bool
}

// Merge is a set of items that would become one page.
type Merge struct {
	Canonical string
	IDs       []int64
}

const (
	maxSamples    = 50
	maxGroups     = 20
	maxTested     = 1000 // how many originals new rules are tested on before they are believed to reach a fixed point
	progressEvery = 50 * time.Millisecond
)

// plan is a change of the rules to be tried: the items it can reach, and what they would be computed under.
type plan struct {
	filter    Filter
	policy    *canon.Policy
	overrides *canon.Overrides
	list      []canon.Override // the same, to be tested; for a trial
	keep      bool             // keep what has to be written
}

// effectStore is the part of a Store that a trial reads.
type effectStore interface {
	Count(ctx context.Context, f Filter) (int, error)
	Each(ctx context.Context, f Filter, fn func(Item) error) error
	EachAnswered(ctx context.Context, f Filter, fn func(Item, *canon.Evidence) error) error
}

// trial runs a plan over the stored items and counts.
type trial struct {
	plan
	store      effectStore
	effect     Effect
	total      atomic.Int64 // how many items there are, when it is known; only where progress is shown
	recomputed []Recomputed
	tested     []string       // originals of the first items
	moved      map[Key][]move // items whose key changes, by the new one
	approved   []Sample
	others     []Sample
	progress   func(Effect)
	shown      time.Time
}

// move is an item that gets another comparison key.
type move struct {
	id   int64
	from Key
}

// try computes what the plan does to every item it reaches. progress may be nil. A *canon.LoopError says that the rules never come to
// rest.
func (d *Desk) try(ctx context.Context, p plan, progress func(Effect)) (*trial, error) {
	t := &trial{plan: p, store: d.store, progress: progress, moved: map[Key][]move{}}
	t.effect.Cleared, t.effect.Raised = map[canon.Code]int{}, map[canon.Code]int{}
	count := func() error { return nil }
	if progress != nil {
		count = t.startCounting(ctx)
	}
	err := stream(ctx, d.store.EachAnswered, p.filter, p.worker, t.tally)
	if err == nil && len(t.tested) < maxTested {
		err = t.test()
	}
	if err = errors.Join(err, count()); err == nil {
		t.total.Store(int64(t.effect.Scanned)) // more may have come since they were counted
		t.show()
		err = t.merge(ctx)
	}
	var loop *canon.LoopError
	switch {
	case errors.As(err, &loop):
		return nil, loop
	case err != nil:
		return nil, fmt.Errorf("computing the effect: %w", err)
	}
	return t, nil
}

// test tests the rules on what they would be used for, and on made-up URLs.
func (t *trial) test() error { return canon.CheckFixedPoint(t.policy, t.list, t.tested) }

// startCounting finds the total while the items are gone through, for that takes a part of the time. The function returned ends it.
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
		cancel() // who still counts comes too late
		err := <-done
		if errors.Is(err, context.Canceled) {
			return nil
		}
		return err
	}
}

func (p plan) worker() worker[Computed] {
	c := canon.New(p.policy, p.overrides)
	return func(it *Item, ev *canon.Evidence) Computed {
		return compute(c, it.Original, ev)
	}
}

func (t *trial) tally(it *Item, after Computed) error {
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

// change counts an item for which the machine has another answer than before.
func (t *trial) change(it *Item, after Computed) {
	if t.keep {
		t.recomputed = append(t.recomputed, Recomputed{ID: it.ID, Computed: after})
	}
	if after.Key != it.Computed.Key && after.Key != (Key{}) {
		t.moved[after.Key] = append(t.moved[after.Key], move{it.ID, it.Computed.Key})
	}
	s := sampleOf(it, after)
	t.effect.add(s, it.Computed.Verdict, after.Verdict)
	switch {
	case s.reapprove() && len(t.approved) < maxSamples:
		t.approved = append(t.approved, s)
	case len(t.others) < maxSamples:
		t.others = append(t.others, s)
	}
}

// late counts, and returns for writing, what was added after the trial. What was there and has been counted, and of which
// something became known since, is written as it is now.
func (t *trial) late(lastID int64) func(Item, *canon.Evidence) *Recomputed {
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
	s.StatusBefore, s.FlagsBefore = ResolveStatus(it.Computed, it.Decision)
	s.StatusAfter, s.FlagsAfter = ResolveStatus(after, it.Decision)
	return s
}

// reapprove reports whether the item is approved and would wait for another look.
func (s *Sample) reapprove() bool {
	return s.Before != s.After && s.StatusBefore == Approved && s.FlagsAfter.Has(canon.ChangedSinceApproval)
}

func (e *Effect) add(s Sample, before, after canon.Verdict) {
	openBefore, openAfter := open(s.StatusBefore, s.FlagsBefore), open(s.StatusAfter, s.FlagsAfter)
	for _, c := range []struct {
		holds bool
		n     *int
	}{
		{s.Before != s.After, &e.Changed},
		{openBefore && !openAfter, &e.Settled},
		{!openBefore && openAfter, &e.Reopened},
		{s.reapprove(), &e.Approved},
		{before != canon.Rejected && after == canon.Rejected, &e.Refused},
	} {
		if c.holds {
			*c.n++
		}
	}
	for _, c := range (s.FlagsBefore &^ s.FlagsAfter).Codes() {
		e.Cleared[c]++
	}
	for _, c := range (s.FlagsAfter &^ s.FlagsBefore).Codes() {
		e.Raised[c]++
	}
}

// snapshot is the effect so far, for one who reads it while counting goes on.
func (e *Effect) snapshot() Effect {
	s := *e
	s.Cleared, s.Raised = maps.Clone(e.Cleared), maps.Clone(e.Raised)
	return s
}

// merge finds the items that would share a key with one they did not share it with before: in a group with the same
// key afterwards, all of them, if they had more than one key before.
func (t *trial) merge(ctx context.Context) error {
	moving := make(map[int64]bool)
	for _, list := range t.moved {
		for _, m := range list {
			moving[m.id] = true
		}
	}
	keys := slices.SortedFunc(maps.Keys(t.moved), compareKeys)
	for part := range slices.Chunk(keys, chunk) {
		err := t.store.Each(ctx, Filter{Keys: part}, func(it Item) error {
			if k := it.Computed.Key; !moving[it.ID] { // it has the key and keeps it
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

func compareKeys(a, b Key) int { return slices.Compare(a[:], b[:]) }

// groups counts the merged, and returns their groups in the order of their first items.
func (t *trial) groups(keys []Key) []Merge {
	var groups []Merge
	for _, k := range keys {
		if members := t.moved[k]; merges(members) {
			g := Merge{IDs: make([]int64, len(members))}
			for i, m := range members {
				g.IDs[i] = m.id
			}
			slices.Sort(g.IDs)
			t.effect.Merged += len(members)
			groups = append(groups, g)
		}
	}
	slices.SortFunc(groups, func(a, b Merge) int { return int(a.IDs[0] - b.IDs[0]) })
	return groups
}

// merges reports whether the members had more than one key before. Items that had none, being rejected, were alone.
func merges(members []move) bool {
	for _, m := range members[1:] {
		if m.from != members[0].from || m.from == (Key{}) {
			return true
		}
	}
	return false
}

// pick chooses the groups and samples to show.
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

// sampleMerged computes the first merged items once more, and names the groups to show by what it finds.
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
	err := stream(ctx, t.store.EachAnswered, Filter{IDs: ids}, t.worker, func(it *Item, after Computed) error {
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
