// Package migrations holds the database's schema as numbered steps. A step that has been released is never edited: a
// change of the schema is the next number. Each step ends by setting PRAGMA user_version to its own number, in the same
// transaction, so that the version can be read before anything else of the file is understood.
package migrations

import "embed"

// FS holds the steps, one SQL file each, in goose's format.
//
//go:embed *.sql
var FS embed.FS

// Latest is the number of the last step: the schema that this program works on.
const Latest = 10

// ApplicationID marks a SQLite file as visto's (PRAGMA application_id): "vist" in ASCII.
const ApplicationID = 0x76697374
