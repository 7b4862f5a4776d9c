package console

import (
	"bytes"
	"encoding/json"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/review/cause"
	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/term"
)

// logPage is how many entries of the log are read at a time.
const logPage = 200

// show switches to a tab and reads it.
func (m *Model) show(s scope) tea.Cmd {
	m.scope, m.visited = s, nil
	return tea.Batch(m.loadTab(), m.follow())
}

func (m *Model) nextTab(by int) tea.Cmd {
	at := 0
	for i, t := range tabs {
		if t.scope == m.scope {
			at = i
		}
	}
	return m.show(tabs[(at+by)%len(tabs)].scope)
}

// loadTab reads the tab that is shown; the queue is read by loadPage.
func (m *Model) loadTab() tea.Cmd {
	switch m.scope {
	case inCauses:
		return m.loadCauses()
	case inOverrides:
		return func() tea.Msg {
			list, err := m.desk.Overrides(m.ctx)
			return overridesAnswer{list, err}
		}
	case inLog:
		return m.loadLog(0, max(logPage, m.log.Len()))
	case inStats:
		return func() tea.Msg {
			s, err := m.desk.Stats(m.ctx)
			return statsAnswer{s, err}
		}
	}
	return nil
}

// loadCauses groups the whole queue, which takes a while when it is long: never twice at a time, and not again while nobody has written.
func (m *Model) loadCauses() tea.Cmd {
	if m.loading.causes {
		m.loading.causesAgain = true
		return nil
	}
	m.loading.causes, m.loading.causesAgain = true, false
	known, loaded := m.causesVersion, m.causes.Loaded()
	return func() tea.Msg {
		version, err := m.desk.Version(m.ctx)
		if err != nil || loaded && version == known {
			return causesAnswer{version: known, same: true, err: err}
		}
		list, err := cause.List(m.ctx, m.desk, review.Filter{})
		return causesAnswer{list: list, version: version, err: err}
	}
}

// causesAnswer are the causes of the store in that version or a later one.
type causesAnswer struct {
	list    []cause.Cause
	version int64
	same    bool // they are those that are shown
	err     error
}

func (a causesAnswer) take(m *Model) tea.Cmd {
	m.loading.causes = false
	switch {
	case a.err != nil:
		m.warn(plainError(a.err))
	case !a.same:
		m.causes.Set(a.list)
		m.causesVersion = a.version
	}
	if m.loading.causesAgain {
		return m.loadCauses()
	}
	return m.study()
}

type overridesAnswer struct {
	list []review.StoredOverride
	err  error
}

func (a overridesAnswer) take(m *Model) tea.Cmd {
	if a.err != nil {
		m.warn(plainError(a.err))
		return nil
	}
	m.overrides.Set(a.list)
	return nil
}

type statsAnswer struct {
	stats review.Stats
	err   error
}

func (a statsAnswer) take(m *Model) tea.Cmd {
	if a.err != nil {
		m.warn(plainError(a.err))
		return nil
	}
	m.stats.Set(&a.stats)
	return nil
}

func (m *Model) loadLog(before int64, n int) tea.Cmd {
	return func() tea.Msg {
		list, err := m.desk.Log(m.ctx, before, n)
		return logAnswer{before, list, err}
	}
}

// moreLog reads the entries before the oldest one read.
func (m *Model) moreLog() tea.Cmd {
	last, ok := m.log.Last()
	if !ok || last.Seq <= 1 {
		return nil
	}
	return m.loadLog(last.Seq, logPage)
}

type logAnswer struct {
	before int64
	list   []review.EntryInfo
	err    error
}

func (a logAnswer) take(m *Model) tea.Cmd {
	last, ok := m.log.Last()
	switch {
	case a.err != nil:
		m.warn(plainError(a.err))
	case a.before == 0:
		m.log.Set(a.list)
	case ok && last.Seq == a.before:
		m.log.Append(a.list)
	}
	return nil
}

func overridesTable(keys Keymap) pane.Table[review.StoredOverride] {
	return pane.Table[review.StoredOverride]{
		Head: func(w int) string { return overrideRow("host", "does", "by", "when (UTC)      ", w) },
		Row: func(o review.StoredOverride, w int) string {
			return overrideRow(term.Safe(pane.Matches(o.Override.Match)), term.Safe(pane.Does(o.Override)),
				term.Safe(o.Reviewer), pane.Stamp(o.At), w)
		},
		Same:  func(a, b review.StoredOverride) bool { return a.ID == b.ID },
		Empty: keyed(keys.bindings(), "No overrides yet. {override} on a URL in the queue writes one: a rule for its host that settles all URLs like it."),
	}
}

// overrideRow lays out the columns: what an override does has what the others leave.
func overrideRow(host, does, reviewer, when string, width int) string {
	hosts, names := 30, 12
	if width < 110 {
		hosts, names = 22, 8
		when = when[:len("2006-01-02")]
	}
	rest := max(10, width-hosts-names-term.Width(when)-6)
	return term.Pad(host, hosts) + "  " + term.Pad(does, rest) + "  " + term.Pad(reviewer, names) + "  " + when
}

func logTable() pane.Table[review.EntryInfo] {
	return pane.Table[review.EntryInfo]{
		Head: func(int) string {
			return fmt.Sprintf("%6s  %-16s  %-12s  %s", "entry", "when (UTC)", "reviewer", "what")
		},
		Row: func(e review.EntryInfo, _ int) string {
			return fmt.Sprintf("%6d  %s  %s  %s", e.Seq, pane.Stamp(e.At), term.Pad(term.Safe(e.Reviewer), 12),
				term.Safe(term.Clip(e.Summary, 500)))
		},
		Same:  func(a, b review.EntryInfo) bool { return a.Seq == b.Seq },
		Empty: "Nothing has been done yet.",
	}
}

func (m *Model) showEntry() tea.Cmd {
	e, ok := m.log.Current()
	if !ok {
		return nil
	}
	return func() tea.Msg {
		whole, err := m.desk.Entry(m.ctx, e.Seq)
		return entryAnswer{whole, err}
	}
}

// entryAnswer is the entry to show.
type entryAnswer struct {
	entry review.Entry
	err   error
}

func (a entryAnswer) take(m *Model) tea.Cmd {
	if a.err != nil {
		m.warn(plainError(a.err))
		return nil
	}
	if m.dialog != nil { // opened meanwhile
		return nil
	}
	e := a.entry
	var body bytes.Buffer
	if json.Indent(&body, e.Body, "", "  ") != nil {
		body.Write(e.Body)
	}
	m.open(&dialog.Reader{
		Title: fmt.Sprintf("Entry %d", e.Seq),
		Text: fmt.Sprintf("%s by %s at %s UTC, batch %d\n%s\n\n%s\n\nhash     %x\nprevious %x",
			e.Action, e.Reviewer, pane.Stamp(e.At), e.Batch, e.Summary, term.Clip(body.String(), 20000), e.Hash, e.Prev),
	})
	return nil
}

// undoBatch is a batch to take back.
type undoBatch struct{ id int64 }

func (m *Model) askUndoEntry() tea.Cmd {
	e, ok := m.log.Current()
	switch {
	case !ok:
		return nil
	case e.Batch == 0 || !e.Action.Undoable():
		m.warn("an entry like this cannot be taken back")
		return nil
	}
	m.open(&dialog.Confirm{
		Title: "Take back", Yes: "take it back", Do: undoBatch{e.Batch},
		Text: []string{fmt.Sprintf("Take back batch %d of %s?", e.Batch, pane.Stamp(e.At)), ""},
		URLs: []string{fmt.Sprintf("%s by %s: %s", e.Action, e.Reviewer, term.Clip(e.Summary, 300))},
	})
	return nil
}

func (m *Model) showOverride() tea.Cmd {
	return m.onOverride(m.readOverride)
}

func (m *Model) readOverride(o review.StoredOverride) tea.Cmd {
	text, err := json.MarshalIndent(o.Override, "", "  ")
	if err != nil {
		m.warn(plainError(err))
		return nil
	}
	m.open((&dialog.Reader{
		Title: "Override for " + pane.Matches(o.Override.Match),
		Text:  fmt.Sprintf("%s\n\nby %s at %s UTC, batch %d\n\nWithout it:", text, o.Reviewer, pane.Stamp(o.At), o.Batch),
	}).WithEffect())
	return m.startWish(wishOf(dialog.ComputeEffect{Before: &o.Override}))
}
