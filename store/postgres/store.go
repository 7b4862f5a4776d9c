package postgres

import (
	"context"

	"visto/review"
	"visto/store/rows"
)

// Store is review.Store on a PostgreSQL database. It is safe for concurrent use, by any number of programs.
type Store struct {
	rows.Shared
	updater
	stream *reader // for methods that call somebody back, who may ask for one item while it goes through others
}

var _ review.Store = (*Store)(nil)

// database is rows.DB.
type database struct{ *Store }

// List is rows.DB's.
func (d database) List(ctx context.Context, doing, query string, args []any, fn func(scanner) error) error {
	return d.read.failed(ctx, doing, each(ctx, d.read, query, args, fn))
}

// Snapshot is rows.DB's.
func (d database) Snapshot(ctx context.Context, doing string, fn func(rows.Snapshot) error) error {
	return d.stream.snapshot(ctx, doing, func(q *snapshot) error { return fn(walking{ctx, q}) })
}

// Update is rows.DB's.
func (d database) Update(ctx context.Context, doing string, fn func(t rows.Tx, at int64) error) error {
	return d.updateUnlocked(ctx, doing, func(t *tx) error { return fn(t, t.at.UnixMilli()) })
}

// Key is rows.DB's.
func (d database) Key(text string) string { return "sha256(" + text + ")" }

// ReadOnly reports whether the store was opened read-only, or its user may not write.
func (s *Store) ReadOnly() bool { return s.readOnly }

// Name returns the server and the name of the database, without a password.
func (s *Store) Name() string { return s.read.name }

// Settle does nothing: a change is one transaction.
func (s *Store) Settle(context.Context) {}

// UseRules does nothing: no item is ever pending.
func (s *Store) UseRules(func(context.Context) (review.Computing, error)) {}

// Unfinished returns 0: no item is ever pending.
func (s *Store) Unfinished(context.Context) (int, error) { return 0, nil }

// Finish does nothing: no item is ever pending.
func (s *Store) Finish(context.Context) error { return nil }

// RenameView gives a view a name that no other view has.
func (s *Store) RenameView(ctx context.Context, from, to string) error {
	return s.update(ctx, "renaming a view", func(t *tx) error {
		return rows.RenameView(t, from, to)
	})
}
