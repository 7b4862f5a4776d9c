package review

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"visto/canon"
)

// EntryBody is the body of a log entry, as JSON: all that the entry did, enough to do it again.
type EntryBody struct {
	Decisions []LoggedDecision `json:"decisions,omitempty"`
	Notes     []LoggedNote     `json:"notes,omitempty"`
	Overrides []LoggedRule     `json:"overrides,omitempty"` // in the order in which they were applied; for an undo, the inverse ones
	Policy    *LoggedPolicy    `json:"policy,omitempty"`
	Evidence  []LoggedEvidence `json:"evidence,omitempty"`
	Undo      int64            `json:"undo,omitempty"` // the batch that was taken back
	Redo      int64            `json:"redo,omitempty"` // the batch that was brought back
}

// LoggedDecision is a decision on an item. Canonical is absent where it is From, as it is for every plain approval.
type LoggedDecision struct {
	Item      int64  `json:"item"`
	Kind      Kind   `json:"kind"`
	Canonical string `json:"canonical,omitempty"`
	From      string `json:"from,omitempty"`
	Note      string `json:"note,omitempty"`
}

// LoggedNote is a note on an item.
type LoggedNote struct {
	Item int64  `json:"item"`
	Text string `json:"text"`
}

// LoggedRule is a change of an override.
type LoggedRule struct {
	Before *canon.Override `json:"before,omitempty"`
	After  *canon.Override `json:"after,omitempty"`
}

// LoggedPolicy is the policy that became the store's.
type LoggedPolicy struct {
	ID     string `json:"id"`
	Digest string `json:"digest"`
	YAML   string `json:"yaml"`
}

// LoggedEvidence is the evidence that an item got.
type LoggedEvidence struct {
	Item     int64           `json:"item"`
	Evidence *canon.Evidence `json:"evidence"`
}

// BodyOf returns the body of the log entry for a change of which the given decisions were written.
func BodyOf(c *Change, decided []ItemDecision) []byte {
	b := EntryBody{Undo: c.Undo, Redo: c.Redo}
	for _, d := range decided {
		b.Decisions = append(b.Decisions, logged(d))
	}
	for _, n := range c.Notes {
		b.Notes = append(b.Notes, LoggedNote{n.ID, n.Text})
	}
	for _, o := range c.Overrides {
		b.Overrides = append(b.Overrides, LoggedRule(o))
	}
	for _, e := range c.Evidence {
		b.Evidence = append(b.Evidence, LoggedEvidence{e.ID, e.Evidence})
	}
	if p := c.Policy; p != nil {
		b.Policy = &LoggedPolicy{ID: p.ID(), Digest: p.Digest(), YAML: string(p.YAML())}
	}
	text, err := encode(b)
	if err != nil {
		panic(err) // the types above hold nothing that JSON cannot say
	}
	return text
}

func logged(d ItemDecision) LoggedDecision {
	l := LoggedDecision{Item: d.ID, Kind: d.Decision.Kind, From: d.Decision.From, Note: d.Decision.Note}
	if d.Decision.Canonical != d.Decision.From {
		l.Canonical = d.Decision.Canonical
	}
	return l
}

// Decision returns the decision as it was made, without its reviewer, time and batch, which the entry has.
func (l LoggedDecision) Decision() Decision {
	d := Decision{Kind: l.Kind, From: l.From, Note: l.Note}
	if l.Kind == Approve || l.Kind == Correct {
		d.Canonical = l.Canonical
		if d.Canonical == "" {
			d.Canonical = l.From
		}
	}
	return d
}

// Read parses the entry's body.
func (e *Entry) Read() (EntryBody, error) {
	var b EntryBody
	if len(e.Body) == 0 {
		return b, nil
	}
	if err := json.Unmarshal(e.Body, &b); err != nil {
		return b, fmt.Errorf("reading log entry %d: %w", e.Seq, err)
	}
	return b, nil
}

// Chain returns what the entry's Hash has to be: the SHA-256 of everything else in it, the hash of the entry before it included.
// Each text goes in behind its length, so that no two entries have one encoding; the time counts in milliseconds.
func (e *Entry) Chain() [32]byte {
	b := make([]byte, 0, 256+len(e.Body))
	number := func(n int64) { b = binary.BigEndian.AppendUint64(b, uint64(n)) }
	text := func(s string) {
		number(int64(len(s)))
		b = append(b, s...)
	}
	text("visto log 1")
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
