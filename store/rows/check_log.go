package rows

import (
	"encoding/json"
	"maps"
	"slices"

	"visto/review"
)

// batch has the rows of a batch.
type batch struct {
	seq, at, confirms         int64
	reviewer, action, summary string
	decisions                 map[int64]review.Decision // by item
	notes                     []review.ItemNote
	changes                   []review.OverrideChange
}

// undoing names the entry that undid a batch, and its reviewer.
type undoing struct {
	seq int64
	by  string
}

// policy is a policy that results were computed under.
type policy struct{ name, yaml string }

// totals are what the whole log adds up to.
type totals struct {
	rows     map[string]int    // the number of rows by table
	undone   map[int64]undoing // by batch
	policies map[string]policy // by digest
	policy   string            // the digest of the newest one
}

func newTotals() totals {
	return totals{rows: map[string]int{}, undone: map[int64]undoing{}, policies: map[string]policy{}}
}

// logCheck recomputes the chain of a log, and compares the rows of each entry with the entry.
type logCheck struct {
	*Check
	before  review.Entry
	waiting []waitingEntry // to be compared with their rows
	size    int            // of their bodies in bytes
	all     totals
}

type waitingEntry struct {
	review.Entry
	body review.EntryBody
}

// Log recomputes the chain of the log, and compares the rows of each entry with the entry. each calls fn for all
// entries, oldest first.
func (c *Check) Log(each func(fn func(review.Entry) error) error) error {
	l := logCheck{Check: c, all: newTotals()}
	if err := each(l.add); err != nil {
		return err
	}
	if err := l.compare(); err != nil {
		return err
	}
	stored, err := c.totals()
	if err == nil {
		l.compareTotals(&stored)
	}
	return err
}

// The largest number of entries, and of bytes of their bodies, that are compared at once.
const (
	entriesAtOnce = 500
	bytesAtOnce   = 4 << 20
)

func (l *logCheck) add(e review.Entry) error {
	if e.Seq != l.before.Seq+1 {
		l.Report("log", "entry %d comes after entry %d", e.Seq, l.before.Seq)
	}
	if e.Prev != l.before.Hash {
		l.Report("log", "entry %d does not chain to the one before it", e.Seq)
	}
	if e.Chain() != e.Hash {
		l.Report("log", "entry %d was changed: its hash does not match", e.Seq)
	}
	l.before = e
	body, err := e.Read()
	switch {
	case err != nil:
		l.Report("log", "%v", err)
	case body.Undo != 0:
		l.all.undone[body.Undo] = undoing{e.Seq, e.Reviewer}
	case body.Redo != 0:
		delete(l.all.undone, body.Redo)
	case e.Run == 0: // review.Desk.Check compares the rows of the others
		l.all.count(&body)
		l.waiting = append(l.waiting, waitingEntry{e, body})
		l.size += len(e.Body)
	}
	if len(l.waiting) < entriesAtOnce && l.size < bytesAtOnce {
		return nil
	}
	return l.compare()
}

func (t *totals) count(b *review.EntryBody) {
	t.rows["batch"]++
	t.rows["decision"] += len(b.Decisions)
	t.rows["note"] += len(b.Notes)
	t.rows["batch_rule"] += len(b.Overrides) + len(b.Proposed)
	if p := b.Policy; p != nil {
		t.policies[p.Digest], t.policy = policy{p.ID, p.YAML}, p.Digest
		t.rows["policy"] = len(t.policies)
	}
}

// compare compares the entries that wait with their rows.
func (l *logCheck) compare() error {
	stored, err := l.batches(l.waiting)
	for i := range l.waiting {
		if e := &l.waiting[i]; err == nil {
			l.entry(e, stored[e.Batch])
		}
	}
	l.waiting, l.size = nil, 0
	return err
}

// batches reads the batches of entries with their rows.
func (c *Check) batches(list []waitingEntry) (map[int64]*batch, error) {
	ids := make([]int64, len(list))
	for i := range list {
		ids[i] = list[i].Batch
	}
	found := map[int64]*batch{}
	err := c.eachOf("SELECT id, seq, reviewer, at, action, summary, confirms FROM batch WHERE id IN %s", ids,
		func(scan Scan) error {
			var id int64
			b := batch{decisions: map[int64]review.Decision{}}
			if err := scan(&id, &b.seq, &b.reviewer, &b.at, &b.action, &b.summary, &b.confirms); err != nil {
				return err
			}
			found[id] = &b
			return nil
		})
	if err != nil {
		return nil, err
	}
	err = c.eachOf("SELECT batch_id, item_id, kind, canonical, seen, note, coalesce(record_id, 0), "+
		"coalesce(confirms, -1) FROM "+c.Decisions+" d WHERE batch_id IN %s", ids, func(scan Scan) error {
		var id, item int64
		var d review.Decision
		if err := scan(&id, &item, DecisionKind(&d.Kind), &d.Canonical, &d.From, &d.Note, &d.Record,
			&d.Confirms); err != nil {
			return err
		}
		d.SecondLook, d.Confirms = d.Confirms >= 0, max(d.Confirms, 0)
		if b := found[id]; b != nil {
			b.decisions[item] = d
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = c.eachOf("SELECT batch_id, item_id, text FROM note WHERE batch_id IN %s ORDER BY id", ids,
		func(scan Scan) error {
			var id int64
			var n review.ItemNote
			if err := scan(&id, &n.ID, &n.Text); err != nil {
				return err
			}
			n.Text = textAsLogged(n.Text)
			if b := found[id]; b != nil {
				b.notes = append(b.notes, n)
			}
			return nil
		})
	if err != nil {
		return nil, err
	}
	return found, c.eachOf("SELECT batch_id, coalesce(before, ''), coalesce(after, '') FROM batch_rule "+
		"WHERE batch_id IN %s ORDER BY id", ids, func(scan Scan) error {
		var id int64
		var change review.OverrideChange
		err := scanRule(&change, func(into ...any) error { return scan(append([]any{&id}, into...)...) })
		if b := found[id]; b != nil {
			b.changes = append(b.changes, change)
		}
		return err
	})
}

func (l *logCheck) entry(e *waitingEntry, b *batch) {
	if b == nil {
		l.Report("state", "batch %d of log entry %d is not stored", e.Batch, e.Seq)
		return
	}
	if b.seq != e.Seq || b.reviewer != e.Reviewer || b.at != e.At.UnixMilli() || b.action != string(e.Action) ||
		b.summary != e.Summary || b.confirms != e.body.Confirms {
		l.Report("state", "batch %d is another one than in log entry %d", e.Batch, e.Seq)
	}
	for _, d := range e.body.Decisions {
		if got, ok := b.decisions[d.Item]; !ok {
			l.Report("state", "log entry %d decides on URL %d, and the decision is not stored", e.Seq, d.Item)
		} else if asLogged(got) != asLogged(d.Decision()) {
			l.Report("state", "the decision of batch %d on URL %d is another one than in log entry %d", e.Batch, d.Item,
				e.Seq)
		}
	}
	if !slices.Equal(b.notes, e.body.Notes) {
		l.Report("state", "the notes of batch %d are others than in log entry %d", e.Batch, e.Seq)
	}
	if !slices.EqualFunc(b.changes, slices.Concat(e.body.Overrides, e.body.Proposed), sameChange) {
		l.Report("state", "the overrides that batch %d changed are others than in log entry %d", e.Batch, e.Seq)
	}
}

// asLogged returns the decision as the log can hold it: each byte that is not UTF-8 becomes U+FFFD.
func asLogged(d review.Decision) review.Decision {
	for _, text := range []*string{&d.Canonical, &d.From, &d.Note} {
		*text = textAsLogged(*text)
	}
	return d
}

func textAsLogged(s string) string { return string([]rune(s)) }

func sameChange(a, b review.OverrideChange) bool {
	textA, errA := json.Marshal(a)
	textB, errB := json.Marshal(b)
	return string(textA) == string(textB) && errA == nil && errB == nil
}

// compareTotals compares the totals of the log with those of the tables.
func (l *logCheck) compareTotals(stored *totals) {
	for _, table := range countedTables() {
		if n := l.all.rows[table]; stored.rows[table] != n {
			l.Report("state", "there are %d rows of %s, and by the log %d", stored.rows[table], table, n)
		}
	}
	for _, digest := range slices.Sorted(maps.Keys(l.all.policies)) {
		if p, ok := stored.policies[digest]; !ok {
			l.Report("state", "the policy %s of the log is not stored", l.all.policies[digest].name)
		} else if p != l.all.policies[digest] {
			l.Report("state", "the policy %s is another one than in the log", p.name)
		}
	}
	if stored.policy != l.all.policy {
		l.Report("state", "the policy is %.12s, and by the log %.12s", stored.policy, l.all.policy)
	}
	undone := maps.Clone(stored.undone)
	maps.Copy(undone, l.all.undone)
	for _, id := range slices.Sorted(maps.Keys(undone)) {
		if stored.undone[id] != l.all.undone[id] {
			l.Report("state", "the log says otherwise about whether batch %d is undone", id)
		}
	}
}

func countedTables() []string { return []string{"batch", "decision", "note", "batch_rule", "policy"} }

// totals counts the rows of the tables.
func (c *Check) totals() (totals, error) {
	t := newTotals()
	for _, table := range countedTables() {
		from := table
		if table == "decision" {
			from = c.Decisions
		}
		err := c.Each("SELECT count(*) FROM "+from+" t", nil, func(scan Scan) error {
			var n int
			if err := scan(&n); err != nil {
				return err
			}
			t.rows[table] = n
			return nil
		})
		if err != nil {
			return t, err
		}
	}
	err := c.Each("SELECT p.digest, p.name, p.yaml, p.id = coalesce(m.policy_id, 0) FROM policy p CROSS JOIN meta m",
		nil, func(scan Scan) error {
			var digest string
			var p policy
			var current bool
			if err := scan(&digest, &p.name, &p.yaml, &current); err != nil {
				return err
			}
			if t.policies[digest] = p; current {
				t.policy = digest
			}
			return nil
		})
	if err != nil {
		return t, err
	}
	return t, c.Each("SELECT id, undone_seq, undone_by FROM batch WHERE undone_seq <> 0 OR undone_by <> ''", nil,
		func(scan Scan) error {
			var id int64
			var u undoing
			if err := scan(&id, &u.seq, &u.by); err != nil {
				return err
			}
			t.undone[id] = u
			return nil
		})
}
