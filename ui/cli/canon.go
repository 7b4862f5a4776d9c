package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"visto/canon"
)

// canonCmd holds what visto canon was asked for.
type canonCmd struct {
	app       *app
	overrides string
	evidence  string
	steps     []string
	explain   bool

	policy    *canon.Policy
	rules     *canon.Overrides
	evidences *evidenceSet
}

func newCanon(a *app) *cobra.Command {
	c := &canonCmd{app: a}
	cmd := &cobra.Command{
		Use:   "canon [URL...]",
		Short: "Canonicalize URLs without storing anything",
		Long: `Canonicalize the arguments, or the lines of stdin, and print one canonical URL
a line, in order.

A rejected URL gives an empty line, and the reason on stderr with the number of
its line; that is a result, not a failure. Nothing is stored, no request is
made, and as a filter it holds nothing in memory, however long the input is.
With --json each line is the whole result, with the trace of the steps.`,
		Example: `  visto canon 'http://BOE.es/buscar/?utm_source=x#top'
  visto canon < urls.txt > canonical.txt
  visto canon --explain 'https://sede.gob.es/a;jsessionid=1?plaza=2'
  visto canon --json --evidence evidence.jsonl --overrides rules.json < urls.txt
  visto canon --steps scheme,host HTTP://SEPE.ES/x/
  visto canon --policy canonical_rules.yaml,allowlist.yaml https://bit.ly/x`,
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	f := cmd.Flags()
	f.StringVar(&c.overrides, "overrides", "", "`FILE` of per-host rules")
	f.StringVar(&c.evidence, "evidence", "", "`FILE` of recorded evidence, one JSON object a line")
	f.StringSliceVar(&c.steps, "steps", nil, "run just these steps, by `ID` (visto help steps)")
	f.BoolVar(&c.explain, "explain", false, "say what each step did")
	complete(cmd, "steps", stepIDs)
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
	if err := c.load(); err != nil {
		return err
	}
	if _, err := c.canonicalizer(); err != nil {
		return usage(cmd, err)
	}
	if len(args) > 0 {
		return c.arguments(args)
	}
	if isTerminal(c.app.in) {
		c.app.warn("reading URLs, one a line, until the end of input (ctrl+d)\n")
	}
	return c.stream(cmd.Context(), interruptible(cmd.Context(), c.app.in))
}

// load reads the files that the flags name.
func (c *canonCmd) load() (err error) {
	if c.policy, err = loadPolicy(c.app.policies...); err != nil {
		return err
	}
	if c.evidences, err = loadEvidence(c.evidence); err != nil {
		return err
	}
	if c.overrides == "" {
		return nil
	}
	list, err := readOverrides(c.overrides)
	if err != nil {
		return err
	}
	c.rules, err = canon.CompileOverrides(list)
	return err
}

// readOverrides reads a file of overrides, version 0 or 1.
func readOverrides(path string) ([]canon.Override, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading overrides: %w", err)
	}
	list, err := canon.ParseOverrides(path, data)
	if err != nil {
		return nil, fmt.Errorf("reading overrides: %w", err)
	}
	return list, nil
}

// canonicalizer returns a new one; they own scratch memory, so each worker has its own.
func (c *canonCmd) canonicalizer() (*canon.Canonicalizer, error) {
	all := canon.New(c.policy, c.rules)
	if len(c.steps) == 0 {
		return all, nil
	}
	return all.Only(c.steps...)
}

// arguments canonicalizes what stands on the command line. An argument is one URL, whatever it holds.
func (c *canonCmd) arguments(args []string) error {
	w, err := c.writer()
	if err != nil {
		return err
	}
	for i, raw := range args {
		w.url(raw, fmt.Sprintf("argument %d", i+1))
	}
	return c.flush(w)
}

// batch is a chunk on its way through a worker.
type batch struct {
	chunk chunk
	w     *canonWriter
	done  chan struct{}
}

// stream canonicalizes the lines of r with all processors, and prints the results in the order of the lines.
// Only a few chunks are under way at any time.
func (c *canonCmd) stream(ctx context.Context, r io.Reader) error {
	workers := runtime.GOMAXPROCS(0)
	jobs, ordered := make(chan *batch), make(chan *batch, 2*workers)
	g, ctx := errgroup.WithContext(ctx)
	for range workers {
		w, err := c.writer()
		if err != nil {
			return err
		}
		g.Go(func() error { return work(w, jobs) })
	}
	g.Go(func() error {
		defer close(ordered)
		defer close(jobs)
		err := readChunks(r, func(ch chunk) error {
			return send(ctx, &batch{chunk: ch, done: make(chan struct{})}, ordered, jobs)
		})
		if err != nil {
			return fmt.Errorf("reading stdin: %w", err)
		}
		return nil
	})
	g.Go(func() error { return c.collect(ctx, ordered) })
	return g.Wait()
}

// send queues a batch for printing first, so that the order is that of the input, and then for work.
func send(ctx context.Context, b *batch, queues ...chan<- *batch) error {
	for _, queue := range queues {
		select {
		case queue <- b:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func work(w *canonWriter, jobs <-chan *batch) error {
	for b := range jobs {
		b.w = w.fresh()
		b.w.chunk(b.chunk)
		close(b.done)
	}
	return nil
}

func (c *canonCmd) collect(ctx context.Context, ordered <-chan *batch) error {
	for b := range ordered {
		select {
		case <-b.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := c.flush(b.w); err != nil {
			return err
		}
	}
	return nil
}

// flush prints what a writer holds: the reasons of a chunk before its results, so that a pipe that closes
// early does not hide them.
func (c *canonCmd) flush(w *canonWriter) error {
	if w.failed != nil {
		return w.failed
	}
	if _, err := w.reasons.WriteTo(c.app.err); err != nil {
		return err
	}
	return c.app.print(func(out io.Writer) error {
		_, err := w.out.WriteTo(out)
		return err
	})
}

// writer returns a new worker's half: a canonicalizer and what it writes to.
func (c *canonCmd) writer() (*canonWriter, error) {
	engine, err := c.canonicalizer()
	return &canonWriter{cmd: c, engine: engine}, err
}

// canonWriter canonicalizes URLs one after another and collects the output.
type canonWriter struct {
	cmd          *canonCmd
	engine       *canon.Canonicalizer
	out, reasons bytes.Buffer
	failed       error
}

// fresh returns a writer with the same engine and no output.
func (w *canonWriter) fresh() *canonWriter { return &canonWriter{cmd: w.cmd, engine: w.engine} }

func (w *canonWriter) chunk(ch chunk) {
	if ch.long > 0 {
		w.result(w.tooLong(ch), fmt.Sprintf("line %d", ch.first))
		return
	}
	line := ch.first
	for text := range strings.Lines(ch.text) {
		w.line(text, line)
		line++
	}
}

// tooLong is the result for a line that was not held whole.
func (w *canonWriter) tooLong(ch chunk) canon.Result {
	return canon.Result{
		Original: strings.TrimSpace(ch.text),
		Verdict:  canon.Rejected,
		Reason:   canon.TooLong,
		Detail:   fmt.Sprintf("a line of %d bytes", ch.long),
		Policy:   w.cmd.policy.ID(),
	}
}

// line is url for a line of a stream. The plain case names no line until it has to.
func (w *canonWriter) line(text string, number int) {
	if w.cmd.json() || w.cmd.explain {
		w.url(text, fmt.Sprintf("line %d", number))
		return
	}
	r := w.engine.Canonicalize(text, w.evidence(text))
	if r.Verdict == canon.Rejected {
		w.reason(&r, fmt.Sprintf("line %d", number))
	}
	w.canonical(&r)
}

func (w *canonWriter) url(raw, where string) {
	if w.cmd.json() || w.cmd.explain {
		w.result(w.engine.Explain(raw, w.evidence(raw)), where)
		return
	}
	w.result(w.engine.Canonicalize(raw, w.evidence(raw)), where)
}

func (w *canonWriter) evidence(raw string) *canon.Evidence {
	return w.cmd.evidences.find(raw, w.engine)
}

// result writes one result in the form asked for.
func (w *canonWriter) result(r canon.Result, where string) {
	switch {
	case w.cmd.json():
		if err := w.cmd.app.printJSON(&w.out, r); err != nil && w.failed == nil {
			w.failed = err
		}
	case w.cmd.explain:
		explain(&w.out, &r)
	default:
		if r.Verdict == canon.Rejected {
			w.reason(&r, where)
		}
		w.canonical(&r)
	}
}

func (w *canonWriter) canonical(r *canon.Result) {
	w.out.WriteString(r.Canonical)
	w.out.WriteByte('\n')
}

func (w *canonWriter) reason(r *canon.Result, where string) {
	fmt.Fprintf(&w.reasons, "%s: %s: %s\n", where, r.Reason, safe(shorten(r.Detail, 200)))
}

func (c *canonCmd) json() bool { return c.app.json }

// shorten cuts a text for a one-line message.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:n] + "..."
}
