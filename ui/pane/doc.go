// Package pane holds the panes that the console shows in its tabs: the queue, one URL in detail, the page behind it
// with its links, causes, overrides, log and stats. A pane keeps its data and its cursor, and draws itself. It does no
// I/O: the console loads the data that a pane requests (see [Queue.Wants]) and passes it in.
//
// All untrusted text that a pane draws has passed through term.Safe, that of pages through term.Prose.
package pane
