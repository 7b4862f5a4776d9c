//go:build race

package console

// underRace: drawing is one goroutine's, so a size or a look more finds no race that the first did not. It is all looked at
// without the race detector, which makes it ten times as slow.
const underRace = true
