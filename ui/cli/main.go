package cli

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Main runs the command line of this process and returns its exit status.
func Main() int {
	return Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Environ())
}

// Run runs one command line with the given streams and environment (as os.Environ gives it) and returns its exit
// status.
//
// An interrupt cancels the command at the next batch boundary; a second one ends the process at once.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer, env []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop)

	a := &app{in: stdin, out: stdout, err: stderr, env: env}
	root := newRoot(a)
	root.SetArgs(append([]string{}, args...))
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return a.status(ctx, root.ExecuteContext(ctx))
}
