package review

import (
	"fmt"
	"slices"
	"time"

	"visto/canon"
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
}

// Reference names an item.
type Reference struct {
	ID       int64  `json:"id"`
	Original string `json:"original"`
}

// settles returns the approval as it settles the item whose original it approves as the canonical URL of another one.
func (d Decision) settles(of Reference) Decision {
	d.Kind, d.CanonicalOf = Approve, &of
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

// Approves reports whether a decision of this kind names a URL to cite.
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
// canonical URL other than the approved one and, unless the decision is a correction, the one that the reviewer saw.
func ResolveStatus(c Computed, d *Decision) (Status, canon.CodeSet) {
	flags := c.Flags.Without(canon.ChangedSinceApproval)
	if d == nil {
		return byVerdict(c.Verdict), flags
	}
	switch d.Kind {
	case Approve, Correct, CorrectAsTyped:
		if d.outdatedBy(c.Canonical) {
			flags = flags.With(canon.ChangedSinceApproval)
		}
		return Approved, flags
	case Reject:
		return Rejected, flags
	case Defer:
		return Deferred, flags
	}
	return Pending, flags
}

// outdatedBy reports whether a computed canonical URL is another one than the approval was about. The result of a
// corrected item is that of the corrected URL, so it has to stay the approved one. The approval of another item becomes
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
		return it.Decision.Canonical
	}
	return it.Computed.Canonical
}

// Open reports whether the item waits for a person.
func (it *Item) Open() bool { return it.Presence != Gone && open(it.Status, it.Computed.Flags) }

func open(s Status, flags canon.CodeSet) bool {
	return s == Pending || s == Approved && flags.Has(canon.ChangedSinceApproval)
}
