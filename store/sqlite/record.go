package sqlite

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"

	"visto/review"
	"visto/review/read"
)

// A record is known by its file and its match. The match is a hash of its ID, or if that is only its position in a
// list, of its name, or if it has none, of its path; 0 is the match of a file as a whole. Of several records with one
// ID in a file, the second and later ones have their number in the match too.

// matchOf returns the match of the nth record, from 0, with that ID or name. It is positive.
func matchOf(r *read.Record, nth int64) int64 {
	kind, text := "id", r.ID
	last := r.Path[strings.LastIndexAny(r.Path, "/#")+1:]
	if _, err := strconv.Atoi(r.ID); err == nil && r.ID == last || r.ID == "" {
		if kind, text = "name", r.Name; text == "" {
			kind, text = "path", r.Path
		}
	}
	sum := sha256.Sum256([]byte(kind + "\x00" + strconv.FormatInt(nth, 10) + "\x00" + text))
	return max(1, int64(binary.BigEndian.Uint64(sum[:])>>1))
}

// recordSeal returns the seal of a record's texts; that of a file as a whole, which has none, is 0.
func recordSeal(r *read.Record, attributes string) int64 {
	if r == nil {
		return 0
	}
	return sealOf(r.Path, r.ID, r.Name, attributes)
}

// recordRow is a row of the table record.
type recordRow struct {
	id, match int64
	read.Record
	attributes string
}

// record returns the ID of the record in the file, which it adds or brings up to date. nil is the file as a whole.
func (a *adder) record(file string, fileID int64, r *read.Record) (int64, error) {
	if id, ok := a.records[recordKey{fileID, r}]; ok {
		return id, nil
	}
	id, err := a.findRecord(file, fileID, r)
	if err == nil {
		a.records[recordKey{fileID, r}] = id
	}
	return id, err
}

// recordKey is a record of this transaction.
type recordKey struct {
	file   int64
	record *read.Record
}

func (a *adder) findRecord(file string, fileID int64, r *read.Record) (int64, error) {
	if r == nil {
		row, found, err := a.readRecord(fileID, 0)
		if err == nil && !found {
			row.id, err = a.insertRecord(file, fileID, 0, nil)
		}
		return row.id, err
	}
	first := matchOf(r, 0)
	for nth := a.intake.Repeated[first]; ; nth++ {
		match := matchOf(r, nth)
		row, found, err := a.readRecord(fileID, match)
		switch {
		case err != nil:
			return 0, err
		case !found:
			a.repeat(first, nth)
			return a.insertRecord(file, fileID, match, r)
		case !a.intake.Records.Has(row.id):
			a.repeat(first, nth)
			return row.id, a.updateRecord(file, &row, r)
		case row.Path == r.Path:
			return row.id, nil // met in an earlier transaction
		}
	}
}

// repeat notes the number of the last record with an ID that several have, so that the others are not looked at again.
func (a *adder) repeat(match, nth int64) {
	if nth == 0 {
		return
	}
	if a.intake.Repeated == nil {
		a.intake.Repeated = map[int64]int64{}
	}
	a.intake.Repeated[match] = nth
}

func (t *tx) readRecord(file, match int64) (row recordRow, found bool, err error) {
	found, err = t.find("SELECT id, match, path, key, name, attributes FROM record WHERE file_id = ? AND match = ?",
		[]any{file, match}, &row.id, &row.match, &row.Path, &row.ID, &row.Name, &row.attributes)
	return row, found, err
}

func (a *adder) insertRecord(file string, fileID, match int64, r *read.Record) (int64, error) {
	id := a.nextRecord
	err := a.putRecord(id, fileID, match, r)
	a.nextRecord++
	a.recordDigests = append(a.recordDigests, review.RecordDigest(file, r))
	a.intake.Records.Add(id)
	return id, err
}

func (t *tx) putRecord(id, fileID, match int64, r *read.Record) error {
	row := recordRow{}
	if r != nil {
		row.Record, row.attributes = *r, review.JoinAttributes(r.Attributes)
	}
	return t.insert("INTO record (id, file_id, match, is_record, path, key, name, attributes, seal)", id, fileID, match,
		r != nil, row.Path, row.ID, row.Name, row.attributes, recordSeal(r, row.attributes))
}

// updateRecord brings a record that was read again up to date.
func (a *adder) updateRecord(file string, was *recordRow, r *read.Record) error {
	a.intake.Records.Add(was.id)
	attributes := review.JoinAttributes(r.Attributes)
	other := was.ID != r.ID || was.Name != r.Name || was.attributes != attributes
	if !other && was.Path == r.Path {
		return nil
	}
	if other {
		was.Attributes = review.SplitAttributes(was.attributes)
		a.changed = append(a.changed, review.ChangedRecord{ID: was.id, Was: hexDigest(review.RecordDigest(file,
			&was.Record)), Is: hexDigest(review.RecordDigest(file, r))})
		if err := a.exec("INSERT INTO record_dirty (record_id) VALUES (?) ON CONFLICT DO NOTHING",
			was.id); err != nil {
			return err
		}
	}
	return a.exec("UPDATE record SET path = ?, key = ?, name = ?, attributes = ?, seal = ? WHERE id = ?", r.Path, r.ID,
		r.Name, attributes, recordSeal(r, attributes), was.id)
}

func hexDigest(digest [32]byte) string { return hex.EncodeToString(digest[:]) }

// scanRecord reads the columns is_record, path, key, name and attributes; nil is a file as a whole.
func scanRecord(r *row, at int) *read.Record {
	if r.number(at) == 0 {
		return nil
	}
	return &read.Record{Path: r.text(at + 1), ID: r.text(at + 2), Name: r.text(at + 3),
		Attributes: review.SplitAttributes(r.text(at + 4))}
}
