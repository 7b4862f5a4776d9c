//go:build unix

package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"visto/ui/console"
)

// newJob connects the process to the job control of its shell until ctx ends.
func newJob(ctx context.Context) *console.Job {
	received := make(chan os.Signal, 1)
	passed := make(chan console.JobSignal)
	listen := func() { signal.Notify(received, syscall.SIGTSTP, syscall.SIGCONT) }
	listen()
	go func() {
		defer signal.Stop(received)
		for {
			select {
			case s := <-received:
				send(ctx, passed, jobSignals[s])
			case <-ctx.Done():
				return
			}
		}
	}()
	stop := func() error {
		signal.Stop(received) // the console expects this one
		defer listen()
		return stopJob()
	}
	return &console.Job{Stop: stop, Signals: passed}
}

// jobSignals are the signals that the console is told of.
var jobSignals = map[os.Signal]console.JobSignal{
	syscall.SIGTSTP: console.JobStop, syscall.SIGCONT: console.JobContinued,
}

// send passes a signal on, unless ctx ends.
func send(ctx context.Context, to chan<- console.JobSignal, s console.JobSignal) {
	select {
	case to <- s:
	case <-ctx.Done():
	}
}

// stopTime is how long a process that was told to stop may still run. The kernel discards the signal if no shell could
// continue the process, as with the first program of a terminal.
const stopTime = 500 * time.Millisecond

// stopJob stops the processes of the job until the shell continues them. It sends SIGTTOU, which stops a process as
// SIGTSTP does: once Go has handled that one, it has no effect any more.
func stopJob() error {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	if err := syscall.Kill(0, syscall.SIGTTOU); err != nil {
		return os.NewSyscallError("stopping", err)
	}
	select {
	case <-continued:
		return nil
	case <-time.After(stopTime):
		return errors.New("visto cannot be suspended: there is no shell to continue it")
	}
}
