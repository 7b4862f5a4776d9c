package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	xterm "golang.org/x/term"

	"visto/ui/term"
)

// safe makes untrusted text fit for a terminal: what could steer it becomes a visible escape.
func safe(s string) string { return term.Safe(s) }

// warn prints a line for people to stderr. Untrusted arguments go through safe first.
func (a *app) warn(format string, args ...any) { fmt.Fprintf(a.err, format, args...) }

// print runs fn with a buffered stdout.
func (a *app) print(fn func(w io.Writer) error) error {
	w := bufio.NewWriter(a.out)
	err := fn(w)
	if flushed := w.Flush(); err == nil {
		err = flushed
	}
	return err
}

// text makes lines of text that are data ready for stdout: as they are for a pipe, each escaped for a terminal.
func (a *app) text(s string) string {
	if !isTerminal(a.out) {
		return s
	}
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = safe(lines[i])
	}
	return strings.Join(lines, "\n")
}

// timestamp writes a time for machines: RFC 3339 in UTC.
func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// printJSON writes v as one line of JSON.
func (a *app) printJSON(w io.Writer, v any) error {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	text := line.Bytes()
	if isTerminal(a.out) {
		text = plainJSON(text)
	}
	_, err := w.Write(text)
	return err
}

// plainJSON replaces every character that could steer a terminal by its \u escape, which JSON reads back as
// the same text. Such characters stand only inside strings, but for the line's end.
func plainJSON(line []byte) []byte {
	out := make([]byte, 0, len(line))
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRune(line[i:])
		switch {
		case unicode.IsPrint(r) && r != utf8.RuneError, r == '\n':
			out = append(out, line[i:i+n]...)
		case r > 0xffff:
			hi, lo := (r-0x10000)>>10+0xd800, (r-0x10000)&0x3ff+0xdc00
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		i += n
	}
	return out
}

// isTerminal reports whether the stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && xterm.IsTerminal(int(f.Fd()))
}

// width returns the columns of stdout: those of the terminal, or 80.
func (a *app) width() int {
	if f, ok := a.out.(*os.File); ok {
		if w, _, err := xterm.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w
		}
	}
	return 80
}

// count writes a number with its noun: 1 URL, 2 URLs.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// when writes a time for people.
func when(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// table prints rows in columns, two spaces apart; the last column is as wide as it likes. Cells are escaped.
func table(w io.Writer, rows [][]string) error {
	widths := map[int]int{}
	for _, row := range rows {
		for i, cell := range row {
			row[i] = safe(cell)
			widths[i] = max(widths[i], term.Width(row[i]))
		}
	}
	for _, row := range rows {
		if _, err := io.WriteString(w, tableLine(row, widths)); err != nil {
			return err
		}
	}
	return nil
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
