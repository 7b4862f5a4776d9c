package console

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/review"
	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/term"
	"visto/ui/widget"
)

// act does what a dialog wants done.
func (m *Model) act(a dialog.Action) tea.Cmd {
	switch a := a.(type) {
	case dialog.Close:
		m.leaveDialog()
	case dialog.Typed, dialog.Keep, dialog.Back, dialog.Move:
		return m.searchAction(a)
	case goOn:
		return m.goOn(a)
	case dialog.Check:
		return m.check(a)
	case decide:
		return m.decide(a)
	case addNote:
		return m.note(a)
	case noteAll:
		return m.noteAll(a)
	case undoBatch:
		return m.undoBatch(a.id)
	case runBinding:
		m.closeDialog()
		return m.run(&m.keys[a.index])
	case runCommand:
		return m.runCommand(a)
	case showRule:
		m.open(&dialog.Reader{Title: "The rules of " + m.desk.Policy().ID(), Parts: []dialog.Part{a.part}})
	case visit:
		return m.visit(a)
	case setQuery:
		m.closeDialog()
		return m.setQuery(a)
	case nameView, pickView, renameView, deleteView, storeView, movedView:
		return m.viewAction(a)
	case recount:
		return m.recount(a.filter)
	case dialog.EditExisting:
		return m.openForm(dialog.EditForm(a.Override, saveShown{}))
	case dialog.ComputeEffect:
		return m.askEffect(wishOf(a))
	case saveShown:
		return m.saveShown()
	case rejectCauses:
		m.closeDialog()
		return m.askRemedies(a.causes, a.remedies, review.Choice{Kind: review.Reject, Note: a.reason})
	}
	return nil
}

// correctionAnswer is what the desk says of a typed URL.
type correctionAnswer struct {
	text   string
	result canon.Result
}

func (a correctionAnswer) take(m *Model) tea.Cmd {
	if d, ok := m.dialog.(dialog.CorrectionViewer); ok {
		d.SetCorrection(a.text, a.result)
	}
	return nil
}

// move moves the cursor, or scrolls, in what is shown.
func (m *Model) move(motion widget.Motion) tea.Cmd {
	switch m.scope {
	case inQueue:
		return m.settle(m.queue.Move(motion))
	case inDetail:
		m.detail.Scroll(motion)
	case inCauses:
		m.causes.Move(motion)
		return m.study()
	case inOverrides:
		m.overrides.Move(motion)
	case inLog:
		if m.log.Move(motion) {
			return m.moreLog()
		}
	case inStats:
		m.stats.Scroll(motion)
	}
	return nil
}

// settle loads what the queue wants after its cursor moved, and the item under it.
func (m *Model) settle(p pane.Place, wanted bool) tea.Cmd {
	if wanted {
		return tea.Batch(m.loadPage(p), m.follow())
	}
	return m.follow()
}

// step goes to a neighbour of the opened URL.
func (m *Model) step(motion widget.Motion) tea.Cmd {
	m.visited = nil
	return m.settle(m.queue.Move(motion))
}

func (m *Model) toggleTrace() tea.Cmd {
	if m.detail.ToggleTrace() {
		m.say("the trace, step by step")
	} else {
		m.say("the trace in short")
	}
	return nil
}

func (m *Model) copyCanonical() tea.Cmd {
	it := m.subject()
	if it == nil || it.Canonical() == "" {
		m.warn("there is no canonical URL to copy")
		return nil
	}
	return m.copy("canonical URL", it.Canonical())
}

func (m *Model) copyOriginal() tea.Cmd {
	it := m.subject()
	if it == nil {
		return nil
	}
	return m.copy("original URL", it.Original)
}

func (m *Model) copy(what, text string) tea.Cmd {
	m.say("copied the " + what + ": " + term.Safe(term.Clip(text, 300)))
	return tea.SetClipboard(text)
}

// browse opens the URL in the browser: its canonical form, or the original of what has none. Only http and https
// URLs, whole and as one argument.
func (m *Model) browse() tea.Cmd {
	it := m.subject()
	if it == nil {
		return nil
	}
	url := pane.Shown(it)
	switch {
	case m.opts.overSSH():
		m.warn(m.keyed("no browser is opened over SSH: {copy-canonical} copies the URL"))
		return nil
	case m.opts.OpenBrowser == nil:
		m.warn(m.keyed("there is no browser to open: {copy-canonical} copies the URL"))
		return nil
	case !term.Openable(url):
		m.warn("only plain http and https URLs are opened")
		return nil
	}
	return func() tea.Msg { return browsed{url, m.opts.OpenBrowser(url)} }
}

type browsed struct {
	url string
	err error
}

func (a browsed) take(m *Model) tea.Cmd {
	if a.err != nil {
		m.warn("opening the browser: " + plainError(a.err))
		return nil
	}
	m.say("opened " + safeText(a.url))
	return nil
}

// safeText makes one line of untrusted text safe.
func safeText(s string) string {
	return term.Safe(strings.TrimSpace(term.Clip(s, 1024)))
}
