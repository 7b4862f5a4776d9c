package review

import (
	"context"
	"errors"
	"time"

	"visto/canon"
	"visto/review/probe"
)

// Store keeps items, decisions, overrides, evidence and the log. It computes nothing: a Desk computes each change and
// hands it over, and the store writes it in one transaction. It is safe for concurrent use, and several programs may
// share it.
//
// The text of every error but ErrNotFound names the operation that failed. A method whose context ends returns the
// cause of that, and writes nothing. Texts are bytes: they come back as they were, also with NUL or invalid UTF-8.
// Times come back in UTC, in whole milliseconds. A callback's error ends the reading and is returned as it is.
// Implementations pass store/storetest.
type Store interface {
	ItemStore
	RecordStore
	CountStore
	DecisionStore
	RuleStore
	LogStore
	EvidenceStore
	ContentStore
	LinkStore
	ProbeStore
	ViewStore
	AssignmentStore
	SuggestionStore
	PendingStore

	// Version returns a number that changes with every write of any program.
	Version(ctx context.Context) (int64, error)

	// ReadOnly reports whether every write fails with ErrReadOnly.
	ReadOnly() bool

	// Maintain makes later reads faster, in transactions so short that others can write in between. It changes no
	// result, may be called at any time, and may do nothing.
	Maintain(ctx context.Context) error

	// Check verifies the chain of the log, and that the stored rows agree with the log and with each other. It
	// returns one Problem for each deviation, none for a sound store. Data that cannot be read is a Problem too, not
	// an error. A store may verify its storage too, such as a file.
	Check(ctx context.Context) ([]Problem, error)
}

// ItemStore keeps the items.
type ItemStore interface {
	// Item returns the item with the ID. Error: ErrNotFound.
	Item(ctx context.Context, id int64) (Item, error)

	// Find returns the items whose Original is the URL, else those whose canonical or approved URL it is, by ID. None
	// is no error.
	Find(ctx context.Context, url string) ([]Item, error)

	// Page returns at most n items of the query from the cursor on, in display order. A nil cursor means the start. A
	// wrong Filter.Regexp is an error.
	Page(ctx context.Context, q Query, from *Cursor, n int) ([]Item, error)

	// Each calls fn for each item of the filter, by ID, from one snapshot. fn may read and write the store.
	Each(ctx context.Context, f Filter, fn func(Item) error) error

	// Add inserts the items whose Original is new, in their order, and the occurrences of all, in transactions so
	// short that others can write in between. An occurrence that the run has not met and that has the same item,
	// record and field is the same one: it may have moved, or come back. A record is found again by its ID, or else
	// its name, or else its path. Each transaction that changes anything appends a log entry, which covers its new
	// rows. New host evidence starts a generation. The outcomes are those of the items that are stored, in order;
	// after an error that may be the first few. Error: ErrStale as Intake.Stale and Intake.Outdated say.
	Add(ctx context.Context, in *Intake, items []NewItem) ([]AddOutcome, error)
}

// RecordStore keeps the records that cite URLs, and the places where the URLs stand.
type RecordStore interface {
	// MarkGone marks the occurrences in the file as gone that the run has not met and whose field takes accepts, in
	// transactions so short that others can write in between, each with a log entry. An item without any occurrence
	// left is Gone and does not wait for a person. Error: ErrStale if the rules changed after generation in.Gen.
	MarkGone(ctx context.Context, in *Intake, file string, takes func(field string) bool) error

	// Files returns the names of all input files with an occurrence, sorted.
	Files(ctx context.Context) ([]string, error)

	// Attributes counts the items of the filter by the values of each attribute of their records. Attributes with more
	// than MaxAttributeValues values, or only one, are left out. The list is sorted by name, buckets as of Facets.
	Attributes(ctx context.Context, f Filter) ([]AttributeFacet, error)

	// EachCited is EachWithEvidence for items with their occurrences.
	EachCited(ctx context.Context, f Filter, fn func(Item, *canon.Evidence) error) error

	// EachRecord calls fn for each record, and each file as a whole, by number, EachOccurrence for each occurrence, by
	// ID; both from one snapshot.
	EachRecord(ctx context.Context, fn func(StoredRecord) error) error
	EachOccurrence(ctx context.Context, fn func(StoredOccurrence) error) error
}

// CountStore counts items and decisions.
type CountStore interface {
	// Count returns the number of items of the filter.
	Count(ctx context.Context, f Filter) (int, error)

	// Totals counts all items. It is fast enough for every frame of a status line.
	Totals(ctx context.Context) (Totals, error)

	// Facets counts the items of the filter by flag, status, host, file and field. Buckets are sorted by count,
	// largest first, then by value; the empty value has none.
	Facets(ctx context.Context, f Filter) (Facets, error)

	// Facet counts the items of the filter by a dimension that Facets leaves out, sorted alike.
	Facet(ctx context.Context, f Filter, by Dimension) ([]Bucket, error)

	// Groups calls fn with the number of items of the filter for each host, set of flags and places, from one
	// snapshot. All groups of a host follow each other. Items without a flag count too.
	Groups(ctx context.Context, f Filter, fn func(Group) error) error

	// Undecided calls fn for each item of the filter with the flag unknown-param, from one snapshot. All items of a
	// host follow each other.
	Undecided(ctx context.Context, f Filter, fn func(Undecided) error) error

	// DecisionCounts counts the decisions of all batches that are not undone, sorted by day, reviewer and kind.
	DecisionCounts(ctx context.Context) ([]DecisionCount, error)

	// EachRejudged calls fn for the judgements on each item with several of them, by item, then oldest first: the
	// decisions that approve, correct or reject it for all records, of batches that are not undone.
	EachRejudged(ctx context.Context, fn func(Judgement) error) error

	// Work sums up the batches of each reviewer and minute, sorted by reviewer, then oldest first.
	Work(ctx context.Context) ([]Work, error)
}

// DecisionStore keeps decisions and notes, in batches that can be undone.
type DecisionStore interface {
	// Commit writes one change whole or not at all, appends its log entry, and returns a receipt; see Change. A
	// change that contains nothing writes nothing. One that forgets a file with very many places, or takes that back,
	// is written in transactions so short that others can write in between; see Forget. Errors: ErrStale if the rules
	// or the items moved on since the change was computed, ErrNotFound if it names an item or a batch that is not
	// there, or a record that does not cite the item.
	Commit(ctx context.Context, c Change) (Receipt, error)

	// Batch returns the batch with the ID. Error: ErrNotFound.
	Batch(ctx context.Context, id int64) (Batch, error)

	// LastBatch returns the batch that the reviewer's next undo takes: the newest one that is not undone. With undone
	// it returns the batch that the next redo takes: the one the reviewer undid last, unless the reviewer has made a
	// batch since. Batches whose Action is not undoable do not count. Error: ErrNotFound.
	LastBatch(ctx context.Context, reviewer string, undone bool) (Batch, error)

	// Notes returns the item's notes of batches that are not undone, oldest first.
	Notes(ctx context.Context, id int64) ([]Note, error)

	// History returns every decision on the item, undone ones included, oldest first.
	History(ctx context.Context, id int64) ([]PastDecision, error)
}

// RuleStore keeps the policy and the overrides.
type RuleStore interface {
	// Meta returns the policy and the generations of the stored results.
	Meta(ctx context.Context) (Meta, error)

	// EachOverride calls fn for the overrides in force, in the order in which they were made, from one snapshot. text
	// is the override as JSON. A changed one keeps its place.
	EachOverride(ctx context.Context, fn func(o StoredOverride, text string) error) error

	// Proposals returns the batches with overrides that wait for another person, oldest first: each is not undone, and
	// neither is it confirmed by a batch that is not.
	Proposals(ctx context.Context) ([]Batch, error)

	// RuleHistory returns the last n changes of overrides whose Match.Host is one of the hosts, undone ones included,
	// oldest first.
	RuleHistory(ctx context.Context, hosts []string, n int) ([]PastRule, error)
}

// PendingStore keeps the items that a change of very many concerns and that do not follow it yet: they are pending.
// Such a change is in force from its log entry on, and its items follow in transactions so short that others can write
// in between. A store may write each change in one transaction: then no item is ever pending. Whoever writes to a
// pending item has it follow first.
type PendingStore interface {
	// UseRules has the store compute the results of pending items with a function, whose Gen is that of the rules that
	// it read. Without it the store reads its rules by itself.
	UseRules(rules func(context.Context) (Computing, error))

	// Unfinished returns about how many items are pending, and 0 only if none is.
	Unfinished(ctx context.Context) (int, error)

	// Finish returns when no item is pending.
	Finish(ctx context.Context) error
}

// LogStore reads the log, which Commit appends to and nothing changes.
type LogStore interface {
	// Log returns at most n entries before the one with the number, newest first; before 0 means the end of the log.
	// It does not read the bodies, of which one can have many megabytes. An intake is one entry: its newest.
	// The other entries of a forgotten file are left out, except the newest of an undo or redo that was cut short.
	Log(ctx context.Context, before int64, n int) ([]EntryInfo, error)

	// Entry returns the entry with the number. Error: ErrNotFound.
	Entry(ctx context.Context, seq int64) (Entry, error)

	// EachEntry calls fn for each entry, oldest first, from one snapshot.
	EachEntry(ctx context.Context, fn func(Entry) error) error
}

// EvidenceStore keeps the evidence of items and hosts.
//
// Evidence of a host concerns every item on it. So it starts a generation when it is new, and the host stays pending
// until the items on it were computed again.
type EvidenceStore interface {
	// Evidence returns the item's own evidence, with that of its RelatedHosts (InHost, Host, Via) in Hosts; nil if
	// there is neither. Error: ErrNotFound.
	Evidence(ctx context.Context, id int64) (*canon.Evidence, error)

	// EachWithEvidence is ItemStore.Each with the evidence of each item: its own, with the evidence of all hosts in
	// Hosts; nil if there is neither. All calls share the map Hosts, which must not be changed.
	EachWithEvidence(ctx context.Context, f Filter, fn func(Item, *canon.Evidence) error) error

	// EachAnswered is EachWithEvidence for callers that need only ID, Original, Computed and, of Decision, Batch,
	// Kind, Canonical and From. The other fields may be empty.
	EachAnswered(ctx context.Context, f Filter, fn func(Item, *canon.Evidence) error) error

	// Hosts returns the host evidence that is newer than a generation; after generation 0 all of it.
	Hosts(ctx context.Context, after int64) (canon.Hosts, error)

	// PendingHosts returns, sorted, the hosts with evidence that not all items on them were computed with.
	PendingHosts(ctx context.Context) ([]string, error)

	// MarkPropagated records that all items on the hosts were computed with the evidence of generation gen. A host
	// with later evidence stays pending.
	MarkPropagated(ctx context.Context, hosts []string, gen int64) error

	// Refresh replaces evidence with newer evidence of the same content, all or none. It appends no log entry and
	// starts no generation. Errors: ErrNotFound if an item has no evidence; ErrStale as ItemEvidence.Basis says.
	Refresh(ctx context.Context, list []ItemEvidence) error
}

// ContentStore keeps the contents of the pages behind items, for people to read. Commit and Refresh store the Content
// of an ItemEvidence as the newest version of its item, unless that is the newest version already, and so does
// KeepChecks. Of the others stays the one that a person accepted last, or else the first, if the link was checked
// (health.Record), and otherwise the newest. Nothing else changes the versions, and no result depends on them: the
// log does not have them.
type ContentStore interface {
	// Contents returns the versions of the item's content, newest first, at most two. None is no error.
	Contents(ctx context.Context, id int64) ([]StoredContent, error)
}

// ProbeStore keeps the state of probing. Its probe.Cache is the prober's memory; Earlier returns an item's own
// evidence, and HasContent tells of its Contents, the target's ID being the item's.
type ProbeStore interface {
	probe.Cache

	// Postpone makes an item not due before a time, with any evidence, until it gets new evidence; the zero time ends
	// that. Error: ErrNotFound.
	Postpone(ctx context.Context, p Postponed) error

	// Postponed returns the last Postpone of the item, nil if none is in force.
	Postponed(ctx context.Context, id int64) (*Postponed, error)

	// Lease gives the store's one lease, or with want.Watch its one watch lease, to want until want.Until, or
	// prolongs it if want.Holder has it since want.Since. Error: a *LeaseError while another holder has it, that is
	// until its Until. A store that can tell that the holder's program has ended may take the lease from it at once.
	Lease(ctx context.Context, want Lease, now time.Time) error

	// EndLease ends that lease of l.Holder. It does nothing if another holder has it.
	EndLease(ctx context.Context, l Lease) error
}

// ViewStore keeps saved views by name. Views are not logged.
type ViewStore interface {
	// Views returns all views, by name.
	Views(ctx context.Context) ([]StoredView, error)

	// SaveView stores a view in the place of the one of that name, and sets its time.
	SaveView(ctx context.Context, v StoredView) error

	// RenameView gives a view another name, which must be free. Error: ErrNotFound.
	RenameView(ctx context.Context, from, to string) error

	// DeleteView deletes a view. Error: ErrNotFound.
	DeleteView(ctx context.Context, name string) error
}

// AssignmentStore keeps which reviewer each item is assigned to, one at most. Assignments are not logged: no result
// follows from them. They change no revision of an item.
type AssignmentStore interface {
	// Assign assigns items in transactions so short that others can write in between, and returns the number of items
	// that it changed. An Assigned without a reviewer ends an assignment.
	Assign(ctx context.Context, c AssignmentChange) (int, error)

	// Assignment returns the assignment of the item, nil if there is none.
	Assignment(ctx context.Context, id int64) (*Assignment, error)

	// EachAssigned calls fn for each item of the filter, assigned or not, with its canonical host, from one snapshot.
	// All items of a host follow each other, by ID.
	EachAssigned(ctx context.Context, f Filter, fn func(host string, a Assigned) error) error
}

// SuggestionStore keeps the suggestions that were found last, which visto/review/suggest packs. The log has none of it:
// no result follows from it.
type SuggestionStore interface {
	// Mined returns the last result of the mining, nil if there is none.
	Mined(ctx context.Context) (*Mined, error)

	// KeepMined stores a result in the place of the last one, and sets its time.
	KeepMined(ctx context.Context, m Mined) error

	// Dismissals returns the suggestions that a person does not want, by ID.
	Dismissals(ctx context.Context) ([]Dismissal, error)

	// Dismiss stores a dismissal in the place of one of that ID, and sets its time.
	Dismiss(ctx context.Context, d Dismissal) error

	// Undismiss takes a dismissal back. Error: ErrNotFound.
	Undismiss(ctx context.Context, id string) error
}

// Mined is a result of the mining of suggestions.
type Mined struct {
	Seq  int64 // of the newest log entry when the mining began: the version of the store that it was mined from
	At   time.Time
	Body []byte
}

// Dismissal says that a person does not want a suggestion.
type Dismissal struct {
	ID       string
	Pages    int // that spoke for it at that time
	Reviewer string
	At       time.Time
}

// Errors of a Store that callers tell apart.
var (
	ErrNotFound = errors.New("not found")
	ErrStale    = errors.New("the rules or the stored URLs changed meanwhile")
	ErrReadOnly = errors.New("the database is open read-only")
	ErrFull     = errors.New("the disk is full")
	ErrDenied   = errors.New("permission denied")
	ErrLocked   = errors.New("another program keeps it locked")
	ErrIO       = errors.New("the file cannot be written or read as far as it should")
	ErrDamaged  = errors.New("the file is damaged")
	ErrGone     = errors.New("the file was moved, deleted or replaced while it was open; nothing more is written")
)

// Meta is the policy of the stored results, with generations. A generation is a number that rises with each change of
// the policy, the overrides or the evidence; it tells whether a computed change still fits the store.
type Meta struct {
	PolicyID     string // name@version; empty in a new store
	PolicyDigest string
	PolicyYAML   []byte
	Gen          int64 // the newest generation
	RulesGen     int64 // the generation of the last change of the policy or an override
	HostsGen     int64 // the generation of the last new host evidence
	LastID       int64 // of the newest item
	LastSeq      int64 // of the newest log entry
}

// resultsGen returns the generation of the last change that concerns more than one item.
func (m *Meta) resultsGen() int64 { return max(m.RulesGen, m.HostsGen) }

// Problem is a deviation that a check found.
type Problem struct {
	What string // the part: file, schema, log, state or given
	Text string
}
