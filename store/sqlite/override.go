package sqlite

import (
	"cmp"
	"context"
	"database/sql"
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
	if err := forEach(w.change.Proposed, w.writeProposed); err != nil {
		return err
	}
	return forEach(w.change.Overrides, func(c review.OverrideChange) error {
		before, after, err := ruleTexts(c)
		if err == nil {
			err = w.writeOverride(c, before, after)
		}
		if err != nil || revertedBatch(w.change) > 0 {
			return err // a reverted batch already has its changes
		}
		return w.insert("INTO batch_rule (batch_id, before, after)", w.batch, before, after)
	})
}

func (w *writer) writeProposed(c review.OverrideChange) error {
	before, after, err := ruleTexts(c)
	if err != nil {
		return err
	}
	return w.insert("INTO batch_rule (batch_id, before, after)", w.batch, before, after)
}

// checkConfirmed refuses to confirm a proposal that is undone, and to undo one that a batch in force confirms.
func (w *writer) checkConfirmed() error {
	c, confirms := w.change, w.change.Confirms
	if c.Redo != 0 {
		if err := w.get("SELECT confirms FROM batch WHERE id = ?", []any{c.Redo}, &confirms); err != nil {
			return err
		}
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

// ruleTexts returns both sides of a change as JSON, invalid where there is none. Equal overrides have equal texts.
func ruleTexts(c review.OverrideChange) (before, after sql.NullString, err error) {
	if before, err = ruleText(c.Before); err == nil {
		after, err = ruleText(c.After)
	}
	return before, after, err
}

func ruleText(o *canon.Override) (sql.NullString, error) {
	if o == nil {
		return sql.NullString{}, nil
	}
	text, err := json.Marshal(o)
	return sql.NullString{String: string(text), Valid: true}, err
}

func (w *writer) writeOverride(c review.OverrideChange, before, after sql.NullString) error {
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
		if err := w.checkOverride(m, sql.NullString{}); err != nil {
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
const ofMatch = "host = ? AND path = ? AND field = ?"

// author names the reviewer, time and batch of an override.
type author struct {
	reviewer  string
	at, batch int64
}

// author returns the author of the rule: for one that an undo brings back, the original author.
func (w *writer) author(rule sql.NullString) (author, error) {
	by := author{w.change.Reviewer, w.at.UnixMilli(), w.batch}
	if w.change.Undo == 0 {
		return by, nil
	}
	_, err := w.find(`SELECT b.reviewer, b.at, b.id FROM batch_rule r JOIN batch b ON b.id = r.batch_id
		WHERE r.after = ? AND b.id <> ? AND b.undone_seq = 0 AND b.action <> 'propose' ORDER BY b.seq DESC LIMIT 1`,
		[]any{rule, w.batch},
		&by.reviewer, &by.at, &by.batch)
	return by, err
}

// checkOverride fails with ErrStale if the override in force for the match is not the expected one. It compares the
// texts as this program writes them, whatever program wrote the stored one.
func (w *writer) checkOverride(m canon.Match, want sql.NullString) error {
	var text string
	var stored sql.NullString
	found, err := w.find("SELECT rule FROM override WHERE "+ofMatch, []any{m.Host, m.PathPrefix, m.Field}, &text)
	if found {
		stored, err = rewritten(text)
	}
	if err != nil {
		return err
	}
	if stored != want {
		return fmt.Errorf("the override for %s: %w", m, review.ErrStale)
	}
	return nil
}

func rewritten(rule string) (sql.NullString, error) {
	o, err := readRule(rule)
	if err != nil {
		return sql.NullString{}, err
	}
	return ruleText(o)
}

func readRule(text string) (*canon.Override, error) {
	var o canon.Override
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return nil, fmt.Errorf("reading the override %s: %w", text, err)
	}
	return &o, nil
}

// RuleHistory returns the last n changes of overrides for one of the hosts, oldest first.
func (s *Store) RuleHistory(ctx context.Context, hosts []string, n int) ([]review.PastRule, error) {
	const host = "coalesce(json_extract(coalesce(r.after, r.before), '$.match.host'), '')"
	query := "SELECT r.before, r.after, b.reviewer, b.at, b.id, b.undone_seq > 0 FROM batch_rule r " +
		"JOIN batch b ON b.id = r.batch_id WHERE b.action <> 'propose' AND " + host + " IN " + textSet +
		" ORDER BY r.id DESC LIMIT ?"
	rules, err := listOf(ctx, s.read, "reading the history of the overrides", query, []any{hexList(hosts), n},
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
		var rule string
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
	var before, after sql.NullString
	err := scan(append([]any{&before, &after}, rest...)...)
	if before.Valid && err == nil {
		c.Before, err = readRule(before.String)
	}
	if after.Valid && err == nil {
		c.After, err = readRule(after.String)
	}
	return err
}

// fieldSets caches the fields of place sets by ID. A set never changes.
type fieldSets map[int64]review.FieldSet

// setsAtOnce is the number of sets with neighbouring IDs that are read at once.
const setsAtOnce = 64

// of returns the fields of a place set.
func (s fieldSets) of(ctx context.Context, q queryer, set int64) (review.FieldSet, error) {
	if fields, ok := s[set]; ok || set == rows.GoneSet {
		return fields, nil
	}
	first := set / setsAtOnce * setsAtOnce
	names := map[int64][]string{}
	err := each(ctx, q, `SELECT m.set_id, f.name FROM place_set_member m CROSS JOIN field f ON f.id = m.field_id
		WHERE m.set_id >= ? AND m.set_id < ?`, []any{first, first + setsAtOnce}, func(scan scanner) error {
		var id int64
		var name string
		err := scan(&id, &name)
		names[id] = append(names[id], name)
		return err
	})
	for id, list := range names {
		s[id] = review.NewFieldSet(list...)
	}
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
	in.recomputes = true
	if in.stage.state == staging {
		if _, err := in.dropStagedResult(item); err != nil { // it is computed late
			return err
		}
	}
	if !in.onFields {
		return nil
	}
	if err := in.dropStaged(item); err != nil {
		return err
	}
	return in.computeAgain(item)
}

// computeAgain writes the result of an item under the rules of the transaction.
func (in *interner) computeAgain(item int64) (err error) {
	if in.allHosts == nil {
		if in.allHosts, err = readHosts(in.ctx, in, allHosts); err != nil {
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
	return in.writeComputed(review.Recomputed{ID: item, Computed: in.compute(it, rows.WithHosts(ev, in.allHosts))})
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
	if _, err := t.find("SELECT body FROM evidence WHERE item_id = ?", []any{item}, &body); err != nil {
		return nil, err
	}
	return rows.ParseEvidence(item, body)
}
