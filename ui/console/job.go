package console

import (
	"context"
	"io"
	"os"

	tea "charm.land/bubbletea/v2"

	"visto/ui/wording"
)

// Job is a process under the job control of a shell.
type Job struct {
	// Stop stops the process until the shell continues it. It returns an error if there is no shell to do that.
	Stop func() error

	// Signals receives what the shell does to the process.
	Signals <-chan JobSignal
}

// JobSignal is a signal of job control.
type JobSignal uint8

// The signals.
const (
	JobStop      JobSignal = iota // the process should stop, as after kill -TSTP
	JobContinued                  // the process was stopped without being asked, and goes on
)

// suspend is the action that suspends the console.
const suspend = "Suspend"

// obey does what the shell asks for until the console ends.
func (m *Model) obey(signals <-chan JobSignal, p *tea.Program) {
	for {
		select {
		case s := <-signals:
			if s == JobStop {
				p.Send(m.programs.suspend()())
			} else { // the shell may have changed the terminal
				p.Send(m.programs.outside(func() error { return nil }, m.programs.resumed)())
			}
		case <-m.ctx.Done():
			return
		}
	}
}

// suspend stops the process and gives the terminal to the shell.
func (p *programs) suspend() tea.Cmd {
	if p.opts.Job == nil {
		return p.warn("this console cannot be suspended")
	}
	return p.outside(p.opts.Job.Stop, p.resumed)
}

// resumed takes the terminal back from the shell.
func (p *programs) resumed(err error) tea.Cmd {
	p.takeBack("visto was suspended until now")
	if err != nil {
		return p.warn(wording.Error(err))
	}
	return nil
}

// outside runs a function while the terminal is as it was before the console, and then another one in it.
func (p *programs) outside(run func() error, then func(error) tea.Cmd) tea.Cmd {
	return tea.Exec(away{run, p.opts.Out}, func(err error) tea.Msg { return answer(func() tea.Cmd { return then(err) }) })
}

// away is a function that runs while the terminal is not the console's. It has the streams that it needs.
type away struct {
	run func() error
	out io.Writer
}

func (a away) Run() error {
	restoreTitle(a.out)
	defer saveTitle(a.out)
	return a.run()
}

// SetStdin does nothing.
func (away) SetStdin(io.Reader) {}

// SetStdout does nothing.
func (away) SetStdout(io.Writer) {}

// SetStderr does nothing.
func (away) SetStderr(io.Writer) {}

// saveTitle has the terminal keep the title of its window. The console sets its own and leaves none behind.
func saveTitle(out io.Writer) { _, _ = io.WriteString(out, "\x1b[22;2t") }

// restoreTitle brings the title back that saveTitle kept.
func restoreTitle(out io.Writer) { _, _ = io.WriteString(out, "\x1b[23;2t") }

// terminal is the input of a console that runs in a terminal. Such an input has no end: one that ends is a terminal
// that is gone, which a process outside of its session learns in no other way.
type terminal struct {
	*os.File
	gone context.CancelFunc
}

// Read reads keys. At the end of the input it ends the console.
func (t terminal) Read(data []byte) (int, error) {
	n, err := t.File.Read(data)
	if err != nil {
		t.gone()
		err = io.EOF
	}
	return n, err
}

// inputOf returns the input, so that its end ends the console if it is a file.
func inputOf(in io.Reader, gone context.CancelFunc) io.Reader {
	if file, ok := in.(*os.File); ok {
		return terminal{file, gone}
	}
	return in
}
