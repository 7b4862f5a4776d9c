package rows

import (
	"database/sql"
	"fmt"
	"time"

	"visto/review"
)

// Stamp scans the milliseconds of a column into a time.
func Stamp(at *time.Time) sql.Scanner { return stamp{at} }

type stamp struct{ at *time.Time }

// Scan is sql.Scanner's.
func (s stamp) Scan(value any) error {
	ms, ok := value.(int64)
	if !ok || !isTime(ms) {
		return fmt.Errorf("a time is stored as %v: %w", value, review.ErrDamaged)
	}
	*s.at = FromMillis(ms)
	return nil
}

// isTime reports whether milliseconds are a time of the years 0 to 9999, which have a text in RFC 3339.
func isTime(ms int64) bool {
	year := FromMillis(ms).Year()
	return 0 <= year && year <= 9999
}

// FromMillis returns the time of a column that is not 0.
func FromMillis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// Millis returns a time as it is stored: milliseconds since 1970, 0 for the zero time.
func Millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
