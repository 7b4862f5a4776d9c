package review

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"time"

	"visto/canon"
)

// EntryInfo describes one entry of the append-only log.
type EntryInfo struct {
	Seq      int64
	At       time.Time
	Reviewer string
	Action   Action
	Batch    int64
	Run      int64 // the number of the first entry of the same intake, or of the same forgotten file; 0: none
	Summary  string
}

// CutShort reports whether the entry, as Log returns it, is of an undo or a redo of many places that has not come to
// its end. The batch is as before; the command goes on where it stopped.
func (e *EntryInfo) CutShort() bool { return e.Run > 0 && (e.Action == ActUndo || e.Action == ActRedo) }

// Entry is one whole entry of the log. Hash is its Chain, and Prev the Hash of the entry before it.
type Entry struct {
	EntryInfo
	Body []byte // JSON of the EntryBody
	Prev [32]byte
	Hash [32]byte
}

// EntryBody is the body of a log entry, stored as JSON. It suffices to replay the entry.
type EntryBody struct {
	Decisions []LoggedDecision `json:"decisions,omitempty"`
	Notes     []ItemNote       `json:"notes,omitempty"`
	// in the order of their application; for an undo, the inverse changes
	Overrides []OverrideChange `json:"overrides,omitempty"`
	Proposed  []OverrideChange `json:"proposed,omitempty"`
	Confirms  int64            `json:"confirms,omitempty"` // the batch of the proposal that is written
	Policy    *LoggedPolicy    `json:"policy,omitempty"`
	Evidence  []ItemEvidence   `json:"evidence,omitempty"`
	Undo      int64            `json:"undo,omitempty"` // the batch that was undone
	Redo      int64            `json:"redo,omitempty"` // the batch that was redone
	Inputs    []ReplacedInput  `json:"inputs,omitempty"`
	// the hashes, in hex, of the log entries that a restore set aside
	Replaced []string `json:"replaced,omitempty"`
	Forget   string   `json:"forget,omitempty"` // the file that was forgotten
	IntakeEntry
}

// LoggedDecision is a decision on an item. An absent Canonical equals From, as for every plain approval.
type LoggedDecision struct {
	Item      int64  `json:"item"`
	Record    int64  `json:"record,omitempty"` // Decision.Record
	Kind      Kind   `json:"kind"`
	Canonical string `json:"canonical,omitempty"`
	From      string `json:"from,omitempty"`
	Note      string `json:"note,omitempty"`

	SecondLook bool  `json:"second_look,omitempty"`
	Confirms   int64 `json:"confirms,omitempty"` // as it was written, even if that batch was undone later
}

// LoggedPolicy is a new policy of the store.
type LoggedPolicy struct {
	ID     string `json:"id"`
	Digest string `json:"digest"`
	YAML   string `json:"yaml"`
}

// NewLoggedPolicy returns the policy as a log entry has it; nil stays nil.
func NewLoggedPolicy(p *canon.Policy) *LoggedPolicy {
	if p == nil {
		return nil
	}
	return &LoggedPolicy{ID: p.ID(), Digest: p.Digest(), YAML: string(p.YAML())}
}

// Log adds the decisions that were written.
func (b *EntryBody) Log(decided []ItemDecision) { b.Decisions = mapped(decided, logged) }

// Encode returns the body as an Entry has it.
func (b *EntryBody) Encode() []byte {
	text, err := encode(b)
	if err != nil {
		panic(err) // cannot happen: JSON can represent the types above
	}
	return text
}

func logged(d ItemDecision) LoggedDecision {
	l := LoggedDecision{Item: d.ID, Record: d.Decision.Record, Kind: d.Decision.Kind, From: d.Decision.From,
		Note: d.Decision.Note, SecondLook: d.Decision.SecondLook, Confirms: d.Decision.Confirms}
	if d.Decision.Canonical != d.Decision.From {
		l.Canonical = d.Decision.Canonical
	}
	return l
}

// Decision returns the decision without reviewer, time and batch, which are in the entry.
func (l LoggedDecision) Decision() Decision {
	d := Decision{Kind: l.Kind, From: l.From, Note: l.Note, Record: l.Record, SecondLook: l.SecondLook,
		Confirms: l.Confirms}
	if l.Kind.Approves() {
		d.Canonical = cmp.Or(l.Canonical, l.From)
	}
	return d
}

// Read parses the entry's body.
func (e *Entry) Read() (b EntryBody, err error) {
	if len(e.Body) > 0 {
		err = json.Unmarshal(e.Body, &b)
	}
	annotate(&err, "reading log entry %d", e.Seq)
	return b, err
}

// Chain computes the hash of the entry: the SHA-256 of all its other fields, including the hash of the previous
// entry. Each text follows its length, so that different entries have different encodings. Times are in milliseconds.
// Run is only part of it in an entry of an intake.
func (e *Entry) Chain() [32]byte {
	b := make([]byte, 0, 256+len(e.Body))
	number := func(n int64) { b = binary.BigEndian.AppendUint64(b, uint64(n)) }
	text := func(s string) {
		number(int64(len(s)))
		b = append(b, s...)
	}
	if e.Run == 0 {
		text("visto log 1")
	} else {
		text("visto log 2")
		number(e.Run)
	}
	number(e.Seq)
	number(e.At.UnixMilli())
	text(e.Reviewer)
	text(string(e.Action))
	number(e.Batch)
	text(e.Summary)
	text(string(e.Body))
	b = append(b, e.Prev[:]...)
	return sha256.Sum256(b)
}
