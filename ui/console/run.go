package console

import (
	"context"
	"errors"
	"fmt"

	"cmp"
	"io"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"visto/review"
	"visto/ui/config"
	"visto/ui/desk"
	"visto/ui/presence"
	"visto/ui/wording"
)

// Run runs a console until the reviewer quits or ctx ends. It can run many times at once in one process: it changes no
// setting of the process and handles no signals.
func Run(ctx context.Context, d Desk, opts Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel(ctx, d, opts)
	defer m.probes.stop()
	defer m.company.seat.Leave()
	program := []tea.ProgramOption{
		tea.WithInput(inputOf(m.opts.In, cancel)), tea.WithOutput(m.opts.Out),
		tea.WithEnvironment(append([]string{}, m.opts.Env...)),
		tea.WithoutSignalHandler(),
		tea.WithFPS(120), // at the default of 60 a key waits up to 17 ms for its frame
	}
	switch {
	case m.opts.colourless():
		program = append(program, tea.WithColorProfile(colorprofile.ASCII))
	case opts.Window != nil: // Out is no terminal that Bubble Tea could ask
		program = append(program, tea.WithColorProfile(colorprofile.Env(m.opts.Env)))
	}
	if opts.Window != nil {
		select {
		case size := <-opts.Window:
			program = append(program, tea.WithWindowSize(size.Width, size.Height))
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	p := tea.NewProgram(m, program...)
	context.AfterFunc(ctx, p.Quit)
	if opts.Window != nil {
		go resize(ctx, p, opts.Window)
	}
	if job := m.opts.Job; job != nil {
		go m.obey(job.Signals, p)
	}
	saveTitle(m.opts.Out)
	_, err := p.Run()
	restoreTitle(m.opts.Out)
	if err != nil {
		return fmt.Errorf("running the console: %w", err)
	}
	return errors.Join(m.leave(), ctx.Err())
}

// resize passes on the sizes of a terminal elsewhere.
func resize(ctx context.Context, p *tea.Program, sizes <-chan tea.WindowSizeMsg) {
	for {
		select {
		case size, ok := <-sizes:
			if !ok {
				return
			}
			p.Send(size)
		case <-ctx.Done():
			return
		}
	}
}

// Options are the surroundings of a console. It takes nothing from the process that it runs in.
type Options struct {
	// In and Out are the terminal of [Run]. A nil In is no input, a nil Out discards the screen.
	In  io.Reader
	Out io.Writer

	// Window receives the sizes of a terminal elsewhere that In and Out lead to, the first one at once. Nil: In and Out
	// are the terminal itself.
	Window <-chan tea.WindowSizeMsg

	// Env is the environment, as os.Environ gives it. It tells the abilities of the terminal, whether colours are
	// wanted (NO_COLOR), and whether this is an SSH session, from which no browser is opened.
	Env []string

	// DBPath is shown in the status line.
	DBPath string

	// StateFile keeps the reviewer's place: filter, order, URL and tab. Empty: it is not kept.
	StateFile string

	// OpenBrowser opens an http or https URL in the browser. Nil: there is none.
	OpenBrowser func(url string) error

	// Prober asks the network. Nil: there is none.
	Prober desk.Prober

	// Job is the process as the shell sees it that started it. Nil: the console cannot be suspended.
	Job *Job

	// Keys are the keys and the commands that the reviewer chose.
	Keys Keymap

	// Served says that the reviewer sits at another machine and may not run programs on this one: the session has no
	// commands of the configuration.
	Served bool

	// Room is where this console meets the others of the process. Nil: it is alone.
	Room *presence.Room

	// Surveys are the readings that the consoles of this process on one store share. Nil: this console shares none.
	Surveys *desk.Surveys

	// Theme is the ground that colours are for. The zero Theme asks the terminal.
	Theme config.Theme

	// Columns are those of the queue until the reviewer chooses others. None: they follow the width of the terminal.
	Columns []review.Column

	// Reasons and Notes are texts to choose from for a rejection and for a note. No Reasons: the usual ones.
	Reasons, Notes []string

	// Log has what the program logs, for the help. Nil: there is none.
	Log *ProgramLog

	// Mouse takes clicks and the wheel, which then do not select text in the terminal.
	Mouse bool

	clock    clock
	oneByOne int  // the most URLs that are marked by number and revision; more are marked as a filter
	unasked  int  // the most URLs that one key settles or changes without a question; -1: every change is asked about
	whole    bool // effects are shown when they are known, and not as they grow
}

// clock is the time, which tests control.
type clock struct {
	now   func() time.Time
	after func(d time.Duration, msg tea.Msg) tea.Cmd // sends msg after d
	poll  time.Duration                              // the interval of polls for the work of others; 0: none
}

func tick(d time.Duration, msg tea.Msg) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return msg })
}

// withDefaults fills in zero values.
func (o Options) withDefaults() Options {
	o.oneByOne, o.unasked = cmp.Or(o.oneByOne, 10_000), cmp.Or(o.unasked, 200)
	o.Reasons = wording.Reasons(o.Reasons)
	if o.Surveys == nil {
		o.Surveys = &desk.Surveys{}
	}
	if o.Out == nil {
		o.Out = io.Discard
	}
	if o.clock.now == nil {
		o.clock = clock{now: time.Now, after: tick, poll: 500 * time.Millisecond}
	}
	return o
}

// isSet reports whether an environment variable is set to anything.
func (o *Options) isSet(name string) bool {
	i := slices.IndexFunc(o.Env, func(kv string) bool { return strings.HasPrefix(kv, name+"=") })
	return i >= 0 && o.Env[i] != name+"="
}

// colourless reports whether NO_COLOR is set.
func (o *Options) colourless() bool { return o.isSet("NO_COLOR") }

// overSSH reports whether the reviewer sits at another machine.
func (o *Options) overSSH() bool {
	return o.isSet("SSH_CONNECTION") || o.isSet("SSH_CLIENT") || o.isSet("SSH_TTY")
}
