package review

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"

	"visto/canon"
)

// recordState is the state of the records and occurrences according to the log.
type recordState struct {
	records, occurrences []AddedRows
	was, is              map[int64]string // the digests of records whose text changed, at first and now, in hex
	gone                 map[int64]int64  // the occurrences that are gone, with the log entry since which they are
	began                map[int64]int64  // the first entry of each batch
	places               string           // the PlaceSum after the last entry; empty: it is not known
}

func newRecordState() recordState {
	return recordState{was: map[int64]string{}, is: map[int64]string{}, gone: map[int64]int64{},
		began: map[int64]int64{}}
}

func (s *recordState) apply(e *Entry, b *EntryBody) {
	if b.ChangesPlaces() {
		s.places = b.Places
	}
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

// isPlaced reports whether the sum over the stored records and occurrences is that of the log, if it has one.
func (s *recordState) isPlaced(stored PlaceSum) bool {
	return s.places == "" || s.places == stored.String()
}

// movedAlone tells of places for which isPlaced is false.
const movedAlone = "the place of an occurrence was changed since it was read: a path, a line or a column"

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
		c.placed.AddRecord(r.ID, r.path())
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
		c.placed.AddOccurrence(o.ID, o.Path, o.Line, o.Column)
		return nil
	})
	cover.end()
	if err == nil && !s.isPlaced(c.placed) {
		c.report("given", movedAlone)
	}
	return err
}

// applyInput notes the input that an entry covers or replaces.
func (s *state) applyInput(e *Entry, b *EntryBody) {
	s.records.apply(e, b)
	if b.Added != nil {
		s.added = append(s.added, *b.Added)
	}
	for _, r := range b.Inputs {
		if _, known := s.replaced[r.ID]; !known { // as read: before the first evidence of a probe
			s.replaced[r.ID] = r
		}
	}
	for _, l := range b.Evidence {
		if l.Evidence != nil && l.Evidence.Title != "" {
			s.titles[l.ID] = l.Evidence.Title
		}
	}
}

// checkedItem is a value computed from an item for Check and Replay.
type checkedItem struct {
	computed Computed
	digest   [32]byte // of the item's input
}

// worker adds the digest to a worker's result.
func (s *state) worker(compute worker[Computed]) worker[checkedItem] {
	return func(it *Item, ev *canon.Evidence) checkedItem {
		return checkedItem{compute(it, ev), s.digest(it, ev)}
	}
}

// digest returns the digest of an item's input, as it was read.
func (s *state) digest(it *Item, ev *canon.Evidence) [32]byte {
	if r, ok := s.replaced[it.ID]; ok {
		return r.digest(it.Original, it.Source)
	}
	return DigestOf(it.Original, it.Source, it.Title, ev)
}

// inputCheck compares the input of the items, in the order of their IDs, with the log entries that added them.
type inputCheck struct {
	*state
	report func(part, format string, args ...any)
	covered
}

func (c *inputCheck) item(it *Item, digest [32]byte) {
	if !c.row(it.ID, digest) {
		c.report("given", "URL %d is in no log entry that added URLs", it.ID)
	}
	if c.otherTitle(it) {
		c.report("given", "URL %d has not the title that the log has", it.ID)
	}
}

// otherTitle reports whether an item with logged evidence has another title than that of the newest evidence with one,
// or else the one that was read.
func (s *state) otherTitle(it *Item) bool {
	r, ok := s.replaced[it.ID]
	if title, replaced := s.titles[it.ID]; replaced {
		return it.Title != title
	}
	return ok && hashOf(it.Title) != r.Title
}

// covered compares rows, in the order of their IDs, with the log entries that added them.
type covered struct {
	rows   []AddedRows
	differ func(AddedRows) // called for each entry that covers other rows
	at     int             // the entry of rows that the next row belongs to
	sum    hash.Hash
}

// row takes the next row, and reports whether an entry covers it.
func (c *covered) row(id int64, digest [32]byte) bool {
	for c.at < len(c.rows) && id > c.rows[c.at].Last {
		c.next()
	}
	if c.at == len(c.rows) || id < c.rows[c.at].First {
		return false
	}
	c.hash().Write(digest[:])
	return true
}

func (c *covered) hash() hash.Hash {
	if c.sum == nil {
		c.sum = sha256.New()
	}
	return c.sum
}

// next compares the hash over the rows of an entry, and goes on to the next one.
func (c *covered) next() {
	if a := c.rows[c.at]; hex.EncodeToString(c.hash().Sum(nil)) != a.Hash {
		c.differ(a)
	}
	c.at, c.sum = c.at+1, nil
}

// end compares the entries that are left.
func (c *covered) end() {
	for c.at < len(c.rows) {
		c.next()
	}
}
