package rows

import "visto/review"

// The columns of an entry of the log, and those of its description. SQLite reads a row up to the last column that a
// statement names, so the description costs no page of the body.
const (
	infoColumns  = "seq, at, reviewer, action, batch_id, summary"
	EntryColumns = infoColumns + ", body, prev, hash"
)

// LogQuery is the query for descriptions: at most as many as its second argument says, of the entries before the one
// with the number of the first, newest first. It leaves out the entries of an intake before its newest, and those of a
// batch beside its own, except the newest of an undo or a redo that was cut short: the batch has no entry after it.
const LogQuery = "SELECT " + infoColumns + " FROM log WHERE seq < ? AND (batch_id >= 0 OR action <> 'forget' AND " +
	"NOT EXISTS (SELECT 1 FROM log later WHERE later.batch_id < 0 AND later.batch_id = log.batch_id AND " +
	"later.seq > log.seq) AND (action = 'add' OR NOT EXISTS (SELECT 1 FROM log later WHERE later.seq > log.seq AND " +
	"later.batch_id = (SELECT own.batch_id FROM log own WHERE own.seq = -log.batch_id)))) ORDER BY seq DESC LIMIT ?"

// scanInfo scans a row of LogQuery.
func scanInfo(e *review.EntryInfo, scan Scan) error {
	if err := scan(&e.Seq, Stamp(&e.At), &e.Reviewer, &e.Action, &e.Batch, &e.Summary); err != nil {
		return err
	}
	splitBatch(e)
	return nil
}

// splitBatch tells the run of an intake from a batch: both are in one column, the run as a negative number.
func splitBatch(e *review.EntryInfo) {
	e.Batch, e.Run = max(e.Batch, 0), max(-e.Batch, 0)
}

// ScanEntry scans the columns EntryColumns.
func ScanEntry(scan Scan) (review.Entry, error) {
	var e review.Entry
	var prev, hash []byte
	err := scan(&e.Seq, Stamp(&e.At), &e.Reviewer, &e.Action, &e.Batch, &e.Summary, &e.Body, &prev, &hash)
	splitBatch(&e.EntryInfo)
	copy(e.Prev[:], prev)
	copy(e.Hash[:], hash)
	return e, err
}

// AppendEntry numbers and chains an entry after the last one, of that number and hash, and inserts it. The first entry
// of an intake names itself as its run.
func AppendEntry(e *review.Entry, last int64, lastHash []byte, insert func(into string, args ...any) error) error {
	copy(e.Prev[:], lastHash)
	e.Seq = last + 1
	if e.Action == review.ActAdd && e.Run == 0 {
		e.Run = e.Seq
	}
	e.Hash = e.Chain()
	return insert("INTO log ("+EntryColumns+")", e.Seq, e.At.UnixMilli(), e.Reviewer, string(e.Action),
		e.Batch-e.Run, e.Summary, e.Body, e.Prev[:], e.Hash[:])
}

// EachEntry calls fn for every entry, oldest first.
func EachEntry(each Each, fn func(review.Entry) error) error {
	return each("SELECT "+EntryColumns+" FROM log ORDER BY seq", nil, func(scan Scan) error {
		e, err := ScanEntry(scan)
		if err == nil {
			err = fn(e)
		}
		return err
	})
}
