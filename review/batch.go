package review

import (
	"slices"
	"time"
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
	ActForget   Action = "forget"  // the occurrences in a file are gone
)

// permanent are the actions that cannot be undone. Added URLs, a policy and evidence are facts, which only a new one
// replaces; an undo and a redo belong to the batch that they concern.
var permanent = []Action{ActAdd, ActPolicy, ActEvidence, ActUndo, ActRedo, ActRestore}

// PermanentActions returns the actions that cannot be undone.
func PermanentActions() []Action { return slices.Clone(permanent) }

// Undoable reports whether a batch of this action can be undone.
func (a Action) Undoable() bool { return !slices.Contains(permanent, a) }
