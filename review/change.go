package review

import (
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
	Reviewer  string
	Run       int64 // as EntryInfo.Run; the store sets it
	Computing       // Gen is the generation that the items were computed under
	IntakeCounts

	// The occurrences and records that the run met, and the number of the last record with an ID that several have,
	// by the match of the first. The store notes them.
	Occurrences, Records IDSet
	Repeated             map[int64]int64

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

// Change is one batch to write: a Decide, AddNotes, ChangeRules, ProposeRules, Recanon, AddEvidence, Revert or Forget.
// The store numbers the batch, reads the clock once, appends one chained entry to the log, and sets each item's status
// with ResolveStatus. Summary is one line for the log, such as "drop plaza on sede.example.gob.es".
type Change interface{ isChange() }

func (Decide) isChange()       {}
func (AddNotes) isChange()     {}
func (ChangeRules) isChange()  {}
func (ProposeRules) isChange() {}
func (Recanon) isChange()      {}
func (AddEvidence) isChange()  {}
func (Revert) isChange()       {}
func (Forget) isChange()       {}

// Decide decides items, one by one and each at most once. If an item's Rev differs from the one given (0: any), its
// decision is left out and reported in the receipt as a Conflict. If none is left nothing is written. A decision for a
// record alone is in force until a later one for that record or for all, and counts while the record cites the item.
type Decide struct {
	Reviewer, Summary string
	Action            Action // of the kind that was chosen
	Decisions         []ItemDecision
	Computing
}

// AddNotes adds notes to items.
type AddNotes struct {
	Reviewer, Summary string
	Notes             []ItemNote
}

// ChangeRules changes overrides. Confirms is the batch in which another person proposed that, 0 if nobody did; Commit
// fails with ErrStale while it is undone.
type ChangeRules struct {
	Reviewer, Summary string
	Overrides         []OverrideChange
	Confirms          int64
	Results
}

// ProposeRules stores changes of overrides that another person has to write. Nothing follows from them.
type ProposeRules struct {
	Reviewer, Summary string
	Overrides         []OverrideChange
}

// Recanon makes a policy that of the store.
type Recanon struct {
	Reviewer, Summary string
	Policy            *canon.Policy
	Results
}

// AddEvidence replaces the evidence of items. Without any it writes the results that follow from that of hosts.
type AddEvidence struct {
	Reviewer, Summary string
	Evidence          []ItemEvidence
	Results
}

// Revert undoes or redoes a batch: each item of it then has the newest decision of a batch that is not undone. The
// changes of overrides are those of the batch, for an undo inverted and from the last to the first. Results are theirs.
type Revert struct {
	Reviewer, Summary string
	Batch             int64
	Redo              bool
	Overrides         []OverrideChange
	Results
	Computing
}

// Action returns the action of the change.
func (c Revert) Action() Action {
	if c.Redo {
		return ActRedo
	}
	return ActUndo
}

// Forget makes all occurrences in a file gone, as one batch. Very many go in several transactions: if it fails between
// them, the receipt has the batch so far, and the change goes on with that as Rest.
type Forget struct {
	Reviewer, Summary string
	File              string
	Rest              int64
	Computing
}

// Results are the new results of items that follow from a change. They were computed when the Meta of the store had
// Gen, LastID and, as LastSeq, Seq. If Gen or LastID has moved on, Commit fails with ErrStale.
//
// With Late it fails only if the rules changed. Commit then calls Late for each item that was added since, whose
// correction changed since, or that got evidence since, itself or by a host of its own, with its evidence as
// EachWithEvidence has it. It writes the result of Late, if not nil, and never the item's Recomputed. So rules can
// change while a large file is added or a probe runs.
type Results struct {
	Recomputed       []Recomputed
	Gen, LastID, Seq int64
	Late             func(Item, *canon.Evidence) *Recomputed
}

// Computing computes results that follow from the decisions and the places that a change writes. A correction stands in
// for the original: the store calls Compute for each item on which the change sets, replaces or lifts one, or which is
// or was corrected for one record alone, also when a record begins or ceases to cite it.
type Computing struct {
	// Compute returns the result of an item with its Fields and decisions after the change, and with its evidence as
	// EachWithEvidence has it. The rules are those of generation Gen: the store fails with ErrStale if they changed.
	Compute func(Item, *canon.Evidence) Computed
	Gen     int64

	OnFields bool // some rule asks for fields: Compute is called for each known item whose Fields change too
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
