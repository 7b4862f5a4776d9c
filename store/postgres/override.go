package postgres

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"visto/canon"
	"visto/review"
	"visto/store/rows"
)

// writeOverrides applies the changes in their order. A change that does not start from the override in force is
// stale. Proposed ones are kept as changes of the batch alone.
func (w *writer) writeOverrides() error {
	if err := forEach(w.change.Proposed, w.writeRule); err != nil {
		return err
	}
	return forEach(w.change.Overrides, func(c review.OverrideChange) error {
		if err := w.writeOverride(c); err != nil || revertedBatch(w.change) > 0 {
			return err // a reverted batch already has its changes
		}
		return w.writeRule(c)
	})
}

// writeRule adds a change of an override to the batch.
func (w *writer) writeRule(c review.OverrideChange) error {
	before, after, err := ruleTexts(c)
	if err != nil {
		return err
	}
	m := cmp.Or(c.After, c.Before).Match
	return w.insert("INTO batch_rule (batch_id, host, before, after)", w.batch, m.Host, before, after)
}

// checkConfirmed refuses to confirm a proposal that is undone, and to undo one that a batch in force confirms.
func (w *writer) checkConfirmed() error {
	c, confirms := w.change, w.change.Confirms
	if c.Redo != 0 {
		confirms = w.reverted.Confirms
	}
	var one int
	switch {
	case confirms != 0:
		undone, err := w.find("SELECT 1 FROM batch WHERE id = ? AND undone_seq > 0", []any{confirms}, &one)
		if undone {
			err = fmt.Errorf("batch %d, which proposed it, is undone: %w", confirms, review.ErrStale)
		}
		return err
	case c.Undo == 0:
		return nil
	}
	var by review.Batch
	found, err := w.find("SELECT id, reviewer FROM batch WHERE confirms = ? AND confirms > 0 AND undone_seq = 0",
		[]any{c.Undo}, &by.ID, &by.Reviewer)
	if found {
		err = fmt.Errorf("batch %d by %s confirmed batch %d: take that back first", by.ID, by.Reviewer, c.Undo)
	}
	return err
}

// Proposals returns the proposed overrides that wait for another person.
func (s *Store) Proposals(ctx context.Context) ([]review.Batch, error) {
	const query = `SELECT id FROM batch b WHERE action = 'propose' AND undone_seq = 0 AND NOT EXISTS (SELECT 1
		FROM batch c WHERE c.confirms = b.id AND c.confirms > 0 AND c.undone_seq = 0) ORDER BY id`
	ids, err := listOf(ctx, s.read, "reading proposed overrides", query, nil,
		func(id *int64, scan scanner) error { return scan(id) })
	var list []review.Batch
	for _, id := range ids {
		b, errOne := s.Batch(ctx, id)
		list, err = append(list, b), cmp.Or(err, errOne)
	}
	return list, err
}

// ruleTexts returns both sides of a change as JSON, nil where there is none. Equal overrides have equal texts.
func ruleTexts(c review.OverrideChange) (before, after []byte, err error) {
	if before, err = ruleText(c.Before); err == nil {
		after, err = ruleText(c.After)
	}
	return before, after, err
}

func ruleText(o *canon.Override) ([]byte, error) {
	if o == nil {
		return nil, nil
	}
	return json.Marshal(o)
}

func (w *writer) writeOverride(c review.OverrideChange) error {
	before, after, err := ruleTexts(c)
	if err != nil {
		return err
	}
	if c.Before != nil {
		if err := w.checkOverride(c.Before.Match, before); err != nil {
			return err
		}
	}
	if c.After == nil {
		m := c.Before.Match
		return w.exec("DELETE FROM override WHERE "+ofMatch, m.Host, m.PathPrefix, m.Field)
	}
	m := c.After.Match
	if c.Before == nil || c.Before.Match != m {
		if err := w.checkOverride(m, nil); err != nil {
			return err
		}
	}
	by, err := w.author(after)
	if err != nil {
		return err
	}
	if c.Before == nil {
		return w.insert("INTO override (host, path, field, rule, reviewer, at, batch_id)", m.Host, m.PathPrefix,
			m.Field, after, by.reviewer, by.at, by.batch)
	}
	was := c.Before.Match
	return w.exec("UPDATE override SET host = ?, path = ?, field = ?, rule = ?, reviewer = ?, at = ?, batch_id = ? "+
		"WHERE "+ofMatch, m.Host, m.PathPrefix, m.Field, after, by.reviewer, by.at, by.batch, was.Host,
		was.PathPrefix, was.Field)
}

// ofMatch selects the override with a match.
const ofMatch = "(sha256(host), sha256(path), sha256(field)) = (sha256(?), sha256(?), sha256(?))"

// author names the reviewer, time and batch of an override.
type author struct {
	reviewer  string
	at, batch int64
}

// author returns the author of the rule: for one that an undo brings back, the original author.
func (w *writer) author(rule []byte) (author, error) {
	by := author{w.change.Reviewer, w.at.UnixMilli(), w.batch}
	if w.change.Undo == 0 {
		return by, nil
	}
	_, err := w.find(`SELECT b.reviewer, b.at, b.id FROM batch_rule r JOIN batch b ON b.id = r.batch_id
		WHERE r.after = ? AND b.id <> ? AND b.undone_seq = 0 AND b.action <> 'propose' ORDER BY b.seq DESC LIMIT 1`,
		[]any{rule, w.batch}, &by.reviewer, &by.at, &by.batch)
	return by, err
}

// checkOverride fails with ErrStale if the override in force for the match is not the expected one. It compares the
// texts as this program writes them, whatever program wrote the stored one.
func (w *writer) checkOverride(m canon.Match, want []byte) error {
	var stored []byte
	found, err := w.find("SELECT rule FROM override WHERE "+ofMatch, []any{m.Host, m.PathPrefix, m.Field}, &stored)
	if found {
		var o *canon.Override
		if o, err = readRule(stored); err == nil {
			stored, err = ruleText(o)
		}
	}
	if err == nil && !bytes.Equal(stored, want) {
		err = fmt.Errorf("the override for %s: %w", m, review.ErrStale)
	}
	return err
}

func readRule(text []byte) (*canon.Override, error) {
	var o canon.Override
	if err := json.Unmarshal(text, &o); err != nil {
		return nil, fmt.Errorf("reading the override %s: %w", text, err)
	}
	return &o, nil
}

// RuleHistory returns the last n changes of overrides for one of the hosts, oldest first.
func (s *Store) RuleHistory(ctx context.Context, hosts []string, n int) ([]review.PastRule, error) {
	const query = `SELECT r.before, r.after, b.reviewer, b.at, b.id, b.undone_seq > 0 FROM batch_rule r
		JOIN batch b ON b.id = r.batch_id WHERE b.action <> 'propose' AND r.host = ANY(?) ORDER BY r.id DESC LIMIT ?`
	rules, err := listOf(ctx, s.read, "reading the history of the overrides", query, []any{hosts, n},
		func(p *review.PastRule, scan scanner) error {
			return scanChange(&p.OverrideChange, scan, &p.Reviewer, rows.Stamp(&p.At), &p.Batch, &p.Undone)
		})
	slices.Reverse(rules)
	return rules, err
}

// Overrides returns the overrides in the order in which they were made.
func (s *Store) Overrides(ctx context.Context) ([]review.StoredOverride, error) {
	const query = "SELECT id, rule, reviewer, at, batch_id FROM override ORDER BY id"
	return listOf(ctx, s.read, "reading overrides", query, nil, func(o *review.StoredOverride, scan scanner) error {
		var rule []byte
		if err := scan(&o.ID, &rule, &o.Reviewer, rows.Stamp(&o.At), &o.Batch); err != nil {
			return err
		}
		read, err := readRule(rule)
		if err == nil {
			o.Override = *read
		}
		return err
	})
}

// readRules returns the changes that a batch made to the overrides.
func readRules(ctx context.Context, q queryer, batch int64) ([]review.OverrideChange, error) {
	return collect(ctx, q, "SELECT before, after FROM batch_rule WHERE batch_id = ? ORDER BY id", []any{batch},
		func(c *review.OverrideChange, scan scanner) error { return scanChange(c, scan) })
}

// scanChange reads a row that begins with both sides of a change.
func scanChange(c *review.OverrideChange, scan scanner, rest ...any) error {
	var before, after []byte
	err := scan(append([]any{&before, &after}, rest...)...)
	if before != nil && err == nil {
		c.Before, err = readRule(before)
	}
	if after != nil && err == nil {
		c.After, err = readRule(after)
	}
	return err
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
		return in.recompute([]review.Recomputed{{ID: item, Computed: in.compute(it, ev)}}, states)
	})
}

// eachToCompute calls fn for items, by ID, with the evidence that results are computed from.
func (in *interner) eachToCompute(ids []int64, fn func(review.Item, *canon.Evidence) error) (err error) {
	if in.allHosts == nil {
		if in.allHosts, err = readHosts(in.ctx, in, allHosts); err != nil {
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
			return fn(it, rows.WithHosts(ev, in.allHosts))
		})
}

// recompute stores new results of the rules. Statuses follow from the decisions in force.
func (in *interner) recompute(list []review.Recomputed, states map[int64]*itemState) error {
	results := make([]newResult, len(list))
	for i, r := range list {
		s := states[r.ID]
		if s == nil {
			return noItem(r.ID)
		}
		results[i] = newResult{inForce{s, s.decision()}, r.Computed, r.Title}
	}
	keys, err := in.writeResults(results, 1)
	for _, r := range results {
		in.deltas.Move(r.CountKey, keys[r.id])
	}
	return err
}
