package console

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"visto/canon/suite"
	"visto/review"
	intake "visto/review/read"
)

// monkey presses random keys in a console, in virtual time, while another reviewer works in the same database. Each
// command of the console takes a while, so that keys come before, between and after their results. It looks for a
// decision that the screen before the key did not announce, and for keys that are held for ever.
type monkey struct {
	t       *testing.T
	model   *Model
	rand    *rand.Rand
	now     time.Time
	events  []event
	seen    announced
	url     announced    // the newest one without a dialog
	held    []*announced // the screens before the keys that the console holds
	ana     *review.Desk
	berta   *review.Desk
	last    int64 // the newest log entry that was looked at
	added   int
	keys    []string
	free    time.Time // the last moment at which keys were not held
	decided map[review.Action]int
}

// event is a command to run or a message to deliver at a moment. before is the screen before the key that led to it.
// own says that the key, and not its decision or the work of others, draws the result.
type event struct {
	at     time.Time
	cmd    tea.Cmd
	msg    tea.Msg
	before *announced
	own    bool
}

// later is a message of the clock.
type later struct {
	after time.Duration
	msg   tea.Msg
}

const monkeyStart = 1_800_000_000

// newMonkey opens a console on a database of generated URLs.
func newMonkey(t *testing.T, seed uint64) *monkey {
	t.Helper()
	path := filepath.Join(t.TempDir(), "visto.db")
	m := &monkey{t: t, rand: rand.New(rand.NewPCG(seed, 25)), now: time.Unix(monkeyStart, 0),
		ana: openDesk(t, path, "ana"), berta: openDesk(t, path, "berta"), decided: map[review.Action]int{}}
	m.free = m.now
	m.grow(60)
	opts := Options{DBPath: path, Env: []string{"TERM=xterm"}, OpenBrowser: func(string) error { return nil }}
	opts.clock.now = func() time.Time { return m.now }
	opts.clock.after = func(d time.Duration, msg tea.Msg) tea.Cmd { return send(later{d, msg}) }
	opts.clock.poll = 3 * time.Second
	opts.whole = true // the same keys lead to the same messages
	m.model = newModel(t.Context(), m.ana, opts)
	m.update(tea.WindowSizeMsg{Width: 200, Height: 26}, nil, true)
	m.schedule(m.model.Init(), nil, true)
	return m
}

// grow adds URLs: home pages, pages with a parameter, and pages off the allowlist, some cited by two records.
func (m *monkey) grow(n int) {
	var found []review.Found
	for range n {
		i := m.added
		m.added++
		url := []string{
			fmt.Sprintf("https://w%03d.example.gob.es", i),
			fmt.Sprintf("https://h%d.example.gob.es/tramites/x%03d?q%d=1", i%7, i, i%2),
			fmt.Sprintf("https://h%d.example/tramites/alta-en-el-padron-%03d", i%4, i),
		}[i%3]
		field := []string{"portal_url", "sede_url", "fuente_url"}[i*7%5%3]
		for range 1 + i%10/9 {
			r := &intake.Record{Path: fmt.Sprintf("/sources/%d", len(found)), ID: fmt.Sprintf("r%d-%d", i, len(found))}
			place := intake.Place{File: fmt.Sprintf("/data/%d.yaml", n), Field: field, Path: r.Path + "/" + field}
			found = append(found, review.Found{URL: url, Record: r, Place: place})
		}
	}
	add(m.t, m.berta, found)
	m.last = m.newest()
}

func (m *monkey) newest() int64 {
	list, err := m.ana.Log(m.t.Context(), 0, 1)
	if err != nil {
		m.t.Fatal(err)
	}
	if len(list) == 0 {
		return 0
	}
	return list[0].Seq
}

// schedule lets a command run after a while.
func (m *monkey) schedule(cmd tea.Cmd, before *announced, own bool) {
	if cmd != nil {
		m.put(event{cmd: cmd, before: before, own: own}, m.latency())
	}
}

func (m *monkey) put(e event, after time.Duration) {
	e.at = m.now.Add(after)
	at, _ := slices.BinarySearchFunc(m.events, e, func(a, b event) int { return cmp.Or(a.at.Compare(b.at), -1) })
	m.events = slices.Insert(m.events, at, e)
}

// latency is a few milliseconds, seldom hundreds.
func (m *monkey) latency() time.Duration {
	if m.rand.IntN(10) == 0 {
		return time.Duration(m.rand.IntN(700)) * time.Millisecond
	}
	return time.Duration(1+m.rand.IntN(15)) * time.Millisecond
}

// runUntil runs the events until a moment. Where the screen changes by itself, the next key is often on its way.
func (m *monkey) runUntil(end time.Time) {
	for len(m.events) > 0 && !m.events[0].at.After(end) {
		e := m.events[0]
		m.events = m.events[1:]
		m.now = e.at
		if e.cmd != nil {
			msg := e.cmd()
			m.deliver(msg, e)
			if _, writes := msg.(wrote); writes {
				m.check(e)
			}
		} else {
			m.update(e.msg, e.before, e.own)
		}
		if s := m.seen.subject; s.since.Equal(m.now) && !s.own && m.rand.IntN(2) == 0 {
			end = m.now.Add(min(end.Sub(m.now), time.Duration(m.rand.IntN(250))*time.Millisecond))
		}
	}
	m.now = end
}

// deliver puts the result of a command on its way.
func (m *monkey) deliver(msg tea.Msg, e event) {
	e.cmd, e.msg = nil, msg
	switch msg := msg.(type) {
	case tea.BatchMsg:
		for _, cmd := range msg {
			m.schedule(cmd, e.before, e.own)
		}
	case later:
		e.msg, e.own = msg.msg, false
		m.put(e, msg.after)
	case wrote, changed:
		e.own = false
		m.put(e, m.latency())
	case answer:
		m.put(e, m.latency())
	}
}

// update gives the console a message and notes whether the screen announces something new.
func (m *monkey) update(msg tea.Msg, before *announced, own bool) {
	scope := m.model.scope
	_, cmd := m.model.Update(msg)
	was, screen := m.seen, ansi.Strip(m.model.View().Content)
	box := boxOf(screen)
	released := m.held[:len(m.held)-len(m.model.writer.held.keys)]
	m.held = m.held[len(released):]
	if strings.Contains(m.model.message.text, notTaken) {
		released = nil
	}
	if len(released) > 0 && (m.model.scope != scope || box != boxOf(was.screen)) {
		own = true // it is the effect of a key that was held
	}
	before = m.keyOf(released, before, screen)

	m.seen.look(m, screen, own)
	switch subject := m.seen.subject.what; {
	case subject == was.subject.what:
	case m.seen.row != "" && subject == m.url.row: // as before the dialog
		m.seen.subject, m.seen.behind = m.url.subject, nil
	default:
		m.seen.behind = nil
		if nameless.MatchString(box) {
			m.seen.behind = before
		}
	}
	if m.seen.row != "" {
		m.url = m.seen
	}
	m.schedule(cmd, before, own)
}

// keyOf is the screen before the key that led to the commands of an update: that of the key before a write, or of the
// one that was held. After a first held key only the reviewer knows where the next ones lead.
func (m *monkey) keyOf(released []*announced, before *announced, screen string) *announced {
	switch len(released) {
	case 0:
		return before
	case 1:
		return released[0]
	}
	var now announced
	now.look(m, screen, true)
	if it := m.model.detail.subject(); it != nil && now.row == "" {
		now.subject.what = fmt.Sprintf("URL %d", it.ID)
	}
	now.at = m.now
	return &now
}

// check looks at the log entries of a command.
func (m *monkey) check(e event) {
	list, err := m.ana.Log(m.t.Context(), 0, 5)
	if err != nil {
		m.t.Fatal(err)
	}
	for _, entry := range list {
		if entry.Seq <= m.last || entry.Reviewer != "ana" {
			continue
		}
		if m.decided[entry.Action]++; entry.Action == review.ActUndo || entry.Action == review.ActRedo {
			continue
		}
		if why := m.unannounced(entry, e.before); why != "" {
			m.t.Fatalf("%s: %s: %s; the screen before, %v after it announced that (own %v), and the last keys:\n%s\n%q",
				why, entry.Action, entry.Summary, e.before.at.Sub(e.before.subject.since), e.before.subject.own,
				e.before.screen, m.keys[max(0, len(m.keys)-20):])
		}
	}
	if len(list) > 0 {
		m.last = list[0].Seq
	}
}

// press presses a key at once.
func (m *monkey) press(key string) {
	msg, err := keyPress(key)
	if err != nil {
		m.t.Fatal(err)
	}
	if held := m.now.Sub(m.free); !m.model.writer.busy() {
		m.free = m.now
	} else if held > time.Minute {
		m.t.Fatalf("keys have been held for %v, and the last ones are %q", held, m.keys[max(0, len(m.keys)-20):])
	}
	before := m.seen
	before.at = m.now
	if m.model.writer.busy() {
		m.held = append(m.held, &before)
	}
	m.keys = append(m.keys, key)
	m.update(msg, &before, true)
}

// monkeyKeys are the keys by how often they are pressed: a letter for each time.
var monkeyKeys = strings.Fields(strings.Repeat("a ", 12) + strings.Repeat("j k ", 5) + strings.Repeat("y enter ", 7) +
	strings.Repeat("A K ", 4) + strings.Repeat("esc ", 14) + strings.Repeat("1 2 d space ", 4) +
	"g G * * r e o n D R m c u u ctrl+r F b V f s v tab [ ] l h P C J / 3 4 t : x ctrl+d ctrl+u shift+down w M 0 9")

// work lets the other reviewer do something, at times with the URL that the first one is about to decide.
func (m *monkey) work() {
	open := m.rand.IntN(3) > 0
	list, err := m.berta.Page(m.t.Context(), review.Query{Filter: review.Filter{Open: open}}, nil, 200)
	if err != nil {
		m.t.Fatal(err)
	}
	if len(list) < 20 {
		m.grow(20)
		return
	}
	it := list[m.rand.IntN(len(list))]
	if at := m.model.queue.pane.Current(); at != nil && m.rand.IntN(2) == 0 {
		it = *at
	}
	choice := review.Choice{Kind: review.Approve}
	switch m.rand.IntN(4) {
	case 0:
		choice = review.Choice{Kind: review.Reject, Note: "gone"}
	case 1:
		choice = review.Choice{Kind: review.Reopen}
	}
	if _, err := m.berta.Decide(m.t.Context(), choice, review.Target{ID: it.ID}); err != nil {
		m.t.Fatal(err)
	}
}

// wait is the time until the next key: seldom that of reading, mostly that of typing.
func (m *monkey) wait() time.Duration {
	if m.rand.IntN(3) == 0 {
		return time.Duration(300+m.rand.IntN(20_000)) * time.Millisecond
	}
	return time.Duration(10+m.rand.IntN(390)) * time.Millisecond
}

// TestNoDecisionSlips presses random keys in virtual time, for five minutes unless all tests run. The minutes of all
// tests notice a console without grace, without that for the facts of an opened URL, or without that for a slip (1),
// and one without that for a cause that grew (11). VISTO_MONKEY is a number of hours in their place;
// "-run TestNoDecisionSlips/^7$" picks one of them.
func TestNoDecisionSlips(t *testing.T) {
	minutes := map[uint64]int{1: 5}
	if suite.All() && !testing.Short() {
		minutes = map[uint64]int{1: 26, 11: 48}
	}
	if text := os.Getenv("VISTO_MONKEY"); text != "" {
		hours, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		clear(minutes)
		for seed := range hours {
			minutes[seed] = 60
		}
	}
	for _, seed := range slices.Sorted(maps.Keys(minutes)) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) { newMonkey(t, seed).play(minutes[seed]) })
	}
}

// play presses keys for minutes, in each five of which at least one write must come of them.
func (m *monkey) play(minutes int) {
	others := m.now
	for end := m.now.Add(time.Duration(minutes) * time.Minute); m.now.Before(end); {
		m.runUntil(m.now.Add(m.wait()))
		if m.now.After(others) {
			m.work()
			others = m.now.Add(time.Duration(m.rand.IntN(8000)) * time.Millisecond)
		}
		m.press(monkeyKeys[m.rand.IntN(len(monkeyKeys))])
	}
	m.t.Logf("%d keys, %v", len(m.keys), m.decided)
	written := 0
	for _, n := range m.decided {
		written += n
	}
	if written < minutes/5 {
		m.t.Errorf("only %v was written", m.decided)
	}
}
