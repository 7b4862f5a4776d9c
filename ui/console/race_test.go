//go:build race

package console

// underRace leaves out sizes, looks, orders and the further places of a key: one goroutine draws, so more of them find
// no further race. The tests without the race detector, which is ten times faster, draw all of them.
const underRace = true
