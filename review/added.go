package review

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/bits"

	"visto/canon"
	"visto/review/read"
)

// AddedRows is the part of a log entry that covers the input of added items, or records, or occurrences: each
// transaction of an intake has one entry. No rule restores this input, and with the entries the chain of the log
// covers it.
type AddedRows struct {
	First int64  `json:"first"` // the IDs, without a gap
	Last  int64  `json:"last"`
	Hash  string `json:"hash"` // hexadecimal SHA-256 over the digests of the rows by ID
}

// IDRange are the IDs from First to Last.
type IDRange struct {
	First int64 `json:"first"`
	Last  int64 `json:"last"`
}

// IDRanges returns ascending IDs as ranges.
func IDRanges(ids []int64) (list []IDRange) {
	for _, id := range ids {
		if n := len(list); n > 0 && list[n-1].Last+1 == id {
			list[n-1].Last = id
		} else {
			list = append(list, IDRange{id, id})
		}
	}
	return list
}

// ChangedRecord is a record whose text was another one when its file was read again.
type ChangedRecord struct {
	ID  int64  `json:"record"`
	Was string `json:"was"` // hexadecimal RecordDigest
	Is  string `json:"is"`
}

// IntakeEntry is the part of a log entry about the rows that one transaction of an intake adds and changes.
type IntakeEntry struct {
	Added       *AddedRows      `json:"added,omitempty"` // items
	Records     *AddedRows      `json:"records,omitempty"`
	Occurrences *AddedRows      `json:"occurrences,omitempty"`
	Changed     []ChangedRecord `json:"changed,omitempty"`
	Gone        []IDRange       `json:"gone,omitempty"`  // occurrences
	Back        []IDRange       `json:"back,omitempty"`  // occurrences that were gone
	Moved       int             `json:"moved,omitempty"` // the number of occurrences
	// the PlaceSum of all occurrences and records after the entry; empty: none of them came or moved, or the program
	// was older than PlaceSum
	Places string `json:"places,omitempty"`
}

// ChangesPlaces reports whether occurrences or records came or moved.
func (e *IntakeEntry) ChangesPlaces() bool {
	return e.Places != "" || e.Records != nil || e.Occurrences != nil || len(e.Changed) > 0 || e.Moved > 0
}

// IsZero reports whether the entry is about nothing.
func (e *IntakeEntry) IsZero() bool {
	return e.Added == nil && !e.ChangesPlaces() && len(e.Gone) == 0 && len(e.Back) == 0
}

// Body returns the body of the log entry.
func (e IntakeEntry) Body() []byte {
	b := EntryBody{IntakeEntry: e}
	return b.Encode()
}

// RepeatedIntake are the records and occurrences that a log entry of an intake added, as they are stored now, and the
// other changes of the entry.
type RepeatedIntake struct {
	Records     []StoredRecord
	Digests     [][32]byte // of the records, as they were read first
	Occurrences []StoredOccurrence
	Entry       IntakeEntry
}

// StoredRecord is a record as a row of a store.
type StoredRecord struct {
	ID     int64 // of the row
	File   string
	Match  int64        // by which the store finds it when the file is read again
	Record *read.Record // nil: the file as a whole, which is no record
}

func (r *StoredRecord) path() string {
	if r.Record == nil {
		return ""
	}
	return r.Record.Path
}

// StoredOccurrence is an occurrence as a row of a store.
type StoredOccurrence struct {
	ID, Item, Record int64
	Field            string
	Path             string // as the store has it: behind the path of the record, if it begins with that
	Line, Column     int
	Gone             int64 // the number of the log entry since which it is gone; 0: it is not
}

// ReplacedInput is the title and evidence of an item as they were read. The first evidence of a probe replaces them;
// its log entry keeps their hashes, so that the digest of the item can still be computed.
type ReplacedInput struct {
	ID       int64  `json:"item"`
	Title    string `json:"title,omitempty"`    // hexadecimal SHA-256; empty: none
	Evidence string `json:"evidence,omitempty"` // of its content, likewise
}

// NewReplacedInput returns the hashes of the title and evidence of an item.
func NewReplacedInput(id int64, title string, ev *canon.Evidence) ReplacedInput {
	r := ReplacedInput{ID: id, Title: hashOf(title)}
	if ev != nil {
		r.Evidence = evidenceHash(ev)
	}
	return r
}

// hashOf returns the hexadecimal SHA-256 of a text, empty for the empty text.
func hashOf(text string) string {
	if text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// evidenceHash is empty for evidence without content, which is no evidence for a result.
func evidenceHash(ev *canon.Evidence) string {
	content := string(evidenceContent(ev))
	if content == string(evidenceContent(nil)) {
		return ""
	}
	return hashOf(content)
}

// digest returns the digest of an item's input: the SHA-256 of the original, its place, and the hashes of title and
// evidence, each behind its length.
func (r ReplacedInput) digest(original string, s Source) [32]byte {
	b := make([]byte, 0, 512)
	for _, text := range [...]string{original, s.File, s.Field, s.Position, r.Title, r.Evidence} {
		b = binary.BigEndian.AppendUint64(b, uint64(len(text)))
		b = append(b, text...)
	}
	return sha256.Sum256(b)
}

// DigestOf returns the digest of an item's input, as NewItem.Digest.
func DigestOf(original string, s Source, title string, ev *canon.Evidence) [32]byte {
	return NewReplacedInput(0, title, ev).digest(original, s)
}

// Cover returns the range of rows with consecutive IDs from first on, and the hash over their digests; nil if there
// are no rows.
func Cover(first int64, digests [][32]byte) *AddedRows {
	if len(digests) == 0 {
		return nil
	}
	sum := sha256.New()
	for i := range digests {
		sum.Write(digests[i][:])
	}
	return &AddedRows{First: first, Last: first + int64(len(digests)) - 1, Hash: hex.EncodeToString(sum.Sum(nil))}
}

// lateCover finds the items of a log that is older than entries for added items: they were there before the run of
// entries that covers them first.
type lateCover struct {
	run, last int64 // the run of the first such entries, and the last ID in it
	before    int   // the entries before that are about items
}

func (l *lateCover) note(e *Entry, b *EntryBody) {
	switch a := b.Added; {
	case l.run == 0 && a == nil:
		l.before += len(b.Decisions) + len(b.Notes) + len(b.Evidence)
	case a != nil && (l.run == 0 || l.run == e.Run):
		l.run, l.last = e.Run, a.Last
	}
}

// addUncovered adds the items that the log covers late.
func (r *replayer) addUncovered(ctx context.Context, stored *storedItems, late lateCover) error {
	if late.before == 0 {
		return nil
	}
	for stored.last < late.last {
		meta, err := r.fresh.Meta(ctx)
		if err != nil {
			return err
		}
		list, err := stored.take(&AddedRows{Last: min(late.last, stored.last+batchURLs)})
		if err != nil || len(list) == 0 {
			return err
		}
		for i := range list {
			stored.early = append(stored.early, list[i].Digest)
		}
		if _, err := r.fresh.Replay(ctx, Replayed{Added: list, Uncovered: true, Computing: Computing{Gen: meta.Gen},
			EntryInfo: EntryInfo{Reviewer: r.desk.reviewer, Action: ActAdd}}); err != nil {
			return err
		}
	}
	return nil
}

// cover returns the digests of an entry's items if they are added already.
func (s *storedItems) cover(a *AddedRows) [][32]byte {
	if a.First < 1 || a.Last > int64(len(s.early)) || a.Last < a.First {
		return nil
	}
	return s.early[a.First-1 : a.Last]
}

// PlaceSum covers where all occurrences stand: their paths, lines and columns, and the paths of their records. It is
// the sum of the digests of these, modulo 2^256. A place that moves is taken out and added again, so the log needs one
// sum for a file whose lines all moved, and not the old place of each.
//
// It detects every accidental change, and a forged one unless the forger may choose the places of very many rows.
type PlaceSum [4]uint64 // the lowest first

// AddOccurrence adds the place of an occurrence. path is StoredOccurrence.Path.
func (s *PlaceSum) AddOccurrence(id int64, path string, line, column int) {
	s.add(placeDigest(id, path, line, column))
}

// RemoveOccurrence removes a place that AddOccurrence added.
func (s *PlaceSum) RemoveOccurrence(id int64, path string, line, column int) {
	s.remove(placeDigest(id, path, line, column))
}

// AddRecord adds the path of a record; that of a file as a whole is empty.
func (s *PlaceSum) AddRecord(id int64, path string) { s.add(recordPathDigest(id, path)) }

// RemoveRecord removes a path that AddRecord added.
func (s *PlaceSum) RemoveRecord(id int64, path string) { s.remove(recordPathDigest(id, path)) }

func placeDigest(id int64, path string, line, column int) [32]byte {
	return digestOf("place", numbers(id, int64(line), int64(column)), path)
}

func recordPathDigest(id int64, path string) [32]byte {
	return digestOf("record path", numbers(id), path)
}

// numbers returns the text of numbers for digestOf.
func numbers(list ...int64) string {
	b := make([]byte, 0, 24)
	for _, n := range list {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	return string(b)
}

func (s *PlaceSum) add(digest [32]byte) { s.Join(sumOf(digest)) }

func (s *PlaceSum) remove(digest [32]byte) {
	var borrow uint64
	for i, n := range sumOf(digest) {
		s[i], borrow = bits.Sub64(s[i], n, borrow)
	}
}

// Join adds the places of another sum.
func (s *PlaceSum) Join(other PlaceSum) {
	var carry uint64
	for i, n := range other {
		s[i], carry = bits.Add64(s[i], n, carry)
	}
}

func sumOf(digest [32]byte) (s PlaceSum) {
	for i := range s {
		s[i] = binary.BigEndian.Uint64(digest[8*(len(s)-1-i):])
	}
	return s
}

// String writes the sum in hexadecimal.
func (s PlaceSum) String() string { return fmt.Sprintf("%016x%016x%016x%016x", s[3], s[2], s[1], s[0]) }

// ParsePlaceSum is the inverse of String.
func ParsePlaceSum(text string) (PlaceSum, error) {
	digest, err := hex.DecodeString(text)
	if err != nil || len(digest) != 32 {
		return PlaceSum{}, fmt.Errorf("the log has the sum of places %q: %w", text, ErrDamaged)
	}
	return sumOf([32]byte(digest)), nil
}
