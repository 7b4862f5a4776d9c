package review

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"visto/canon"
	"visto/review/health"
	"visto/review/probe/extract"
)

// NewItem is an item to add.
type NewItem struct {
	Original string
	Source   Source
	Title    string
	Computed Computed
	Evidence *canon.Evidence
	Due      time.Time // as ItemEvidence.Due
	Digest   [32]byte  // of the input, for the log entry that adds it; see AddedRows

	Occurrence *NewOccurrence // nil: that of Source, in no record
}

// Intake is a run of additions, such as those of one file. Its log entries are shown as one.
type Intake struct {
	Reviewer string
	Gen      int64 // the generation that the items were computed under
	Run      int64 // as EntryInfo.Run; the store sets it
	IntakeCounts

	// The occurrences and records that the run met, and the number of the last record with an ID that several have,
	// by the match of the first. The store notes them.
	Occurrences, Records IDSet
	Repeated             map[int64]int64

	// Compute returns the result of an item with its Fields and decisions, and with its evidence as EachWithEvidence
	// has it. The store calls it for each known item that is or was corrected for one record alone, when a record
	// begins or ceases to cite it, and with OnFields for each known item whose Fields change: some rule asks for
	// fields. It writes the result.
	Compute  func(Item, *canon.Evidence) Computed
	OnFields bool

	own ownEvidence
}

// ownEvidence is the new host evidence of a run. Between the generations from and to, nobody else changed the rules or
// the evidence of hosts.
type ownEvidence struct {
	from, to int64
	hosts    map[string]ownHost
}

// ownHost holds the facts about a host that a run changed, and the generation of the last change.
type ownHost struct {
	gen int64
	canon.HostEvidence
}

// Stale reports whether somebody else changed the rules or the host evidence since generation Gen, or it is yet to
// come.
func (in *Intake) Stale(m Meta) bool {
	newest := m.resultsGen()
	isOwn := newest == in.own.to && in.Gen >= in.own.from
	return in.Gen > m.Gen || in.Gen < newest && !isOwn
}

// Outdated reports whether the run itself added host evidence since generation Gen that may change the result of an
// item. The facts of the item's own evidence about a host do not depend on those of others.
func (in *Intake) Outdated(n *NewItem) bool {
	if len(in.own.hosts) == 0 {
		return false
	}
	var known canon.Hosts
	if n.Evidence != nil {
		known = n.Evidence.Hosts
	}
	hosts := RelatedHosts(nil, append(slices.Clone(n.Computed.Via), n.Computed.InHost, n.Computed.Host)...)
	return slices.ContainsFunc(hosts, func(host string) bool {
		added, item := in.own.hosts[host], known[host]
		return added.gen > in.Gen && (added.HTTPS != nil && item.HTTPS == nil ||
			added.PreferredHost != "" && item.PreferredHost == "")
	})
}

// Learn notes the facts about hosts that a transaction of the run changed. m is from its start.
func (in *Intake) Learn(m Meta, changed canon.Hosts) {
	if newest := m.resultsGen(); newest != in.own.to || in.own.hosts == nil {
		in.own = ownEvidence{from: newest, hosts: map[string]ownHost{}}
	}
	in.own.from, in.own.to = max(in.own.from, in.Gen), m.Gen+1
	maps.DeleteFunc(in.own.hosts, func(_ string, h ownHost) bool { return h.gen <= in.own.from })
	for host, facts := range changed {
		in.own.hosts[host] = ownHost{in.own.to, in.own.hosts[host].Update(facts)}
	}
}

// IntakeCounts are the changes of a run so far. The store counts them.
type IntakeCounts struct {
	Added int // items
	OccurrenceCounts
}

// OccurrenceCounts are the changes of occurrences when a file is read.
type OccurrenceCounts struct {
	Came  int // new ones; the first of a new item too
	Moved int // known ones in another line, column or path
	Back  int // known ones that were gone
	Went  int // known ones that are not there any more
}

// String describes the counts as the summary of a log entry.
func (c IntakeCounts) String() string {
	var parts []string
	part := func(n int, one, many string) {
		if n == 1 {
			parts = append(parts, "1 "+one)
		} else if n > 1 {
			parts = append(parts, fmt.Sprintf("%d %s", n, many))
		}
	}
	part(c.Added, "URL", "URLs")
	part(c.Came-c.Added, "more place", "more places")
	part(c.Moved, "place moved", "places moved")
	part(c.Back, "place back", "places back")
	part(c.Went, "place gone", "places gone")
	if c.Came > 0 && len(parts) > 0 {
		parts[0] = "added " + parts[0]
	}
	return strings.Join(parts, ", ")
}

// AddOutcome is the result of adding a NewItem.
type AddOutcome struct {
	ID    int64
	Known bool // it was stored before
}

// Change is one batch to write: a person's action with every row that follows from it. The store numbers the batch,
// reads the clock once, appends one chained entry to the log, and sets each item's status with ResolveStatus.
type Change struct {
	Reviewer string
	Action   Action
	Summary  string // one line for the log, such as "drop plaza on sede.example.gob.es"

	// Decisions are written one by one. If an item's Rev differs from the one given (0: any), its decision is left
	// out and reported in the receipt as a Conflict. If none is left the whole change is not written. One for a record
	// alone is in force until a later one for that record or for all, and counts while the record cites the item.
	Decisions []ItemDecision
	Notes     []ItemNote

	// Rules change together with the results that were computed from them. Recomputed was computed at Gen and LastID
	// of Meta; if either has moved on, Commit fails with ErrStale.
	//
	// With Late it fails only if the rules changed. Commit then calls Late for each item that was added since, whose
	// correction changed since (after the log entry Seq), or that got evidence since, itself or by a host of its own,
	// with its evidence as EachWithEvidence has it. It writes the result of Late, if not nil, and never the item's
	// Recomputed. So rules can change while a large file is added or a probe runs.
	//
	// Proposed are changes of overrides of which nothing follows: an ActPropose. Confirms is the batch of those that
	// another person writes; Commit fails with ErrStale while it is undone.
	Overrides  []OverrideChange
	Proposed   []OverrideChange
	Confirms   int64
	Policy     *canon.Policy // for Recanon: becomes the store's policy
	Evidence   []ItemEvidence
	Recomputed []Recomputed
	Gen        int64
	LastID     int64
	Seq        int64
	Late       func(Item, *canon.Evidence) *Recomputed

	// OnFields has Compute called for each item whose Fields change with the undo or redo of a ForgetChange: some rule
	// asks for fields.
	OnFields bool

	// Undo is the ID of a batch to undo, Redo of one to redo; 0: none. Each item of the batch then has the newest
	// decision of a batch that is not undone. Overrides and Recomputed above hold the batch's rule changes, inverted
	// for an undo.
	Undo, Redo int64

	// Compute returns the result of an item with the decision that the change puts in force, and with its evidence as
	// EachWithEvidence has it. A correction stands in for the original: Commit calls Compute for each item on which
	// the change sets, replaces or lifts one, or which is or was corrected for one record alone, and writes the
	// result. It fails with ErrStale if the rules changed after Gen.
	Compute func(Item, *canon.Evidence) Computed
}

// ForgetChange makes all occurrences in a file gone, as one batch. Very many go in several transactions: if it fails
// between them, the receipt has the batch so far, and the change goes on with that as Rest.
type ForgetChange struct {
	Reviewer string
	Summary  string // as Change.Summary
	File     string
	Rest     int64

	// Compute is that of Change. With OnFields it is called for each item whose Fields change too: some rule asks for
	// fields. The rules are those of generation Gen.
	Compute  func(Item, *canon.Evidence) Computed
	OnFields bool
	Gen      int64
}

// Reverts returns the batch that the change undoes or redoes, 0 if it does neither.
func (c *Change) Reverts() int64 { return max(c.Undo, c.Redo) }

// Validate reports an error if no store could write the change: two decisions on one item, an unknown kind of
// decision, a correction without Compute, an override change without either side, or both an undo and a redo.
func (c *Change) Validate() error {
	seen := make(map[int64]bool, len(c.Decisions))
	for i := range c.Decisions {
		d := &c.Decisions[i]
		if seen[d.ID] {
			return fmt.Errorf("URL %d is decided twice in one batch", d.ID)
		}
		if seen[d.ID] = true; d.Decision.Kind < Approve || d.Decision.Kind >= kindCount {
			return fmt.Errorf("URL %d: there is no decision of kind %d", d.ID, d.Decision.Kind)
		}
		if d.Decision.Kind.Corrects() && c.Compute == nil {
			return fmt.Errorf("URL %d: a correction needs the result of its URL", d.ID)
		}
	}
	for _, o := range c.Overrides {
		if o.Before == nil && o.After == nil {
			return errors.New("a change of an override says neither before nor after")
		}
	}
	if c.Undo != 0 && c.Redo != 0 {
		return errors.New("a change cannot both undo and redo")
	}
	return nil
}

// OnRules reports whether the change was computed under the rules, which must then still be in force.
func (c *Change) OnRules() bool {
	return len(c.Recomputed) > 0 || len(c.Overrides) > 0 || c.Policy != nil || c.Late != nil
}

// Behind reports whether a change on rules has to be completed with Late, because items or evidence were added since
// it was computed. It returns ErrStale if the change cannot be written any more.
func (c *Change) Behind(m Meta) (bool, error) {
	if m.Gen == c.Gen && m.LastID == c.LastID {
		return false, nil
	}
	if c.Gen > m.Gen || c.Gen < m.RulesGen || c.Late == nil {
		return false, ErrStale
	}
	return true, nil
}

// ItemDecision decides one item. The store fills in the Decision's Reviewer, At and Batch.
type ItemDecision struct {
	ID, Rev  int64
	Decision Decision
}

// ItemNote adds a note to an item.
type ItemNote struct {
	ID   int64  `json:"item"`
	Text string `json:"text"`
}

// ItemEvidence replaces the evidence of an item.
type ItemEvidence struct {
	ID       int64           `json:"item"`
	Evidence *canon.Evidence `json:"evidence"`
	Due      time.Time       `json:"-"` // of the next probe; zero if the evidence is of unknown age: due at once

	// Content is the content of the page, as the probe read it. nil: none was read, and the stored versions stay.
	Content *extract.Document `json:"-"`

	// Link is the history of the item's link with this check. nil: it stays as it is.
	Link *health.Record `json:"-"`

	// Basis is the item and the history that Link was made from. Whoever stores Link fails with ErrStale if they have
	// changed since. nil: they may have.
	Basis *LinkBasis `json:"-"`
}

// LinkBasis tells an item and the history of its link from later ones.
type LinkBasis struct {
	Rev  int64        // Item.Rev
	Last health.Check // of the stored history; the zero Check: there is none
}

// Recomputed is a new result of the machine for an item.
type Recomputed struct {
	ID       int64
	Computed Computed
	Title    string // empty: unchanged
}

// OverrideChange adds (Before nil), removes (After nil) or replaces an override. Commit fails with ErrStale if Before
// is not the override in force for its Match.
type OverrideChange struct {
	Before *canon.Override `json:"before,omitempty"`
	After  *canon.Override `json:"after,omitempty"`
}

// Receipt counts the rows that Commit wrote.
type Receipt struct {
	Batch     int64 // 0: nothing was written
	Seq       int64 // of the log entry
	Decided   int   // decisions written, undone or redone
	Waiting   int   // of the decisions written, the approvals that wait for a second person
	Updated   int   // items recomputed
	Conflicts []Conflict
}

// Conflict is a decision that was not written because the item changed after the reviewer saw it, or because it would
// confirm the reviewer's own approval, or repeat one that settles the item.
type Conflict struct {
	Item Item      // as it is now
	Own  *Decision // that approval; nil: the item changed
}

func (c Conflict) Error() string {
	if c.Own != nil {
		why := ": the second approval has to be another person's"
		if of := c.Own.CanonicalOf; of != nil {
			why = fmt.Sprintf(", as the canonical URL of URL %d", of.ID)
		}
		return fmt.Sprintf("URL %d was approved by %s at %s already%s", c.Item.ID, c.Own.Reviewer,
			c.Own.At.UTC().Format("2006-01-02 15:04 UTC"), why)
	}
	d := c.Item.newest()
	if d == nil {
		return fmt.Sprintf("URL %d changed meanwhile: it is now %s, %s", c.Item.ID, c.Item.Computed.Canonical,
			c.Item.Status)
	}
	did := d.Kind.String()
	if d.CanonicalOf != nil {
		did += fmt.Sprintf(" as the canonical URL of URL %d", d.CanonicalOf.ID)
	}
	if d.Record > 0 {
		did += " for one record alone"
	}
	return fmt.Sprintf("URL %d was decided meanwhile: %s by %s at %s", c.Item.ID, did, d.Reviewer,
		d.At.UTC().Format("2006-01-02 15:04 UTC"))
}
