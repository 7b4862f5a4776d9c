package rows

import (
	"cmp"
	"time"

	"visto/review"
)

// WriteTx is a Tx that writes to the log.
type WriteTx interface {
	Tx
	// Now returns the time of the transaction.
	Now() time.Time
	// NextEntry returns the number of the next log entry.
	NextEntry() (int64, error)
	// NextBatch returns the number of the next batch, which the caller starts.
	NextBatch() (int64, error)
	// AppendEntry numbers and chains an entry and appends it to the log.
	AppendEntry(e *review.Entry) error
	// RaiseGen starts a new generation, for the rules, for host evidence, or for neither.
	RaiseGen(rules, hosts bool) error
}

// Begin appends the log entry of a change and, unless the change is an undo or a redo, starts the batch. The receipt
// gets the numbers of both.
func Begin(t WriteTx, c *Change, body []byte, r *review.Receipt) (err error) {
	r.Batch = c.Reverts()
	isNew := r.Batch == 0
	if isNew {
		if r.Batch, err = t.NextBatch(); err != nil {
			return err
		}
	}
	at := t.Now()
	e := review.Entry{Body: body, EntryInfo: review.EntryInfo{At: at, Reviewer: c.Reviewer, Action: c.Action,
		Batch: r.Batch, Summary: c.Summary}}
	err = t.AppendEntry(&e)
	if r.Seq = e.Seq; err != nil || !isNew {
		return err
	}
	return t.Insert("INTO batch (id, seq, reviewer, at, action, summary, confirms)", r.Batch, e.Seq, c.Reviewer,
		at.UnixMilli(), string(c.Action), c.Summary, c.Confirms)
}

// AddAgain repeats a log entry of an intake with an adder: run adds the items of the entry. An entry that covers items
// which are there is appended alone. It returns the number of the entry.
func AddAgain(t IntakeTx, e *review.Replayed, a *Adder, run func() error) (seq int64, err error) {
	*a = Adder{Intake: review.Intake{Reviewer: e.Reviewer, Run: e.Run, Computing: e.Computing}, Action: e.Action,
		Summary: e.Summary, Uncovered: e.Uncovered, Repeated: cmp.Or(e.Intake, &review.RepeatedIntake{})}
	if len(e.Covered) == 0 {
		err = run()
		return a.Entry, err
	}
	a.IntakeTx, a.Digests, a.Next = t, e.Covered, e.CoveredFrom+int64(len(e.Covered))
	err = a.Log()
	return a.Entry, err
}

// StartGen starts a new generation if the rules, the evidence, a correction or the fields of an item changed.
func StartGen(t WriteTx, c *Change, corrected bool, names *Interner) error {
	rules := len(c.Overrides) > 0 || c.Policy != nil
	if !rules && len(c.Evidence) == 0 && !corrected && !names.Recomputes {
		return nil
	}
	return t.RaiseGen(rules, len(names.Changed) > 0)
}

// MarkReverted marks the batch that a change undoes or redoes: as undone by the log entry with the number, or as in
// force.
func MarkReverted(t Tx, c *Change, seq int64) error {
	by := c.Reviewer
	if c.Redo != 0 {
		seq, by = 0, ""
	}
	return t.Exec("UPDATE batch SET undone_seq = ?, undone_by = ? WHERE id = ?", seq, by, c.Reverts())
}
