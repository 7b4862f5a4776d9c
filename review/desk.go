package review

import (
	"context"
	"io"
	"time"

	"visto/canon"
)

// Desk is where a reviewer works: the one way to the stored URLs for every command and for the console. It
// computes what follows from a decision or a rule, and has the Store write it. Safe for concurrent use.
type Desk struct {
	store    Store
	policy   *canon.Policy
	reviewer string
}

// Open returns a desk on the store. policy may be nil: then it is the store's own, or in a new store the
// built-in "clara". A policy other than the one the stored results were computed under is an error that says to run
// recanon, for results of two policies must not mix.
func Open(ctx context.Context, s Store, reviewer string, policy *canon.Policy) (*Desk, error) {
	panic("not yet")
}

// Reading.

func (d *Desk) Policy() *canon.Policy                  { panic("not yet") }
func (d *Desk) Reviewer() string                       { panic("not yet") }
func (d *Desk) Meta(ctx context.Context) (Meta, error) { panic("not yet") }
func (d *Desk) ReadOnly() bool                         { panic("not yet") }
func (d *Desk) Page(ctx context.Context, q Query, from *Cursor, n int) ([]Item, error) {
	panic("not yet")
}
func (d *Desk) Each(ctx context.Context, f Filter, fn func(Item) error) error { panic("not yet") }
func (d *Desk) Count(ctx context.Context, f Filter) (int, error)              { panic("not yet") }
func (d *Desk) Facets(ctx context.Context, f Filter) (Facets, error)          { panic("not yet") }
func (d *Desk) Overrides(ctx context.Context) ([]StoredOverride, error)       { panic("not yet") }
func (d *Desk) Log(ctx context.Context, before int64, n int) ([]Entry, error) { panic("not yet") }
func (d *Desk) EachEntry(ctx context.Context, fn func(Entry) error) error     { panic("not yet") }
func (d *Desk) Version(ctx context.Context) (int64, error)                    { panic("not yet") }

// Causes groups what is open under f by what would settle it, largest first (cause.go).
func (d *Desk) Causes(ctx context.Context, f Filter) ([]Cause, error) { panic("not yet") }

// Stats counts for the stats command and the status line.
func (d *Desk) Stats(ctx context.Context) (Stats, error) { panic("not yet") }

// Detail returns one item with everything known about it, the trace included.
func (d *Desk) Detail(ctx context.Context, id int64) (*Detail, error) { panic("not yet") }

// Find returns the items that the argument names: an ID, or a URL as Store.Find takes it. None is ErrNotFound.
func (d *Desk) Find(ctx context.Context, idOrURL string) ([]Item, error) { panic("not yet") }

// Record returns the item as list, show and export print it.
func (d *Desk) Record(ctx context.Context, it Item) (Record, error) { panic("not yet") }

// Writing. A reviewer's write is one batch; the Receipt names it.

// Choice is a decision to be made: its kind, the URL if it is a correction, a note or reason.
type Choice struct {
	Kind      Kind
	Canonical string
	Note      string
}

// Target is an item to decide on, as the reviewer saw it. Rev 0 means however it is now.
type Target struct{ ID, Rev int64 }

// Decide writes one decision for all targets as one batch. An item that changed meanwhile is not decided but reported in
// Receipt.Conflicts. Approving what has no canonical URL, or correcting to what is no acceptable URL, is an error and
// writes nothing.
func (d *Desk) Decide(ctx context.Context, c Choice, targets ...Target) (Receipt, error) {
	panic("not yet")
}

// DecideAll is Decide for all items that the filter selects when it is called.
func (d *Desk) DecideAll(ctx context.Context, c Choice, f Filter) (Receipt, error) { panic("not yet") }

// Note adds a note to the items, as one batch.
func (d *Desk) Note(ctx context.Context, text string, ids ...int64) (Receipt, error) {
	panic("not yet")
}

// Correction returns what a URL that a reviewer typed would be stored as, or a rejected result that says why not.
func (d *Desk) Correction(raw string) canon.Result { panic("not yet") }

// Undo takes back a batch: 0, the reviewer's last that stands. Redo brings back the one last undone, as long as
// the reviewer has not done anything else since. With nothing to take, ErrNotFound.
func (d *Desk) Undo(ctx context.Context, batch int64) (Batch, Receipt, error) { panic("not yet") }
func (d *Desk) Redo(ctx context.Context) (Batch, Receipt, error)              { panic("not yet") }

// Effect computes what the changes to the overrides would do to all stored URLs they concern. It checks them first:
// an invalid one, and a set that never reaches a fixed point (*canon.LoopError), is an error. progress, if not nil, is called
// now and then with what is known so far. Nothing is written.
func (d *Desk) Effect(ctx context.Context, changes []OverrideChange, progress func(Effect)) (*Effect, error) {
	panic("not yet")
}

// SaveOverrides writes the changes with all that follows from them, as one batch.
func (d *Desk) SaveOverrides(ctx context.Context, changes []OverrideChange, summary string) (Receipt, *Effect, error) {
	panic("not yet")
}

// Amend returns the change that merges the rule into the override that stands for the same Match, or adds it.
func (d *Desk) Amend(ctx context.Context, rule canon.Override) (OverrideChange, error) {
	panic("not yet")
}

// RecanonEffect is Effect for another policy; Recanon writes it.
func (d *Desk) RecanonEffect(ctx context.Context, p *canon.Policy, progress func(Effect)) (*Effect, error) {
	panic("not yet")
}
func (d *Desk) Recanon(ctx context.Context, p *canon.Policy) (Receipt, *Effect, error) {
	panic("not yet")
}

// Add takes what a reader found into the queue, in batches, and reports. Found URLs are canonicalized with the evidence
// given for them, if any. A cancelled ctx stops between batches; what was added stays.
func (d *Desk) Add(ctx context.Context, found func(yield func(Found) error) error) (AddReport, error) {
	panic("not yet")
}

// Export writes the items of the filter: JSONL, one Record a line, or CSV.
func (d *Desk) Export(ctx context.Context, w io.Writer, format Format, f Filter) (int, error) {
	panic("not yet")
}

// Check verifies the file, the log's chain, and that replaying the log gives the stored state.
func (d *Desk) Check(ctx context.Context) ([]Problem, error) { panic("not yet") }

// Backup writes an online copy to path, which must not exist.
func (d *Desk) Backup(ctx context.Context, path string) error { panic("not yet") }

// Cause is a class of open URLs that one action would settle.
type Cause struct {
	Kind  CauseKind
	Flag  canon.Code
	Host  string // HostCause
	Param string // for unknown-param
	Field string // FieldCause
	Path  string // PathCause: prefix of the path, across hosts
	N     int    // open URLs with it
	Sole  int    // of these, how many have no other flag or parameter: settled by this alone
	Hosts int    // how many hosts they are on
}

// CauseKind says what the URLs of a cause share besides the flag.
type CauseKind uint8

// The kinds of causes.
const (
	HostCause  CauseKind = iota + 1 // a host (and for unknown-param a parameter)
	FieldCause                      // the field they were found in, on any host
	PathCause                       // a parameter and a path prefix, on any host
)

// Filter returns the filter that selects the cause's open URLs.
func (c Cause) Filter() Filter { panic("not yet") }

// Effect is what a change of the rules would do, or did.
type Effect struct {
	Total    int // URLs to look at; 0 while not known
	Scanned  int
	Changed  int // another canonical URL than before
	Settled  int // open before, not open after
	Reopened int // not open before, open after
	Merged   int // URLs that would share their comparison key with another one they did not share it with before
	Approved int // approved ones among Changed: they get changed-since-approval
	Refused  int // machine-rejected after but not before
	Cleared  map[canon.Code]int
	Raised   map[canon.Code]int
	Samples  []Sample // up to 50 that change, merged and approved ones first
	Groups   []Merge  // up to 20 of the merged
}

// Unchanged returns how many keep their canonical URL.
func (e Effect) Unchanged() int { return e.Scanned - e.Changed }

// Sample is one URL before and after.
type Sample struct {
	ID                        int64
	Before, After             string
	FlagsBefore, FlagsAfter   canon.CodeSet
	StatusBefore, StatusAfter Status
	Merges                    bool
}

// Merge is a set of items that would become one page.
type Merge struct {
	Canonical string
	IDs       []int64
}

// Detail is everything known about an item.
type Detail struct {
	Item      Item
	Result    canon.Result // explained, under the current rules
	Evidence  *canon.Evidence
	Notes     []Note
	History   []Past
	Overrides []StoredOverride // that match its host
	Twins     []Item           // other items with the same comparison key (at most 20)
}

// Stats counts everything.
type Stats struct {
	Total     int
	Open      int
	Reviewed  int // decided by a person, or settled by an override: everything that was ever open and is not
	Verdicts  map[canon.Verdict]int
	Statuses  map[Status]int
	OpenFlags map[canon.Code]int // open items by flag
	Flags     map[canon.Code]int // all items by flag
	Hosts     []Bucket           // open items by host, largest first
	Tally     []Tally
}

// Found is a URL that a reader found.
type Found struct {
	URL      string
	Title    string
	Source   Source
	Evidence *canon.Evidence
}

// Skip is something in an input that could not be read.
type Skip struct {
	File string
	Line int // 0: not known
	Why  string
}

// AddReport says what Add did.
type AddReport struct {
	Found, Added, Known         int
	Accepted, Flagged, Rejected int // of the added
	Skipped                     int
}

// Format is a format of an export.
type Format uint8

// The formats.
const (
	JSONL Format = iota
	CSV
)

// Record is an item as list, show and export print it: the result's object with id, status, source, notes and
// decision besides.
type Record struct {
	Item   Item
	Result canon.Result
	Notes  []Note
}

var _ = time.Time{}
