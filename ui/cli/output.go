package cli

import (
	"context"
	"errors"
	"io"

	"visto/canon"
	"visto/store/file"
	"visto/store/sqlite"
)

// errInput is the reason for not writing a file.
var errInput = errors.New("this command reads that file, and would destroy it")

// writeFile writes a file whole or not at all, and directly to a pipe, a terminal or another device, until ctx is done.
// It refuses a file that the command reads, whatever the name or link by which it is given.
func (a *app) writeFile(ctx context.Context, name string, write func(w io.Writer) error) error {
	inputs, err := a.inputs()
	if err != nil {
		return err
	}
	for _, input := range inputs {
		if file.Same(name, input) {
			return errInput
		}
	}
	return file.Write(ctx, name, func(w io.Writer) error { return write(guarded(w)) })
}

// inputs returns the files that a command with an output file reads or has open, whether they exist or not.
func (g *globalFlags) inputs() ([]string, error) {
	db, err := g.databaseName()
	if err != nil {
		return nil, err
	}
	var list []string
	if !onServer(db) {
		list = sqlite.Files(db)
	}
	for _, name := range g.policies {
		if _, err := canon.Builtin(name); err != nil {
			list = append(list, name)
		}
	}
	return list, nil
}
