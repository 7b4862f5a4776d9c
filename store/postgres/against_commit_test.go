package postgres_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"visto/canon"
	"visto/canon/suite"
	"visto/review"
	"visto/review/probe"
	"visto/store/postgres"
)

// Whatever is decided, noted, ruled, forgotten, undone and redone, on whichever items, both stores have the same
// receipts, errors, rows and log. In every second run all changes that can be large are written as such.
func TestCommitAsSQLite(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	for seed := range uint64(suite.Rounds(3, 8)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			c := committer{T: t, random: rand.New(rand.NewPCG(seed, 1))}
			now := clock()
			c.now = now()
			tell := func() time.Time { return c.now }
			c.stores = twinsAt(t, tell, tell)
			if seed%2 > 0 {
				postgres.SetLarge(c.stores[0].(*postgres.Store), 1)
			}
			c.add()
			for range 60 {
				c.now = now()
				c.step()
			}
			c.compare()
		})
	}
}

// committer writes the same random changes to both stores.
type committer struct {
	*testing.T
	stores  [2]review.Store
	random  *rand.Rand
	now     time.Time // of a step
	items   []review.Item
	batches int64
	files   []string
}

func (c *committer) add() {
	file := fmt.Sprintf("f%d.yaml", c.random.IntN(3))
	list := citations(c.random, file)
	for i := range list { // some cite the canonical URLs of others
		if c.random.IntN(3) == 0 {
			list[i].Original = list[c.random.IntN(len(list))].Computed.Canonical
		}
	}
	for part := range slices.Chunk(list, 16) { // SQLite adds so few in one transaction
		for _, s := range c.stores {
			m, err := s.Meta(c.Context())
			must(c.T, err)
			in := &review.Intake{Reviewer: "ana", Computing: computingByField(m)}
			_, err = s.Add(c.Context(), in, part)
			must(c.T, err)
		}
	}
	c.files = append(c.files, file)
}

// computeByField is a rule that depends on the fields and the corrections of an item.
func computeByField(it review.Item, _ *canon.Evidence) review.Computed {
	out := it.Computed
	out.Canonical = it.Original + "#" + fmt.Sprint(it.Fields)
	if d := it.Decision; d != nil && d.Kind.Corrects() {
		out.Canonical, out.Flags = d.Canonical, canon.SetOf(canon.HomePage)
	}
	out.Host, out.Via = "h1.es", nil
	return out
}

func computingByField(m review.Meta) review.Computing {
	return review.Computing{Gen: m.Gen, Compute: computeByField, OnFields: true}
}

func (c *committer) anyItem() review.Item { return c.items[c.random.IntN(len(c.items))] }

func (c *committer) step() {
	m, err := c.stores[1].Meta(c.Context())
	must(c.T, err)
	c.items = nil
	must(c.T, c.stores[1].EachCited(c.Context(), review.Filter{Presence: review.AnyPresence},
		func(it review.Item, _ *canon.Evidence) error {
			c.items = append(c.items, it)
			return nil
		}))
	reviewer, summary := []string{"ana", "Ñu\xff"}[c.random.IntN(2)], "x\x00"
	switch n := c.random.IntN(20); {
	case n == 0:
		c.add()
	case n < 9:
		c.write(review.Decide{Reviewer: reviewer, Summary: summary, Action: review.ActApprove, Decisions: c.decisions(),
			Computing: computingByField(m)})
	case n == 9:
		id := c.anyItem().ID
		c.write(review.AddNotes{Reviewer: reviewer, Summary: summary,
			Notes: []review.ItemNote{{ID: id, Text: "a\x00\xff"}, {ID: id, Text: "N"}}})
	case n == 10:
		c.write(review.Forget{Reviewer: reviewer, Summary: summary, File: c.files[c.random.IntN(len(c.files))],
			Computing: computingByField(m)})
	case n == 11:
		ev := canon.Evidence{PreferredHost: fmt.Sprintf("in%d.es", c.random.IntN(3)), Status: 200}
		c.write(review.AddEvidence{Reviewer: reviewer, Summary: summary,
			Evidence: []review.ItemEvidence{{ID: c.anyItem().ID, Evidence: &ev}}})
	case n < 15:
		c.rule(reviewer, summary, m)
	default:
		change := review.Revert{Reviewer: reviewer, Summary: summary, Batch: int64(c.random.IntN(int(c.batches) + 2)),
			Redo: c.random.IntN(3) == 0, Results: resultsOn(m), Computing: computingByField(m)}
		c.invert(&change)
		c.write(change)
	}
}

func resultsOn(m review.Meta) review.Results {
	return review.Results{Gen: m.Gen, LastID: m.LastID, Seq: m.LastSeq}
}

// decisions are decisions on some items, some for a record alone, some seen long ago.
func (c *committer) decisions() (list []review.ItemDecision) {
	seen := map[int64]bool{}
	for range 1 + c.random.IntN(5) {
		it := c.anyItem()
		if seen[it.ID] {
			continue
		}
		seen[it.ID] = true
		d := review.Decision{Kind: review.Approve + review.Kind(c.random.IntN(6)), From: it.Computed.Canonical,
			Note: []string{"", "why\x00"}[c.random.IntN(2)], Canonical: it.Computed.Canonical}
		if c.random.IntN(2) == 0 {
			d.Canonical = c.anyItem().Original
		}
		if c.random.IntN(3) == 0 && len(it.Occurrences) > 0 {
			d.Record = it.Occurrences[c.random.IntN(len(it.Occurrences))].Citer
		}
		if !d.Kind.Approves() {
			d.Canonical = ""
		}
		if d.Kind == review.Approve && c.random.IntN(3) == 0 {
			if d.SecondLook = true; it.Decision != nil && it.Decision.Waits() {
				d.Confirms = it.Decision.Batch
			}
		}
		one := review.ItemDecision{ID: it.ID, Rev: it.Rev, Decision: d}
		if c.random.IntN(8) == 0 {
			one.Rev--
		}
		list = append(list, one)
	}
	return list
}

// rule adds, replaces, removes or proposes an override with new results, some of them late.
func (c *committer) rule(reviewer, summary string, m review.Meta) {
	stored, err := review.Overrides(c.Context(), c.stores[1])
	must(c.T, err)
	host := fmt.Sprintf("h%d.es", c.random.IntN(4))
	rule := review.OverrideChange{After: &canon.Override{Match: canon.Match{Host: host},
		Note: fmt.Sprint("\x00", c.batches)}}
	for _, o := range stored {
		if o.Override.Match.Host == host {
			rule.Before = &o.Override
		}
	}
	if rule.Before != nil && c.random.IntN(3) == 0 {
		rule.After = nil
	}
	if c.random.IntN(5) == 0 {
		c.write(review.ProposeRules{Reviewer: reviewer, Summary: summary, Overrides: []review.OverrideChange{rule}})
		return
	}
	change := review.ChangeRules{Reviewer: reviewer, Summary: summary, Overrides: []review.OverrideChange{rule},
		Results: resultsOn(m)}
	for _, it := range c.items {
		if it.ID%4 == int64(c.random.IntN(4)) {
			it.Computed.Canonical += "/r"
			change.Recomputed = append(change.Recomputed, review.Recomputed{ID: it.ID, Computed: it.Computed,
				Title: []string{"", "new"}[c.random.IntN(2)]})
		}
	}
	if c.random.IntN(3) == 0 {
		change.Gen, change.LastID, change.Seq = change.Gen-1, change.LastID-1, change.Seq-1
		change.Late = func(it review.Item, ev *canon.Evidence) *review.Recomputed {
			it.Computed.Canonical += "/late"
			return &review.Recomputed{ID: it.ID, Computed: it.Computed}
		}
	}
	if proposed, err := c.stores[1].Proposals(c.Context()); err == nil && len(proposed) > 0 {
		change.Confirms = proposed[0].ID
	}
	c.write(change)
}

// invert adds the changes of overrides that an undo or a redo takes.
func (c *committer) invert(change *review.Revert) {
	b, err := c.stores[1].Batch(c.Context(), change.Batch)
	if err != nil || b.Action == review.ActPropose {
		return
	}
	for _, r := range b.Rules {
		if !change.Redo {
			r.Before, r.After = r.After, r.Before
		}
		change.Overrides = append(change.Overrides, r)
	}
}

// write writes the change to both stores and compares the results.
func (c *committer) write(change review.Change) {
	var receipts [2]review.Receipt
	var texts [2]string
	for i, s := range c.stores {
		r, err := s.Commit(c.Context(), change)
		if receipts[i] = r; err != nil {
			texts[i] = err.Error()
		}
	}
	same(c.T, fmt.Sprintf("error of %+v", change), texts)
	same(c.T, fmt.Sprintf("receipt of %+v", change), receipts)
	c.batches = max(c.batches, receipts[0].Batch)
}

func (c *committer) compare() {
	compare(c.T, c.stores)
	countsAgree(c.T, c.stores[0])
	c.same("overrides", func(s review.Store) (any, error) { return review.Overrides(c.Context(), s) })
	c.same("proposals", func(s review.Store) (any, error) { return s.Proposals(c.Context()) })
	c.same("rules", func(s review.Store) (any, error) {
		return s.RuleHistory(c.Context(), []string{"h1.es", "h2.es"}, 5)
	})
	for id := range c.batches {
		c.same("batch", func(s review.Store) (any, error) { return s.Batch(c.Context(), id+1) })
	}
	for _, it := range c.items {
		c.same("history", func(s review.Store) (any, error) { return s.History(c.Context(), it.ID) })
		c.same("notes", func(s review.Store) (any, error) { return s.Notes(c.Context(), it.ID) })
		c.same("evidence", func(s review.Store) (any, error) { return s.Earlier(c.Context(), probe.Target{ID: it.ID}) })
	}
	for _, undone := range []bool{false, true} {
		c.same("last batch", func(s review.Store) (any, error) {
			b, err := s.LastBatch(c.Context(), "Ñu\xff", undone)
			return []any{b, fmt.Sprint(err)}, nil
		})
	}
	for i, s := range c.stores {
		problems, err := s.Check(c.Context())
		must(c.T, err)
		if len(problems) > 0 {
			c.Errorf("check of store %d: %v", i, problems)
		}
	}
}

func (c *committer) same(what string, read func(review.Store) (any, error)) {
	c.Helper()
	var got [2]any
	for i, s := range c.stores {
		v, err := read(s)
		must(c.T, err)
		got[i] = v
	}
	same(c.T, what, got)
}
