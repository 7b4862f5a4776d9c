package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/review/read"
)

// canonCmd is one run of visto canon: its flags, and the files they name.
type canonCmd struct {
	app       *app
	overrides string
	evidence  string
	steps     []string
	explain   bool
	quiet     bool
	escaped   bool
	hash      bool
	lenient   bool

	lineBuffered bool

	policy    *canon.Policy
	rules     *canon.Overrides
	evidences *read.EvidenceFile
	invalid   bool // some URL was no URL
}

func newCanon(a *app) *cobra.Command {
	c := &canonCmd{app: a}
	cmd := command("canon [URL...]", "Canonicalize URLs without storing anything", cobra.ArbitraryArgs, c.run)
	f := cmd.Flags()
	f.StringVar(&c.overrides, "overrides", "", "`FILE` of per-host rules")
	f.StringVar(&c.evidence, "evidence", "", "`FILE` of recorded evidence, one JSON object a line")
	listVar(f, &c.steps, "steps", "run only these steps, by `ID` (visto help steps)")
	f.BoolVar(&c.explain, "explain", false, "show the effect of each step")
	f.BoolVarP(&c.quiet, "quiet", "q", false, "no reasons on stderr for rejected URLs")
	f.BoolVar(&c.lineBuffered, "line-buffered", false,
		"write each line by itself, so that several processes can write to one pipe")
	f.BoolVar(&c.escaped, "escaped", false,
		"lines hold backslash escapes, as ClickHouse's TabSeparated and PostgreSQL's COPY write them")
	f.BoolVar(&c.hash, "hash", false, "print canonical_hash, the comparison key, in the place of the URL")
	f.BoolVar(&c.lenient, "lenient", false, "exit with status 0 although a line is no URL (invalid-url)")
	a.complete(cmd, "steps", stepIDs()...)
	return cmd
}

func stepIDs() []string {
	var ids []string
	for _, s := range canon.Steps() {
		ids = append(ids, s.ID)
	}
	return ids
}

func (c *canonCmd) run(cmd *cobra.Command, args []string) error {
	if err := c.check(); err != nil {
		return usage(cmd, err)
	}
	err := c.load(cmd.Context())
	defer c.evidences.Close()
	switch {
	case err != nil:
		return err
	case len(args) > 0:
		err = c.arguments(args)
	default:
		if isTerminal(c.app.in) {
			c.app.warn("reading URLs, one a line, until the end of input (ctrl+d)\n")
		}
		err = c.stream(cmd.Context())
	}
	if err == nil && c.invalid && !c.lenient {
		return quiet(statusSkipped)
	}
	return err
}

// check returns the error in the flags.
func (c *canonCmd) check() error {
	for _, id := range c.steps {
		if !slices.Contains(stepIDs(), id) {
			return noneOf("--steps", id, stepIDs())
		}
	}
	if c.hash && (c.app.json || c.explain) {
		return errors.New("--hash: --json has it already, and --explain is for people")
	}
	return nil
}

// load reads the files that the flags name.
func (c *canonCmd) load(ctx context.Context) (err error) {
	if c.policy, err = usablePolicy(ctx, c.app.policies...); err != nil {
		return err
	}
	if c.evidences, err = c.app.loadEvidence(ctx, c.evidence, c.policy); err != nil {
		return err
	}
	list, err := overridesOf(ctx, c.policy, c.overrides)
	if err != nil {
		return err
	}
	for _, door := range doorsOf(c.overrides, list) {
		c.app.warn("%s: %s\n", safe(c.overrides), safe(door.Message))
	}
	c.rules, err = canon.CompileOverrides(list)
	if _, ok := errors.AsType[*canon.FieldRuleError](err); ok {
		return withHint(fmt.Errorf("reading overrides: %s: %w", c.overrides, err),
			"a rule for a field works on files: visto override import and visto add, or visto lint --overrides")
	}
	return err
}

// overridesOf returns the overrides of a file, none without a name. Overrides that loop are an error.
func overridesOf(ctx context.Context, policy *canon.Policy, name string) ([]canon.Override, error) {
	if name == "" {
		return nil, nil
	}
	list, err := readOverrides(ctx, name)
	if err != nil {
		return nil, err
	}
	if err := canon.CheckFixedPoint(policy, list, nil); err != nil {
		return nil, fmt.Errorf("reading overrides: %s: %w", name, err)
	}
	return list, nil
}

// readOverrides reads a file of overrides, version 0 or 1.
func readOverrides(ctx context.Context, path string) ([]canon.Override, error) {
	data, err := readFile(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("reading overrides: %w", err)
	}
	list, err := canon.ParseOverrides(path, data)
	if err != nil {
		return nil, fmt.Errorf("reading overrides: %w", err)
	}
	return list, nil
}

// canonicalizer returns a new canonicalizer. It owns scratch memory, so each worker needs its own.
func (c *canonCmd) canonicalizer() (*canon.Canonicalizer, error) {
	all := canon.New(c.policy, c.rules)
	if len(c.steps) == 0 {
		return all, nil
	}
	return all.Only(c.steps...)
}

// arguments canonicalizes the URLs of the command line. An argument is one URL, even with line breaks in it.
func (c *canonCmd) arguments(args []string) error {
	w, err := c.writer()
	if err != nil {
		return err
	}
	for i, raw := range args {
		w.url(raw, place{"argument", i + 1})
	}
	return c.flush(w.output, c.app.sink())
}
