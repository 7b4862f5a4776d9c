package review

import (
	"context"
	"encoding/hex"
)

// recordState is the state of the records and occurrences according to the log.
type recordState struct {
	records, occurrences []AddedRows
	was, is              map[int64]string // the digests of records whose text changed, at first and now, in hex
	gone                 map[int64]int64  // the occurrences that are gone, with the log entry since which they are
	began                map[int64]int64  // the first entry of each batch
}

func newRecordState() recordState {
	return recordState{was: map[int64]string{}, is: map[int64]string{}, gone: map[int64]int64{},
		began: map[int64]int64{}}
}

func (s *recordState) apply(e *Entry, b *EntryBody) {
	if b.Records != nil {
		s.records = append(s.records, *b.Records)
	}
	if b.Occurrences != nil {
		s.occurrences = append(s.occurrences, *b.Occurrences)
	}
	for _, c := range b.Changed {
		if _, known := s.was[c.ID]; !known {
			s.was[c.ID] = c.Was
		}
		s.is[c.ID] = c.Is
	}
	since := e.Seq
	if first, known := s.began[e.Batch]; known {
		since = first
	} else if e.Batch > 0 {
		s.began[e.Batch] = e.Seq
	}
	eachID(b.Gone, func(id int64) { s.gone[id] = since })
	eachID(b.Back, func(id int64) { delete(s.gone, id) })
}

func eachID(list []IDRange, fn func(id int64)) {
	for _, r := range list {
		for id := r.First; id <= r.Last; id++ {
			fn(id)
		}
	}
}

// first returns the digest of a record as it was read first.
func (s *recordState) first(r *StoredRecord) (digest [32]byte) {
	if was, changed := s.was[r.ID]; changed {
		hex.Decode(digest[:], []byte(was))
		return digest
	}
	return RecordDigest(r.File, r.Record)
}

// isCurrent reports whether a record whose text changed has the text that it was given last.
func (s *recordState) isCurrent(r *StoredRecord) bool {
	digest := RecordDigest(r.File, r.Record)
	is, changed := s.is[r.ID]
	return !changed || is == hex.EncodeToString(digest[:])
}

func (c *checker) checkRecords(ctx context.Context) error {
	s := &c.state.records
	cover := covered{rows: s.records, differ: func(a AddedRows) {
		c.report("given", "records %d to %d are not those that were added: a text was changed, or a record is missing",
			a.First, a.Last)
	}}
	err := c.desk.store.EachRecord(ctx, func(r StoredRecord) error {
		if !cover.row(r.ID, s.first(&r)) {
			c.report("given", "record %d is in no log entry that added records", r.ID)
		}
		if !s.isCurrent(&r) {
			c.report("given", "record %d has not the text that the log has", r.ID)
		}
		return nil
	})
	cover.end()
	return err
}

func (c *checker) checkOccurrences(ctx context.Context) error {
	s := &c.state.records
	cover := covered{rows: s.occurrences, differ: func(a AddedRows) {
		c.report("given", "occurrences %d to %d are not those that were added: the URL, record or field of one was "+
			"changed, or one is missing", a.First, a.Last)
	}}
	err := c.desk.store.EachOccurrence(ctx, func(o StoredOccurrence) error {
		if !cover.row(o.ID, OccurrenceDigest(o.Item, o.Record, o.Field)) {
			c.report("given", "occurrence %d is in no log entry that added occurrences", o.ID)
		}
		if o.Gone != s.gone[o.ID] {
			c.differ("occurrence %d of URL %d is there or gone, and by the log it is not so", o.ID, o.Item)
		}
		return nil
	})
	cover.end()
	return err
}
