package rows

import (
	"cmp"
	"encoding/json"
	"fmt"

	"visto/canon"
	"visto/review"
)

// rules writes the overrides of a change.
type rules struct {
	WriteTx
	change *Change
	batch  int64
	keep   func(before, after any, host string) error
}

// ofMatch selects the override with a host, a path and a field.
func (r *rules) ofMatch() string {
	return r.Equals("host") + " AND " + r.Equals("path") + " AND " + r.Equals("field")
}

// WriteRules applies the changes of overrides in their order. A change that does not start from the override in force
// is stale. Proposed ones are kept as changes of the batch alone. keep adds a change of an override for a host to the
// batch. Both sides are JSON, nil where there is none.
func WriteRules(t WriteTx, c *Change, batch int64, keep func(before, after any, host string) error) error {
	r := &rules{t, c, batch, keep}
	if err := ForEach(c.Proposed, r.add); err != nil {
		return err
	}
	return ForEach(c.Overrides, func(o review.OverrideChange) error {
		if err := r.write(o); err != nil || c.Reverts() > 0 {
			return err // a reverted batch already has its changes
		}
		return r.add(o)
	})
}

func (r *rules) add(c review.OverrideChange) error {
	before, after, err := ruleTexts(c)
	if err != nil {
		return err
	}
	return r.keep(orNull(before), orNull(after), cmp.Or(c.After, c.Before).Match.Host)
}

// orNull returns the text, or NULL if it is empty.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// ruleTexts returns both sides of a change as JSON, empty where there is none. Equal overrides have equal texts.
func ruleTexts(c review.OverrideChange) (before, after string, err error) {
	if before, err = ruleText(c.Before); err == nil {
		after, err = ruleText(c.After)
	}
	return before, after, err
}

func ruleText(o *canon.Override) (string, error) {
	if o == nil {
		return "", nil
	}
	text, err := json.Marshal(o)
	return string(text), err
}

func (r *rules) write(c review.OverrideChange) error {
	before, after, err := ruleTexts(c)
	if err != nil {
		return err
	}
	if c.Before != nil {
		if err := r.check(c.Before.Match, before); err != nil {
			return err
		}
	}
	if c.After == nil {
		m := c.Before.Match
		return r.Exec("DELETE FROM override WHERE "+r.ofMatch(), m.Host, m.PathPrefix, m.Field)
	}
	m := c.After.Match
	if c.Before == nil || c.Before.Match != m {
		if err := r.check(m, ""); err != nil {
			return err
		}
	}
	by, err := r.author(after)
	if err != nil {
		return err
	}
	if c.Before == nil {
		return r.Insert("INTO override (host, path, field, rule, reviewer, at, batch_id)", m.Host, m.PathPrefix,
			m.Field, after, by.reviewer, by.at, by.batch)
	}
	was := c.Before.Match
	return r.Exec("UPDATE override SET host = ?, path = ?, field = ?, rule = ?, reviewer = ?, at = ?, batch_id = ? "+
		"WHERE "+r.ofMatch(), m.Host, m.PathPrefix, m.Field, after, by.reviewer, by.at, by.batch, was.Host,
		was.PathPrefix, was.Field)
}

// author names the reviewer, time and batch of an override.
type author struct {
	reviewer  string
	at, batch int64
}

// author returns the author of the rule: for one that an undo brings back, the original author.
func (r *rules) author(rule string) (author, error) {
	by := author{r.change.Reviewer, r.Now().UnixMilli(), r.batch}
	if r.change.Undo == 0 {
		return by, nil
	}
	_, err := r.Find(`SELECT b.reviewer, b.at, b.id FROM batch_rule r JOIN batch b ON b.id = r.batch_id
		WHERE r.after = ? AND b.id <> ? AND b.undone_seq = 0 AND b.action <> 'propose' ORDER BY b.seq DESC LIMIT 1`,
		[]any{rule, r.batch}, &by.reviewer, &by.at, &by.batch)
	return by, err
}

// check fails with ErrStale if the override in force for the match is not the expected one. It compares the texts as
// this program writes them, whatever program wrote the stored one.
func (r *rules) check(m canon.Match, want string) error {
	var stored string
	_, err := r.Find("SELECT rule FROM override WHERE "+r.ofMatch(), []any{m.Host, m.PathPrefix, m.Field}, &stored)
	if err != nil {
		return err
	}
	o, err := ReadRule(stored)
	if err != nil {
		return err
	}
	if stored, err = ruleText(o); err == nil && stored != want {
		err = fmt.Errorf("the override for %s: %w", m, review.ErrStale)
	}
	return err
}

// ReadRule reads an override, nil if the text is empty.
func ReadRule(text string) (*canon.Override, error) {
	if text == "" {
		return nil, nil
	}
	var o canon.Override
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return nil, fmt.Errorf("reading the override %s: %w", text, err)
	}
	return &o, nil
}

// scanOverride scans the columns id, rule, reviewer, at and batch_id. text is the rule.
func scanOverride(o *review.StoredOverride, text *string, scan Scan) error {
	if err := scan(&o.ID, text, &o.Reviewer, Stamp(&o.At), &o.Batch); err != nil {
		return err
	}
	read, err := ReadRule(*text)
	if read != nil {
		o.Override = *read
	}
	return err
}

// PastColumns are the columns of ScanPast of a batch_rule r and its batch b.
const PastColumns = "coalesce(r.before, ''), coalesce(r.after, ''), b.reviewer, b.at, b.id, b.undone_seq > 0"

// ScanPast scans a row of PastColumns.
func ScanPast(p *review.PastRule, scan Scan) error {
	return scanRule(&p.OverrideChange, scan, &p.Reviewer, Stamp(&p.At), &p.Batch, &p.Undone)
}

// scanRule scans a row that begins with both sides of a change.
func scanRule(c *review.OverrideChange, scan Scan, rest ...any) error {
	var before, after string
	err := scan(append([]any{&before, &after}, rest...)...)
	if err == nil {
		c.Before, err = ReadRule(before)
	}
	if err == nil {
		c.After, err = ReadRule(after)
	}
	return err
}

// CheckConfirmed refuses to confirm a proposal that is undone, and to undo one that a batch in force confirms. reverted
// is the batch that the change undoes or redoes.
func CheckConfirmed(t Tx, c *Change, reverted review.Batch) error {
	confirms := c.Confirms
	if c.Redo != 0 {
		confirms = reverted.Confirms
	}
	var one int
	switch {
	case confirms != 0:
		undone, err := t.Find("SELECT 1 FROM batch WHERE id = ? AND undone_seq > 0", []any{confirms}, &one)
		if undone {
			err = fmt.Errorf("batch %d, which proposed it, is undone: %w", confirms, review.ErrStale)
		}
		return err
	case c.Undo == 0:
		return nil
	}
	var by review.Batch
	found, err := t.Find("SELECT id, reviewer FROM batch WHERE confirms = ? AND confirms > 0 AND undone_seq = 0",
		[]any{c.Undo}, &by.ID, &by.Reviewer)
	if found {
		err = fmt.Errorf("batch %d by %s confirmed batch %d: take that back first", by.ID, by.Reviewer, c.Undo)
	}
	return err
}
