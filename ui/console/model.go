package console

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"visto/review"
	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/theme"
)

// Model is the root model: it holds the panes and the open dialog, routes messages to them and lays them out.
type Model struct {
	ctx  context.Context
	desk Desk
	opts Options
	keys []binding

	terminal      theme.Terminal
	th            *theme.Theme
	width, height int
	frame         tea.View

	scope         scope // the tab that is shown, or the detail
	queue         *pane.Queue
	detail        pane.Detail
	causes        pane.Causes
	causesVersion int64 // of the store, when they were read
	overrides     pane.Table[review.StoredOverride]
	log           pane.Table[review.EntryInfo]
	stats         pane.Stats

	visited []review.Item // URLs opened from the page of another one, the last one shown
	query   review.Query
	before  *setQuery // what was shown before only what is marked is; nil: it is not
	cause   string    // what the filter came from, in words, when it came from a cause
	today   bool      // the filter is what was decided today, whichever day that is
	resume  int64     // the URL at which to begin; 0: the first one
	totals  *review.Totals
	version int64

	dialog  dialog.Dialog
	zones   []dialog.Zone // of the dialog, on the screen
	lookup  lookup        // what the open search looks in; nil: none is open
	behind  dialog.Dialog // the dialog that a question about its answer was opened over; nil: none
	opened  time.Time     // when the dialog was
	slipped time.Time     // when the URL under the cursor last gave way to another by itself
	arrived time.Time     // when the URL under the cursor came there since the one before was settled
	message message
	news    news
	said    []said            // the messages of this session
	drafts  map[string]string // what was typed and not done, by what it was for

	redoable redoable
	writing  writing
	loading  loading
	inquiry  inquiry
	effect   effectRun
	facets   facetRun
	probes   *probes
}

// New returns the console's model.
func New(ctx context.Context, desk Desk, opts Options) *Model {
	m := &Model{
		ctx: ctx, desk: desk, opts: opts.withDefaults(), keys: opts.Keys.bindings(),
		drafts: map[string]string{}, scope: inQueue, queue: pane.NewQueue(), query: review.Query{Filter: review.Filter{Open: true}},
		version: unknownVersion, overrides: overridesTable(opts.Keys), log: logTable(), probes: newProbes(ctx),
	}
	m.inquiry.ctx, m.inquiry.end = context.WithCancel(ctx)
	m.detail.Keyed = m.keyed
	m.look(theme.Terminal{Profile: colorprofile.TrueColor})
	m.restore(m.opts.StateFile)
	return m
}

// Init starts with the first page of the queue.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, m.firstPage(), m.count(), m.loadTab(), m.loadTotals(), m.loadRedo(), m.readVersion(), m.readNews())
}

// Update routes a message and draws what has become of the screen.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.route(msg)
	m.frame = m.draw()
	return m, cmd
}

func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.PasteMsg, tea.MouseWheelMsg:
		return m.pasteOrTurn(msg)
	case tea.MouseClickMsg:
		return m.click(msg.Mouse())
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		return m.settle(m.queue.Fill(m.height))
	case tea.ColorProfileMsg:
		m.look(theme.Terminal{Profile: msg.Profile, Light: m.terminal.Light})
	case tea.BackgroundColorMsg:
		m.look(theme.Terminal{Profile: m.terminal.Profile, Light: !msg.IsDark()})
	case answer:
		return msg.take(m)
	}
	return nil
}

// answer is a message that one of the console's own commands sent: it knows where it belongs.
type answer interface {
	take(*Model) tea.Cmd
}

// press gives a key to the dialog, or runs what it is bound to. While a decision is being written, keys wait: they
// were meant for what is shown after it. Where there is no room to show anything, nothing is answered or decided.
func (m *Model) press(key tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.String() == "ctrl+c", m.tiny() && m.isKeyOf("quit", key):
		return tea.Quit
	case m.tiny(), m.writing.hold(key):
		return nil
	case m.dialog != nil:
		return m.answerDialog(key)
	case m.opts.clock.now().Sub(m.slipped) < grace:
		return nil
	}
	m.message = message{}
	m.news.read()
	for i := range m.keys {
		if b := &m.keys[i]; b.in&m.scope != 0 && b.has(key.String()) {
			return m.run(b)
		}
	}
	return nil
}

// run does what a binding does, or says that it writes where nothing may be written.
func (m *Model) run(b *binding) tea.Cmd {
	if m.refuses(b) {
		m.warn(strings.ToLower(b.name) + ": not in a database that is open read-only")
		return nil
	}
	return b.run(m)
}

// refuses reports whether the binding writes and nothing may be written.
func (m *Model) refuses(b *binding) bool { return b.in&writes != 0 && m.desk.ReadOnly() }

// isKeyOf reports whether a key is one of the action's.
func (m *Model) isKeyOf(id string, key tea.KeyPressMsg) bool {
	return slices.ContainsFunc(m.keys, func(b binding) bool { return b.id() == id && b.has(key.String()) })
}

// grace is how long what appeared by itself, or a dialog that just opened, takes no answer: the keys that come then
// were typed before it could be read.
const grace = 250 * time.Millisecond

func (m *Model) answerDialog(msg tea.Msg) tea.Cmd {
	key, isKey := msg.(tea.KeyPressMsg)
	early := m.opts.clock.now().Sub(m.opened) < grace
	if early && !(m.dialog.Typing() && (!isKey || key.Text != "")) {
		return nil
	}
	return m.act(m.dialog.Update(msg))
}

// pasteOrTurn gives a paste to the dialog, the only place to type, and a turn of the wheel to what is in view.
func (m *Model) pasteOrTurn(msg tea.Msg) tea.Cmd {
	switch {
	case m.tiny(), m.writing.active:
		return nil
	case m.dialog != nil:
		return m.answerDialog(msg)
	}
	if wheel, ok := msg.(tea.MouseWheelMsg); ok {
		return m.scroll(wheel)
	}
	return nil
}

// open opens a dialog.
func (m *Model) open(d dialog.Dialog) {
	m.dialog, m.behind, m.lookup, m.opened = d, nil, nil, m.opts.clock.now()
}

// closeDialog closes it, and stops what was computed for it.
func (m *Model) closeDialog() {
	m.dialog, m.behind, m.lookup = nil, nil, nil
	m.effect.stop()
	m.facets.stop()
}
