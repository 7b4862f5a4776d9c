// Package postgres is review.Store on one PostgreSQL database, through pgx.
//
// The files, in the order in which a program meets them:
//
//   - open.go opens the connections. migrate.go brings the schema up to date. listen.go hears of the writes of other
//     programs.
//   - store.go is the Store: its exported methods stand with their subject, in files named as those of store/sqlite.
//     tx.go reads. walk.go has the snapshot on which store/rows walks through many rows. write.go has the transactions
//     that write, and the updater that runs them. text.go has the texts.
//   - commit.go writes a change, and large.go one of very many items. standing.go has the facts that the status of
//     items follows from, for many items at once. check.go compares the schema with schema.txt.
//   - copy.go copies the rows from and to other stores.
//   - names.go finds the IDs of texts and of sets that are stored once.
//
// The tables are those of store/sqlite without what makes up for its one writer: no URL is pending, no index is built
// afterwards, nothing is watched in a file. A change is one transaction.
//
// A transaction that writes anything numbered or chained first locks the one row of the table meta, so that numbers
// have no gaps and the log is one chain. From then on it sees what all others committed. So its part under the lock is
// short: whatever can be computed before is, and a large change writes the rows of its items before. Readers wait for
// nobody.
//
// Exported methods open the transaction; unexported ones take it. The clock is read once a transaction.
//
// Texts are bytes: the columns are bytea, and are strings in Go. All whole numbers are bigint.
package postgres
