// Package sqlite is review.Store on one SQLite file, through the driver modernc.org/sqlite.
//
// The way through the package, in the order in which a program meets it:
//
//   - open.go looks at the file before it touches it, then opens one connection that writes and a few that read.
//     errors.go holds what can be wrong with a file, in words for the person who named it.
//   - store.go is the Store: its two kinds of transactions, and what it knows of itself. turn.go is whose turn it is to write,
//     statement.go keeps what is prepared, checkpoint.go copies the write-ahead log into the file.
//   - item.go reads items, answer.go only what the machine answered, filter.go turns a review.Filter into SQL, pattern.go matches regular expressions in it, page.go reads
//     pages by keyset. tally.go keeps how many items there are of each kind, and tally_filter.go says which of them a filter
//     selects; facet.go counts out of it, facet_rows.go what it does not tell apart, work.go what was done, and cause.go tells what
//     causes are counted by, read by row.go. search.go keeps and asks the index of the search. view.go keeps saved views.
//   - add.go inserts; commit.go writes a review.Change, with the rows of decision.go, override.go, evidence.go and undo.go;
//     seal.go is what proves that what was given is as it was; log.go appends the entry and reads the log.
//   - stage.go writes a change of very many items in pieces, stage_decision.go one of decisions, overlay.go reads what stands of it
//     as if it were whole, and fold.go folds it into the items: see store/doc.go. piece.go is how long a piece may be.
//   - probe.go, probe_cache.go and probe_turn.go hold what asking the network needs: what is due, what is known of hosts and has still to
//     reach the URLs on them, what a prober remembers, and whose turn it is.
//   - check.go verifies the file, the schema and what was given, check_log.go the log and what it left; wal.go and
//     wal_index.go refuse a write-ahead log out of which commits would be lost. backup.go copies the file while it is in use.
//   - query.go reads URLs from a SQLite file that is not ours.
//
// Exported methods open the transaction; unexported ones take it. The clock is read once a transaction. There is one
// connection that writes, and its transactions begin IMMEDIATE: two programs on one file wait for each other, and never
// find out halfway that they cannot go on. A commit is on disk when it returns (WAL, synchronous=FULL). All times are
// milliseconds since 1970, UTC.
//
// URLs are bytes: a stored text may hold NUL and bytes that are not UTF-8, and comes back as it was. Therefore SQL that
// looks into one treats it as a BLOB, and length(), LIKE and GLOB, which stop at NUL, are not used on it.
package sqlite
