package review

import (
	"context"
	"errors"
	"fmt"
	"time"

	"visto/canon"
	"visto/review/probe"
)

// Store keeps items, decisions, overrides, evidence and the log. It decides nothing: what to write is computed here and
// handed over, and each write is one transaction. Implementations pass store/storetest.
type Store interface {
	// Meta returns the policy the stored results were computed under and the generation of the rules.
	Meta(ctx context.Context) (Meta, error)

	Item(ctx context.Context, id int64) (Item, error)                       // ErrNotFound
	Find(ctx context.Context, url string) ([]Item, error)                   // by original, else by canonical or approved URL
	Page(ctx context.Context, q Query, from *Cursor, n int) ([]Item, error) // keyset page, in display order
	Each(ctx context.Context, f Filter, fn func(Item) error) error          // in the order of the IDs, streamed from one snapshot
	Count(ctx context.Context, f Filter) (int, error)
	// EachWithEvidence is Each with what results are computed from: each item's own evidence, with all that Hosts returns
	// in its Hosts (one map for all, not to be written to). It is nil where there is neither.
	EachWithEvidence(ctx context.Context, f Filter, fn func(Item, *canon.Evidence) error) error
	// EachAnswer is EachWithEvidence for those who want of an item no more than what was asked and answered: ID, Original, Computed and,
	// of Decision, Batch, Kind, Canonical and From.
	EachAnswered(ctx context.Context, f Filter, fn func(Item, *canon.Evidence) error) error
	// Hosts returns all that evidence, of whichever item, says of hosts: it holds for every URL on them.
	Hosts(ctx context.Context) (canon.Hosts, error)
	Totals(ctx context.Context) (Totals, error) // of all items; quick, for the status line
	Facets(ctx context.Context, f Filter) (Facets, error)
	Facet(ctx context.Context, f Filter, by Dimension) ([]Bucket, error) // largest first, then by value
	Views(ctx context.Context) ([]StoredView, error)                     // by name
	SaveView(ctx context.Context, v StoredView) error                    // in the place of one of that name; sets its time
	RenameView(ctx context.Context, from, to string) error               // ErrNotFound; an error if there is one of that name
	DeleteView(ctx context.Context, name string) error                   // ErrNotFound
	// Groups and Undecided are what Causes counts, host by host, streamed from one snapshot each: how many items of the filter are
	// alike, and those of them with the flag unknown-param one by one.
	Groups(ctx context.Context, f Filter, fn func(Group) error) error
	Undecided(ctx context.Context, f Filter, fn func(Undecided) error) error
	Evidence(ctx context.Context, id int64) (*canon.Evidence, error)            // nil if none; with Hosts filled in
	Notes(ctx context.Context, id int64) ([]Note, error)                        // of batches that stand, oldest first
	History(ctx context.Context, id int64) ([]PastDecision, error)              // every decision on the item, undone ones too, oldest first
	Overrides(ctx context.Context) ([]StoredOverride, error)                    // in the order in which they were made
	RuleHistory(ctx context.Context, hosts []string, n int) ([]PastRule, error) // the last n changes of overrides whose Match.Host is one of these, undone ones too, oldest first
	Log(ctx context.Context, before int64, n int) ([]Entry, error)              // newest first; before 0: from the end
	EachEntry(ctx context.Context, fn func(Entry) error) error                  // oldest first
	Batch(ctx context.Context, id int64) (Batch, error)                         // ErrNotFound
	LastBatch(ctx context.Context, reviewer string, undone bool) (Batch, error) // what undo (false) or redo (true) would take; ErrNotFound
	DecisionCounts(ctx context.Context) ([]DecisionCount, error)                // decisions by reviewer and day, for Stats
	Work(ctx context.Context) ([]Work, error)                                   // by reviewer, oldest first

	// Unspread returns the hosts, in their order, of which something became known that not all URLs on them have been computed
	// with yet. Spread says that they now have been, with what was known at the generation; what became known later is
	// still owed.
	PendingHosts(ctx context.Context) ([]string, error)
	MarkPropagated(ctx context.Context, hosts []string, gen int64) error

	// Add inserts items that are not there yet, in their order and in transactions so short that others can write in between. It
	// fails with ErrStale if the rules, or what is known of hosts, are of a later generation than gen. Evidence that says
	// something new of a host starts a new generation. It returns the outcomes, in their order, of those items that are in, also
	// with an error: of the others nothing is.
	Add(ctx context.Context, gen int64, items []NewItem) ([]AddOutcome, error)

	// Commit writes one batch whole or not at all: see Change.
	Commit(ctx context.Context, c Change) (Receipt, error)

	// Refresh replaces the evidence of items by evidence that says the same, found later. Nothing follows from that: it is
	// neither logged nor a new generation. An item without evidence is ErrNotFound, and nothing is written.
	Refresh(ctx context.Context, list []ItemEvidence) error

	// Postpone has an item not be due before a time, whatever evidence it has, until it gets new evidence. Postponed
	// returns what Postpone was told last; nil if nothing, or if there is new evidence since.
	Postpone(ctx context.Context, p Postponed) error
	Postponed(ctx context.Context, id int64) (*Postponed, error)

	// Lease makes want the one probe that runs on the store until want.Until, or fails with a *LeaseError if another
	// one does: one whose Until has not passed, unless gone says that it is no more. EndLease ends one's own.
	Lease(ctx context.Context, want Lease, now time.Time, gone func(Lease) bool) error
	EndLease(ctx context.Context, l Lease) error

	probe.Cache // what a prober remembers; Earlier is an item's own evidence, by the ID of the target

	// Tend does what can be done at any time to make reading quick, in transactions so short that others can write in between.
	// Nothing that is read is another before or after it.
	Maintain(ctx context.Context) error

	// Version changes whenever any process has written to the store.
	Version(ctx context.Context) (int64, error)

	Backup(ctx context.Context, path string) error // an online copy; the file must not exist
	Check(ctx context.Context) ([]Problem, error)  // integrity of the file, of the schema and of the log's chain
	ReadOnly() bool
	Close() error
}

// The errors that callers tell apart.
var (
	ErrNotFound = errors.New("not found")
	ErrStale    = errors.New("the rules or the stored URLs changed meanwhile")
	ErrReadOnly = errors.New("the database is open read-only")
	ErrPolicy   = errors.New("results of two policies do not mix")
)

// Meta is what the store knows of itself. PolicyID is empty in a new store.
type Meta struct {
	PolicyID     string // name@version
	PolicyDigest string
	PolicyYAML   []byte
	Gen          int64 // rises with every change of policy, overrides or evidence
	RulesGen     int64 // Gen since the policy or an override last changed
	HostsGen     int64 // Gen since something new was last learned of a host
	LastID       int64 // of the newest item
	Schema       int   // version
	Path         string
}

// NewItem is an item to add.
type NewItem struct {
	Original string
	Source   Source
	Title    string
	Computed Computed
	Evidence *canon.Evidence
	Due      time.Time // as ItemEvidence.Due
}

// AddOutcome says what became of a NewItem: its ID, and whether it was there before.
type AddOutcome struct {
	ID    int64
	Known bool
}

// Change is one batch to write: what a person did, and every row that follows from it. The store numbers the batch, reads
// the clock once, appends one chained entry to the log, and derives each item's status with Stand.
type Change struct {
	Reviewer string
	Action   Action
	Summary  string // one line for the log, such as "drop plaza on sede.example.gob.es"

	// Decisions are checked one by one: one whose item has another Rev than it names (0: any) is left out and
	// reported in the receipt as a Conflict. If none is left nothing is written.
	Decisions []ItemDecision
	Notes     []ItemNote

	// Rules change together with the results that were computed from them. Gen and LastID are the Meta that Recomputed
	// was computed on; if either moved on, Commit fails with ErrStale. But if the rules are still the same, and there is Late,
	// Commit calls it for each item that was added since or of which, or of a host of which, something became known, with what
	// Evidence returned before, and writes what it returns, if anything, and not what Recomputed says of the item: else nobody
	// could change a rule while a large file is being added or a probe is running.
	Overrides  []OverrideChange
	Policy     *canon.Policy // for Recanon: becomes the store's policy
	Evidence   []ItemEvidence
	Recomputed []Recomputed
	Gen        int64
	LastID     int64
	Late       func(Item, *canon.Evidence) *Recomputed

	// Undo takes back, Redo brings back, the batch with this ID; 0: neither. The store makes the decision that now
	// stands for each of its items stand: the newest one of a batch that is not undone. Overrides and Recomputed above
	// hold the inverse (or again the original) rule changes of that batch.
	Undo, Redo int64
}

// ItemDecision decides about one item. Decision's Reviewer, At and Batch are filled in by the store.
type ItemDecision struct {
	ID, Rev  int64
	Decision Decision
}

// ItemNote adds a note to an item.
type ItemNote struct {
	ID   int64
	Text string
}

// ItemEvidence replaces the evidence of an item.
type ItemEvidence struct {
	ID       int64
	Evidence *canon.Evidence
	Due      time.Time // when to look again; zero: it is not known how old the evidence is, so at once
}

// Postponed is an item that the network could not be asked about yet, because its host wants to be left alone.
type Postponed struct {
	ID    int64
	Until time.Time
	Why   string
}

// Lease says who probes the URLs of a store: one program at a time, so that a host is asked by one.
type Lease struct {
	Reviewer string
	Machine  string // host name
	PID      int    // process on that machine
	Since    time.Time
	Until    time.Time // it ends by itself then; the prober prolongs it
}

// LeaseError is the failure to begin a probe while another one runs.
type LeaseError struct{ Held Lease }

func (e *LeaseError) Error() string {
	return fmt.Sprintf("another probe runs on this database: %s's, on %s since %s (process %d)", e.Held.Reviewer, e.Held.Machine,
		e.Held.Since.UTC().Format(time.RFC3339), e.Held.PID)
}

// Recomputed is a new answer of the machine for an item. Title is the new title; empty leaves the old one.
type Recomputed struct {
	ID       int64
	Computed Computed
	Title    string
}

// OverrideChange adds (Before nil), removes (After nil) or replaces an override. If the one that stands for the Match is
// not Before, Commit fails with ErrStale.
type OverrideChange struct {
	Before, After *canon.Override
}

// Receipt says what Commit wrote. Batch is 0 if nothing was.
type Receipt struct {
	Batch     int64
	Seq       int64 // of the log entry
	Decided   int   // decisions written, or taken or brought back
	Updated   int   // items recomputed
	Conflicts []Conflict
}

// Conflict is a decision that was not written because the item changed after the reviewer saw it.
type Conflict struct {
	Item Item // as it is now
}

func (c Conflict) Error() string {
	d := c.Item.Decision
	if d == nil {
		return fmt.Sprintf("URL %d changed meanwhile: it is now %s, %s", c.Item.ID, c.Item.Computed.Canonical, c.Item.Status)
	}
	return fmt.Sprintf("URL %d was decided meanwhile: %s by %s at %s", c.Item.ID, d.Kind, d.Reviewer, d.At.UTC().Format("2006-01-02 15:04 UTC"))
}

// Note is a remark on an item.
type Note struct {
	At       time.Time `json:"at"`
	Reviewer string    `json:"reviewer"`
	Text     string    `json:"text"`
}

// PastDecision is a decision in an item's history.
type PastDecision struct {
	Decision
	Undone bool
}

// PastRule is a change of an override in the history of a host.
type PastRule struct {
	OverrideChange
	Reviewer string
	At       time.Time
	Batch    int64
	Undone   bool
}

// StoredOverride is an override with who made it.
type StoredOverride struct {
	ID       int64
	Override canon.Override
	Reviewer string
	At       time.Time
	Batch    int64 // the batch that last changed it; an undo brings the earlier one back, with its reviewer and time
}

// Batch is one thing a person did, which undo takes back whole.
type Batch struct {
	ID       int64
	Reviewer string
	At       time.Time
	Action   Action
	Summary  string
	Undone   bool
	Items    []int64          // the items that it decided on, or noted
	Rules    []OverrideChange // the overrides that it changed
}

// Action is what a batch or a log entry is about.
type Action string

// The actions. The first five are those of the kinds of decisions.
const (
	ActApprove  Action = "approve"
	ActCorrect  Action = "correct"
	ActReject   Action = "reject"
	ActDefer    Action = "defer"
	ActReopen   Action = "reopen"
	ActNote     Action = "note"
	ActOverride Action = "override" // one or more overrides added, changed, removed or imported
	ActPolicy   Action = "policy"   // the store's policy set or changed; cannot be undone
	ActEvidence Action = "evidence" // cannot be undone
	ActUndo     Action = "undo"
	ActRedo     Action = "redo"
)

// Entry is one entry of the append-only log. Hash is Chain of the entry.
type Entry struct {
	Seq      int64
	At       time.Time
	Reviewer string
	Action   Action
	Batch    int64
	Summary  string
	Body     []byte // JSON: all that the entry did, enough to do it again (see log.go)
	Prev     [32]byte
	Hash     [32]byte
}

// DecisionCount counts the decisions that stand by reviewer and day (UTC).
type DecisionCount struct {
	Reviewer string `json:"reviewer"`
	Day      string `json:"day"` // 2006-01-02
	Kind     Kind   `json:"-"`
	N        int    `json:"n"`
}

// Work is what a reviewer did within one minute of the clock, of the batches that stand. Those that undo does not take, a policy
// and evidence, are no work of a reviewer.
type Work struct {
	Reviewer    string
	First, Last time.Time // when the first and the last of the batches was made
	Batches     int
	Decisions   int
	Single      int // items that do not wait and whose decision that stands was made in one of the batches, which decided on it alone
	Bulk        int // the same of batches that decided on several
}

// Totals counts all items.
type Totals struct {
	Items    int
	Open     int
	Reviewed int // were open once (when added, or by any later write) and are not now: decided, or settled by a rule
	ByRules  int // of Reviewed, those that stand as they are computed: accepted, or rejected by the machine
	Verdicts map[canon.Verdict]int
}

// Problem is something Check found wrong.
type Problem struct {
	What string // which part: file, schema, log, state
	Text string
}
