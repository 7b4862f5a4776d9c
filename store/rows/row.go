package rows

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"visto/canon"
	"visto/review"
)

// Row reads one row after another. It takes the values as the driver gives them, because database/sql would convert
// the numbers of each row through texts.
type Row struct {
	Err error // of the first value that no program of ours wrote

	thing  string // names the thing that a row is about, for errors; the first column identifies it
	names  string // of the columns, as a query has them
	values []any
	into   []any
}

// NewRow returns a Row for rows about a thing, such as "URL". names are the columns as the query has them, for errors;
// more may follow.
func NewRow(thing string, columns int, names string) Row {
	r := Row{thing: thing, names: names, values: make([]any, columns)}
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

// upTo returns a column with a number from 0 to most, 0 for NULL.
func (r *Row) upTo(i int, most uint8) uint8 {
	n := r.Number(i)
	if n < 0 || n > int64(most) {
		r.expect(i, false)
		return 0
	}
	return uint8(n)
}

// flags returns a column with a set of flags.
func (r *Row) flags(i int) canon.CodeSet {
	n := canon.CodeSet(r.Number(i))
	r.expect(i, n&^allFlags == 0 && int64(n) == r.Number(i))
	return n & allFlags
}

var allFlags = canon.SetOf(canon.Codes()...)

// time returns a column with milliseconds.
func (r *Row) time(i int) time.Time {
	r.expect(i, isTime(r.Number(i)))
	return FromMillis(r.Number(i))
}

// fill reads a column with as many bytes as into has; none or NULL leaves them.
func (r *Row) fill(into []byte, i int) {
	value := r.Bytes(i)
	r.expect(i, len(value) == 0 || len(value) == len(into))
	copy(into, value)
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
		r.Err = r.damaged(i, review.ErrDamaged)
	}
}

// maxValue is the number of bytes of a value that an error shows.
const maxValue = 40

// damaged returns the error of a column whose value cannot be read, and why.
func (r *Row) damaged(i int, why error) error {
	value := fmt.Sprintf("%q", fmt.Sprint(r.values[i]))
	if len(value) > maxValue {
		value = value[:maxValue] + "…"
	}
	return fmt.Errorf("%s %v: column %s holds %s: %w", r.thing, r.values[0], columnName(r.names, i), value, why)
}

// columnName returns the name of a column in the text of a query: that of a table, or its number.
func columnName(names string, i int) string {
	list := strings.Split(names, ",")
	if i >= len(list) {
		return strconv.Itoa(i + 1)
	}
	return strings.TrimSpace(list[i])
}
