package cli

import (
	"cmp"
	"errors"
	"os/user"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"visto/canon"
)

// globalFlags are the flags that every command takes, and the environment, which has their defaults.
type globalFlags struct {
	env      []string
	db       string
	policies []string
	reviewer string
	json     bool
	readOnly bool
	noColor  bool
	config   string
}

// register registers the flags.
func (g *globalFlags) register(a *app, cmd *cobra.Command) {
	f := cmd.PersistentFlags()
	f.StringVar(&g.db, "db", "",
		"database `FILE`, or postgres://USER@HOST/NAME (default $VISTO_DB, else "+
			"$XDG_DATA_HOME/visto/visto.db)")
	listVar(f, &g.policies, "policy",
		"policy `NAME|FILE`; several, comma-separated, lie over each other (default the database's, else clara)")
	f.StringVar(&g.reviewer, "reviewer", "",
		"`NAME` under which decisions are made (default $VISTO_REVIEWER, else the OS user)")
	f.BoolVar(&g.json, "json", false, "print data as JSON, one object a line")
	f.BoolVar(&g.readOnly, "read-only", false, "open the database without the right to change it")
	f.BoolVar(&g.noColor, "no-color", false, "no colour (also $NO_COLOR with any value)")
	f.StringVar(&g.config, "config", "",
		"settings `FILE` of the console, or none (default $VISTO_CONFIG, else $XDG_CONFIG_HOME/visto/config.yaml)")
	a.completeOr(cmd, "policy", cobra.ShellCompDirectiveDefault, canon.BuiltinNames()...)
}

// getenv returns the value of an environment variable. If it is set twice the last one counts, as in os/exec.
func (g *globalFlags) getenv(name string) string {
	for _, pair := range slices.Backward(g.env) {
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			return value
		}
	}
	return ""
}

// databaseName returns the path or the URL of the database: the flag, the environment, the default.
func (g *globalFlags) databaseName() (string, error) {
	if g.db != "" {
		return g.db, checkDatabase("--db", g.db)
	}
	if name := g.getenv("VISTO_DB"); name != "" {
		return name, checkDatabase("VISTO_DB", name)
	}
	name := g.baseFile("XDG_DATA_HOME", ".local/share", "visto.db")
	if name == "" {
		return "", withHint(
			errors.New("looking for the database: neither XDG_DATA_HOME nor HOME is set"), "give --db FILE")
	}
	return name, nil
}

// baseFile returns the path of a file of ours in a base directory of the XDG specification: the one that the variable
// names, else a folder under HOME. It is empty without either.
func (g *globalFlags) baseFile(variable, under, file string) string {
	dir := g.getenv(variable)
	if !filepath.IsAbs(dir) {
		home := g.getenv("HOME")
		if home == "" {
			return ""
		}
		dir = filepath.Join(home, filepath.FromSlash(under))
	}
	return filepath.Join(dir, "visto", file)
}

// reviewerName returns the name for decisions: the flag, the environment, the OS user.
func (g *globalFlags) reviewerName() string {
	if name := cmp.Or(g.reviewer, g.getenv("VISTO_REVIEWER")); name != "" {
		return name
	}
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return g.getenv("USER")
}
