package postgres

import (
	"context"
	"slices"

	"visto/canon"
	"visto/review"
	"visto/store/rows"
)

// writeOverrides writes the overrides of the change.
func (w *writer) writeOverrides() error {
	return rows.WriteRules(w, w.change, w.receipt.Batch, func(before, after any, host string) error {
		return w.Insert("INTO batch_rule (batch_id, before, after, host)", w.receipt.Batch, before, after, host)
	})
}

func (w *writer) checkConfirmed() error { return rows.CheckConfirmed(w, w.change, w.reverted) }

// RuleHistory returns the last n changes of overrides for one of the hosts, oldest first.
func (s *Store) RuleHistory(ctx context.Context, hosts []string, n int) ([]review.PastRule, error) {
	const query = "SELECT " + rows.PastColumns + ` FROM batch_rule r
		JOIN batch b ON b.id = r.batch_id WHERE b.action <> 'propose' AND r.host = ANY(?) ORDER BY r.id DESC LIMIT ?`
	rules, err := listOf(ctx, s.read, "reading the history of the overrides", query, []any{hosts, n}, rows.ScanPast)
	slices.Reverse(rules)
	return rules, err
}

// checkRulesGen fails with ErrStale if the rules changed after a generation.
func (t *tx) checkRulesGen(gen int64) error {
	if t.head.RulesGen > gen {
		return review.ErrStale
	}
	return nil
}

// computeAgain writes the result of an item under the rules of the transaction.
func (in *interner) computeAgain(item int64) error {
	return in.eachToCompute([]int64{item}, func(it review.Item, ev *canon.Evidence) error {
		states, err := in.statesOf([]int64{item})
		if err != nil {
			return err
		}
		return in.recompute([]review.Recomputed{{ID: item, Computed: in.Compute(it, ev)}}, states)
	})
}

// eachToCompute calls fn for items, by ID, with the evidence that results are computed from.
func (in *interner) eachToCompute(ids []int64, fn func(review.Item, *canon.Evidence) error) (err error) {
	if in.AllHosts == nil {
		if in.AllHosts, err = readHosts(in.ctx, in, allHosts); err != nil {
			return err
		}
	}
	r := newEvidenceRow(in.ctx, in)
	return each(in.ctx, in, "SELECT "+itemColumns+", e.body"+fromItems+evidenceJoin+" WHERE i.id = ANY(?) "+
		"ORDER BY i.id",
		[]any{ids}, func(scan scanner) error {
			it, ev, err := r.ReadWithEvidence(scan)
			if err != nil {
				return err
			}
			return fn(it, rows.WithHosts(ev, in.AllHosts))
		})
}

// recompute stores new results of the rules. Statuses follow from the decisions in force.
func (in *interner) recompute(list []review.Recomputed, states map[int64]*itemState) error {
	results := make([]newResult, len(list))
	for i, r := range list {
		s := states[r.ID]
		if s == nil {
			return rows.NoItem(r.ID)
		}
		results[i] = newResult{inForce{s, s.Decision()}, r.Computed, r.Title}
	}
	keys, err := in.writeResults(results, 1)
	for _, r := range results {
		in.deltas.Move(r.CountKey, keys[r.id])
	}
	return err
}
