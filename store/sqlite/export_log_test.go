package sqlite

import (
	"database/sql"
	"testing"

	"visto/store/rows"
)

// LogPageColumns returns the columns of the log's rows that a page of the log reads.
func LogPageColumns(t *testing.T, s *Store) (names []string) {
	t.Helper()
	err := each(t.Context(), s.read, "EXPLAIN "+rows.LogQuery, []any{1, 1}, func(scan scanner) error {
		var addr, p1, p2, p3, p5 int64
		var code string
		var p4, comment sql.NullString
		if err := scan(&addr, &code, &p1, &p2, &p3, &p4, &p5, &comment); err != nil || code != "Column" {
			return err
		}
		var name string
		err := s.read.QueryRowContext(t.Context(), "SELECT name FROM pragma_table_info('log') WHERE cid = ?", p2).
			Scan(&name)
		names = append(names, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
