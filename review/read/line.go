package read

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// lines reads lines of any length and holds at most maxLine bytes of each.
type lines struct {
	r   *bufio.Reader
	n   int
	at  int64 // bytes of all lines so far
	buf []byte
}

// line is a line without its line end. A line longer than maxLine has a size but no text.
type line struct {
	text   string
	number int   // from 1
	begin  int64 // of the text in the input, without a byte order mark
	size   int   // with the line end
	end    string
}

func (l line) long() bool { return l.size > maxLine }

func (l line) why() string {
	return fmt.Sprintf("a line of %d bytes: at most %d are read", l.size, maxLine)
}

// next returns the next line, or io.EOF after the last one.
func (l *lines) next() (line, error) {
	l.buf = l.buf[:0]
	one := line{number: l.n + 1, begin: l.at}
	for {
		part, err := l.r.ReadSlice('\n')
		one.size += len(part)
		if !one.long() {
			l.buf = append(l.buf, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF && one.size > 0, err == nil:
			l.n++
			l.at += int64(one.size)
			if !one.long() {
				text := string(l.buf)
				one.text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
				one.end = text[len(one.text):]
			}
			return one, nil
		}
		return one, err
	}
}

// eachLine calls fn for each line.
func (in *input) eachLine(fn func(line) error) error {
	lines := lines{r: in.r}
	for {
		l, err := lines.next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return in.failf("line %d: %w", l.number, err)
		}
		if err := fn(l); err != nil {
			return err
		}
	}
}

// unlessLong returns fn for eachLine. Instead of calling it for a line that is too long, it skips the line.
func (in *input) unlessLong(fn func(line) error) func(line) error {
	return func(l line) error {
		if l.long() {
			in.skipf(l.number, "%s", l.why())
			return nil
		}
		return fn(l)
	}
}

// endsWithCR reports whether the lines of a text end with a lone CR, as those that Excel saves for the Macintosh.
func endsWithCR(text []byte) bool {
	return bytes.IndexByte(text, '\r') >= 0 && bytes.IndexByte(text, '\n') < 0
}

// returns reads each CR as LF. In all formats both end a line, and every byte keeps its place.
type returns struct{ r io.Reader }

func (r *returns) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	for i, c := range p[:n] {
		if c == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}
