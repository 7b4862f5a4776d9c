package rows

import (
	"fmt"
	"strconv"
	"strings"

	"visto/review/read"
)

// The path of an occurrence is stored as its part behind the path of its record, which many occurrences share. The
// first byte tells how to complete it.
const (
	ofPart     = "#" // the number of the part, and the rest as without it
	byLine     = "@" // the line and the column
	underPath  = "+" // the path of the record, and the rest
	wholePath  = "=" // the rest
	lineFormat = "%d:%d"
)

// shortPath returns the path of a place as it is stored. record is the path of its record.
func shortPath(path, record string, line, column int) string {
	if path == linePath(line, column) {
		return byLine
	}
	if rest, ok := strings.CutPrefix(path, record); ok && record != "" {
		return underPath + rest
	}
	return wholePath + path
}

// fullPath is the inverse of shortPath.
func fullPath(short, record string, line, column int) string {
	switch kind, rest := short[:min(1, len(short))], short[min(1, len(short)):]; kind {
	case byLine:
		return linePath(line, column)
	case underPath:
		return record + rest
	default:
		return rest
	}
}

// withPart returns a path as it is stored with the number of the part.
func withPart(short string, part int) string {
	if part == 0 {
		return short
	}
	return ofPart + strconv.Itoa(part) + short
}

// cutPart is the inverse of withPart.
func cutPart(stored string) (short string, part int) {
	rest, ok := strings.CutPrefix(stored, ofPart)
	if !ok {
		return stored, 0
	}
	short = strings.TrimLeft(rest, "0123456789")
	part, _ = strconv.Atoi(rest[:len(rest)-len(short)])
	return short, part
}

// linePath returns line:column, or the line alone if the column is not known.
func linePath(line, column int) string {
	switch {
	case line == 0:
		return ""
	case column == 0:
		return strconv.Itoa(line)
	}
	return fmt.Sprintf(lineFormat, line, column)
}

// placePath returns the path of a place as it is stored.
func placePath(at *read.Place, r *read.Record) string {
	record := ""
	if r != nil {
		record = r.Path
	}
	return withPart(shortPath(at.Path, record, at.Line, at.Column), at.Part)
}
