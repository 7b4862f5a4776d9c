package review

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// An exported log is all entries, oldest first, a JSON object a line, with the hashes that chain them: who has the file can
// verify it without the database, and whether a database still is the one it came out of.

// entryJSON is an entry whole. Body is the stored text as it is, which the hash is over.
type entryJSON struct {
	Seq      int64           `json:"seq"`
	At       time.Time       `json:"at"`
	Reviewer string          `json:"reviewer"`
	Action   Action          `json:"action"`
	Batch    int64           `json:"batch"`
	Summary  string          `json:"summary"`
	Body     json.RawMessage `json:"body,omitempty"`
	Prev     string          `json:"prev"`
	Hash     string          `json:"hash"`
}

// MarshalJSON writes the entry whole, hashes in hexadecimal. It is an error if JSON cannot say all of it, as that a text
// is not UTF-8.
func (e Entry) MarshalJSON() ([]byte, error) {
	text, err := encode(entryJSON{e.Seq, e.At.UTC(), e.Reviewer, e.Action, e.Batch, e.Summary, e.Body,
		hex.EncodeToString(e.Prev[:]), hex.EncodeToString(e.Hash[:])})
	var back Entry
	if err == nil {
		err = back.UnmarshalJSON(text)
	}
	if err == nil && back.Chain() != e.Chain() {
		err = errors.New("it holds bytes that JSON cannot")
	}
	if err != nil {
		return nil, fmt.Errorf("log entry %d: %w", e.Seq, err)
	}
	return text, nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (e *Entry) UnmarshalJSON(text []byte) error {
	var j entryJSON
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&j); err != nil {
		return err
	}
	*e = Entry{EntryInfo: EntryInfo{j.Seq, j.At, j.Reviewer, j.Action, j.Batch, j.Summary}, Body: j.Body}
	for _, h := range []struct {
		text string
		into *[32]byte
	}{{j.Prev, &e.Prev}, {j.Hash, &e.Hash}} {
		if n, err := hex.Decode(h.into[:], []byte(h.text)); err != nil || n != len(h.into) || len(h.text) != 2*n {
			return fmt.Errorf("%q is no hash", h.text)
		}
	}
	return nil
}

// LogHead is how far a log goes: how many entries it has, and the hash of the last one, which stands for all of them.
type LogHead struct {
	Entries int64
	Hash    [32]byte
	At      time.Time // of the last one
}

// next takes the entry that follows, or says why it cannot be that.
func (h *LogHead) next(e *Entry) error {
	switch {
	case e.Seq != h.Entries+1:
		return fmt.Errorf("entry %d comes after entry %d", e.Seq, h.Entries)
	case e.Prev != h.Hash:
		return fmt.Errorf("entry %d does not chain to the one before it", e.Seq)
	case e.Chain() != e.Hash:
		return fmt.Errorf("entry %d is not what was written: its hash does not match", e.Seq)
	}
	*h = LogHead{e.Seq, e.Hash, e.At}
	return nil
}

// ExportLog writes the log as ReadLog reads it. A log whose chain does not hold is not exported.
func (d *Desk) ExportLog(ctx context.Context, w io.Writer) (LogHead, error) {
	var head LogHead
	err := d.store.EachEntry(ctx, func(e Entry) error {
		if err := head.next(&e); err != nil {
			return err
		}
		line, err := e.MarshalJSON()
		if err == nil {
			_, err = w.Write(append(line, '\n'))
		}
		return err
	})
	if err != nil {
		err = fmt.Errorf("exporting the log: %w", err)
	}
	return head, err
}

// VerifyLog reads an exported log and verifies its chain. The head it returns is that of the entries before an error.
func VerifyLog(r io.Reader) (LogHead, error) {
	var head LogHead
	err := readLog(r, func(e *Entry) error { return head.next(e) })
	return head, err
}

// readLog calls fn for each entry of an exported log.
func readLog(r io.Reader, fn func(*Entry) error) error {
	dec := json.NewDecoder(r)
	for n := 1; ; n++ {
		var e Entry
		err := dec.Decode(&e)
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return fmt.Errorf("line %d: it is cut off", n)
		case err == nil:
			err = fn(&e)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
}

// ErrOtherLog is CompareLog's error for a log that is not of this store, or of another past of it.
var ErrOtherLog = errors.New("the exported log and the database's part ways")

// CompareLog verifies an exported log and that the store's own begins with it. It returns the heads of both. A store that
// was set back to an earlier state has fewer entries than were exported: that is ErrOtherLog too.
func (d *Desk) CompareLog(ctx context.Context, r io.Reader) (exported, own LogHead, err error) {
	var hashes [][32]byte
	err = readLog(r, func(e *Entry) error {
		hashes = append(hashes, e.Hash)
		return exported.next(e)
	})
	if err != nil {
		return exported, own, err
	}
	err = d.store.EachEntry(ctx, func(e Entry) error {
		if err := own.next(&e); err != nil {
			return fmt.Errorf("the log of the database: %w", err)
		}
		if i := e.Seq - 1; i < exported.Entries && hashes[i] != e.Hash {
			return fmt.Errorf("%w: entry %d is another one", ErrOtherLog, e.Seq)
		}
		return nil
	})
	if err == nil && own.Entries < exported.Entries {
		err = fmt.Errorf("%w: the database's ends with entry %d, and entry %d was exported", ErrOtherLog, own.Entries, exported.Entries)
	}
	return exported, own, err
}
