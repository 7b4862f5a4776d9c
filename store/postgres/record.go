package postgres

import (
	"visto/review/read"
)

// IndexRecord is rows.IntakeTx's.
func (t *tx) IndexRecord(id int64, _ bool, r *read.Record, attributes string) error {
	return t.Exec("INSERT INTO record_search (record_id, text) VALUES (?, ?) ON CONFLICT (record_id) DO UPDATE "+
		"SET text = excluded.text", id, searchText(r.ID, r.Name, attributes))
}
