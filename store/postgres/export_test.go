package postgres

import "context"

// Rows returns the number of rows of a query.
func Rows(ctx context.Context, s *Store, query string) (int, error) {
	r, err := s.read.query(ctx, query, nil)
	if err != nil {
		return 0, err
	}
	return len(r.rows), nil
}
