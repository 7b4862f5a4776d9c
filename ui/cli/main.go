package cli

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"visto/review/fault"
	"visto/review/probe"
)

// Main runs the command line of this process and returns its exit status.
func Main() int {
	a := &app{in: os.Stdin, out: os.Stdout, err: os.Stderr, alone: true, clock: probe.SystemClock{}}
	a.env = os.Environ()
	log.SetOutput(io.Discard) // net/http writes there what servers send against the protocol; the console keeps it
	return a.run(os.Args[1:])
}

// Run runs one command line with the given streams and environment (as os.Environ gives it) and returns its exit
// status. It leaves the memory limit and the threads of the process as they are.
//
// An interrupt cancels the command at the next batch boundary; a second one ends the process at once.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer, env []string) int {
	a := &app{in: stdin, out: stdout, err: stderr, clock: probe.SystemClock{}}
	a.env = env
	return a.run(args)
}

func (a *app) run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop)

	a.completes = len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd)
	root := newRoot(a)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	addCompletion(root)
	root.SetArgs(append([]string{}, args...))
	return a.status(ctx, fault.Do(func() error { return root.ExecuteContext(ctx) }))
}
