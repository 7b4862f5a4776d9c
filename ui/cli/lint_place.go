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

// locate returns the findings of a file, whose content it is.
func locate(data []byte, findings []lint.Finding) []located {
	starts := lineStarts(data)
	list := make([]located, len(findings))
	for i, f := range findings {
		list[i].Finding = f
		if f.Place.Column == 0 || f.Place.Line < 1 || f.Place.Line > len(starts) {
			continue
		}
		line := data[starts[f.Place.Line-1]:]
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			line = line[:end]
		}
		list[i].first = characters(line, f.Place.Column-1) + 1
		if length := int(f.Place.End - f.Place.Begin); length > 0 && f.Place.Column-1+length <= len(line) {
			list[i].end = characters(line, f.Place.Column-1+length) + 1
		}
	}
	return list
}

// lineStarts returns the offset of each line.
func lineStarts(data []byte) []int {
	starts := []int{0}
	for i, b := range data {
		if b == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// characters returns the length of the first n bytes of a line in UTF-16 code units.
func characters(line []byte, n int) (units int) {
	for _, r := range string(line[:min(n, len(line))]) {
		units += max(1, utf16.RuneLen(r))
	}
	return units
}
