// Package pane holds what the console shows in its tabs, one pane a file: the queue, one URL whole, causes, overrides, log
// and stats. A pane keeps what it was given and where its cursor is, and draws itself; it reads nothing
// and asks nobody. What it needs it tells the console (see [Queue.Wants]), which loads it and hands it over.
//
// Whatever a pane draws that came from outside has passed through term.Safe.
package pane
