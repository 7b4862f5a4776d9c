package rows

import "fmt"

// Row reads one row after another. It takes the values as the driver gives them, because database/sql would convert
// the numbers of each row through texts.
type Row struct {
	Err error // of the first value that no program of ours wrote

	thing  string // names the thing that a row is about, for errors; the first column identifies it
	values []any
	into   []any
}

// NewRow returns a Row for rows about a thing, such as "URL".
func NewRow(thing string, columns int) Row {
	r := Row{thing: thing, values: make([]any, columns)}
	for i := range r.values {
		r.into = append(r.into, &r.values[i])
	}
	return r
}

// Scan reads the next row.
func (r *Row) Scan(scan Scan) error { return scan(r.into...) }

// Text returns a column, the empty text for NULL.
func (r *Row) Text(i int) string {
	text, ok := r.values[i].(string)
	r.expect(i, ok || r.values[i] == nil)
	return text
}

// Number returns a column, 0 for NULL.
func (r *Row) Number(i int) int64 {
	n, ok := r.values[i].(int64)
	r.expect(i, ok || r.values[i] == nil)
	return n
}

// small returns a column with a number of at most 8 bits, 0 for NULL.
func (r *Row) small(i int) uint8 {
	n := r.Number(i)
	r.expect(i, n == int64(uint8(n)))
	return uint8(n)
}

// Flag returns a column of true or false, which is a number where the database has no such type.
func (r *Row) Flag(i int) bool {
	is, ok := r.values[i].(bool)
	if n, isNumber := r.values[i].(int64); isNumber {
		is, ok = n != 0, true
	}
	r.expect(i, ok)
	return is
}

// Bytes returns a column, nil for NULL and for nothing. A driver may give them as a text.
func (r *Row) Bytes(i int) []byte {
	if b, ok := r.values[i].([]byte); ok {
		return b
	}
	return []byte(r.Text(i))
}

// IsNull reports whether a column is NULL.
func (r *Row) IsNull(i int) bool { return r.values[i] == nil }

// expect notes an error for a value that no program of ours wrote.
func (r *Row) expect(i int, ok bool) {
	if !ok && r.Err == nil {
		r.Err = fmt.Errorf("column %d of %s %v holds %v", i, r.thing, r.values[0], r.values[i])
	}
}
