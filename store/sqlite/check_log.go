package sqlite

import (
	"database/sql"
	"errors"
	"slices"

	"visto/review"
)

// logged is the state that the whole log adds up to.
type logged struct {
	rows     map[string]int // the number of rows by table
	undone   map[int64]undoing
	policies map[string]bool // by digest
	policy   string          // the digest of the newest one
}

// undoing names the entry that undid a batch, and its reviewer.
type undoing struct {
	seq int64
	by  string
}

// log recomputes the chain, and compares the rows of each entry with the entry.
func (c *checker) log() error {
	var before review.Entry
	all := logged{rows: map[string]int{"batch": 0, "decision": 0, "note": 0, "batch_rule": 0},
		undone: map[int64]undoing{}, policies: map[string]bool{}}
	err := eachEntry(c.ctx, c.q, func(e review.Entry) error {
		if e.Seq != before.Seq+1 {
			c.report("log", "entry %d comes after entry %d", e.Seq, before.Seq)
		}
		if e.Prev != before.Hash {
			c.report("log", "entry %d does not chain to the one before it", e.Seq)
		}
		if e.Chain() != e.Hash {
			c.report("log", "entry %d was changed: its hash does not match", e.Seq)
		}
		before = e
		return c.entry(&e, &all)
	})
	if err != nil {
		return err
	}
	return c.totals(&all)
}

// entry compares the rows of one entry with the entry.
func (c *checker) entry(e *review.Entry, all *logged) error {
	body, err := e.Read()
	if err != nil {
		c.report("log", "%v", err)
		return nil
	}
	switch {
	case body.Undo != 0:
		all.undone[body.Undo] = undoing{e.Seq, e.Reviewer}
		return nil
	case body.Redo != 0:
		delete(all.undone, body.Redo)
		return nil
	case e.Run > 0:
		return nil // review.Desk.Check compares the rows
	}
	all.count(&body)
	checks := []func(*review.Entry, *review.EntryBody) error{c.batch, c.decisions, c.notes, c.changes, c.policy}
	return forEach(checks, func(check func(*review.Entry, *review.EntryBody) error) error { return check(e, &body) })
}

func (all *logged) count(b *review.EntryBody) {
	all.rows["batch"]++
	all.rows["decision"] += len(b.Decisions)
	all.rows["note"] += len(b.Notes)
	all.rows["batch_rule"] += len(b.Overrides) + len(b.Proposed)
	if b.Policy != nil {
		all.policies[b.Policy.Digest] = true
		all.policy = b.Policy.Digest
	}
}

// find reads a row, and reports whether there is one.
func (c *checker) find(query string, args []any, into ...any) (bool, error) {
	return isFound(c.q.QueryRowContext(c.ctx, query, args...).Scan(into...))
}

// batch compares the batch that an entry began.
func (c *checker) batch(e *review.Entry, b *review.EntryBody) error {
	var seq, at, confirms int64
	var reviewer, action, summary string
	found, err := c.find("SELECT seq, reviewer, at, action, summary, confirms FROM batch WHERE id = ?", []any{e.Batch},
		&seq, &reviewer, &at, &action, &summary, &confirms)
	switch {
	case err != nil:
		return err
	case !found:
		c.report("state", "batch %d of log entry %d is not stored", e.Batch, e.Seq)
	case seq != e.Seq || reviewer != e.Reviewer || at != e.At.UnixMilli() || action != string(e.Action) ||
		summary != e.Summary || confirms != b.Confirms:
		c.report("state", "batch %d is another one than in log entry %d", e.Batch, e.Seq)
	}
	return nil
}

func (c *checker) decisions(e *review.Entry, b *review.EntryBody) error {
	return forEach(b.Decisions, func(l review.LoggedDecision) error { return c.decision(e, l) })
}

func (c *checker) decision(e *review.Entry, l review.LoggedDecision) error {
	var got review.Decision
	found, err := c.find("SELECT kind, canonical, seen, note, ifnull(record_id, 0), confirms FROM decision "+
		"WHERE item_id = ? AND batch_id = ?", []any{l.Item, e.Batch}, &got.Kind, &got.Canonical, &got.From, &got.Note,
		&got.Record, looks{&got})
	switch {
	case err != nil:
		return err
	case !found:
		c.report("state", "log entry %d decides on URL %d, and the decision is not stored", e.Seq, l.Item)
	case asLogged(got) != asLogged(l.Decision()):
		c.report("state", "the decision of batch %d on URL %d is another one than in log entry %d", e.Batch, l.Item,
			e.Seq)
	}
	return nil
}

// asLogged returns the decision as the log can hold it: each byte that is not UTF-8 becomes U+FFFD.
func asLogged(d review.Decision) review.Decision {
	for _, text := range []*string{&d.Canonical, &d.From, &d.Note} {
		*text = textAsLogged(*text)
	}
	return d
}

func textAsLogged(s string) string { return string([]rune(s)) }

func (c *checker) notes(e *review.Entry, b *review.EntryBody) error {
	stored, err := collect(c.ctx, c.q, "SELECT item_id, text FROM note WHERE batch_id = ? ORDER BY id", []any{e.Batch},
		func(n *review.ItemNote, scan scanner) error {
			err := scan(&n.ID, &n.Text)
			n.Text = textAsLogged(n.Text)
			return err
		})
	if err == nil && !slices.Equal(stored, b.Notes) {
		c.report("state", "the notes of batch %d are others than in log entry %d", e.Batch, e.Seq)
	}
	return err
}

// changes compares the changes of overrides.
func (c *checker) changes(e *review.Entry, b *review.EntryBody) error {
	stored, err := readRules(c.ctx, c.q, e.Batch)
	if err != nil {
		return err
	}
	logged := slices.Concat(b.Overrides, b.Proposed)
	same := len(stored) == len(logged)
	for i := 0; same && i < len(stored); i++ {
		if same, err = sameChange(stored[i], logged[i]); err != nil {
			return err
		}
	}
	if !same {
		c.report("state", "the overrides that batch %d changed are others than in log entry %d", e.Batch, e.Seq)
	}
	return nil
}

func sameChange(a, b review.OverrideChange) (bool, error) {
	beforeA, afterA, errA := ruleTexts(a)
	beforeB, afterB, errB := ruleTexts(b)
	return beforeA == beforeB && afterA == afterB, errors.Join(errA, errB)
}

func (c *checker) policy(e *review.Entry, b *review.EntryBody) error {
	p := b.Policy
	if p == nil {
		return nil
	}
	var name, yaml string
	found, err := c.find("SELECT name, yaml FROM policy WHERE digest = ?", []any{p.Digest}, &name, &yaml)
	switch {
	case err == nil && !found:
		c.report("state", "the policy %s of log entry %d is not stored", p.ID, e.Seq)
	case err == nil && (name != p.ID || yaml != p.YAML):
		c.report("state", "the policy %s is another one than in log entry %d", p.ID, e.Seq)
	}
	return err
}

// totals compares the results of the whole log: the numbers of rows, the undone batches, and the policy.
func (c *checker) totals(all *logged) error {
	all.rows["policy"] = len(all.policies)
	for table, n := range all.rows {
		var stored int
		if err := c.q.QueryRowContext(c.ctx, "SELECT count(*) FROM "+table).Scan(&stored); err != nil {
			return err
		}
		if stored != n {
			c.report("state", "there are %d rows of %s, and by the log %d", stored, table, n)
		}
	}
	var policy sql.NullString
	err := c.q.QueryRowContext(c.ctx, "SELECT (SELECT digest FROM policy WHERE id = policy_id) FROM meta").Scan(&policy)
	if err != nil {
		return err
	}
	if policy.String != all.policy {
		c.report("state", "the policy is %.12s, and by the log %.12s", policy.String, all.policy)
	}
	return each(c.ctx, c.q, "SELECT id, undone_seq, undone_by FROM batch", nil, func(scan scanner) error {
		var id int64
		var got undoing
		err := scan(&id, &got.seq, &got.by)
		if err == nil && got != all.undone[id] {
			c.report("state", "the log says otherwise about whether batch %d is undone", id)
		}
		return err
	})
}
