// Package migrations brings the schema of a database up to date, in numbered steps. Each store has its own, one SQL
// file a step. A released step is never edited: a change of the schema is the next number.
package migrations

import (
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// Step changes the schema of version Number-1 into that of version Number.
type Step struct {
	Number int64
	Name   string // of its file
	SQL    string
}

// Steps are those of a schema in order. The first makes its tables.
type Steps []Step

// Of returns the steps in the folder migrations of files. It panics if it cannot: the files are part of the program.
func Of(files fs.FS) (steps Steps) {
	names, err := fs.Glob(files, "migrations/*.sql")
	for i := 0; i < len(names) && err == nil; i++ {
		step := Step{Name: path.Base(names[i])}
		number, _, _ := strings.Cut(step.Name, "_")
		var text []byte
		if step.Number, err = strconv.ParseInt(number, 10, 64); err == nil {
			text, err = fs.ReadFile(files, names[i])
		}
		step.SQL = string(text)
		steps = append(steps, step)
	}
	if err != nil {
		panic(err)
	}
	return steps
}

// First returns the number of the first step.
func (s Steps) First() int64 { return s[0].Number }

// Latest returns the number of the last step: the version of the schema with all of them.
func (s Steps) Latest() int64 { return s[len(s)-1].Number }

// Tx is a transaction that changes the schema. Others that would change it wait for its end.
type Tx interface {
	// Version returns the number of the last step that the database has, 0 if it has none.
	Version() (int64, error)
	// Apply runs statements, and makes version the number of the last step.
	Apply(sql string, version int64) error
}

// Run runs the steps that a database lacks. transact runs a function in a transaction. Each step is one: a program that
// is killed leaves the database at the step before, and the next program goes on. Of two programs that migrate at once,
// one finds the work done.
func (s Steps) Run(transact func(func(Tx) error) error) error {
	for _, step := range s {
		err := transact(func(t Tx) error {
			version, err := t.Version()
			if err != nil || version >= step.Number {
				return err
			}
			return t.Apply(step.SQL, step.Number)
		})
		if err != nil {
			return fmt.Errorf("bringing the schema up to date by %s: %w", step.Name, err)
		}
	}
	return nil
}
