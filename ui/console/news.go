package console

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/term"
)

// news is what others have done, as the log tells it, since the reviewer last pressed a key.
type news struct {
	seen  int64   // the newest entry that was looked at
	known bool    // seen is
	own   []int64 // entries after it that were made here
	count int     // entries of others since the last key
	last  review.EntryInfo
}

// newsPage is how many entries are looked at: of more only the newest ones are told.
const newsPage = 50

func (m *Model) readNews() tea.Cmd {
	return func() tea.Msg {
		list, err := m.desk.Log(m.ctx, 0, newsPage)
		return newsAnswer{list, err}
	}
}

// newsAnswer are the newest entries, newest first.
type newsAnswer struct {
	list []review.EntryInfo
	err  error
}

// take tells what is new. While something is being written here it may be among them without it being known: that write makes
// the console look again.
func (a newsAnswer) take(m *Model) tea.Cmd {
	if a.err == nil && !m.writing.active {
		m.news.take(a.list)
	}
	return nil
}

func (n *news) take(list []review.EntryInfo) {
	for _, e := range slices.Backward(list) {
		if e.Seq <= n.seen {
			continue
		}
		n.seen = e.Seq
		if i := slices.Index(n.own, e.Seq); i >= 0 {
			n.own = slices.Delete(n.own, i, i+1)
		} else if n.known {
			n.count, n.last = n.count+1, e
		}
	}
	n.known = true
}

// text says who did what; it is safe. It is empty if nobody did anything.
func (n *news) text() string {
	if n.count == 0 {
		return ""
	}
	text := term.Safe(term.Clip(fmt.Sprintf("%s: %s", n.last.Reviewer, n.last.Summary), 300))
	if n.count > 1 {
		text = fmt.Sprintf("%d by others, last ", n.count) + text
	}
	return text
}

// read says that the news has been read.
func (n *news) read() { n.count = 0 }
