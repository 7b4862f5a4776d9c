package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/user"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/review"
	"visto/review/probe"
)

// app holds the streams, the environment and the global flags for every command.
type app struct {
	in       io.Reader
	out, err io.Writer
	env      []string
	alone    bool // in its process, whose memory and threads it may limit
	clock    probe.Clock
	adjust   func(*probe.Config) // changes the settings of requests, in tests; nil: nobody does

	completes bool // for the shell: see completeBy

	db       string
	policies []string
	reviewer string
	json     bool
	readOnly bool
	noColor  bool
	config   string
}

// globals registers the flags that every command takes.
func (a *app) globals(cmd *cobra.Command) {
	f := cmd.PersistentFlags()
	f.StringVar(&a.db, "db", "",
		"database `FILE`, or postgres://USER@HOST/NAME (default $VISTO_DB, else "+
			"$XDG_DATA_HOME/visto/visto.db)")
	f.StringSliceVar(&a.policies, "policy", nil,
		"policy `NAME|FILE`; several, comma-separated, lie over each other (default the database's, else clara)")
	f.StringVar(&a.reviewer, "reviewer", "",
		"`NAME` under which decisions are made (default $VISTO_REVIEWER, else the OS user)")
	f.BoolVar(&a.json, "json", false, "print data as JSON, one object a line")
	f.BoolVar(&a.readOnly, "read-only", false, "open the database without the right to change it")
	f.BoolVar(&a.noColor, "no-color", false, "no colour (also $NO_COLOR with any value)")
	f.StringVar(&a.config, "config", "",
		"settings `FILE` of the console, or none (default $VISTO_CONFIG, else $XDG_CONFIG_HOME/visto/config.yaml)")
	a.completeOr(cmd, "policy", cobra.ShellCompDirectiveDefault, canon.BuiltinNames()...)
}

// getenv returns the value of an environment variable. If it is set twice the last one counts, as in os/exec.
func (a *app) getenv(name string) string {
	for _, pair := range slices.Backward(a.env) {
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			return value
		}
	}
	return ""
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

// databaseName returns the path or the URL of the database: the flag, the environment, the default.
func (a *app) databaseName() (string, error) {
	name := cmp.Or(a.db, a.getenv("VISTO_DB"), a.baseFile("XDG_DATA_HOME", ".local/share", "visto.db"))
	if name == "" {
		return "", withHint(
			errors.New("looking for the database: neither XDG_DATA_HOME nor HOME is set"), "give --db FILE")
	}
	return name, nil
}

// baseFile returns the path of a file of ours in a base directory of the XDG specification: the one that the variable
// names, else a folder under HOME. It is empty without either.
func (a *app) baseFile(variable, under, file string) string {
	dir := a.getenv(variable)
	if !filepath.IsAbs(dir) {
		home := a.getenv("HOME")
		if home == "" {
			return ""
		}
		dir = filepath.Join(home, filepath.FromSlash(under))
	}
	return filepath.Join(dir, "visto", file)
}

// reviewerName returns the name for decisions: the flag, the environment, the OS user.
func (a *app) reviewerName() string {
	if name := cmp.Or(a.reviewer, a.getenv("VISTO_REVIEWER")); name != "" {
		return name
	}
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return a.getenv("USER")
}
