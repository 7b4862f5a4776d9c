// Package sqlite is review.Store on one SQLite file, through the driver modernc.org/sqlite.
//
// The files, in the order in which a program meets them:
//
//   - open.go opens one connection that writes and a few that read. guard.go refuses, before anything is written,
//     files of others and files whose write-ahead log is not theirs, notices a file that goes away while it is open,
//     and has the reasons in plain words. migrate.go brings the schema up to date, and has the log cover the items of
//     schema 11.
//   - store.go is the Store: its exported methods stand with their subject, and its parts are types of their own. tx.go
//     has reader and writeConn, the connections with their two kinds of transactions. statement.go keeps the prepared
//     statements of those that read. The others are searchIndex (search.go), largeChanges (large.go) and
//     checkpoints (checkpoint.go).
//   - item.go reads items. walk.go has the snapshot on which store/rows walks through many rows. filter.go turns a
//     review.Filter into SQL, pattern.go matches regular expressions in it, search.go keeps and queries the search
//     index. page.go reads pages by keyset.
//   - counts.go keeps the number of items by their columns, and counts filters and causes with it. facet.go counts by
//     dimension. store.go keeps saved views and assignments.
//   - add.go inserts items, with store/rows the places where they stand. presence.go marks places that are
//     gone, and items that nothing cites any more. deferred.go leaves the indexes of a new database out of a large load
//     and builds them afterwards; a copy from another store is such a load. commit.go writes a
//     review.Change with the rows of decision.go, override.go, evidence.go and undo.go. settle.go settles items by the
//     decisions on others. log.go appends log entries.
//   - large_*.go write a change of very many items and let programs write side by side: see large_doc.go.
//   - probe.go keeps the lease, the postponements and the cache of a probe, and the contents of pages.
//   - check.go verifies the file and the schema; rows/check.go and rows/check_log.go verify what every store has.
//     backup.go copies the file while it is in use, and puts a copy back.
//   - query.go reads URLs from any other SQLite file.
//
// Exported methods open the transaction; unexported ones take it. The clock is read once a transaction. The one
// connection that writes begins its transactions IMMEDIATE: two programs on one file wait for each other, and never
// find out halfway that they cannot go on. A commit is on disk when it returns (WAL, synchronous=FULL). All times
// are milliseconds since 1970, UTC.
//
// URLs are bytes: a stored text may hold NUL and bytes that are not UTF-8, and is returned unchanged. Therefore SQL
// that looks into a text treats it as a BLOB, and never uses length(), LIKE or GLOB on it, which stop at NUL.
package sqlite
