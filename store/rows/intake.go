package rows

import (
	"cmp"
	"math"
	"slices"

	"visto/review"
	"visto/review/read"
)

// IntakeTx is a Tx that an intake writes in.
type IntakeTx interface {
	WriteTx
	// IndexRecord has a search find a record by its texts.
	IndexRecord(id int64, isNew bool, r *read.Record, attributes string) error
}

// Waiting are the rows of an Adder that are not written yet.
type Waiting interface {
	// Cite adds the row of an occurrence of an item, with the values of IntoOccurrence.
	Cite(item int64, values ...any) error
	// Flush writes the rows.
	Flush() error
}

// Adder adds items and their occurrences in one transaction.
type Adder struct {
	IntakeTx
	Names   *Interner
	Waiting Waiting
	Intake  review.Intake
	Next    int64         // the next ID
	Digests [][32]byte    // of the new items
	Action  review.Action // of the log entry; empty: ActAdd
	Summary string        // of the log entry; empty: the numbers of the run
	Entry   int64         // the number of the log entry

	Approvals bool                   // an item may be approved by the decision on another one, or for a record alone
	Uncovered bool                   // without a log entry
	Repeated  *review.RepeatedIntake // by Replay; nil: none

	nextRecord, nextOccurrence       int64
	recordDigests, occurrenceDigests [][32]byte // of the new ones
	records                          map[recordKey]int64
	passed                           map[itemRecord]int64 // the ID up to which the run has met all
	changed                          []review.ChangedRecord
	back                             []int64 // occurrences
	moved                            int
	places                           review.PlaceSum // of what came, less that of what moved away
}

// Begin has the Adder write in a transaction.
func (a *Adder) Begin(t IntakeTx, names *Interner, waiting Waiting) {
	a.IntakeTx, a.Names, a.Waiting = t, names, waiting
	a.Names.Computing = a.Intake.Computing
}

// Number finds the IDs of the next record and the next occurrence, and whether there are approvals.
func (a *Adder) Number() error {
	a.records, a.passed = map[recordKey]int64{}, map[itemRecord]int64{}
	return a.Get(`SELECT (SELECT coalesce(max(id), 0) + 1 FROM record), (SELECT coalesce(max(id), 0) + 1 FROM
		occurrence), EXISTS (SELECT 1 FROM item WHERE approved IS NOT NULL) OR
		EXISTS (SELECT 1 FROM decision WHERE record_id > 0)`, nil, &a.nextRecord, &a.nextOccurrence, &a.Approvals)
}

// Finish writes the rows that wait, and the log entry of all. It starts a generation if others have to look again. m is
// from the start of the transaction.
func (a *Adder) Finish(m review.Meta) error {
	if err := InOrder(a.Waiting.Flush, a.repeatRows, a.Log); err != nil {
		return err
	}
	if len(a.Names.Changed) > 0 {
		a.Intake.Learn(m, a.Names.Changed)
	}
	if len(a.Names.Changed) == 0 && !a.Names.Recomputes {
		return nil
	}
	return a.RaiseGen(false, len(a.Names.Changed) > 0)
}

// Log appends the entry that covers the new
func (a *Adder) Log() error {
	slices.Sort(a.back)
	body := review.IntakeEntry{
		Added:   review.Cover(a.Next-int64(len(a.Digests)), a.Digests),
		Records: review.Cover(a.nextRecord-int64(len(a.recordDigests)), a.recordDigests),
		Occurrences: review.Cover(a.nextOccurrence-int64(len(a.occurrenceDigests)),
			a.occurrenceDigests),
		Changed: a.changed, Back: review.IDRanges(a.back), Moved: a.moved}
	if again := a.Repeated; again != nil {
		body.Changed, body.Gone, body.Back, body.Moved, body.Places = again.Entry.Changed, again.Entry.Gone,
			again.Entry.Back, again.Entry.Moved, again.Entry.Places
	} else if a.places != (review.PlaceSum{}) {
		sum, err := a.placeSum()
		if err != nil {
			return err
		}
		body.Places = sum.String()
	}
	if body.IsZero() || a.Uncovered {
		return nil
	}
	a.Intake.Added += len(a.Digests)
	return a.appendIntake(body)
}

// placeSum returns the sum of all places, after the rows are written.
func (a *Adder) placeSum() (review.PlaceSum, error) {
	before, known, err := a.lastPlaces()
	if err == nil && !known {
		return a.sumPlaces()
	}
	before.Join(a.places)
	return before, err
}

// lastPlaces returns the sum in the log. It is not known in a new database, nor after an entry of a program that wrote
// none.
func (a *Adder) lastPlaces() (sum review.PlaceSum, known bool, err error) {
	// the + keeps the index away: in a run the entry is the last one of the log
	const query = "SELECT seq, body FROM log WHERE +batch_id < 0 AND seq < ? ORDER BY seq DESC LIMIT 1"
	e := review.Entry{}
	for e.Seq = math.MaxInt64; ; {
		if found, err := a.Find(query, []any{e.Seq}, &e.Seq, &e.Body); err != nil || !found {
			return sum, false, err
		}
		body, err := e.Read()
		switch {
		case err != nil:
			return sum, false, err
		case body.Places != "":
			sum, err = review.ParsePlaceSum(body.Places)
			return sum, true, err
		case body.ChangesPlaces():
			return sum, false, nil
		}
	}
}

// placesAtOnce is the number of rows whose places are read at once.
const placesAtOnce = 10_000

// sumPlaces computes the sum from the rows.
func (a *Adder) sumPlaces() (sum review.PlaceSum, err error) {
	for id := int64(1); id < a.nextOccurrence && err == nil; id += placesAtOnce {
		err = a.Each("SELECT o.id, p.path, o.line, o.col FROM occurrence o JOIN place p ON p.id = o.place_id "+
			"WHERE o.id >= ? AND o.id < ?", []any{id, id + placesAtOnce}, func(scan Scan) error {
			var o review.StoredOccurrence
			if err := scan(&o.ID, &o.Path, &o.Line, &o.Column); err != nil {
				return err
			}
			sum.AddOccurrence(o.ID, o.Path, o.Line, o.Column)
			return nil
		})
	}
	for id := int64(1); id < a.nextRecord && err == nil; id += placesAtOnce {
		err = a.Each("SELECT id, path FROM record WHERE id >= ? AND id < ?", []any{id, id + placesAtOnce},
			func(scan Scan) error {
				var id int64
				var path string
				if err := scan(&id, &path); err != nil {
					return err
				}
				sum.AddRecord(id, path)
				return nil
			})
	}
	return sum, err
}

// appendIntake appends an entry of the intake.
func (a *Adder) appendIntake(body review.IntakeEntry) error {
	e := review.Entry{Body: body.Body()}
	e.EntryInfo = review.EntryInfo{At: a.Now(), Reviewer: a.Intake.Reviewer, Action: cmp.Or(a.Action, review.ActAdd),
		Run: a.Intake.Run, Summary: cmp.Or(a.Summary, a.Intake.IntakeCounts.String())}
	err := a.AppendEntry(&e)
	a.Intake.Run, a.Entry = e.Run, e.Seq
	return err
}

// Marking are occurrences that go, or come back.
type Marking struct {
	IDs   []int64
	Back  bool
	Since int64 // the first log entry of the batch that forgets them; 0: not written yet
}

// Entry is the entry of the log.
func (m Marking) Entry() review.IntakeEntry {
	if m.Back {
		return review.IntakeEntry{Back: review.IDRanges(m.IDs)}
	}
	return review.IntakeEntry{Gone: review.IDRanges(m.IDs)}
}

// Write marks the occurrences of the change. A batch that forgets a file marks them with the number of its first entry,
// also when it is redone.
func (m *Marking) Write(t IntakeTx, names *Interner, c *Change) (err error) {
	names.Computing = c.Computing
	since := m.Since
	switch {
	case m.Back:
		since = 0
	case since == 0:
		since, err = t.NextEntry()
	}
	if err == nil {
		m.IDs, _, err = names.Mark(m.IDs, since, Always)
	}
	return err
}

// Mark marks occurrences while more allows it, appends the log entry of those that were not so, and returns the others.
func (a *Adder) Mark(m Marking, more func() bool) (rest []int64, err error) {
	var since int64
	if !m.Back {
		if since, err = a.NextEntry(); err != nil {
			return nil, err
		}
	}
	if m.IDs, rest, err = a.Names.Mark(m.IDs, since, more); err != nil || len(m.IDs) == 0 {
		return rest, err
	}
	if !m.Back {
		a.Intake.Went += len(m.IDs)
	}
	if err = a.appendIntake(m.Entry()); err == nil && a.Names.Recomputes {
		err = a.RaiseGen(false, false)
	}
	return rest, err
}
