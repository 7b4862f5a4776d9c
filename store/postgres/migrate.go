package postgres

import (
	"context"
	"embed"
	"fmt"
	"path"

	"github.com/jackc/pgx/v5"
)

// steps holds the schema as numbered steps, one SQL file each. A released step is never edited: a change of the schema
// is the next number.
//
//go:embed migrations/*.sql
var steps embed.FS

// migrationLock is the advisory lock of PostgreSQL under which the schema is changed: "vist" in ASCII.
const migrationLock = 0x76697374

// migrate runs the steps that the database lacks, all in one transaction. Of two programs that do so at once, one finds
// the work done.
func (s *Store) migrate(ctx context.Context, create bool) error {
	list, err := steps.ReadDir("migrations")
	if err != nil {
		return err
	}
	version, err := schemaVersion(ctx, s.read)
	if err != nil {
		return err
	}
	var utf8 bool
	if err := get(ctx, s.read, "SELECT getdatabaseencoding() = 'UTF8'", nil, &utf8); err != nil {
		return err
	}
	switch {
	case version == len(list):
		return nil
	case version > len(list):
		return fmt.Errorf("its schema is version %d, this program's is %d: %w", version, len(list), ErrNewer)
	case version == 0 && (s.readOnly || !create):
		return ErrMissing
	case s.readOnly:
		return ErrOlder
	case version == 0 && !utf8:
		return ErrEncoding
	}
	return pgx.BeginFunc(ctx, s.read.Pool, func(t pgx.Tx) error {
		if _, err := t.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", migrationLock); err != nil {
			return err
		}
		_, err := t.Exec(ctx, "CREATE TABLE IF NOT EXISTS schema_version (version bigint NOT NULL)")
		if err != nil {
			return err
		}
		if err := t.QueryRow(ctx, "SELECT coalesce(max(version), 0) FROM schema_version").Scan(&version); err != nil {
			return err
		}
		for ; version < len(list); version++ {
			if err := runStep(ctx, t, list[version].Name(), version+1); err != nil {
				return err
			}
		}
		return nil
	})
}

// schemaVersion returns the number of the last step, 0 for a database without tables of this program.
func schemaVersion(ctx context.Context, q queryer) (version int, err error) {
	var there bool
	err = get(ctx, q, "SELECT to_regclass('schema_version') IS NOT NULL", nil, &there)
	if err != nil || !there {
		return 0, err
	}
	err = get(ctx, q, "SELECT coalesce(max(version), 0) FROM schema_version", nil, &version)
	return version, err
}

func runStep(ctx context.Context, t pgx.Tx, name string, version int) error {
	text, err := steps.ReadFile(path.Join("migrations", name))
	if err != nil {
		return err
	}
	if _, err := t.Exec(ctx, string(text)); err != nil {
		return fmt.Errorf("bringing the schema up to date by %s: %w", name, err)
	}
	_, err = t.Exec(ctx, "INSERT INTO schema_version (version) VALUES ($1)", version)
	return err
}
