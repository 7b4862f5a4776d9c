package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"

	"visto/review"
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

// coverOld appends log entries that cover the items of a database whose log does not know added items yet: those of
// schema 11.
func (c *writeConn) coverOld(ctx context.Context) error {
	const query = `SELECT EXISTS (SELECT 1 FROM item) AND NOT EXISTS (SELECT 1 FROM log WHERE batch_id < 0)`
	var old bool
	if err := c.QueryRowContext(ctx, query).Scan(&old); err != nil || !old {
		return err
	}
	return c.update(ctx, "covering the stored URLs by the log", func(t *tx) error {
		if err := t.get(query, nil, &old); err != nil || !old {
			return err // another program was quicker
		}
		return (&coverer{tx: t}).run()
	})
}

// coverer appends the entries.
type coverer struct {
	*tx
	first   int64 // entry
	last    int64
	digests [][32]byte
}

func (c *coverer) run() error {
	err := each(c.ctx, c.tx, givenQuery+" ORDER BY i.id", nil, func(scan scanner) error {
		g, err := scanGiven(scan)
		if err != nil {
			return err
		}
		ev, err := parseEvidence(g.id, g.evidence.String)
		if err != nil {
			return err
		}
		source := review.Source{File: g.file, Field: g.field, Position: g.position}
		c.last, c.digests = g.id, append(c.digests, review.DigestOf(g.original, source, g.title, ev))
		if len(c.digests) < maxChunk {
			return nil
		}
		return c.entry()
	})
	if err != nil || len(c.digests) == 0 {
		return err
	}
	return c.entry()
}

func (c *coverer) entry() error {
	e := review.Entry{Body: review.AddedBody(c.last-int64(len(c.digests))+1, c.digests)}
	e.EntryInfo = review.EntryInfo{At: c.at, Reviewer: "visto", Action: review.ActAdd, Run: c.first,
		Summary: fmt.Sprintf("%d URLs were added before the log covered them", c.last)}
	err := c.appendEntry(&e)
	c.first, c.digests = e.Run, c.digests[:0]
	return err
}
