package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"sync"

	"visto/review"
	"visto/store/migrations"
	"visto/store/rows"
)

// applicationID marks a SQLite file as visto's (PRAGMA application_id): "vist" in ASCII.
const applicationID = 0x76697374

// The first step is number 11. Schemas 1 to 10 belonged to development versions; the program refuses them.
//
//go:embed migrations/*.sql
var files embed.FS

// schema is the result of a series of migration steps.
type schema struct {
	steps migrations.Steps
	fresh func() (fresh, error) // makeFresh, run once
}

func newSchema(steps migrations.Steps) *schema {
	sc := &schema{steps: steps}
	sc.fresh = sync.OnceValues(sc.makeFresh)
	return sc
}

// thisSchema is the schema of this program.
var thisSchema = newSchema(migrations.Of(files))

// fresh is a new database of a schema.
type fresh struct {
	parts map[string]string // see readSchema
	file  []byte
}

// makeFresh makes a new database in memory.
func (sc *schema) makeFresh() (made fresh, err error) {
	ctx := context.Background()    // the next caller wants the result too
	db, err := connect(":memory:") // each connection has a memory of its own
	if err != nil {
		return made, err
	}
	defer db.Close()
	if err := sc.migrate(ctx, db); err != nil {
		return made, err
	}
	if made.parts, err = readSchema(ctx, db); err != nil {
		return made, err
	}
	made.file, err = serialize(ctx, db)
	return made, err
}

// serialize returns a database as a file in WAL mode: https://sqlite.org/fileformat.html#file_format_version_numbers
func serialize(ctx context.Context, db *sql.DB) (file []byte, err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	err = conn.Raw(func(c any) (err error) {
		file, err = c.(interface{ Serialize() ([]byte, error) }).Serialize()
		return err
	})
	if err == nil {
		file[18], file[19] = 2, 2
	}
	return file, err
}

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

// readHeader is readState without the tables, by statements for which SQLite does not parse the schema: that takes
// longer than the rest of opening a connection.
func readHeader(ctx context.Context, q queryer) (state, error) {
	var st state
	err := q.QueryRowContext(ctx, "PRAGMA application_id").Scan(&st.application)
	if err == nil {
		err = q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&st.version)
	}
	return st, err
}

// judge accepts a database of this program whose schema is known, and an empty one where a new one may be made.
// Version 0 is a database whose creation was interrupted: migrate finishes it.
func (sc *schema) judge(st state, create bool) error {
	first, latest := sc.steps.First(), sc.steps.Latest()
	switch {
	case st.application == 0 && st.tables == 0 && create:
		return nil
	case st.application == 0 && st.tables == 0:
		return fmt.Errorf("it is empty: %w", ErrMissing)
	case st.application != applicationID:
		return ErrNotOurs
	case st.version > latest:
		return fmt.Errorf("its schema is version %d, this program's is %d: %w", st.version, latest, ErrNewer)
	case st.version > 0 && st.version < first:
		return fmt.Errorf("its schema is version %d, this program's is %d: %w", st.version, latest, ErrTooOld)
	}
	return nil
}

// migrate runs the steps that the database lacks.
func (sc *schema) migrate(ctx context.Context, db *sql.DB) error {
	st, err := readState(ctx, db)
	if err != nil || st.version >= sc.steps.Latest() {
		return err // openReaders refuses a newer schema
	}
	if st.application == 0 {
		if _, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
			return err
		}
	}
	return sc.steps.Run(func(fn func(migrations.Tx) error) error {
		t, err := db.BeginTx(ctx, nil) // IMMEDIATE
		if err != nil {
			return err
		}
		defer t.Rollback()
		if err := fn(stepTx{ctx, t}); err != nil {
			return err
		}
		return t.Commit()
	})
}

// stepTx is migrations.Tx. The version is in the header of the file, where it is readable before anything else is
// understood.
type stepTx struct {
	ctx context.Context
	*sql.Tx
}

// Version is migrations.Tx's.
func (t stepTx) Version() (version int64, err error) {
	err = t.QueryRowContext(t.ctx, "PRAGMA user_version").Scan(&version)
	return version, err
}

// Apply is migrations.Tx's.
func (t stepTx) Apply(sql string, version int64) error {
	_, err := t.ExecContext(t.ctx, sql+fmt.Sprintf("PRAGMA user_version = %d", version))
	return err
}

// coverOld appends log entries that cover the items of a database whose log does not know added items yet, those of
// schema 11, and the occurrences that the step to schema 14 made.
func (c *writeConn) coverOld(ctx context.Context) error {
	const query = `SELECT EXISTS (SELECT 1 FROM item) AND NOT EXISTS (SELECT 1 FROM log WHERE batch_id < 0), uncovered
		FROM meta`
	var items bool
	var places int64
	err := c.QueryRowContext(ctx, query).Scan(&items, &places)
	if err != nil || !items && places == 0 {
		return err
	}
	return c.update(ctx, "covering the stored URLs by the log", func(t *tx) error {
		err := t.Get(query, nil, &items, &places) // another program may have been quicker
		if err == nil && items {
			err = (&coverer{tx: t}).run()
		}
		if err == nil && places > 0 {
			err = (&coverer{tx: t, last: places}).runPlaces()
		}
		return err
	})
}

// settleOld settles items by the approvals of a database that did not know it yet.
func (c *writeConn) settleOld(ctx context.Context) error {
	const query = "SELECT unsettled FROM meta"
	var unsettled bool
	if err := c.QueryRowContext(ctx, query).Scan(&unsettled); err != nil || !unsettled {
		return err
	}
	return c.update(ctx, "settling URLs that are approved canonical URLs", func(t *tx) error {
		urls, err := column[string](ctx, t, "SELECT DISTINCT approved FROM item WHERE approved IS NOT NULL")
		if err != nil {
			return err
		}
		w := &writer{tx: t, change: &rows.Change{}, names: newInterner(t)}
		return rows.InOrder(func() error { return rows.ForEach(urls, w.unsettleURL) }, w.settle, func() error {
			return t.Exec("UPDATE meta SET unsettled = 0")
		})
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
	err := each(c.ctx, c.tx, rows.GivenQuery+" ORDER BY i.id", nil, func(scan scanner) error {
		g, err := rows.ScanGiven(rows.Scan(scan))
		if err != nil {
			return err
		}
		ev, err := rows.ParseEvidence(g.ID, g.Evidence)
		if err != nil {
			return err
		}
		source := review.Source{File: g.File, Field: g.Field, Position: g.Position}
		c.last, c.digests = g.ID, append(c.digests, review.DigestOf(g.Original, source, g.Title, ev))
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
	return c.append(review.IntakeEntry{Added: review.Cover(c.last-int64(len(c.digests))+1, c.digests)},
		fmt.Sprintf("%d URLs were added before the log covered them", c.last))
}

func (c *coverer) append(body review.IntakeEntry, summary string) error {
	e := review.Entry{Body: body.Body()}
	e.EntryInfo = review.EntryInfo{At: c.at, Reviewer: "visto", Action: review.ActAdd, Run: c.first, Summary: summary}
	err := c.AppendEntry(&e)
	c.first, c.digests = e.Run, c.digests[:0]
	return err
}

// runPlaces covers the occurrences up to last, and their records, each a file as a whole.
func (c *coverer) runPlaces() error {
	summary := fmt.Sprintf("%d URLs were added before the log covered their places", c.last)
	files, err := column[string](c.ctx, c.tx,
		"SELECT f.name FROM record r CROSS JOIN file f ON f.id = r.file_id ORDER BY r.id")
	if err != nil {
		return err
	}
	digests := make([][32]byte, len(files))
	for i, file := range files {
		digests[i] = review.RecordDigest(file, nil)
	}
	if err := c.append(review.IntakeEntry{Records: review.Cover(1, digests)}, summary); err != nil {
		return err
	}
	next := int64(1)
	flush := func() error {
		body := review.IntakeEntry{Occurrences: review.Cover(next, c.digests)}
		next += int64(len(c.digests))
		return c.append(body, summary)
	}
	err = each(c.ctx, c.tx, `SELECT o.item_id, o.record_id, fe.name FROM occurrence o CROSS JOIN place p
		ON p.id = o.place_id CROSS JOIN field fe ON fe.id = p.field_id ORDER BY o.id`, nil, func(scan scanner) error {
		var item, record int64
		var field string
		if err := scan(&item, &record, &field); err != nil {
			return err
		}
		c.digests = append(c.digests, review.OccurrenceDigest(item, record, field))
		if len(c.digests) == maxChunk {
			return flush()
		}
		return nil
	})
	if err == nil && len(c.digests) > 0 {
		err = flush()
	}
	if err != nil {
		return err
	}
	return c.Exec("UPDATE meta SET uncovered = 0")
}
