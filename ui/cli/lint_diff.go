package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// unifiedDiff returns the difference between two states of a file, as git apply and patch -p1 take it. The bytes of the
// lines stay as they are.
func unifiedDiff(name, before, after string) string {
	name = strings.TrimPrefix(filepath.ToSlash(filepath.Clean(name)), "/")
	text, err := udiff.ToUnified(diffName("a/"+name), diffName("b/"+name), before, lineEdits(before, after), 3)
	if err != nil {
		panic(err) // the edits are sorted and within the text
	}
	return text
}

// diffName returns a name as git writes it: quoted if it holds a control character, a quote or a backslash, and with a
// tab behind if it holds a space.
func diffName(name string) string {
	var quoted strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			quoted.WriteString(`\` + name[i:i+1])
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&quoted, `\%03o`, c)
		default:
			quoted.WriteByte(c)
		}
	}
	switch {
	case quoted.Len() > len(name):
		return `"` + quoted.String() + `"`
	case strings.Contains(name, " "):
		return name + "\t"
	}
	return name
}

// lineEdits returns an edit for each run of lines that differ. If the number of lines does, there is one edit for all
// lines from the first to the last that differ.
func lineEdits(before, after string) []udiff.Edit {
	old, now := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	if len(old) != len(now) {
		return []udiff.Edit{wholeEdit(old, now)}
	}
	var edits []udiff.Edit
	at := 0
	for i, line := range old {
		if line != now[i] {
			if n := len(edits); n == 0 || edits[n-1].End < at {
				edits = append(edits, udiff.Edit{Start: at})
			}
			run := &edits[len(edits)-1]
			run.End, run.New = at+len(line), run.New+now[i]
		}
		at += len(line)
	}
	return edits
}

// wholeEdit returns the edit from the first line that differs to the last.
func wholeEdit(old, now []string) udiff.Edit {
	first, end := 0, 0
	for first < min(len(old), len(now)) && old[first] == now[first] {
		first++
	}
	for end < min(len(old), len(now))-first && old[len(old)-1-end] == now[len(now)-1-end] {
		end++
	}
	start := len(strings.Join(old[:first], ""))
	lines := strings.Join(old[first:len(old)-end], "")
	return udiff.Edit{Start: start, End: start + len(lines), New: strings.Join(now[first:len(now)-end], "")}
}
