package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"visto/canon"
	"visto/review"
	"visto/review/lint"
	"visto/review/read"
)

// lintSource is the source of decisions that the flags of visto lint name. The files of a repository take the place of
// a database; the default database counts only if it is there.
type lintSource struct {
	registry  string
	overrides string
	noDB      bool
	doors     []lint.Finding // rules of the overrides that trust hosts which nobody named
}

// fromFiles reports whether no database is asked.
func (s *lintSource) fromFiles() bool { return s.noDB || s.registry != "" || s.overrides != "" }

// check returns the error in the flags.
func (s *lintSource) check(a *app) error {
	if s.fromFiles() && a.db != "" {
		return errors.New("--db: --registry, --overrides and --no-db take the place of a database")
	}
	return nil
}

// open calls fn with the decisions, and with a few words on where they come from.
func (s *lintSource) open(ctx context.Context, a *app, fn func(d lint.Decisions, from string) error) error {
	if s.fromFiles() || !a.hasDatabase() {
		d, from, err := s.files(ctx, a)
		if err != nil {
			return err
		}
		return fn(d, from)
	}
	a.readOnly = true
	return a.withDatabase(ctx, uses, func(desk *review.Desk, db database) error {
		if err := desk.Finish(ctx); err != nil {
			return fmt.Errorf("checking with the decisions of %s: %w", db.Name(), err)
		}
		d, err := lint.NewStored(ctx, desk)
		if err != nil {
			return err
		}
		return fn(d, "decisions of "+safe(db.Name()))
	})
}

// hasDatabase reports whether a database is named, or the default one is there.
func (g *globalFlags) hasDatabase() bool {
	if g.db != "" || g.getenv("VISTO_DB") != "" {
		return true
	}
	path, err := g.databaseName()
	if err != nil {
		return false
	}
	_, err = os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// files returns the decisions of the files: the rules, with a registry before them.
func (s *lintSource) files(ctx context.Context, a *app) (d lint.Decisions, from string, err error) {
	policy, err := usablePolicy(ctx, a.policies...)
	if err != nil {
		return nil, "", err
	}
	rules, err := overridesOf(ctx, policy, s.overrides)
	if err != nil {
		return nil, "", err
	}
	s.doors = doorsOf(s.overrides, rules)
	decider, err := lint.NewRules(policy, rules)
	if err != nil {
		return nil, "", err
	}
	d, from = decider, "no decisions: policy "+policy.ID()+" alone"
	if s.overrides != "" {
		from = fmt.Sprintf("no decisions: policy %s with %s", policy.ID(), safe(s.overrides))
	}
	if s.registry == "" {
		return d, from, nil
	}
	f, err := openInput(ctx, s.registry)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	if d, err = lint.ReadRegistry(s.registry, f, d); err != nil {
		err = withHint(err, "visto export --status all -o registry.jsonl writes a registry")
	}
	return d, "decisions of " + safe(s.registry), err
}

// doorsOf returns a finding for each rule of a file that trusts hosts which nobody named. It is in force all the same.
func doorsOf(file string, rules []canon.Override) (list []lint.Finding) {
	for i, o := range rules {
		if flags := o.Doors(); flags != 0 {
			door := &canon.DoorError{Match: o.Match, Flags: flags}
			place := read.Place{File: file, Path: fmt.Sprintf("/overrides/%d", i), Line: 1}
			list = append(list, lint.Finding{Code: lint.OpenRule, Place: place, Message: door.Error()})
		}
	}
	return list
}
