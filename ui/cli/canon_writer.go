package cli

import (
	"fmt"
	"strings"

	"visto/canon"
)

// canonWriter canonicalizes URLs one after another, and prints the results to its output.
type canonWriter struct {
	cmd    *canonCmd
	engine *canon.Canonicalizer
	*output
}

// writer returns a new canonWriter, one for each worker.
func (c *canonCmd) writer() (*canonWriter, error) {
	engine, err := c.canonicalizer()
	return &canonWriter{cmd: c, engine: engine, output: &output{}}, err
}

// place is the position of a URL in the input, for messages.
type place struct {
	unit   string
	number int
}

func (w *canonWriter) chunk(ch chunk) {
	at := place{"line", ch.first}
	if ch.long > 0 {
		res, begin := w.tooLong(ch), w.out.Len()
		w.result(&res, at)
		w.escapeFrom(begin)
		return
	}
	for text := range strings.Lines(ch.text) {
		w.url(strings.TrimSuffix(text, "\n"), at)
		at.number++
	}
}

// tooLong returns the result for a line of which only the start was kept.
func (w *canonWriter) tooLong(ch chunk) canon.Result {
	return canon.Result{
		Original: canon.MaskUser(canon.Trim(ch.text)),
		Verdict:  canon.Rejected,
		Reason:   canon.TooLong,
		Detail:   fmt.Sprintf("a line of %d bytes", ch.long),
		Policy:   w.cmd.policy.ID(),
	}
}

// url prints the result for one URL, or for the line that holds it.
func (w *canonWriter) url(raw string, at place) {
	if w.cmd.escaped {
		if raw == noValue {
			w.out.WriteString(noValue + "\n")
			return
		}
		raw = unescape(raw)
	}
	begin := w.out.Len()
	var ev *canon.Evidence
	if w.cmd.evidences != nil {
		var err error
		if ev, err = w.cmd.evidences.For(w.engine, raw); err != nil && w.failed == nil {
			w.failed = err
		}
	}
	if w.cmd.app.json || w.cmd.explain {
		res := w.engine.Explain(raw, ev)
		w.result(&res, at)
	} else {
		res := w.engine.Canonicalize(raw, ev)
		w.line(&res, at)
	}
	w.escapeFrom(begin)
}

// escapeFrom turns the output from begin on into one escaped line, if --escaped is given.
func (w *canonWriter) escapeFrom(begin int) {
	if !w.cmd.escaped {
		return
	}
	text := strings.TrimRight(string(w.out.Bytes()[begin:]), "\n")
	w.out.Truncate(begin)
	w.out.WriteString(escape(text))
	w.out.WriteByte('\n')
}

// result prints a result in the form that the flags choose.
func (w *canonWriter) result(r *canon.Result, at place) {
	w.invalid = w.invalid || r.Reason == canon.InvalidURL
	switch {
	case w.cmd.app.json:
		if err := printJSON(&w.out, *r); err != nil && w.failed == nil {
			w.failed = err
		}
	case w.cmd.explain:
		explain(&w.out, r)
	default:
		w.line(r, at)
	}
}

// line prints the canonical URL. It keeps r on the stack of its caller: an allocation for each URL would cost a tenth
// of the work on it.
func (w *canonWriter) line(r *canon.Result, at place) {
	if r.Verdict == canon.Rejected && !w.cmd.quiet {
		fmt.Fprintf(&w.reasons, "%s %d: %s: %s\n", at.unit, at.number, r.Reason, safe(shorten(r.Detail, 200)))
	}
	w.invalid = w.invalid || r.Reason == canon.InvalidURL
	if w.cmd.hash && r.Canonical != "" {
		hash := r.Hash()
		fmt.Fprintf(&w.out, "%x\n", hash[:])
		return
	}
	w.out.WriteString(r.Canonical)
	w.out.WriteByte('\n')
}

// shorten cuts a text for a one-line message.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:n] + "..."
}
