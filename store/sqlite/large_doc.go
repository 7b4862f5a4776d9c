package sqlite

// # A change of very many URLs
//
// A rule for a host may change 100,000 URLs. In one transaction that would keep everybody else from deciding for
// seconds: measured, 15 s, in which others ran into their timeout. In stages it is in force after 4 s, and others
// wait 44 ms at most. So a large change, and its undo, is written in three steps:
//
//  1. Staging (large_stage.go). The new rows go to the table staged, in chunks. Nobody reads them yet. If somebody
//     decides on a staged item meanwhile, the same transaction updates its staged row (restage). Items that are
//     added meanwhile are staged too (catchUp).
//  2. Coming into force (putInForce). One short transaction writes the log entry, the batch and the rule, and sets
//     stage.state. From then on the change is confirmed, and everybody sees it.
//  3. Applying (large_apply.go). The staged rows are copied to item, in chunks. Until the last one every snapshot
//     reads the name item as the items without staged rows plus the staged ones (large_apply.go): no reader can
//     tell how far applying is. Whoever writes to an item applies its staged row first (applyStagedItem).
//
// A decision on more than maxAtOnce URLs, its undo and its redo work in the same way with the table staged_decision
// (large_decision.go). It is one batch and one log entry. Whoever writes to one of its items before it is in force
// comes first: the staged decision is dropped (dropStaged) and reported as a conflict. During applying the overlay
// covers the name decision too. The items that the decisions settle (settle.go) are written when these come into force.
//
// The counts follow along: the differences of a staged change are rows of item_count with staged = 1, which count
// from step 2 on and are added to the others at the end of step 3.
//
// If the program ends in step 1 nothing has happened: leftover rows mean nothing, and the next large change deletes
// them. If it ends in step 3 the change is in force, and whoever changes a rule next, adds URLs or opens the
// console applies the rest. Changes of rules come one after another: the second waits (waitUnstaged), finds its
// results stale, and is computed again. Decisions, notes and additions wait for one short transaction at most.
//
// # Chunks
//
// Adding, indexing and large changes are bulk work, done in chunks (large_writers.go), each a transaction of its
// own. A chunk ends after some 10 ms of work (sharedBudget) if anybody else, another program or another part of
// this one, wrote in the last seconds. Otherwise it goes on for up to 300 ms (idleBudget), because pages of indexes
// that many rows share are then written once, but ends as soon as somebody waits.
//
// Forgetting a file, and taking that back, is bulk work too, but is not staged: whatever a chunk marks as gone or back
// is so at once, and has a log entry in the run of the batch's entry (commitPlaces).
//
// # The write lock
//
// SQLite lets one connection write at a time. A decision is interactive and goes first: it takes a shared lock on
// the -wal file while it waits (writeLock), and bulk work of all programs pauses before its next chunk while
// anybody holds one.
//
// # Checkpoints
//
// No decision does the leftover work of others. The segments of the search index are merged in chunks (search.go),
// and the write-ahead log is copied into the database in the background (large_apply.go).
