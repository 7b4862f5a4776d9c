package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/review"
	"visto/review/read"
	"visto/store/file"
	"visto/store/sqlite"
)

func newAdd(a *app) *cobra.Command {
	c := &addCmd{app: a}
	cmd := command("add FILE...|-", "Take the URLs of files into the queue", cobra.MinimumNArgs(1), c.run)
	f := cmd.Flags()
	listVar(f, &c.fields, "field", "take strings under these fields too: `NAME,...`")
	f.StringVar(&c.format, "format", "",
		"`FORMAT`: text (list or prose), list, prose, csv, tsv, json, jsonl, yaml, html, markdown or sitemap "+
			"(default by the name, else by the content)")
	f.StringVar(&c.query, "query", "", "`SQL` that gives the URLs of a SQLite file")
	f.StringVar(&c.evidence, "evidence", "", "`FILE` of recorded evidence, one JSON object a line")
	a.complete(cmd, "format", read.Formats()...)
	return cmd
}

// addCmd is one run of visto add: its flags and its results so far.
type addCmd struct {
	app      *app
	fields   []string
	format   string
	query    string
	evidence string

	evidences *read.EvidenceFile
	desk      *review.Desk
	bare      *canon.Canonicalizer // finds evidence that was recorded under a canonical URL
	reports   []fileReport
	found     int // URLs read so far
	shown     int // skips printed so far
	failed    bool
}

// fileReport is the result of one file.
type fileReport struct {
	File string `json:"file,omitempty"`
	addCounts
	Untaken  []untakenJSON `json:"untaken,omitempty"`
	Relative int           `json:"relative,omitempty"`     // URLs without a host
	Other    int           `json:"other,omitempty"`        // links of HTML and Markdown
	Holders  int           `json:"placeholders,omitempty"` // of templates
	Glued    int           `json:"glued,omitempty"`        // URLs of a text, to the word before
	Sitemaps []string      `json:"sitemaps,omitempty"`
	Skips    []skipJSON    `json:"skips,omitempty"` // only with --json: a long unreadable input would fill the memory
}

// addCounts is review.AddReport as --json prints it.
type addCounts struct {
	Found    int `json:"found"`
	Added    int `json:"added"`
	Known    int `json:"known"`
	Accepted int `json:"accepted"`
	Flagged  int `json:"flagged"`
	Rejected int `json:"rejected"`
	Skipped  int `json:"skipped"`
	Came     int `json:"came"` // occurrences
	Moved    int `json:"moved"`
	Back     int `json:"back"`
	Gone     int `json:"gone"`
	Checks   int `json:"checks,omitempty"` // of links
	Evidence int `json:"evidence,omitempty"`
	Left     int `json:"evidence_left,omitempty"`
}

func countsOf(r review.AddReport) addCounts {
	return addCounts{r.Found, r.Added, r.Known, r.Accepted, r.Flagged, r.Rejected, r.Skipped, r.Came, r.Moved, r.Back,
		r.Went, r.Checks, r.Evidence, r.EvidenceLeft}
}

type skipJSON struct {
	Line int    `json:"line,omitempty"`
	Why  string `json:"why"`
}

// skipsShown is the number of skips that are reported one by one.
const skipsShown = 20

func (c *addCmd) run(cmd *cobra.Command, files []string) error {
	if c.format != "" && !slices.Contains(read.Formats(), c.format) {
		return usage(cmd, noneOf("--format", c.format, read.Formats()))
	}
	c.app.runLean()
	return c.app.withDesk(cmd.Context(), creates, func(desk *review.Desk) (err error) {
		c.desk, c.bare = desk, canon.New(desk.Policy(), nil)
		if c.evidences, err = c.app.loadEvidence(cmd.Context(), c.evidence, desk.Policy()); err != nil {
			return err
		}
		defer c.evidences.Close()
		for _, file := range files {
			if err = c.file(cmd.Context(), file); err != nil {
				break
			}
		}
		return c.finish(err)
	})
}

// file imports one file. It returns an error only if the whole command must stop.
func (c *addCmd) file(ctx context.Context, name string) error {
	report := fileReport{File: shownName(name)}
	var summary read.Summary
	fields := map[string]bool{}
	input := c.input(name, &report, &summary, fields)
	counts, err := c.desk.Add(ctx, input, func(yield func(review.Found) error) (err error) {
		yield = inFile(fullName(name), fields, yield)
		summary, err = c.read(ctx, name, c.withProgress(c.withEvidence(yield)),
			func(s read.Skip) { c.skip(&report, s) })
		return err
	})
	c.endProgress()
	counts.Skipped = report.Skipped
	report.addCounts, report.Untaken = countsOf(counts), untakenOf(summary)
	report.Relative, report.Other, report.Sitemaps = summary.Relative, summary.Other, summary.Sitemaps
	report.Holders, report.Glued = summary.Placeholders, summary.Glued
	c.reports = append(c.reports, report)
	stops := ctx.Err() != nil || unwritable(err)
	if err == nil || stops || counts.Added > 0 {
		c.say(report.File, report.addCounts)
		c.app.saySummary(report.File, summary, "; --json names them all")
	}
	if err == nil || stops {
		return err
	}
	c.failed = true
	c.app.complain(err)
	return nil
}

// input describes an input to the desk. Standard input, a pipe, a device and the rows of a query tell nothing about the
// rest of a file, nor does a file that is empty or no text any more. fields are those that were found.
func (c *addCmd) input(name string, report *fileReport, summary *read.Summary, fields map[string]bool) review.Input {
	if name == "-" || c.query != "" || regular(name) != nil {
		return review.Input{}
	}
	return review.Input{File: fullName(name), Whole: func() bool { return report.Skipped == 0 && summary.Format != "" },
		Takes: func(field string) bool { return fields[field] || c.takes(summary.Format, field) }}
}

// takes reports whether a reading of the format takes the URLs under the field.
func (c *addCmd) takes(format, field string) bool {
	switch format {
	case "list", "prose":
		return field == ""
	case "csv", "tsv", "json", "jsonl", "yaml":
		opt := read.Options{Fields: c.fields}
		return opt.Takes(field)
	}
	return true // there is no choice of fields
}

// fullName returns the absolute path by which a file is known.
func fullName(name string) string {
	if full, err := filepath.Abs(name); err == nil && name != "-" {
		return full
	}
	return shownName(name)
}

// unwritable reports whether nothing more can be written to the database.
func unwritable(err error) bool {
	return slices.ContainsFunc([]error{review.ErrReadOnly, review.ErrFull, review.ErrIO, review.ErrLocked,
		review.ErrDamaged, review.ErrGone}, func(reason error) bool { return errors.Is(err, reason) })
}

// shownName returns the name of an input in reports and in the source of its URLs. A line that begins with two colons
// would be a command of GitHub's workflows, of which the name of a file must not be one.
func shownName(file string) string {
	switch {
	case file == "-":
		return "stdin"
	case strings.HasPrefix(strings.TrimSpace(file), "::"):
		return "./" + file
	}
	return file
}

func (c *addCmd) skip(report *fileReport, s read.Skip) {
	report.Skipped++
	s.Why = masked(s.Why)
	if c.app.json {
		report.Skips = append(report.Skips, skipJSON{s.Line, s.Why})
	}
	if c.shown++; c.shown > skipsShown {
		return
	}
	where := s.File
	if s.Line > 0 {
		where = fmt.Sprintf("%s:%d", s.File, s.Line)
	}
	c.app.warn("%s: skipped: %s\n", safe(where), safe(s.Why))
}

func (c *addCmd) say(name string, n addCounts) {
	places := ""
	if n.Moved+n.Back+n.Gone > 0 {
		places = fmt.Sprintf("; places: %d came, %d moved, %d back, %d gone", n.Came, n.Moved, n.Back, n.Gone)
	}
	if n.Checks > 0 {
		places += "; " + count(n.Checks, "check") + " of links"
	}
	if n.Evidence > 0 {
		places += "; evidence of " + count(n.Evidence, "known URL") + " taken"
	}
	if n.Left > 0 {
		places += "; evidence of " + count(n.Left, "known URL") +
			" left: it is older, or a failure of a page that was seen before"
	}
	c.app.warn("%s: %d found, %d added (%d accepted, %d flagged, %d rejected), %d known, %d skipped%s\n",
		safe(name), n.Found, n.Added, n.Accepted, n.Flagged, n.Rejected, n.Known, n.Skipped, places)
}

// finish reports the total, also of an import that failed, and returns the exit status.
func (c *addCmd) finish(failed error) error {
	var total addCounts
	for _, r := range c.reports {
		total = total.plus(r.addCounts)
	}
	if more := c.shown - skipsShown; more > 0 {
		c.app.warn("and %d more skipped; --json names them all\n", more)
	}
	if len(c.reports) > 1 {
		c.say("total", total)
	}
	if c.app.json {
		if err := c.printJSON(total); err != nil {
			return err
		}
	}
	switch {
	case failed != nil:
		return failed
	case c.failed:
		return quiet(statusFailed)
	case total.Skipped > 0:
		return quiet(statusSkipped)
	}
	return nil
}

// printJSON prints a line for each file, and one without a file for all of them.
func (c *addCmd) printJSON(total addCounts) error {
	return c.app.print(func(w *printer) error {
		for _, r := range append(c.reports, fileReport{addCounts: total}) {
			w.data(r)
		}
		return nil
	})
}

func (n addCounts) plus(m addCounts) addCounts {
	return addCounts{n.Found + m.Found, n.Added + m.Added, n.Known + m.Known, n.Accepted + m.Accepted,
		n.Flagged + m.Flagged, n.Rejected + m.Rejected, n.Skipped + m.Skipped, n.Came + m.Came, n.Moved + m.Moved,
		n.Back + m.Back, n.Gone + m.Gone, n.Checks + m.Checks, n.Evidence + m.Evidence, n.Left + m.Left}
}

// inFile gives the URLs the full name of their file, and notes their fields.
func inFile(file string, fields map[string]bool, yield func(review.Found) error) func(review.Found) error {
	return func(f review.Found) error {
		f.Place.File, fields[f.Place.Field] = file, true
		return yield(f)
	}
}

// withEvidence attaches recorded evidence to each URL found.
func (c *addCmd) withEvidence(yield func(review.Found) error) func(read.Found) error {
	return func(f read.Found) error {
		found := review.FromInput(f)
		if c.evidences != nil {
			var err error
			if found.Evidence, err = c.evidences.For(c.bare, f.URL); err != nil {
				return err
			}
			if found.Checks, err = c.evidences.Checks(c.bare, f.URL); err != nil {
				return err
			}
		}
		return yield(found)
	}
}

// progressStep is the number of URLs between two updates of the progress on a terminal.
const progressStep = 10_000

// withProgress counts the URLs found and shows the count on a terminal.
func (c *addCmd) withProgress(yield func(read.Found) error) func(read.Found) error {
	if !isTerminal(c.app.err) {
		return yield
	}
	return func(f read.Found) error {
		if c.found++; c.found%progressStep == 0 {
			c.app.warn("\r%d URLs read", c.found)
		}
		return yield(f)
	}
}

// endProgress clears the progress line.
func (c *addCmd) endProgress() {
	if c.found >= progressStep {
		c.app.warn("\r%*s\r", 30, "")
	}
}

// read finds the URLs of one input.
func (c *addCmd) read(
	ctx context.Context, name string, yield func(read.Found) error, skip func(read.Skip),
) (read.Summary, error) {
	opt := read.Options{Format: c.format, Fields: c.fields}
	if name == "-" {
		r := bufio.NewReaderSize(interruptible(ctx, c.app.in), 64<<10)
		c.sayEmpty(name, r)
		return read.URLs(ctx, shownName(name), r, opt, yield, skip)
	}
	if c.query != "" {
		return read.Summary{}, c.rows(ctx, name, opt, yield)
	}
	f, err := openInput(ctx, name)
	if err != nil {
		return read.Summary{}, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 64<<10)
	c.sayEmpty(name, r)
	if start, _ := r.Peek(len(sqliteMagic)); bytes.Equal(start, sqliteMagic) {
		return read.Summary{}, withHint(
			fmt.Errorf("reading %s: it is a SQLite file, and which of its columns hold URLs is not known", name),
			"name them with --query 'SELECT url FROM ...'")
	}
	return read.URLs(ctx, name, r, opt, yield, skip)
}

// sayEmpty warns of an empty input, for its report is that of an input without URLs.
func (c *addCmd) sayEmpty(name string, r *bufio.Reader) {
	if _, err := r.Peek(1); err == io.EOF {
		c.app.warn("%s: it is empty\n", safe(shownName(name)))
	}
}

// rows finds the URLs in the rows of a query: in the columns named like a known field, or in the only column.
func (c *addCmd) rows(ctx context.Context, name string, opt read.Options, yield func(read.Found) error) error {
	if _, err := os.Stat(name); err != nil {
		return fmt.Errorf("reading %s: %w", name, file.Reason(err))
	}
	return sqlite.Query(ctx, name, c.query, func(cols, vals []string, row int) error {
		for i, col := range cols {
			if vals[i] == "" || len(cols) > 1 && !opt.Takes(col) {
				continue
			}
			place := read.Place{File: name, Field: col, Path: fmt.Sprintf("%d:%d", row, i+1)}
			if err := yield(read.Found{URL: vals[i], Place: place}); err != nil {
				return err
			}
		}
		return nil
	})
}

var sqliteMagic = []byte("SQLite format 3\x00")
