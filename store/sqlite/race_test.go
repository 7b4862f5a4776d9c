//go:build race

package sqlite_test

// underRace leaves out long lists: one goroutine binds them, so they find no race.
const underRace = true
