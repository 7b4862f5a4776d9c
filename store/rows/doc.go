// Package rows holds the code that all stores share: the forms in which they keep values in the columns of their
// tables, and the logic of their transactions that does not depend on the database. It knows no database: it reads
// through a [DB] and a [Snapshot] and writes through a [Tx], in words of SQL that all know, to tables that all have. A
// [Dialect] has the few words of walks that differ.
package rows
