package rows

import (
	"database/sql"
	"fmt"

	"visto/canon"
	"visto/review"
)

// Verdict scans a column into a verdict. Like those below it refuses a number that no program of ours wrote.
func Verdict(v *canon.Verdict) sql.Scanner { return number[canon.Verdict]{v, int64(maxVerdict)} }

// Status scans a column into a status: see Verdict.
func Status(s *review.Status) sql.Scanner { return number[review.Status]{s, int64(maxStatus)} }

// DecisionKind scans a column into the kind of a decision: see Verdict.
func DecisionKind(k *review.Kind) sql.Scanner { return number[review.Kind]{k, int64(maxKind)} }

// Flags scans a column into a set of flags: see Verdict.
func Flags(set *canon.CodeSet) sql.Scanner { return number[canon.CodeSet]{set, int64(allFlags)} }

// number scans a column into a value of at most most.
type number[T ~uint8 | ~uint32] struct {
	into *T
	most int64
}

// Scan is sql.Scanner's. NULL is 0.
func (n number[T]) Scan(value any) error {
	var read sql.NullInt64
	if err := read.Scan(value); err != nil || read.Int64 < 0 || read.Int64 > n.most {
		return fmt.Errorf("it holds %.40q: %w", fmt.Sprint(value), review.ErrDamaged)
	}
	*n.into = T(read.Int64)
	return nil
}
