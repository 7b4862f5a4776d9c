package cli

import (
	"bytes"
	"unicode/utf16"

	"visto/review/lint"
)

// located is a finding with its columns for programs that count characters (UTF-16 code units, from 1) and not bytes.
type located struct {
	lint.Finding
	first, end int // end is after the value; 0: not known
}

// locate returns the findings of a file, which are sorted by place. A byte order mark is no character of the first
// line. The bytes of an alias of YAML stand at its anchor: its end is not known.
func locate(content []byte, findings []lint.Finding) []located {
	data := bytes.TrimPrefix(content, []byte("\uFEFF"))
	mark := len(content) - len(data)
	starts := lineStarts(data)
	list := make([]located, len(findings))
	at := characters{data: data}
	for i, f := range findings {
		list[i].Finding = f
		if f.Place.Column == 0 || f.Place.Line < 1 || f.Place.Line >= len(starts) {
			continue
		}
		begin := starts[f.Place.Line-1] + f.Place.Column - 1
		list[i].first = at.column(starts[f.Place.Line-1], begin)
		end, here := int(f.Place.End)-mark, int(f.Place.Begin)-mark == begin
		if after := at; here && begin < end && end <= starts[f.Place.Line] {
			list[i].end = after.column(starts[f.Place.Line-1], end)
		}
	}
	return list
}

// lineStarts returns the offset of each line, and the end of the last. A lone CR ends a line if no LF does.
func lineStarts(data []byte) []int {
	lineEnd := byte('\n')
	if bytes.IndexByte(data, lineEnd) < 0 {
		lineEnd = '\r'
	}
	starts := []int{0}
	for i, b := range data {
		if b == lineEnd {
			starts = append(starts, i+1)
		}
	}
	return append(starts, len(data))
}

// characters counts the characters of lines.
type characters struct {
	data             []byte
	line, end, units int // the last line, and its part that is counted
}

// column returns the column of an offset on the line that begins at another one. It goes on from the last answer if
// that stands before on the same line, because a whole file may be one line.
func (c *characters) column(line, offset int) int {
	if c.line != line || offset < c.end {
		c.line, c.end, c.units = line, line, 0
	}
	offset = min(offset, len(c.data))
	for _, r := range string(c.data[min(c.end, offset):offset]) {
		c.units += max(1, utf16.RuneLen(r))
	}
	c.end = offset
	return c.units + 1
}
