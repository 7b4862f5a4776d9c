package rows

import (
	"database/sql"
	"errors"
	"fmt"

	"visto/review"
)

// Tx is a transaction of a store that writes. Its statements have a ? for each argument, or ?1 for the first one.
type Tx interface {
	// Exec runs a statement without a result.
	Exec(query string, args ...any) error
	// Insert inserts a row; into is the rest of INSERT with the columns.
	Insert(into string, args ...any) error
	// Get reads one row. Error: sql.ErrNoRows.
	Get(query string, args []any, into ...any) error
	// Find is Get for a row that may be missing.
	Find(query string, args []any, into ...any) (bool, error)
	// Each calls fn for every row of a query that has few.
	Each(query string, args []any, fn func(Scan) error) error
	// Equals is the condition that a column of long texts equals the next argument.
	Equals(column string) string
	// NextGen returns the generation that the transaction starts, if it starts one.
	NextGen() (int64, error)
}

// IsFound reports whether a row was found: sql.ErrNoRows is no error.
func IsFound(err error) (bool, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// NoItem is the error of an item that is not stored.
func NoItem(id int64) error { return fmt.Errorf("URL %d: %w", id, review.ErrNotFound) }

// ForEach calls fn for each of the list up to the first that fails.
func ForEach[T any](list []T, fn func(T) error) error {
	for _, v := range list {
		if err := fn(v); err != nil {
			return err
		}
	}
	return nil
}

// InOrder runs the steps up to the first that fails.
func InOrder(steps ...func() error) error {
	return ForEach(steps, func(step func() error) error { return step() })
}

// WritePolicy makes a policy that of the store, if there is one.
func WritePolicy(t Tx, p *review.LoggedPolicy) error {
	if p == nil {
		return nil
	}
	err := t.Exec("INSERT INTO policy (name, digest, yaml) VALUES (?, ?, ?) ON CONFLICT (digest) DO NOTHING",
		p.ID, p.Digest, []byte(p.YAML))
	if err != nil {
		return err
	}
	return t.Exec("UPDATE meta SET policy_id = (SELECT id FROM policy WHERE digest = ?)", p.Digest)
}

// Explained reads as its meaning and wraps the original error too.
type Explained struct{ Means, Was error }

// Explain returns an error that reads as its meaning.
func Explain(means, was error) error { return Explained{means, was} }

func (e Explained) Error() string { return e.Means.Error() }

// Unwrap returns both errors.
func (e Explained) Unwrap() []error { return []error{e.Means, e.Was} }

// Failed wraps an error of an operation on the store. ErrNotFound is returned as it is: the caller knows the name of
// the missing thing. One that explain explains is told with the name of the store, because a person may have several.
func Failed(doing, name string, err error, explain func(error) error) error {
	if err == nil || err == review.ErrNotFound {
		return err
	}
	if caller, ok := errors.AsType[callerError](err); ok {
		return caller.error
	}
	err = explain(err)
	if _, ok := err.(Explained); ok {
		doing += ": " + name
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// callerError is an error of a function that the caller passed in: Failed returns the error inside as it is.
type callerError struct{ error }

// Own marks an error of a function that the caller passed in, which Failed returns as it is.
func Own(err error) error {
	if err == nil {
		return nil
	}
	return callerError{err}
}
