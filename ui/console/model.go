package console

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"visto/ui/config"
	"visto/ui/desk"
	"visto/ui/pane"
	"visto/ui/theme"
	"visto/ui/widget"
)

// Desk is the desk that a console works on. Surveys are readings that consoles share.
type (
	Desk    = desk.Desk
	Surveys = desk.Surveys
)

// Model is the root model. It routes messages to the controllers and lays out the screen.
type Model struct {
	*session
	controllers
	canvas
	tabs     map[scope]tab
	covers   struct{ queue, causes cover }
	terminal theme.Terminal
	frame    tea.View
	sight    sight
	saver    saver
}

// controllers are the controllers of a console, each with its own state.
type controllers struct {
	queue     *queueTab
	detail    *detailTab
	page      *pageTab
	links     *linksTab
	causes    *causesTab
	citer     *causePages
	overrides *overridesTab
	log       *logTab
	stats     *statsTab

	writer   *writer
	decider  *decider
	marker   *marker
	rules    *rules
	faceter  *faceter
	viewer   *viewer
	assigner *assigner
	probes   *probes
	finder   *finder
	watcher  *watcher
	company  *company

	programs *programs
	guide    *guide
	menus    *menus
	start    *start
}

// tab is a controller with a page of its own.
type tab interface {
	load() tea.Cmd
	move(motion widget.Motion) tea.Cmd
	click(y int) (again bool, cmd tea.Cmd) // again: on the row under the cursor
	view(c canvas, height int) string
}

// canvas is the theme and the size of the screen.
type canvas struct {
	th            *theme.Theme
	width, height int
}

// newModel returns the model of a console.
func newModel(ctx context.Context, d Desk, opts Options) *Model {
	m := &Model{session: &session{ctx: ctx, who: d, opts: opts.withDefaults(), scope: inQueue}}
	m.presses.last = map[string]time.Time{}
	m.drafts, m.recent = map[string]any{}, map[string][]string{}
	m.wire(desk.OwnWork(d))
	m.keys = m.bindings()
	if !m.opts.Served {
		m.keys = append(m.keys, m.programs.commandBindings(opts.Keys.commands)...)
	}
	opts.Keys.apply(m.keys)
	m.overrides.pane.Empty = m.keyed(noOverrides)
	m.menus.commands = m.commands()
	m.look(theme.Terminal{Profile: colorprofile.TrueColor})
	m.restore(m.opts.StateFile)
	return m
}

// wire makes the controllers. Each gets the parts of the desk and the controllers that it needs.
func (m *Model) wire(d Desk) {
	s := m.session
	m.writer = &writer{session: s, desk: d}
	m.probes = newProbes(s)
	m.queue = newQueueTab(s, d, m.probes)
	m.detail = newDetailTab(s, d, m.queue, m.probes)
	m.page = newPageTab(s, d, m.detail)
	m.decider = &decider{s, d, m.writer, m.queue, m.detail}
	m.finder = newFinder(s, m.decider, m.probes)
	m.links = &linksTab{session: s, page: m.page, finder: m.finder}
	m.rules = &rules{session: s, desk: d, decide: m.decider}
	m.marker = &marker{s, d, m.queue, m.decider, m.rules}
	m.causes = newCausesTab(s, d, m.queue, m.rules)
	m.citer = &causePages{session: s, desk: d, causes: m.causes, decider: m.decider, probes: m.probes,
		finder: m.finder}
	m.causes.pages = m.citer
	m.overrides = newOverridesTab(s, d, m.rules)
	m.log = newLogTab(s, d, m.decider)
	m.stats = newStatsTab(s, d)
	m.faceter = &faceter{s, d, m.queue, func() {}}
	m.viewer = &viewer{s, d, m.queue}
	m.assigner = &assigner{s, d, m.queue, m.writer}
	m.watcher = &watcher{session: s, desk: d, writer: m.writer, version: unknownVersion,
		updates: updates{reviewer: d.Reviewer()}}
	seat := s.opts.Room.Enter(d.Reviewer(), s.opts.clock.now())
	m.company = &company{session: s, seat: seat, queue: m.queue, detail: m.detail, stats: m.stats}
	m.programs = &programs{session: s, writer: m.writer, detail: m.detail, causes: m.causes}
	m.guide = &guide{s, m.detail, m.causes}
	m.menus = &menus{session: s, guide: m.guide, queue: m.queue, log: s.opts.Log}
	m.start = &start{session: s, queue: m.queue, causes: m.causes}
	m.tabs = map[scope]tab{
		inQueue: queuePage{m.queue, m.detail, m.start}, inDetail: m.detail, inCauses: m.causes,
		inOverrides: m.overrides, inLog: m.log, inStats: m.stats, inPage: m.page, inLinks: m.links,
	}
	s.closed = func() {
		m.rules.stop()
		m.faceter.cancel()
	}
}

// Init starts with the first page of the queue.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, m.queue.firstPage(), m.queue.count(), m.tab().load(),
		m.queue.loadTotals(), m.writer.loadRedo(), m.watcher.readVersion, m.watcher.readUpdates())
}

// Update routes a message and draws the screen.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var keep tea.Cmd
	if p, ok := msg.(polled); ok {
		keep = m.keepPlace() // before the news moves the cursor
		if !m.watcher.isNews(p) && !m.company.follow() {
			return m, tea.Batch(m.watcher.poll(), keep) // the screen stays as it is
		}
	}
	cmds := []tea.Cmd{keep, m.route(msg), m.follow()}
	if m.writer.done && !m.queue.pending {
		held := m.writer.release()
		m.uncover()
		for _, key := range held {
			cmds = append(cmds, m.press(key), m.follow())
		}
	}
	m.company.follow()
	m.beginPlace()
	m.frame = m.draw()
	m.dealt(msg)
	return m, tea.Batch(cmds...)
}

// follow reads the parts of the screen that show the URL to which keys apply.
func (m *Model) follow() tea.Cmd {
	m.uncover()
	m.notice()
	return tea.Batch(m.start.follow(), m.detail.follow(), m.page.follow(m.canvas), m.finder.follow(m.canvas),
		m.programs.follow())
}

func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.take(m.arrival(msg))
	case settled:
		return m.settle(msg)
	case tea.KeyboardEnhancementsMsg:
		m.presses.told = msg.SupportsEventTypes()
	case tea.PasteMsg, tea.MouseWheelMsg:
		return m.pasteOrScroll(msg)
	case tea.MouseClickMsg:
		return m.click(msg.Mouse())
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		return m.queue.resize(m.height)
	case tea.ColorProfileMsg:
		m.look(theme.Terminal{Profile: msg.Profile, Light: m.terminal.Light})
	case tea.BackgroundColorMsg:
		m.look(theme.Terminal{Profile: m.terminal.Profile, Light: !msg.IsDark()})
	case answer:
		return msg()
	case polled:
		return m.watcher.take(msg)
	case wrote:
		return m.takeWrite(&msg)
	case changed:
		if !m.writer.active { // else the write reloads the screen
			return tea.Batch(m.gather(m.reload(m.queue.again(), false), m.watcher.rest), m.rules.again())
		}
	}
	return nil
}

// tab is the controller of the page on screen.
func (m *Model) tab() tab { return m.tabs[m.scope] }

// show switches to a tab and reads it.
func (m *Model) show(s scope) tea.Cmd {
	m.scope, m.detail.visited, m.detail.walk = s, nil, nil
	return m.tab().load()
}

// clearQueue is queueTab.clear, which leads back to the causes from the URLs of one.
func (m *Model) clearQueue() tea.Cmd {
	ofCause := m.queue.shown.cause != ""
	cmd := m.queue.clear()
	if ofCause && m.queue.shown.cause == "" {
		return tea.Batch(cmd, m.show(inCauses))
	}
	return cmd
}

// nextTab switches to a tab to the right or, with a negative number, to the left.
func (m *Model) nextTab(by int) tea.Cmd {
	at := max(0, slices.IndexFunc(tabs, func(t tabKey) bool { return t.scope == m.scope }))
	return m.show(tabs[(at+by+len(tabs))%len(tabs)].scope)
}

// takeWrite takes the end of a write and shows its result.
func (m *Model) takeWrite(w *wrote) tea.Cmd {
	if !m.writer.take(w) {
		return nil
	}
	m.wroteAt = m.opts.clock.now()
	m.watcher.updates.own = append(m.watcher.updates.own, w.out.receipt.Seq)
	m.queue.written(&w.out)
	if w.out.leave && m.detail.endVisit() {
		m.arrive(&m.queue.came)
	}
	if w.out.undone && m.scope == inCauses {
		m.causes.pane.Await()
	}
	return m.reload(w.out.place, true)
}

// reload reads the screen again, the queue around a place.
func (m *Model) reload(p pane.Place, ownWrite bool) tea.Cmd {
	m.detail.stale = true
	return tea.Batch(m.queue.reload(p, ownWrite), m.tab().load())
}

// look takes the abilities of the terminal.
func (m *Model) look(t theme.Terminal) {
	if m.opts.colourless() {
		t.Profile = colorprofile.ASCII
	}
	m.terminal = t
	if m.opts.Theme != config.Auto {
		t.Light = m.opts.Theme == config.Light
	}
	m.th = theme.New(t)
}
