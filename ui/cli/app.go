package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"visto/review"
	"visto/review/probe"
)

// app holds the streams, the environment and the global flags for every command.
type app struct {
	globalFlags

	in       io.Reader
	out, err io.Writer
	alone    bool // in its process, whose memory and threads it may limit
	clock    probe.Clock
	adjust   func(*probe.Config) // changes the settings of requests, in tests; nil: nobody does

	completes bool // for the shell: see completeBy
}

// access is the need of a command for the database.
type access uint8

const (
	uses    access = iota // the file must exist
	creates               // a missing file is created
)

// withDesk opens the database, runs fn at a desk on it, and closes it.
func (a *app) withDesk(ctx context.Context, need access, fn func(*review.Desk) error) error {
	return a.withDatabase(ctx, need, func(desk *review.Desk, db database) error {
		defer db.Settle(ctx)
		return fn(desk)
	})
}

// withDatabase is withDesk for commands that need the database too.
func (a *app) withDatabase(ctx context.Context, need access, fn func(*review.Desk, database) error) (err error) {
	name, err := a.databaseName()
	if err != nil {
		return err
	}
	policy, err := a.policyOrNil(ctx)
	if err != nil {
		return err
	}
	db, err := a.open(ctx, name, need)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	desk, err := review.Open(ctx, db, a.reviewerName(), policy)
	if err != nil {
		return fmt.Errorf("opening %s: %w", db.Name(), err)
	}
	return fn(desk, db)
}
