package sqlite

import (
	"context"
	"maps"
	"slices"

	"visto/canon"
	"visto/review"
	"visto/store/rows"
)

// writeOverrides writes the overrides of the change.
func (w *writer) writeOverrides() error {
	return rows.WriteRules(w, w.change, w.receipt.Batch, func(before, after any, _ string) error {
		return w.Insert("INTO batch_rule (batch_id, before, after)", w.receipt.Batch, before, after)
	})
}

func (w *writer) checkConfirmed() error { return rows.CheckConfirmed(w, w.change, w.reverted) }

// RuleHistory returns the last n changes of overrides for one of the hosts, oldest first.
func (s *Store) RuleHistory(ctx context.Context, hosts []string, n int) ([]review.PastRule, error) {
	const host = "coalesce(json_extract(coalesce(r.after, r.before), '$.match.host'), '')"
	query := "SELECT " + rows.PastColumns + " FROM batch_rule r " +
		"JOIN batch b ON b.id = r.batch_id WHERE b.action <> 'propose' AND " + host + " IN " + textSet +
		" ORDER BY r.id DESC LIMIT ?"
	rules, err := listOf(ctx, s.read, "reading the history of the overrides", query, []any{hexList(hosts), n},
		rows.ScanPast)
	slices.Reverse(rules)
	return rules, err
}

// fieldSets caches the fields of place sets by ID. A set never changes.
type fieldSets map[int64]review.FieldSet

// of returns the fields of a place set.
func (s fieldSets) of(ctx context.Context, q queryer, set int64) (review.FieldSet, error) {
	if fields, ok := s[set]; ok || set == rows.GoneSet {
		return fields, nil
	}
	list, err := rows.FieldSets(eachOf(ctx, q), set)
	maps.Copy(s, list)
	return s[set], err
}

// followFields computes the result of an item again whose place set changed, if its fields changed with that and a rule
// asks for fields.
func (in *interner) followFields(item, was, is int64) error {
	before, err := in.sets.of(in.ctx, in, was)
	if err != nil {
		return err
	}
	after, err := in.sets.of(in.ctx, in, is)
	if err != nil || before == after {
		return err
	}
	if in.Recomputes = true; !in.OnFields {
		return nil
	}
	return in.computeAgain(item)
}

// computeAgain writes the result of an item under the rules of the transaction.
func (in *interner) computeAgain(item int64) (err error) {
	if in.AllHosts == nil {
		if in.AllHosts, err = readHosts(in.ctx, in, allHosts); err != nil {
			return err
		}
	}
	it, err := readItem(in.ctx, in, item)
	if err != nil {
		return err
	}
	ev, err := in.ownEvidence(item)
	if err != nil {
		return err
	}
	return in.writeComputed(review.Recomputed{ID: item, Computed: in.Compute(it, rows.WithHosts(ev, in.AllHosts))})
}

// itemsPlacedLate adds to a query the items with occurrences that came after their first one, went or came back in log
// entries after a number, which it takes three times.
const itemsPlacedLate = `
	UNION ALL SELECT o.item_id FROM log l CROSS JOIN occurrence o ON o.id BETWEEN l.body ->> '$.occurrences.first'
		AND l.body ->> '$.occurrences.last' WHERE l.seq > ? AND EXISTS
		(SELECT 1 FROM occurrence e WHERE e.item_id = o.item_id AND e.id < o.id)
	UNION ALL SELECT o.item_id FROM log l CROSS JOIN json_each(l.body, '$.gone') CROSS JOIN occurrence o
		ON o.id BETWEEN value ->> '$.first' AND value ->> '$.last' WHERE l.seq > ?
	UNION ALL SELECT o.item_id FROM log l CROSS JOIN json_each(l.body, '$.back') CROSS JOIN occurrence o
		ON o.id BETWEEN value ->> '$.first' AND value ->> '$.last' WHERE l.seq > ?`

// checkRulesGen fails with ErrStale if the rules changed after a generation.
func (t *tx) checkRulesGen(gen int64) error {
	m, err := readMeta(t.ctx, t)
	if err == nil && m.RulesGen > gen {
		err = review.ErrStale
	}
	return err
}

// ownEvidence returns the item's own evidence, nil if it has none.
func (t *tx) ownEvidence(item int64) (*canon.Evidence, error) {
	var body string
	if _, err := t.Find("SELECT body FROM evidence WHERE item_id = ?", []any{item}, &body); err != nil {
		return nil, err
	}
	return rows.ParseEvidence(item, body)
}
