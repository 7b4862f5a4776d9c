package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/review/lint"
	"visto/review/read"
)

func newLint(a *app) *cobra.Command {
	c := &lintCmd{app: a}
	cmd := command("lint FILE...|-", "Say which URLs of files are not in order, or put them in order",
		cobra.MinimumNArgs(1), c.run)
	f := cmd.Flags()
	f.StringVar(&c.source.registry, "registry", "", "decisions of an export in JSONL, not of a database: `FILE`")
	f.StringVar(&c.source.overrides, "overrides", "", "per-host rules for URLs that the registry lacks: `FILE`")
	f.BoolVar(&c.source.noDB, "no-db", false, "no decisions of a database")
	listVar(f, &c.fields, "field", "take strings under these fields too: `NAME,...`")
	f.BoolVar(&c.fix.write, "fix", false, "write accepted and approved canonical URLs into the files")
	f.BoolVar(&c.fix.diff, "diff", false, "print the changes that --fix would make, and write nothing")
	f.StringArrayVar(&c.fix.set, "set", nil,
		"with --fix: set a field of the records whose URLs are approved: `FIELD=VALUE`; {date} is today, in UTC")
	listVar(f, &c.flags, "flag", "only these flags count: `CODE,...`, or none (default all)")
	f.StringVar(&c.format, "format", "text", "`FORMAT`: text, json, github or sarif")
	a.complete(cmd, "flag", append(codeNames(), "none")...)
	a.complete(cmd, "format", lintFormats...)
	checkFirst(cmd, c.check)
	return cmd
}

// lintFormats are the formats of findings.
var lintFormats = []string{"text", "json", "github", "sarif"}

// lintCmd is one run of visto lint: its flags and its results so far.
type lintCmd struct {
	app    *app
	source lintSource
	fields []string
	flags  []string
	format string
	fix    lintFix

	linter   lint.Linter
	findings []located
	urls     int
	failed   bool // a file could not be read
}

// check returns the error in the flags.
func (c *lintCmd) check() (err error) {
	if !slices.Contains(lintFormats, c.format) {
		return noneOf("--format", c.format, lintFormats)
	}
	if c.app.json {
		c.format = "json"
	}
	if c.linter.Flags, err = countedFlags(c.flags); err != nil {
		return err
	}
	if err := c.fix.check(c.format); err != nil {
		return err
	}
	return c.source.check(c.app)
}

// countedFlags returns the flags that count: all, if none is named.
func countedFlags(names []string) (canon.CodeSet, error) {
	switch {
	case len(names) == 0:
		return canon.SetOf(canon.Codes()...), nil
	case slices.Equal(names, []string{"none"}):
		return 0, nil
	}
	return codes("--flag", names)
}

func (c *lintCmd) run(cmd *cobra.Command, files []string) error {
	if c.fix.write && slices.Contains(files, "-") {
		return usage(cmd, errors.New("--fix: stdin is no file to write; --diff prints the changes"))
	}
	return c.source.open(cmd.Context(), c.app, func(decisions lint.Decisions, from string) error {
		c.linter.Decisions = decisions
		c.findings = locate(nil, c.source.doors)
		for _, name := range files {
			if err := c.file(cmd.Context(), name); err != nil {
				if cmd.Context().Err() != nil {
					return err
				}
				c.failed = true
				c.app.complain(err)
			}
		}
		return c.finish(len(files), from)
	})
}

// lintReport is the result of linting one file.
type lintReport struct {
	judged   []lint.Judgement
	findings []lint.Finding // by place
	summary  read.Summary
}

// file judges the URLs of one file, and mends it if that is asked for.
func (c *lintCmd) file(ctx context.Context, name string) error {
	if err := regular(name); err != nil {
		return err
	}
	data, err := c.data(ctx, name)
	if err != nil {
		return err
	}
	report, err := c.judge(ctx, name, data)
	if err != nil {
		return err
	}
	c.app.saySummary(shownName(name), report.summary, "")
	if c.fix.mends() {
		data, report, err = c.mend(ctx, name, data, report)
	}
	c.urls += len(report.judged)
	if unpacked, broken := read.Unpacked(data); broken == nil { // a broken gzip file has no columns
		data = unpacked
	}
	c.findings = append(c.findings, locate(data, report.findings)...)
	return err
}

// maxLinted is the largest size of a file, which is held in memory as a whole.
const maxLinted = 512 << 20

// data reads a file.
func (c *lintCmd) data(ctx context.Context, name string) ([]byte, error) {
	if name == "-" {
		return wholeInput(shownName(name), interruptible(ctx, c.app.in))
	}
	f, err := openInput(ctx, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return wholeInput(name, f)
}

func wholeInput(name string, r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxLinted+1))
	if err == nil && len(data) > maxLinted {
		err = fmt.Errorf("it has more than %d MB: split it", maxLinted>>20)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return data, nil
}

func (c *lintCmd) options() read.Options { return read.Options{Fields: c.fields} }

// judge judges the URLs of a file.
func (c *lintCmd) judge(ctx context.Context, name string, data []byte) (r lintReport, err error) {
	c.linter.File = fullName(name)
	r.summary, err = read.URLs(ctx, shownName(name), bytes.NewReader(data), c.options(), func(f read.Found) error {
		j, err := c.linter.Judge(ctx, f)
		r.judged = append(r.judged, j)
		r.findings = append(r.findings, j.Findings...)
		return err
	}, func(s read.Skip) { r.findings = append(r.findings, lint.Unread(s)) })
	lint.Sort(r.findings)
	return r, err
}

// finish prints the findings and the total, and returns the exit status.
func (c *lintCmd) finish(files int, from string) error {
	if err := c.print(c.findings); err != nil {
		return err
	}
	c.app.warn("%s, %s, %s%s; %s\n", count(files, "file"), count(c.urls, "URL"), count(len(c.findings), "finding"),
		c.fix.said(), from)
	if c.failed || len(c.findings) > 0 || c.fix.diff && c.fix.files > 0 {
		return quiet(statusFailed)
	}
	return nil
}
