package console

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/presence"
	"visto/ui/term"
	"visto/ui/wording"
)

// watcher looks for the work of others: it polls the version of the store and reads the log.
type watcher struct {
	*session
	desk    desk.History
	writer  *writer
	version int64
	rested  time.Time // not before then is the screen read again
	gone    bool      // the file is no longer the one that was opened
	updates updates
}

// unknownVersion is the version before the first poll.
const unknownVersion = -1

// poll reads the version again after a while.
func (w *watcher) poll() tea.Cmd {
	if w.opts.clock.poll == 0 {
		return nil
	}
	wait := w.opts.clock.after(w.opts.clock.poll, nil)
	return func() tea.Msg {
		wait()
		return w.readVersion()
	}
}

// polled is the message of a poll.
type polled struct {
	version int64
	err     error
}

func (w *watcher) readVersion() tea.Msg {
	version, err := w.desk.Version(w.ctx)
	return polled{version, err}
}

// isNews reports whether a poll has anything to show.
func (w *watcher) isNews(p polled) bool { return p.err != nil || w.gone || w.isDue(p) }

// isDue reports whether the screen is to be read again. Writes of this console do that themselves.
func (w *watcher) isDue(p polled) bool {
	return p.err == nil && p.version != w.version && !w.writer.active && !w.opts.clock.now().Before(w.rested)
}

// take reports a change by another process.
func (w *watcher) take(p polled) tea.Cmd {
	known := w.version
	w.watchFile(p.err)
	if !w.isDue(p) {
		return w.poll()
	}
	if w.version = p.version; known == unknownVersion {
		return w.poll()
	}
	return tea.Batch(w.poll(), send(changed{}), w.readUpdates())
}

// share is the part of the time, as a divisor, in which the screen is read again for changes by others: many consoles
// of one server that show each other's decisions at once would do nothing else.
const share = 200

// rest has the screen stay as it is for a while, after it took that long to read.
func (w *watcher) rest(took time.Duration) {
	w.rested = w.opts.clock.now().Add(min(share*took, 10*time.Second))
}

// watchFile tells once that the file of the database has gone away, and once that it is back.
func (w *watcher) watchFile(err error) {
	gone := errors.Is(err, review.ErrGone)
	switch {
	case gone && !w.gone:
		w.warn(wording.Error(err))
	case w.gone && err == nil:
		w.say("the database file is back: it can be written again")
	}
	w.gone = gone || w.gone && err != nil
}

// maxUpdates is the number of entries that are read. Older ones are not told.
const maxUpdates = 50

// readUpdates reads the newest entries of the log. During a write they may hold its entry, which is not yet known as
// one's own; the poll after the write reads them.
func (w *watcher) readUpdates() tea.Cmd {
	return ask(func() ([]review.EntryInfo, error) { return w.desk.Log(w.ctx, 0, maxUpdates) },
		func(list []review.EntryInfo, err error) tea.Cmd {
			if err == nil && !w.writer.active && w.updates.take(list) {
				w.warn("somebody put a backup back: later decisions are no longer there")
			}
			return nil
		})
}

// updates are the entries of others in the log since the reviewer last pressed a key. The evidence of a probe that the
// reviewer started is none.
type updates struct {
	reviewer string
	seen     review.EntryInfo // the newest entry that was read
	known    bool             // seen is valid
	own      []int64          // later entries of this console
	count    int
	last     review.EntryInfo
}

// take takes the newest entries, newest first, and reports whether the log has been set back.
func (u *updates) take(list []review.EntryInfo) (setBack bool) {
	other := func(e review.EntryInfo) bool { return e.Seq == u.seen.Seq && e != u.seen }
	setBack = u.known && (len(list) == 0 || list[0].Seq < u.seen.Seq || slices.ContainsFunc(list, other))
	if setBack {
		*u = updates{reviewer: u.reviewer}
	}
	for _, e := range slices.Backward(list) {
		if e.Seq <= u.seen.Seq {
			continue
		}
		u.seen = e
		if i := slices.Index(u.own, e.Seq); i >= 0 {
			u.own = slices.Delete(u.own, i, i+1)
		} else if u.known && !u.isOwn(e) {
			u.count, u.last = u.count+1, e
		}
	}
	u.known = true
	return setBack
}

// isOwn reports whether an entry is a part of this console's own work: the evidence of its probe, or the page that was
// stored for a correction before that.
func (u *updates) isOwn(e review.EntryInfo) bool {
	later := func(own int64) bool { return own > e.Seq }
	return e.Reviewer == u.reviewer && (e.Action == review.ActEvidence || slices.ContainsFunc(u.own, later))
}

// text describes the updates in safe text. It is empty without any.
func (u *updates) text() string {
	if u.count == 0 {
		return ""
	}
	text := term.Safe(term.Clip(fmt.Sprintf("%s: %s", u.last.Reviewer, u.last.Summary), 300))
	if u.count > 1 {
		text = fmt.Sprintf("%d by others, last ", u.count) + text
	}
	return text
}

// clear forgets the updates: the reviewer has read them.
func (u *updates) clear() { u.count = 0 }

// company is the others who have a console open in this process.
type company struct {
	*session
	seat   *presence.Seat // nil: this console is alone
	queue  *queueTab
	detail *detailTab
	stats  *statsTab
	others []presence.Here
}

// follow tells the others the URL on screen, shows theirs, and reports whether those are others than before. The root
// calls it after every message: the polls for their work are often enough.
func (c *company) follow() (changed bool) {
	if c.seat == nil {
		return false
	}
	var item int64
	if it := c.detail.subject(); it != nil && c.scope&(onItem|inLinks) != 0 {
		item = it.ID
	}
	others := c.seat.Move(item, c.opts.clock.now())
	changed, c.others = !slices.Equal(others, c.others), others
	c.queue.pane.SetOthers(c.others)
	c.detail.pane.SetOthers(c.others)
	c.stats.pane.SetOthers(c.others)
	return changed
}

// part names the others in the status line.
func (c *company) part() review.Part {
	names := presence.Names(c.others, 0)
	return review.Part{Text: "with " + strings.Join(names, ", "), Short: fmt.Sprintf("+%d", len(names))}
}
