package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"

	"visto/store/migrations"
)

// schema is a series of migration steps, numbered from first to latest.
type schema struct {
	steps         fs.FS
	first, latest int64
}

// thisSchema is the schema of this program.
func thisSchema() schema { return schema{migrations.FS, migrations.First, migrations.Latest} }

// state is the part of a database file that tells whose it is. It is readable whatever the schema.
type state struct {
	application int64
	version     int64
	tables      int64
}

func readState(ctx context.Context, q queryer) (state, error) {
	var st state
	err := q.QueryRowContext(ctx, `SELECT
		(SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version),
		(SELECT count(*) FROM sqlite_schema)`).Scan(&st.application, &st.version, &st.tables)
	return st, err
}

// judge accepts a database of this program whose schema is known, and an empty one where a new one may be made.
// Version 0 is a database whose creation was interrupted: migrate finishes it.
func (sc schema) judge(st state, create bool) error {
	switch {
	case st.application == 0 && st.tables == 0 && create:
		return nil
	case st.application == 0 && st.tables == 0:
		return fmt.Errorf("it is empty: %w", ErrMissing)
	case st.application != migrations.ApplicationID:
		return ErrNotOurs
	case st.version > sc.latest:
		return fmt.Errorf("its schema is version %d, this program's is %d: %w", st.version, sc.latest, ErrNewer)
	case st.version > 0 && st.version < sc.first:
		return fmt.Errorf("its schema is version %d, this program's is %d: %w", st.version, sc.latest, ErrTooOld)
	}
	return nil
}

// migrate runs the steps that the database lacks. Each step is one transaction: a program that is killed leaves the
// database at the step before, and the next program goes on. Of two programs that migrate at once, one finds the work
// done.
func (sc schema) migrate(ctx context.Context, db *sql.DB) error {
	st, err := readState(ctx, db)
	if err != nil || st.version >= sc.latest {
		return err // openReaders refuses a newer schema
	}
	if st.application == 0 {
		_, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", migrations.ApplicationID))
		if err != nil {
			return err
		}
	}
	steps, err := goose.NewProvider(goose.DialectSQLite3, db, sc.steps,
		goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return fmt.Errorf("reading the schema's steps: %w", err)
	}
	if _, err := steps.Up(ctx); err != nil {
		if st, stErr := readState(ctx, db); stErr == nil && st.version == sc.latest {
			return nil
		}
		return fmt.Errorf("bringing the schema up to date: %w", err)
	}
	return nil
}
