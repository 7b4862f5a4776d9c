package console

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// Run runs a console until the reviewer quits or ctx ends. It can run many times at once in one process: it changes no
// setting of the process and handles no signals.
func Run(ctx context.Context, d Desk, opts Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := New(ctx, d, opts)
	defer m.probes.stop()
	program := []tea.ProgramOption{
		tea.WithInput(m.opts.In), tea.WithOutput(m.opts.Out), tea.WithEnvironment(append([]string{}, m.opts.Env...)),
		tea.WithoutSignalHandler(),
		tea.WithFPS(120), // at the default of 60 a key waits up to 17 ms for its frame
	}
	if m.opts.colourless() {
		program = append(program, tea.WithColorProfile(colorprofile.ASCII))
	}
	p := tea.NewProgram(m, program...)
	context.AfterFunc(ctx, p.Quit)
	if _, err := p.Run(); err != nil {
		return fmt.Errorf("running the console: %w", err)
	}
	return errors.Join(m.leave(), ctx.Err())
}
