package postgres

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"visto/store/migrations"
)

// Steps returns the migration steps of this program.
func Steps() migrations.Steps { return steps }

// Migrate runs those steps that a database lacks.
func Migrate(t *testing.T, db string, steps migrations.Steps) error {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	return runSteps(t.Context(), pool, steps)
}

// Rows returns the number of rows of a query.
func Rows(ctx context.Context, s *Store, query string) (int, error) {
	r, err := s.read.query(ctx, query, nil)
	if err != nil {
		return 0, err
	}
	return len(r.rows), nil
}

// Column returns the rows of a query for one column of texts.
func Column(t *testing.T, s *Store, query string) []string {
	t.Helper()
	list, err := column[string](t.Context(), s.read, query)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Connections returns how many connections its methods that call nobody back have opened.
func Connections(s *Store) int64 { return s.read.Stat().NewConnsCount() }

// Exec runs statements in one transaction.
func Exec(ctx context.Context, s *Store, statements string) error {
	_, err := s.read.Exec(ctx, statements)
	return err
}

// SetLarge sets the number of items from which on a change is large.
func SetLarge(s *Store, n int) { s.large = n }

// Hold runs fn in a transaction that writes.
func Hold(ctx context.Context, s *Store, fn func()) error {
	return s.update(ctx, "holding", func(*tx) error {
		fn()
		return nil
	})
}

// HoldItem locks the row of an item until the function that it returns is called.
func HoldItem(t *testing.T, s *Store, id int64) (letGo func()) {
	t.Helper()
	tx, err := s.stream.Begin(t.Context())
	if err == nil {
		_, err = tx.Exec(t.Context(), "SELECT FROM item WHERE id = $1 FOR UPDATE", id)
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := tx.Rollback(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// AwaitBlocked waits until so many transactions of the database wait for a row of an item, or for a large change.
func AwaitBlocked(t *testing.T, s *Store, n int) {
	t.Helper()
	const query = `SELECT 'x'::bytea FROM pg_locks WHERE NOT granted AND (locktype = 'advisory'
		OR locktype IN ('transactionid', 'tuple')) AND pid IN (SELECT pid FROM pg_stat_activity
		WHERE datname = current_database())`
	for len(Column(t, s, query)) < n {
		time.Sleep(time.Millisecond)
	}
}
