package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"visto/canon"
)

// batch is a chunk on its way through a worker.
type batch struct {
	chunk chunk
	w     *canonWriter
	done  chan struct{}
}

// stream canonicalizes the lines of stdin with all processors, and prints the results in the order of the lines.
// Only a few chunks are under way at any time.
func (c *canonCmd) stream(ctx context.Context) error {
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
		err := readChunks(interruptible(ctx, c.app.in), func(ch chunk) error {
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

// place is where a URL stands in the input, for messages.
type place struct {
	unit   string
	number int
}

func (w *canonWriter) chunk(ch chunk) {
	if ch.long > 0 {
		w.result(w.tooLong(ch), place{"line", ch.first})
		return
	}
	at := place{"line", ch.first}
	for text := range strings.Lines(ch.text) {
		w.url(text, at)
		at.number++
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

func (w *canonWriter) url(raw string, at place) {
	var ev *canon.Evidence
	if w.cmd.evidences != nil {
		ev = w.cmd.evidences.For(w.engine, raw)
	}
	if w.cmd.app.json || w.cmd.explain {
		w.result(w.engine.Explain(raw, ev), at)
		return
	}
	w.result(w.engine.Canonicalize(raw, ev), at)
}

// result writes one result in the form asked for.
func (w *canonWriter) result(r canon.Result, at place) {
	switch {
	case w.cmd.app.json:
		if err := w.cmd.app.printJSON(&w.out, r); err != nil && w.failed == nil {
			w.failed = err
		}
	case w.cmd.explain:
		explain(&w.out, &r)
	default:
		if r.Verdict == canon.Rejected {
			fmt.Fprintf(&w.reasons, "%s %d: %s: %s\n", at.unit, at.number, r.Reason, safe(shorten(r.Detail, 200)))
		}
		w.out.WriteString(r.Canonical)
		w.out.WriteByte('\n')
	}
}

// shorten cuts a text for a one-line message.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:n] + "..."
}
