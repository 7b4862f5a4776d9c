// Package store is the tour of the stores; the code is in its folders.
//
// review.Store says what a store has to do. There is one implementation, and one suite that says whether an
// implementation does it:
//
//   - migrations holds the schema as numbered SQL files that only ever go forward, embedded in the program.
//   - sqlite is review.Store on one SQLite file. Start with sqlite/doc.go.
//   - storetest is the conformance suite: every promise of the interface as a test, run by each implementation.
//
// A store decides nothing. What follows from a decision or a rule is computed by review and handed over whole, and each
// write is one transaction with one entry in the append-only log.
package store
