package cli

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	xterm "golang.org/x/term"

	"visto/canon"
	"visto/ui/term"
)

// safe makes untrusted text fit for a terminal: a character that could steer it becomes a visible escape.
func safe(s string) string { return term.Safe(s) }

// masked takes secrets out of a message: passwords, and the values of parameters such as token.
func masked(s string) string { return new(canon.Policy).MaskText(withoutLogins(s)) }

// warn prints a line for people to stderr. Untrusted arguments go through safe first.
func (a *app) warn(format string, args ...any) {
	io.WriteString(a.err, a.inLog(fmt.Sprintf(format, args...)))
}

// sink returns stdout, behind a guard if it is a terminal.
func (a *app) sink() io.Writer { return guarded(a.out) }

// guarded returns w, behind a guard if it is a terminal.
func guarded(w io.Writer) io.Writer {
	if isTerminal(w) {
		return &guard{w: w}
	}
	return w
}

// printer prints results to a buffered stdout. Its first error sticks: each later line returns it, and so does print.
type printer struct {
	*bufio.Writer
	json bool
	err  error
}

// print runs fn with a printer.
func (a *app) print(fn func(w *printer) error) error {
	w := &printer{Writer: bufio.NewWriter(a.sink()), json: a.json}
	err := fn(w)
	return cmp.Or(err, w.err, w.Flush())
}

// line prints a line of text or, with --json, data as a line of JSON.
func (w *printer) line(data any, format string, args ...any) error {
	if w.json {
		return w.data(data)
	}
	_, err := fmt.Fprintf(w, format, args...)
	return err
}

// data prints a line of JSON.
func (w *printer) data(v any) error {
	w.err = cmp.Or(w.err, printJSON(w, v))
	return w.err
}

// printTo is print to a file, or without a name to stdout. written returns the size for the message, once the file is
// written.
func (a *app) printTo(ctx context.Context, output string, write func(w io.Writer) error, written func() string) error {
	if output == "" {
		return a.print(func(w *printer) error { return write(w) })
	}
	if err := a.writeFile(ctx, output, write); err != nil {
		return fmt.Errorf("exporting to %s: %w", output, err)
	}
	a.warn("wrote %s to %s\n", written(), safe(output))
	return nil
}

// guard writes data to a terminal: every character that could steer it, that it hides, or that overlaps its neighbours
// becomes a \u escape, the same text in JSON. Prose has gone through safe already and passes unchanged.
type guard struct {
	w     io.Writer
	held  []byte // the start of a character that the last write split
	marks int    // combining marks written since the last other character
}

func (g *guard) Write(p []byte) (int, error) {
	text := append(g.held, p...)
	var out []byte
	for len(text) > 0 && utf8.FullRune(text) {
		r, n := utf8.DecodeRune(text)
		if g.marks++; !unicode.Is(unicode.M, r) {
			g.marks = 0
		}
		out = appendVisible(out, r, text[:n], g.marks <= term.MaxMarks)
		text = text[n:]
	}
	g.held = text
	_, err := g.w.Write(out)
	return len(p), err
}

func appendVisible(out []byte, r rune, raw []byte, apart bool) []byte {
	switch {
	case r == '\n', apart && unicode.IsPrint(r) && term.Visible(r) && (r != utf8.RuneError || len(raw) > 1):
		return append(out, raw...)
	case r == utf8.RuneError:
		return fmt.Appendf(out, `\x%02x`, raw[0])
	case r > 0xffff:
		hi, lo := utf16.EncodeRune(r)
		return fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
	}
	return fmt.Appendf(out, `\u%04x`, r)
}

// timestamp writes a time for machines: RFC 3339 in UTC.
func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// printJSON writes v as one line of JSON. The output of a json.Marshaler is not checked again: that would take as long
// as to write it.
func printJSON(w io.Writer, v any) error {
	if m, ok := v.(json.Marshaler); ok {
		line, err := m.MarshalJSON()
		if err != nil {
			return fmt.Errorf("writing JSON: %w", err)
		}
		_, err = w.Write(append(line, '\n'))
		return err
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return nil
}

// isTerminal reports whether the stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(interface{ Fd() uintptr })
	return ok && xterm.IsTerminal(int(f.Fd()))
}

// columns returns the width of a terminal, 80 if the stream is none.
func columns(stream any) int {
	if f, ok := stream.(*os.File); ok {
		if w, _, err := xterm.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w
		}
	}
	return 80
}

// namesOf returns the names of values.
func namesOf[T fmt.Stringer](values []T) []string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = v.String()
	}
	return names
}

// count writes a number with its noun: 1 URL, 2 URLs.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// table prints rows in columns, two spaces apart; the last column has no limit. Cells are escaped.
func table(w io.Writer, rows ...[]any) {
	widths, texts := map[int]int{}, make([][]string, len(rows))
	for r, row := range rows {
		for i, cell := range row {
			text := safe(fmt.Sprint(cell))
			texts[r], widths[i] = append(texts[r], text), max(widths[i], term.Width(text))
		}
	}
	for _, row := range texts {
		io.WriteString(w, tableLine(row, widths))
	}
}

func tableLine(row []string, widths map[int]int) string {
	var b strings.Builder
	for i, cell := range row {
		b.WriteString(cell)
		if i < len(row)-1 {
			b.WriteString(strings.Repeat(" ", widths[i]-term.Width(cell)+2))
		}
	}
	return strings.TrimRight(b.String(), " ") + "\n"
}
