package review

import (
	"slices"
	"time"

	"visto/canon"
)

// Batch is one action of a person, which undo takes back whole.
type Batch struct {
	ID       int64
	Reviewer string
	At       time.Time
	Action   Action
	Summary  string
	Undone   bool
	Items    []int64          // the items it decided or noted
	Rules    []OverrideChange // the overrides it changed
}

// Action is the kind of a batch or a log entry.
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
	ActAdd      Action = "add"      // items added
	ActPolicy   Action = "policy"   // the store's policy set or changed
	ActEvidence Action = "evidence"
	ActUndo     Action = "undo"
	ActRedo     Action = "redo"
	ActRestore  Action = "restore" // the database became that of a backup
)

// permanent are the actions that cannot be undone. Added URLs, a policy and evidence are facts, which only a new one
// replaces; an undo and a redo belong to the batch that they concern.
var permanent = []Action{ActAdd, ActPolicy, ActEvidence, ActUndo, ActRedo, ActRestore}

// PermanentActions returns the actions that cannot be undone.
func PermanentActions() []Action { return slices.Clone(permanent) }

// Undoable reports whether a batch of this action can be undone.
func (a Action) Undoable() bool { return !slices.Contains(permanent, a) }

// EntryInfo describes one entry of the append-only log.
type EntryInfo struct {
	Seq      int64
	At       time.Time
	Reviewer string
	Action   Action
	Batch    int64
	Run      int64 // the number of the first entry of the same intake; 0: no intake
	Summary  string
}

// Entry is one whole entry of the log. Hash is its Chain, and Prev the Hash of the entry before it.
type Entry struct {
	EntryInfo
	Body []byte // JSON of the EntryBody
	Prev [32]byte
	Hash [32]byte
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

// StoredOverride is an override in force, with its author.
type StoredOverride struct {
	ID       int64
	Override canon.Override
	Reviewer string
	At       time.Time
	Batch    int64 // the batch that last changed it; an undo restores the earlier one, with its reviewer and time
}
