package review

import "visto/canon"

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
