package sqlite

import (
	"visto/review"
	"visto/store/rows"
)

// AppendEntry numbers and chains the entry and appends it to the log.
func (t *tx) AppendEntry(e *review.Entry) error {
	var last int64
	var hash []byte
	_, err := t.Find("SELECT seq, hash FROM log ORDER BY seq DESC LIMIT 1", nil, &last, &hash)
	if err != nil {
		return err
	}
	return rows.AppendEntry(e, last, hash, t.Insert)
}
