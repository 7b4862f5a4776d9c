package console

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/term"
	"visto/ui/widget"
)

// logTab is the tab of the log.
type logTab struct {
	*session
	desk   desk.History
	decide *decider
	logList

	reading context.CancelFunc // ends the reading in progress; nil: there is none
}

// logList is the list of entries with its search.
type logList struct {
	table[review.EntryInfo]
	search string // as it was typed
	ended  bool   // all older entries have been read
}

// nothingDone is the text of the empty log.
const nothingDone = "Nothing has been done yet."

func newLogTab(s *session, d desk.History, decide *decider) *logTab {
	t := &logTab{session: s, desk: d, decide: decide}
	t.pane = pane.Table[review.EntryInfo]{
		Head: func(int) string {
			return fmt.Sprintf("%6s  %-16s  %-12s  %s", "entry", "when (UTC)", "reviewer", "summary")
		},
		Row:   func(e review.EntryInfo, _ int) string { return logRow(&e) },
		Same:  func(a, b review.EntryInfo) bool { return a.Seq == b.Seq },
		Total: t.length,
		Empty: nothingDone,
	}
	return t
}

// logRow draws an entry in safe text.
func logRow(e *review.EntryInfo) string {
	return fmt.Sprintf("%6d  %s  %s  %s", e.Seq, pane.Stamp(e.At), term.Pad(term.Safe(e.Reviewer), 12),
		term.Safe(term.Clip(pane.EntrySummary(e), 500)))
}

// length returns the number of all entries that the tab has. The loaded ones are the newest; if their numbers have
// gaps, or a search finds some of them, it is unknown before the end.
func (t *logTab) length(loaded []review.EntryInfo) int {
	first, last := loaded[0].Seq, loaded[len(loaded)-1].Seq
	switch {
	case t.ended:
		return len(loaded)
	case t.pane.Find == nil && first-last+1 == int64(len(loaded)):
		return int(first)
	}
	return -1
}

// logPage is the number of entries that are read at a time.
const logPage = 200

func (t *logTab) load() tea.Cmd { return t.read(0, max(logPage, t.pane.Len())) }

// move reads older entries near the last one.
func (t *logTab) move(motion widget.Motion) tea.Cmd {
	nearEnd := t.pane.Move(motion)
	if last, ok := t.pane.Last(); ok && nearEnd && !t.ended && t.reading == nil {
		return t.read(last.Seq, logPage)
	}
	return nil
}

// show reads the entry under the cursor with its body and shows it, unless a dialog has been opened meanwhile.
func (t *logTab) show() tea.Cmd {
	here, ok := t.pane.Current()
	if !ok {
		return nil
	}
	entry := func(ctx context.Context) (review.Entry, error) { return t.desk.Entry(ctx, here.Seq) }
	return read(t.session, entry, func(e review.Entry) tea.Cmd {
		if t.dialog != nil {
			return nil
		}
		return t.open(&dialog.Reader{Title: fmt.Sprintf("Entry %d", e.Seq), Text: entryText(e)})
	})
}

func entryText(e review.Entry) string {
	var body bytes.Buffer
	if json.Indent(&body, e.Body, "", "  ") != nil {
		body.Write(e.Body)
	}
	batch := ""
	if e.Batch > 0 {
		batch = fmt.Sprintf(", batch %d", e.Batch)
	}
	return fmt.Sprintf("%s by %s at %s UTC%s\n%s\n\n%s\n\nhash     %x\nprevious %x",
		e.Action, e.Reviewer, pane.Stamp(e.At), batch, e.Summary, term.Clip(body.String(), 20000), e.Hash, e.Prev)
}

func (t *logTab) askUndo() tea.Cmd {
	e, ok := t.pane.Current()
	switch {
	case !ok:
		return nil
	case e.Batch == 0 || !e.Action.Undoable():
		return t.warn("an entry like this cannot be taken back")
	}
	return t.open(&dialog.Confirm{
		Title: "Take back", Yes: "take it back", Do: action(func() tea.Cmd { return t.decide.undoBatch(e.Batch) }),
		Text:  []string{fmt.Sprintf("Take back batch %d of %s?", e.Batch, pane.Stamp(e.At)), ""},
		Lines: []string{fmt.Sprintf("%s by %s: %s", e.Action, e.Reviewer, term.Clip(e.Summary, 300))},
	})
}
