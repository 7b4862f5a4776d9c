package review

import (
	"time"

	"visto/canon"
)

// Totals counts all items.
type Totals struct {
	Items    int
	Open     int
	Reviewed int // items that were open once and are not now, by a decision or by a rule
	ByRules  int // of Reviewed, those without a decision: the machine accepts or rejects them
	Deferred int // of Reviewed, those put off: a person has to look at them some time
	Verdicts map[canon.Verdict]int
}

// DecisionCount is the number of decisions of one kind, reviewer and day (UTC), of batches that are not undone.
type DecisionCount struct {
	Reviewer string `json:"reviewer"`
	Day      string `json:"day"` // 2006-01-02
	Kind     Kind   `json:"-"`
	N        int    `json:"n"`
}

// Work sums up a reviewer's batches within one minute of the clock. Undone batches do not count, nor those of actions
// that cannot be undone.
type Work struct {
	Reviewer    string
	First, Last time.Time // of the batches
	Batches     int
	Decisions   int

	// Single counts the items that are not open and whose decision in force is that of one of the batches, where it
	// is the only decision; Bulk counts the same for batches with several decisions.
	Single, Bulk int
}

// Group counts the items with the same host, flags and field.
type Group struct {
	Host  string
	Flags canon.CodeSet
	Field string
	N     int
}

// Undecided is an item with unknown parameters.
type Undecided struct {
	Host      string
	Canonical string
	Flags     canon.CodeSet
	Params    []string // shared between items; must not be changed
}
