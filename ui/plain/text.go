package plain

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/ui/desk"
	"visto/ui/pane"
	"visto/ui/term"
	"visto/ui/wording"
)

// minWidth is the least width that lines are wrapped to.
const minWidth = 40

// Text prints the queue with its counts and how to open the console. It stands in for the console where there is no
// terminal. Lines are at most width cells wide where that is possible.
func Text(ctx context.Context, d desk.Queue, out io.Writer, width int) error {
	totals, err := d.Totals(ctx)
	if err != nil {
		return fmt.Errorf("counting the queue: %w", err)
	}
	w := &errWriter{w: out}
	w.printf("%d of %s wait for a person; %d reviewed.\n", totals.Open, wording.URLs(totals.Items), totals.Reviewed)
	for it, err := range desk.Walk(ctx, d, review.Query{Filter: review.Filter{Open: true}}, nil) {
		if err = cmp.Or(err, w.err); err != nil {
			return fmt.Errorf("printing the queue: %w", err)
		}
		w.item(it, max(width, minWidth))
	}
	w.printf("\nIn a terminal `visto` opens the console on this queue; `visto review --plain` asks line by line.\n")
	return w.err
}

// errWriter tells facts, a line each, until the first error, and keeps that.
type errWriter struct {
	w   io.Writer
	err error
}

func (w *errWriter) printf(format string, args ...any) {
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.w, format, args...)
	}
}

// say prints a name and an untrusted value. It leaves out an empty one.
func (w *errWriter) say(name, value string) {
	if value != "" {
		w.printf("%s: %s\n", name, term.Safe(term.Clip(value, 4096)))
	}
}

// sayProse is say for a text that may be long and is no URL: it is told in lines as wide as those of a page.
func (w *errWriter) sayProse(name, value string) {
	if value == "" {
		return
	}
	for _, line := range term.Wrap(name+": "+term.Safe(value), lineWidth) {
		w.printf("%s\n", line)
	}
}

// item prints an item: number and flags, the original URL, and the canonical one if it differs.
func (w *errWriter) item(it *review.Item, width int) {
	w.printf("\n%d  %s\n", it.ID, flagNames(it))
	original := term.Clip(it.Original, 4096)
	if it.Canonical() == "" {
		w.lines("    ", original, width)
		return
	}
	if original != it.Canonical() {
		w.lines("  - ", original, width)
	}
	w.lines("  + ", it.Canonical(), width)
}

// lines prints untrusted text, wrapped and indented behind a sign.
func (w *errWriter) lines(sign, text string, width int) {
	for _, line := range term.Wrap(term.Safe(text), width-len(sign)) {
		w.printf("%s%s\n", sign, line)
		sign = strings.Repeat(" ", len(sign))
	}
}

// flagNames lists the flags of an item, or its status if it has none. Parameters follow unknown-param. It begins with
// the first of two persons if the item waits for the second.
func flagNames(it *review.Item) string {
	var list []string
	if looks := pane.LooksText(it); looks != "" {
		list = append(list, term.Safe(looks))
	}
	for _, c := range it.Computed.Flags.Codes() {
		name := c.String()
		if c == canon.UnknownParam {
			name += " (" + term.Safe(strings.Join(it.Computed.Unknown, ", ")) + ")"
		}
		list = append(list, name)
	}
	if len(list) == 0 {
		return it.Status.String()
	}
	return strings.Join(list, ", ")
}
