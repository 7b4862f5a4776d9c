package postgres

import (
	"context"
	"fmt"

	"visto/review"
	"visto/store/rows"
)

// Views returns the saved views, by name.
func (s *Store) Views(ctx context.Context) ([]review.StoredView, error) {
	const query = "SELECT name, body, reviewer, at FROM saved_view ORDER BY name"
	return listOf(ctx, s.read, "reading the saved views", query, nil, func(v *review.StoredView, scan scanner) error {
		return scan(&v.Name, &v.Body, &v.Reviewer, rows.Stamp(&v.At))
	})
}

// SaveView saves a view, replacing one of that name. It sets the time.
func (s *Store) SaveView(ctx context.Context, v review.StoredView) error {
	return s.updateUnlocked(ctx, "saving a view", func(t *tx) error {
		return t.Exec(insertQuery("INTO saved_view (name, body, reviewer, at)")+` ON CONFLICT (sha256(name)) DO UPDATE
			SET body = excluded.body, reviewer = excluded.reviewer, at = excluded.at`, v.Name, string(v.Body),
			v.Reviewer, rows.Millis(t.at))
	})
}

// RenameView gives a view a name that no other view has.
func (s *Store) RenameView(ctx context.Context, from, to string) error {
	return s.update(ctx, "renaming a view", func(t *tx) error {
		var n int
		err := t.Get("SELECT count(*) FROM saved_view WHERE name = ? AND name <> ?", []any{to, from}, &n)
		if err == nil && n > 0 {
			err = fmt.Errorf("there is a view %q already", to)
		}
		if err != nil {
			return err
		}
		return t.Hit(noView(from), "UPDATE saved_view SET name = ? WHERE name = ?", to, from)
	})
}

// DeleteView deletes a view.
func (s *Store) DeleteView(ctx context.Context, name string) error {
	return s.updateUnlocked(ctx, "deleting a view", func(t *tx) error {
		return t.Hit(noView(name), "DELETE FROM saved_view WHERE name = ?", name)
	})
}

func noView(name string) error { return fmt.Errorf("view %q: %w", name, review.ErrNotFound) }
