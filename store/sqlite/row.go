package sqlite

import "fmt"

// row reads rows one after the other. It takes the values as the driver gives them: database/sql would convert the numbers of each
// row by way of their texts.
type row struct {
	what   string // a row is about; the first column says which
	values []any
	into   []any
	err    error
}

func newRow(what string, columns int) row {
	r := row{what: what, values: make([]any, columns)}
	for i := range r.values {
		r.into = append(r.into, &r.values[i])
	}
	return r
}

// text returns a column, the empty text for NULL. number does so for 0, and small for a number that is one of a few.
func (r *row) text(i int) string {
	text, ok := r.values[i].(string)
	r.expect(i, ok || r.values[i] == nil)
	return text
}

func (r *row) number(i int) int64 {
	n, ok := r.values[i].(int64)
	r.expect(i, ok || r.values[i] == nil)
	return n
}

func (r *row) small(i int) uint8 {
	n := r.number(i)
	r.expect(i, n == int64(uint8(n)))
	return uint8(n)
}

// expect notes that a column holds what no program of ours wrote.
func (r *row) expect(i int, ok bool) {
	if !ok && r.err == nil {
		r.err = fmt.Errorf("column %d of %s %v holds %v", i, r.what, r.values[0], r.values[i])
	}
}
