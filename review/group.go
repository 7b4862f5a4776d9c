package review

import "visto/canon"

// Group is a set of items alike in all that Causes counts by, but for parameters.
type Group struct {
	Host  string
	Flags canon.CodeSet
	Field string
	N     int
}

// Undecided are the unknown parameters of one item, with what else Causes looks at.
type Undecided struct {
	Host      string
	Canonical string
	Flags     canon.CodeSet
	Params    []string // shared between items: not to be written to
}
