// Package migrations holds the database schema as numbered goose steps. A released step is never edited: a change of
// the schema is the next number. Each step ends by setting PRAGMA user_version to its own number in its own
// transaction, so that the version is readable before anything else of the file is understood.
//
// The first step is number 11. Schemas 1 to 10 belonged to development versions; the program refuses them.
package migrations

import "embed"

// FS holds the steps, one SQL file each, in goose's format.
//
//go:embed *.sql
var FS embed.FS

const (
	// First is the number of the first step, and the oldest schema that this program reads.
	First = 11
	// Latest is the number of the last step: the schema that this program works on.
	Latest = 26
)

// ApplicationID marks a SQLite file as visto's (PRAGMA application_id): "vist" in ASCII.
const ApplicationID = 0x76697374
