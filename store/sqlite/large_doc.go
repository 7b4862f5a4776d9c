package sqlite

// # A change of very many URLs
//
// A rule for a host may change 100,000 URLs. In one transaction that would keep everybody else from deciding for
// seconds: measured, 15 s, in which others ran into their timeout. So a change of rules, a decision, an undo or a redo
// that concerns more than maxAtOnce URLs is written in two steps (large.go):
//
//  1. Coming into force (putInForce). One short transaction writes the log entry, the batch and the rule, and puts each
//     item into the table pending. From then on the change is confirmed. A new decision rides in its row of pending:
//     100,000 rows of decision, with their indexes, would take too long here. Whether the items are still as the
//     reviewer saw them is checked before, and here only compared (check, pendDecisions): those that changed in between
//     are conflicts.
//  2. Following (pending.go, finishSet). The items follow in sets, in the background. Each gets its decision, the
//     result and the status that follow from the rules and the decisions in force, and its counts, and those that it
//     settles. So the order does not matter, and it can be done again. Results are computed before a set locks others
//     out. Following writes nothing to the log.
//
// Until it follows, an item is as it was (review.Item.Unfinished). Whoever writes to one has it follow first (follow),
// in the same transaction, so a revision from before is in conflict. Results that were computed for such an item are
// stale (pendingError). The batch, the history, the counts of decisions and the search know decisions that are pending
// (rows.AllDecisions).
//
// Another rule, or an undo, does not wait: it makes items pending that are pending already, with its own log entry, and
// whoever has read the row before leaves it. Only a decision on very many items has them all follow first, because it
// checks their revisions.
//
// If the program ends, whoever opens the database for writing goes on (goOn). The row of the table work is for people
// to read; nothing depends on it, and the last set corrects it.
//
// # Chunks
//
// Adding, indexing and following are bulk work, done in chunks (large_writers.go), each a transaction of its
// own. A chunk ends after some 10 ms of work (sharedBudget) if anybody else, another program or another part of
// this one, wrote in the last seconds. Otherwise it goes on for up to 300 ms (idleBudget), because pages of indexes
// that many rows share are then written once, but ends as soon as somebody waits.
//
// Forgetting a file, and taking that back, is bulk work too, but nothing is pending: whatever a chunk marks as gone or
// back is so at once, and has a log entry in the run of the batch's entry (commitPlaces).
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
// and the write-ahead log is copied into the database in the background (checkpoint.go).
