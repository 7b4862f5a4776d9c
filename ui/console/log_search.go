package console

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/dialog"
	"visto/ui/wording"
)

// logLookup is the search in the log. It reads entries in the background, until there is a page of those that it finds.
type logLookup struct {
	*logTab
	was logList // before the search
}

func (t *logTab) askSearch() tea.Cmd {
	line := &dialog.Search{Hint: "in the log; " + review.PatternMark + "… for a regexp", Check: checkSearch}
	return t.openSearch(&logLookup{t, t.logList}, line, t.search)
}

// look shows the entries with a text in their rows, the newest ones first.
func (t *logTab) look(text string) tea.Cmd {
	find, err := finderOf(text)
	if err != nil || text == t.search { // the field has told the error
		return nil
	}
	t.search, t.pane.Find = text, find
	t.pane.Set(nil)
	t.pane.Empty = "Reading the log…"
	return t.read(0, logPage)
}

// empty is the text in the place of no entry, once the log is read.
func (t *logTab) empty() string {
	if t.pane.Find == nil {
		return nothingDone
	}
	return t.keyed("No entry has this text. {all-entries} shows all entries.")
}

func (l *logLookup) keep() tea.Cmd { return nil }

// restore shows the list as it was, and then reads it again: entries may have come.
func (l *logLookup) restore() tea.Cmd {
	l.logList = l.was
	return l.load()
}

func (l *logLookup) found() string {
	switch n := l.pane.Len(); {
	case l.reading != nil:
		return "searching…"
	case l.pane.Find == nil:
		return fmt.Sprintf("%d shown", n)
	case !l.ended:
		return fmt.Sprintf("%d found, more below", n)
	default:
		return foundText(n)
	}
}

// deepest is the most entries that are read at once to keep the cursor on its entry.
const deepest = 10_000

// clear shows all entries again. The cursor stays on its entry, unless that is very old.
func (t *logTab) clear() tea.Cmd {
	here, ok := t.pane.Current()
	switch {
	case t.search == "":
		return t.say("all entries are shown")
	case !ok:
		return t.look("")
	}
	was := t.search
	newest := func(ctx context.Context) ([]review.EntryInfo, error) { return t.desk.Log(ctx, 0, 1) }
	return read(t.session, newest, func(list []review.EntryInfo) tea.Cmd {
		n := logPage + list[0].Seq - here.Seq
		switch {
		case t.search != was: // another one was typed meanwhile
			return nil
		case n > deepest:
			return t.look("")
		}
		t.search, t.pane.Find = "", nil
		return t.read(0, int(n))
	})
}

// entries returns up to n entries before one, of which the search finds each.
func (t *logTab) entries(ctx context.Context, find *review.Finder, before int64, n int) ([]review.EntryInfo, error) {
	var list []review.EntryInfo
	for {
		page, err := t.desk.Log(ctx, before, n)
		for _, e := range page {
			if find == nil || len(find.Find(logRow(&e))) > 0 {
				list = append(list, e)
			}
		}
		if err != nil || len(page) < n || len(list) >= n {
			return list[:min(len(list), n)], err
		}
		before = page[len(page)-1].Seq
	}
}

// read reads n entries before an entry; 0 is the end of the log. A reading in progress is cancelled.
func (t *logTab) read(before int64, n int) tea.Cmd {
	if t.reading != nil {
		t.reading()
	}
	ctx, cancel := context.WithCancel(t.ctx)
	t.reading = cancel
	find := t.pane.Find
	return ask(func() ([]review.EntryInfo, error) { return t.entries(ctx, find, before, n) },
		func(list []review.EntryInfo, err error) tea.Cmd {
			switch {
			case ctx.Err() != nil || errors.Is(err, context.Canceled):
				return nil
			case err != nil:
				t.warn(wording.Error(err))
			case before == 0:
				t.pane.Empty = t.empty()
				t.pane.Set(list)
			default:
				t.pane.Append(list)
			}
			cancel()
			t.reading, t.ended = nil, err == nil && len(list) < n
			return nil
		})
}
