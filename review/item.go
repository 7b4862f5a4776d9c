package review

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"visto/canon"
	"visto/review/health"
)

// Item is a stored URL: its original, its current result, and its status.
type Item struct {
	ID       int64
	Rev      int64 // rises with every write to the item; a decision names the Rev that the reviewer saw
	Original string
	Source   Source // where it was read first
	Title    string // of the page, from the evidence or from the imported file
	Computed Computed
	Status   Status
	Decision *Decision // the one in effect; nil: none
	Notes    int       // number of notes

	Unfinished bool // it does not follow a change of very many items yet, which is in force (PendingStore)

	// ByRecord has an entry for each record, and each file as a whole, that cites the item, if there is a decision for
	// one of them alone; otherwise it is nil.
	ByRecord []RecordDecision

	Link        Link         // findings of the checks of its link
	Presence    Presence     // Cited or Gone
	Fields      FieldSet     // of its occurrences that are there
	Occurrences []Occurrence // all in order, gone ones too; only where Page, Item, Find or EachCited returns the item
}

// Source is the place where a URL was read first.
type Source struct {
	File     string `json:"file,omitempty"`
	Field    string `json:"field,omitempty"`    // such as portal_url; empty in plain text
	Position string `json:"position,omitempty"` // line, or line:column, or row
}

// Status is the state of an item in the review.
type Status uint8

// The statuses. Their numbers are stored.
const (
	Pending  Status = iota // waits for a person
	Accepted               // by the machine, without a person
	Approved
	Rejected // by a person, or by the machine when there is no Decision
	Deferred
	statusCount
)

func (s Status) String() string {
	return [...]string{"pending", "accepted", "approved", "rejected", "deferred"}[s]
}

// MarshalText writes the status's name.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the status's name.
func (s *Status) UnmarshalText(text []byte) error {
	var ok bool
	if *s, ok = ParseStatus(string(text)); !ok {
		return fmt.Errorf("there is no status %q", text)
	}
	return nil
}

// ParseStatus returns the status of that name.
func ParseStatus(name string) (Status, bool) { return parseName(statusCount, name) }

// parseName returns the value below end with the name.
func parseName[T interface {
	~uint8
	fmt.Stringer
}](end T, name string) (T, bool) {
	for v := range end {
		if v.String() == name {
			return v, true
		}
	}
	return 0, false
}

// mapped returns the results of fn for the values of a list.
func mapped[T, U any](list []T, fn func(T) U) []U {
	results := slices.Grow([]U(nil), len(list))
	for _, v := range list {
		results = append(results, fn(v))
	}
	return results
}

// Decision is the decision of a person about an item.
type Decision struct {
	Kind      Kind      `json:"kind"`
	Canonical string    `json:"-"` // Approve and corrections: the URL that was approved
	From      string    `json:"-"` // the computed canonical URL that the reviewer saw
	Reviewer  string    `json:"reviewer"`
	At        time.Time `json:"at"`
	Note      string    `json:"note,omitempty"`
	Batch     int64     `json:"batch"`

	// CanonicalOf is the item that the decision is about, if that is another one: the decision approves the original
	// as the canonical URL of that item. nil: it is a decision on the item itself.
	CanonicalOf *Reference `json:"canonical_of,omitempty"`

	Record int64 `json:"-"` // the Citer that the decision is for alone; 0: it is for all

	// SecondLook says that the approval takes two persons. Confirms is the batch of the one by another person that it
	// confirms; 0: it is the first of the two, or the batch is undone.
	SecondLook bool  `json:"second_look,omitempty"`
	Confirms   int64 `json:"confirms,omitempty"`
}

// RecordDecision is the decision on an item for one record alone.
type RecordDecision struct {
	Record   int64     // Occurrence.Citer
	Decision *Decision // nil: that of the item counts
}

// Reference names an item.
type Reference struct {
	ID       int64  `json:"id"`
	Original string `json:"original"`
}

// settles returns the approval as it settles the item whose original it approves as the canonical URL of another one.
func (d Decision) settles(of Reference) Decision {
	d.Kind, d.CanonicalOf, d.Record = Approve, &of, 0
	return d
}

// Kind is a kind of decision.
type Kind uint8

// The kinds. Their numbers are stored.
const (
	Approve Kind = iota + 1
	Correct      // approve another canonical URL than the computed one
	Reject
	Defer
	Reopen         // back to the queue
	CorrectAsTyped // Correct, with the URL exactly as the reviewer typed it
	kindCount
)

func (k Kind) String() string { return kinds[k] }

var kinds = [...]string{"", "approve", "correct", "reject", "defer", "reopen", "correct-as-typed"}

// Corrects reports whether the kind puts another URL in the place of the computed one.
func (k Kind) Corrects() bool { return k == Correct || k == CorrectAsTyped }

// Valid reports whether there is such a kind.
func (k Kind) Valid() bool { return k >= Approve && k < kindCount }

// Approves reports whether a decision of this kind names a URL to cite, once it does not wait (Decision.Waits).
func (k Kind) Approves() bool { return k == Approve || k.Corrects() }

// action returns the action of a batch with a decision of this kind.
func (k Kind) action() Action {
	if k.Corrects() {
		return ActCorrect
	}
	return Action(k.String())
}

// MarshalText writes the kind's name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the kind's name.
func (k *Kind) UnmarshalText(text []byte) error {
	i := slices.Index(kinds[:], string(text))
	if i < 1 {
		return fmt.Errorf("unknown kind of decision %q", text)
	}
	*k = Kind(i)
	return nil
}

// ResolveStatus derives the status of an item from its result and its decision. No other code derives it. An item
// without a decision of its own whose original is the approved canonical URL of another item has that approval. The
// returned flags are the computed ones, with changed-since-approval if a later policy, override or probe gives a
// canonical URL other than the approved one and, unless the decision is a correction, the one that the reviewer saw,
// and with those of the link unless the decision accepts, rejects or defers it (Link).
//
// An approval that waits for a second person settles nothing: the status is as without it, but a corrected item is
// pending, for its result is about the URL of the correction.
//
// With decisions for records alone (Item.ByRecord) each of these has a status, and the item has the first of these
// that one of them has: pending, approved with changed-since-approval, accepted or approved by the decision on the
// item, approved, deferred, rejected. A stored result does not tell which one of several decisions is outdated.
func ResolveStatus(
	c Computed, l Link, d *Decision, by ...RecordDecision,
) (status Status, flags canon.CodeSet) {
	if len(by) == 0 {
		return resolveOne(c, l, d)
	}
	first := rankCount
	for _, r := range by {
		s, f := resolveOne(c, l, cmp.Or(r.Decision, d))
		if rank := rankOf(s, f, r.Decision == nil); rank < first {
			first, status = rank, s
		}
		flags |= f
	}
	return status, flags
}

// The ranks of the statuses for records.
const (
	rankPending = iota
	rankChanged
	rankCited // by the decision on the item
	rankApproved
	rankDeferred
	rankRejected
	rankCount
)

func rankOf(s Status, flags canon.CodeSet, byItem bool) int {
	switch {
	case s == Pending:
		return rankPending
	case open(s, flags):
		return rankChanged
	case byItem && (s == Accepted || s == Approved):
		return rankCited
	case s == Approved:
		return rankApproved
	case s == Deferred:
		return rankDeferred
	}
	return rankRejected
}

// resolveOne derives the status of an item, or of its citation by a record, from one decision.
func resolveOne(c Computed, l Link, d *Decision) (Status, canon.CodeSet) {
	if d != nil && d.Waits() {
		status, flags := resolveOne(c, l, nil)
		if d.Kind.Corrects() {
			status = Pending
		}
		return status, flags
	}
	flags := c.Flags&^raisedByReview | l.under(d)
	if d == nil {
		return byVerdict(c.Verdict), flags
	}
	switch d.Kind {
	case Approve, Correct, CorrectAsTyped:
		if d.outdatedIn(c) {
			flags = flags.With(canon.ChangedSinceApproval)
		}
		return Approved, flags
	case Reject:
		return Rejected, flags &^ health.Flags // nobody cites it
	case Defer:
		return Deferred, flags &^ health.Flags
	}
	return Pending, flags
}

// outdatedIn reports whether the result of an item outdates an approval of it. That result is not about the URL of a
// correction for one record alone, but says whether such a correction is outdated.
func (d *Decision) outdatedIn(c Computed) bool {
	if d.Kind.Corrects() && d.Record != 0 {
		return c.Flags.Has(canon.ChangedSinceApproval)
	}
	return d.outdatedBy(c.Canonical)
}

// outdatedBy reports whether a canonical URL, computed from the original or from that of a correction, is another one
// than the approval was about. That of a correction has to stay the approved one. The approval of another item becomes
// outdated there.
func (d *Decision) outdatedBy(canonical string) bool {
	return d.CanonicalOf == nil && canonical != d.Canonical && (d.Kind.Corrects() || canonical != d.From)
}

// ByRules reports whether the status follows from the verdict without a decision. It does not distinguish a rejection
// by a person from one by the machine.
func ByRules(v canon.Verdict, s Status) bool { return s == byVerdict(v) }

func byVerdict(v canon.Verdict) Status {
	switch v {
	case canon.Accepted:
		return Accepted
	case canon.Flagged:
		return Pending
	}
	return Rejected
}

// Canonical returns the URL to cite: the approved one where a person approved one, else the computed one.
func (it *Item) Canonical() string {
	if it.Status == Approved {
		return it.Standing().Canonical
	}
	return it.Computed.Canonical
}

// Standing returns the decision that the status follows from, nil if there is none: that on the item, or else the
// newest one for a record alone.
func (it *Item) Standing() *Decision {
	if it.ByRecord == nil {
		return it.Decision
	}
	var newest *Decision
	for _, r := range it.ByRecord {
		switch own := it.For(r.Record); {
		case own.Status != it.Status:
		case r.Decision == nil:
			return it.Decision
		case newest == nil || r.Decision.Batch > newest.Batch:
			newest = r.Decision
		}
	}
	return newest
}

// newest returns the newest decision in force on the item, or for one of its records; nil: none.
func (it *Item) newest() *Decision {
	d := it.Decision
	for _, r := range it.ByRecord {
		if r.Decision != nil && (d == nil || r.Decision.Batch > d.Batch) {
			d = r.Decision
		}
	}
	return d
}

// For returns the item as it is for one record, or one file as a whole: with the decision for that alone, if there is
// one, or else that on the item; for 0 with the latter.
func (it *Item) For(citer int64) Item {
	own := *it
	own.ByRecord = nil
	for _, r := range it.ByRecord {
		if r.Record == citer && r.Decision != nil {
			own.Decision = r.Decision
		}
	}
	if it.ByRecord != nil {
		own.Status, own.Computed.Flags = resolveOne(it.Computed, it.Link, own.Decision)
	}
	return own
}

// Open reports whether the item waits for a person.
func (it *Item) Open() bool { return it.Presence != Gone && open(it.Status, it.Computed.Flags) }

func open(s Status, flags canon.CodeSet) bool {
	return s == Pending || s == Approved && flags&raisedByReview != 0 || s == Accepted && flags&health.Flags != 0
}

// raisedByReview are the flags that follow from decisions and checks of links, not from the rules.
var raisedByReview = health.Flags.With(canon.ChangedSinceApproval)

// itemDesk is the part of a Desk that finds, counts and exports items.
type itemDesk struct{ *deskBase }
