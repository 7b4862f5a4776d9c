package console

import (
	"slices"
	"strings"
	"sync"

	"visto/ui/dialog"
	"visto/ui/term"
)

// programLogLines is the number of lines that a ProgramLog keeps.
const programLogLines = 50

// ProgramLog keeps the last lines that the program and its libraries log, such as net/http. Nothing but the console may
// write to its terminal, so the help lists them. It is safe for concurrent use.
type ProgramLog struct {
	mu    sync.Mutex
	lines []string // oldest first
}

// Write takes the text of one log message. It never fails.
func (l *ProgramLog) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(string(text)) {
		l.lines = append(l.lines, term.Safe(term.Clip(strings.TrimSpace(line), 300)))
	}
	l.lines = slices.Clone(l.lines[max(0, len(l.lines)-programLogLines):])
	return len(text), nil
}

// rows are the rows of a menu that show the lines, newest first.
func (l *ProgramLog) rows() (rows []dialog.Row) {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range slices.Backward(l.lines) {
		rows = append(rows, dialog.Row{Name: "Log", Text: line})
	}
	return rows
}
