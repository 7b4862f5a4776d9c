package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"visto/review"
	"visto/store/rows"
)

// Many items are added to a new database without the indexes of the table item, which are built afterwards: sorted,
// and not page by page in an order that suits none of them. The table index_to_build names the missing ones. While
// item_original is missing the program that adds knows which URLs are there. Queries are right without an index, only
// slower.
const (
	deferFrom  = 8000             // the number of items to add at once to a new database for which this is worth it
	maxLoaded  = 4_000_000        // the items after which the indexes are built in between: their keys take memory
	giveWayFor = 30 * time.Second // how long building an index starts again whenever somebody waits
	yieldPoll  = 10 * time.Millisecond
	quietFor   = time.Second // no writes for this long: the program that added items has ended
)

// load is the state of adding to a database without item_original.
type load struct {
	ids  map[review.Key]int64
	last int64 // the newest item
}

// uniqueIndex is the index that an insert needs to find a URL that is there.
const uniqueIndex = "item_original"

// deferIndexes prepares the transaction of an adder. It drops the indexes of a new database if many items are to be
// added, and builds item_original if this program does not know all URLs.
func (a *adder) deferIndexes(c *writeConn, known *schema) error {
	missing, err := column[string](a.ctx, a, "SELECT name FROM index_to_build WHERE name = ?", uniqueIndex)
	switch {
	case err != nil:
		return err
	case len(missing) == 0 && a.Next == 1 && len(a.list) >= deferFrom:
		c.load = &load{ids: map[review.Key]int64{}}
		err = a.dropIndexes()
	case len(missing) == 0:
		c.load = nil
	case c.load == nil || c.load.last != a.Next-1 || len(c.load.ids) > maxLoaded:
		c.load = nil
		var sql map[string]string
		if sql, err = known.indexes(); err == nil {
			err = a.createIndex(uniqueIndex, sql[uniqueIndex])
		}
	}
	a.load = c.load
	return err
}

func (t *tx) dropIndexes() error {
	names, err := column[string](t.ctx, t,
		"SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'item' AND sql IS NOT NULL AND "+
			"name <> 'item_approved'") // which nobody fills meanwhile, and each insert asks
	if err != nil {
		return err
	}
	return rows.ForEach(names, func(name string) error {
		if _, err := t.ExecContext(t.bare, "DROP INDEX "+name); err != nil {
			return err
		}
		return t.Insert("INTO index_to_build (name)", name)
	})
}

func (t *tx) createIndex(name, sql string) error {
	if sql = strings.Replace(sql, "INDEX ", "INDEX IF NOT EXISTS ", 1); sql == "" {
		return nil // nobody knows the index: the row stays, for buildIndexes to see
	}
	if _, err := t.ExecContext(t.ctx, sql); err != nil {
		return err
	}
	return t.Exec("DELETE FROM index_to_build WHERE name = ?", name)
}

// indexes returns the statements that make the indexes of item, by name.
func (sc *schema) indexes() (map[string]string, error) {
	fresh, err := sc.fresh()
	indexes := map[string]string{}
	for part, text := range fresh.parts {
		name, isIndex := strings.CutPrefix(part, "index ")
		if sql, ok := strings.CutPrefix(text, "item "); ok && isIndex {
			indexes[name] = sql
		}
	}
	return indexes, err
}

func (r *reader) missingIndexes(ctx context.Context) ([]string, error) {
	return column[string](ctx, r, "SELECT name FROM index_to_build ORDER BY name <> ?, name", uniqueIndex)
}

// buildIndexes builds the missing indexes, each in a transaction.
func (c *writeConn) buildIndexes(ctx context.Context, known *schema) error {
	missing, err := c.read.missingIndexes(ctx)
	if err != nil || len(missing) == 0 {
		return c.read.failed(ctx, "building indexes", err)
	}
	sql, err := known.indexes()
	if err != nil {
		return c.read.failed(ctx, "building indexes", err)
	}
	end := time.Now().Add(giveWayFor)
	for len(missing) > 0 {
		name := missing[0]
		err := c.buildIndex(ctx, name, sql[name], time.Now().Before(end))
		gaveWay := errors.Is(err, errYield)
		if err != nil && !gaveWay {
			return err
		}
		if missing, err = c.read.missingIndexes(ctx); err != nil {
			return c.read.failed(ctx, "building indexes", err)
		}
		if !gaveWay && slices.Contains(missing, name) { // a build that changes nothing would be done for ever
			return fmt.Errorf("building indexes: column name of index_to_build holds %q: %w", name, review.ErrDamaged)
		}
	}
	return nil
}

// errYield is the cause of a build that gave way to somebody who waits.
var errYield = errors.New("somebody waits")

// buildIndex builds an index. If it gives way it stops as soon as somebody waits, and writes nothing: errYield.
func (c *writeConn) buildIndex(ctx context.Context, name, sql string, givesWay bool) error {
	err := c.transact(ctx, "building the index "+name, c.beginBulk, func(t *tx) error {
		missing, err := column[string](t.ctx, t, "SELECT name FROM index_to_build WHERE name = ?", name)
		if err != nil || len(missing) == 0 {
			return err // another program was quicker
		}
		building, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		if givesWay && c.lock.waiting() {
			return errYield
		}
		if givesWay {
			go c.cancelIfWaiting(building, cancel)
		}
		t.ctx = building
		if err = t.createIndex(name, sql); errors.Is(context.Cause(building), errYield) {
			return errYield
		}
		return err
	})
	return err
}

func (c *writeConn) cancelIfWaiting(ctx context.Context, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(yieldPoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if c.lock.waiting() {
				cancel(errYield)
			}
		}
	}
}

// buildLeftIndexes builds the indexes that a killed program left missing. One that still adds items writes all the
// time: it builds them itself.
func (c *writeConn) buildLeftIndexes(ctx context.Context, known *schema) error {
	missing, err := c.read.missingIndexes(ctx)
	if err != nil || len(missing) == 0 {
		return err
	}
	before, err := dataVersion(ctx, c.read.watch)
	if err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(quietFor):
	}
	if after, err := dataVersion(ctx, c.read.watch); err != nil || after != before {
		return err
	}
	return c.buildIndexes(ctx, known)
}

// deferred reports whether a part of the schema is an index that is recorded as missing.
func (c *checker) deferred(part string) (bool, error) {
	missing, err := column[string](c.ctx, c.q, "SELECT name FROM index_to_build")
	return slices.Contains(missing, strings.TrimPrefix(part, "index ")), err
}

// Dump is rows.Source's.
func (s *Store) Dump(ctx context.Context, fn func(rows.Reading) error) error {
	const doing = "copying from the database"
	if !s.ReadOnly() {
		if err := s.large.finish(ctx); err != nil {
			return err
		}
	}
	return s.read.snapshot(ctx, doing, func(q queryer) error {
		var left bool
		if err := q.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM pending)").Scan(&left); err != nil || left {
			return errors.Join(err, errUnfinished)
		}
		return fn(func(table *rows.Table, each func(row []any) error) error { return dumpTable(ctx, q, table, each) })
	})
}

var errUnfinished = errors.New("a change of many URLs is not finished yet; open it once where it can be written")

func dumpTable(ctx context.Context, q queryer, table *rows.Table, fn func(row []any) error) error {
	return each(ctx, q, table.Query(), nil, func(scan scanner) error {
		row, into := make([]any, len(table.Columns)), make([]any, len(table.Columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := errors.Join(scan(into...), table.Normalize(row)); err != nil {
			return err
		}
		return rows.Own(fn(row))
	})
}

// Fill is rows.Target's. It builds the indexes of items afterwards.
func (s *Store) Fill(ctx context.Context, from rows.Source) error {
	indexes, err := s.known.indexes()
	if err != nil {
		return err
	}
	return s.write.update(ctx, "copying to the database", func(t *tx) error {
		return rows.InOrder(func() error { return t.Exec("PRAGMA defer_foreign_keys = ON") }, t.empty, t.dropIndexes,
			func() error {
				return rows.Own(from.Dump(ctx, func(read rows.Reading) error {
					return rows.ForEach(rows.Tables, func(table rows.Table) error { return t.fill(&table, read) })
				}))
			}, func() error {
				missing, err := column[string](t.ctx, t, "SELECT name FROM index_to_build")
				return errors.Join(err, rows.ForEach(missing, func(name string) error {
					return t.createIndex(name, indexes[name])
				}))
			})
	})
}

// empty deletes the rows that a new database has, and fails if there are others.
func (t *tx) empty() error {
	return rows.ForEach(rows.Tables, func(table rows.Table) error {
		if table.Given {
			return t.Exec("DELETE FROM " + table.Name)
		}
		var filled bool
		err := t.Get("SELECT EXISTS (SELECT 1 FROM "+table.Name+")", nil, &filled)
		if err == nil && filled {
			return rows.ErrNotEmpty
		}
		return err
	})
}

func (t *tx) fill(table *rows.Table, read rows.Reading) error {
	into := insertion{into: "INTO " + table.Name + " (" + strings.Join(table.Names(), ", ") + ")"}
	err := read(table, func(row []any) error {
		if into.add(row...) {
			return into.write(t)
		}
		return nil
	})
	return errors.Join(err, into.write(t))
}
