package console

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"visto/ui/config"
	"visto/ui/theme"
)

// Options are what the console is told from outside. The zero Options do.
type Options struct {
	DBPath string // shown in the status line

	// StateFile is where the console keeps where the reviewer was: filter, order, URL and tab. Empty: nowhere.
	StateFile string

	// OpenBrowser opens a URL, which is an http or https one, in the browser. Nil: there is none.
	OpenBrowser func(url string) error

	// Prober asks the network. Nil: there is none.
	Prober Prober

	// Keys are the keys of the reviewer; the zero Keymap has those of the program.
	Keys Keymap

	// Theme is the ground that colours are for; the zero Theme asks the terminal.
	Theme config.Theme

	// Mouse says that clicks and the wheel are taken, which then do not select text in the terminal.
	Mouse bool

	// Env is the environment, as os.Environ gives it; nil means that one. It says whether colours are wanted
	// (NO_COLOR) and whether this is an SSH session, from which no browser is opened.
	Env []string

	clock    clock
	oneByOne int // how many URLs are marked by their numbers, each as it was seen; more are marked as all of a filter
}

// clock is the time, for the tests to hold.
type clock struct {
	now   func() time.Time
	after func(d time.Duration, msg tea.Msg) tea.Cmd // sends msg after d
	poll  time.Duration                              // how often to look for the work of others; 0: never
}

func realClock() clock {
	return clock{
		now:   time.Now,
		after: func(d time.Duration, msg tea.Msg) tea.Cmd { return tea.Tick(d, func(time.Time) tea.Msg { return msg }) },
		poll:  500 * time.Millisecond,
	}
}

// Run runs the console until the reviewer quits. Without a terminal it is an error; see [Text].
func Run(ctx context.Context, desk Desk, opts Options) error {
	m := New(ctx, desk, opts)
	defer m.probes.stop()
	// At the default of 60 frames a second a key waits up to 17 ms for its frame, whatever it takes to make it.
	program := []tea.ProgramOption{tea.WithContext(ctx), tea.WithEnvironment(m.opts.Env), tea.WithFPS(120)}
	if m.colourless() {
		program = append(program, tea.WithColorProfile(colorprofile.ASCII))
	}
	_, err := tea.NewProgram(m, program...).Run()
	if err != nil {
		return fmt.Errorf("running the console: %w", err)
	}
	return m.leave()
}

// leave keeps where the reviewer was.
func (m *Model) leave() error {
	if m.lookup != nil { // what is still being typed was not kept
		m.lookup.back(m)
	}
	if m.opts.StateFile == "" {
		return nil
	}
	if err := m.state().write(m.opts.StateFile); err != nil {
		return fmt.Errorf("all decisions are stored, but not where you were: %w", err)
	}
	return nil
}

// withDefaults fills in what was left out.
func (o Options) withDefaults() Options {
	if o.Env == nil {
		o.Env = os.Environ()
	}
	o.oneByOne = cmp.Or(o.oneByOne, 10_000)
	if o.clock.now == nil {
		o.clock = realClock()
	}
	return o
}

// env returns the value of an environment variable and whether it is set to anything.
func (o *Options) env(name string) (string, bool) {
	i := slices.IndexFunc(o.Env, func(kv string) bool { return strings.HasPrefix(kv, name+"=") })
	if i < 0 {
		return "", false
	}
	value := o.Env[i][len(name)+1:]
	return value, value != ""
}

// colourless reports whether NO_COLOR is set, to whatever value.
func (m *Model) colourless() bool {
	_, set := m.opts.env("NO_COLOR")
	return set
}

// overSSH reports whether the reviewer sits at another machine than the one this runs on.
func (o *Options) overSSH() bool {
	for _, name := range []string{"SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"} {
		if _, set := o.env(name); set {
			return true
		}
	}
	return false
}

// look sets what the terminal can show.
func (m *Model) look(t theme.Terminal) {
	if m.colourless() {
		t.Profile = colorprofile.ASCII
	}
	m.terminal = t
	if m.opts.Theme != config.Auto {
		t.Light = m.opts.Theme == config.Light
	}
	m.th = theme.New(t)
}
