package sqlite

import "context"

// markSearch notes that an item got a text that the search index may not have.
func (t *tx) markSearch(id int64) error {
	_, err := t.exec("INSERT INTO search_dirty (item_id) VALUES (?) ON CONFLICT DO NOTHING", id)
	return err
}

func (s *Store) index(ctx context.Context) error { return nil }
