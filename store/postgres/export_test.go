package postgres

import (
	"context"
	"testing"
)

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

// Exec runs statements in one transaction.
func Exec(ctx context.Context, s *Store, statements string) error {
	_, err := s.read.Exec(ctx, statements)
	return err
}

// Hold runs fn in a transaction that writes.
func Hold(ctx context.Context, s *Store, fn func()) error {
	return s.update(ctx, "holding", func(*tx) error {
		fn()
		return nil
	})
}
