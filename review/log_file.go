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

// entryJSON is a line of an exported log, which has all entries, oldest first. The hashes verify the file without the
// database, and show whether a database has the same past. Body is the stored text byte by byte, for the hash covers
// it.
type entryJSON struct {
	Seq      int64           `json:"seq"`
	At       time.Time       `json:"at"`
	Reviewer string          `json:"reviewer"`
	Action   Action          `json:"action"`
	Batch    int64           `json:"batch"`
	Run      int64           `json:"run,omitempty"`
	Summary  string          `json:"summary"`
	Body     json.RawMessage `json:"body,omitempty"`
	Prev     string          `json:"prev"`
	Hash     string          `json:"hash"`
}

// MarshalJSON writes the whole entry, with hashes in hexadecimal. An entry that JSON cannot represent, such as one
// with a text that is not UTF-8, is an error.
func (e Entry) MarshalJSON() (text []byte, err error) {
	defer annotate(&err, "log entry %d", e.Seq)
	text, err = encode(entryJSON{e.Seq, e.At.UTC(), e.Reviewer, e.Action, e.Batch, e.Run, e.Summary, e.Body,
		hex.EncodeToString(e.Prev[:]), hex.EncodeToString(e.Hash[:])})
	if err != nil {
		return nil, err
	}
	var back Entry
	if err = back.UnmarshalJSON(text); err == nil && back.Chain() != e.Chain() {
		err = errors.New("it holds bytes that JSON cannot")
	}
	return text, err
}

// UnmarshalJSON reads an entry written by MarshalJSON.
func (e *Entry) UnmarshalJSON(text []byte) error {
	var j entryJSON
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&j); err != nil {
		return err
	}
	*e = Entry{EntryInfo: EntryInfo{j.Seq, j.At, j.Reviewer, j.Action, j.Batch, j.Run, j.Summary}, Body: j.Body}
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

// LogHead identifies a log by the number of its entries and the hash of the last one, which covers all entries.
type LogHead struct {
	Entries int64
	Hash    [32]byte
}

// append verifies that the entry follows the head, and makes it the head.
func (h *LogHead) append(e *Entry) error {
	switch {
	case e.Seq != h.Entries+1:
		return fmt.Errorf("entry %d comes after entry %d", e.Seq, h.Entries)
	case e.Prev != h.Hash:
		return fmt.Errorf("entry %d does not chain to the one before it", e.Seq)
	case e.Chain() != e.Hash:
		return fmt.Errorf("entry %d was changed: its hash does not match", e.Seq)
	}
	*h = LogHead{e.Seq, e.Hash}
	return nil
}

// ExportLog writes the log, one entry a line. It verifies the chain and stops at a broken one.
func (d *Desk) ExportLog(ctx context.Context, w io.Writer) (LogHead, error) {
	var head LogHead
	err := d.store.EachEntry(ctx, func(e Entry) error {
		if err := head.append(&e); err != nil {
			return err
		}
		line, err := e.MarshalJSON()
		if err == nil {
			_, err = w.Write(append(line, '\n'))
		}
		return err
	})
	annotate(&err, "exporting the log")
	return head, err
}

// VerifyLog verifies the chain of an exported log. On an error it returns the head before the bad entry.
func VerifyLog(r io.Reader) (LogHead, error) {
	var head LogHead
	err := readLog(r, func(e *Entry) error { return head.append(e) })
	return head, err
}

// maxEntry is the largest size of an entry of an exported log, in bytes. A larger one is not held in memory.
const maxEntry = 32 << 20

// bounded ends with an error when more than left bytes are read.
type bounded struct {
	r    io.Reader
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, fmt.Errorf("the entry is larger than %d MiB, the most that is read", maxEntry>>20)
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// readLog calls fn for each entry of an exported log.
func readLog(r io.Reader, fn func(*Entry) error) error {
	in := &bounded{r: r}
	dec := json.NewDecoder(in)
	for n := 1; ; n++ {
		var e Entry
		in.left = maxEntry
		switch err := dec.Decode(&e); {
		case err == io.EOF:
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return fmt.Errorf("line %d: it is cut off", n)
		case err != nil:
			return fmt.Errorf("line %d: %w", n, err)
		}
		if err := fn(&e); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
}

// ErrOtherLog is the error of CompareLog for a log of another store, or of another past of this one.
var ErrOtherLog = errors.New("the exported log and the database's part ways")

// CompareLog verifies an exported log, and that the log of the store begins with it. It returns the heads of both. A
// store with fewer entries, set back to an earlier state, is ErrOtherLog too.
func (d *Desk) CompareLog(ctx context.Context, r io.Reader) (exported, own LogHead, err error) {
	var hashes [][32]byte
	err = readLog(r, func(e *Entry) error {
		hashes = append(hashes, e.Hash)
		return exported.append(e)
	})
	if err != nil {
		return exported, own, err
	}
	err = d.store.EachEntry(ctx, func(e Entry) error {
		if err := own.append(&e); err != nil {
			return fmt.Errorf("the log of the database: %w", err)
		}
		if i := e.Seq - 1; i < exported.Entries && hashes[i] != e.Hash {
			return fmt.Errorf("%w: entry %d is another one", ErrOtherLog, e.Seq)
		}
		return nil
	})
	if err == nil && own.Entries < exported.Entries {
		err = fmt.Errorf("%w: the database's ends with entry %d, and entry %d was exported", ErrOtherLog, own.Entries,
			exported.Entries)
	}
	return exported, own, err
}
