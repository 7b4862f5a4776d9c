package postgres

import (
	"context"
	"embed"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"visto/store/migrations"
)

//go:embed migrations/*.sql
var files embed.FS

// steps are the migration steps of this program.
var steps = migrations.Of(files)

// migrationLock is the advisory lock of PostgreSQL under which the schema is changed: "vist" in ASCII.
const migrationLock = 0x76697374

// migrate runs the steps that the database lacks.
func (s *Store) migrate(ctx context.Context, create bool) error {
	version, err := schemaVersion(ctx, s.read)
	if err != nil {
		return err
	}
	var utf8 bool
	if err := get(ctx, s.read, "SELECT getdatabaseencoding() = 'UTF8'", nil, &utf8); err != nil {
		return err
	}
	latest := steps.Latest()
	switch {
	case version == latest:
		return nil
	case version > latest:
		return fmt.Errorf("its schema is version %d, this program's is %d: %w", version, latest, ErrNewer)
	case version == 0 && (s.readOnly || !create):
		return ErrMissing
	case s.readOnly:
		return ErrOlder
	case version == 0 && !utf8:
		return ErrEncoding
	}
	return runSteps(ctx, s.read.Pool, steps)
}

func runSteps(ctx context.Context, pool *pgxpool.Pool, steps migrations.Steps) error {
	return steps.Run(func(fn func(migrations.Tx) error) error {
		return pgx.BeginFunc(ctx, pool, func(t pgx.Tx) error {
			_, err := t.Exec(ctx, fmt.Sprintf("SELECT pg_advisory_xact_lock(%d); "+
				"CREATE TABLE IF NOT EXISTS schema_version (version bigint NOT NULL)", migrationLock))
			if err != nil {
				return err
			}
			return fn(stepTx{ctx, t})
		})
	})
}

// lastStep is the query for the number of the last step.
const lastStep = "SELECT coalesce(max(version), 0) FROM schema_version"

// schemaVersion returns the number of the last step, 0 for a database without tables of this program.
func schemaVersion(ctx context.Context, q queryer) (version int64, err error) {
	var there bool
	err = get(ctx, q, "SELECT to_regclass('schema_version') IS NOT NULL", nil, &there)
	if err != nil || !there {
		return 0, err
	}
	err = get(ctx, q, lastStep, nil, &version)
	return version, err
}

// stepTx is migrations.Tx. The table schema_version has a row for each step.
type stepTx struct {
	ctx context.Context
	pgx.Tx
}

// Version is migrations.Tx's.
func (t stepTx) Version() (version int64, err error) {
	err = t.QueryRow(t.ctx, lastStep).Scan(&version)
	return version, err
}

// Apply is migrations.Tx's.
func (t stepTx) Apply(sql string, version int64) error {
	_, err := t.Exec(t.ctx, sql+fmt.Sprintf("INSERT INTO schema_version (version) VALUES (%d)", version))
	return err
}
