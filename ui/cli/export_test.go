package cli

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"visto/review/health"
	"visto/review/probe"
)

// Commands returns the tree of commands, for the tests of their help.
func Commands() *cobra.Command { return newRoot(&app{}) }

// NetworkConfig returns the settings that the flags describe.
func NetworkConfig(args ...string) (probe.Config, error) {
	var n networkFlags
	cmd := &cobra.Command{Use: "probe"}
	n.register(cmd, false)
	if err := cmd.ParseFlags(args); err != nil {
		return probe.Config{}, err
	}
	return n.config(cmd)
}

// Watching returns the functions of a network that add a watcher and that tell watchers of an event.
func Watching() (watch func(target int64, see func(probe.Event)) (stop func()), notify func(probe.Event)) {
	var n network
	return n.watch, n.notify
}

// FillDemo makes the demo's database with a clock of the test's.
func FillDemo(ctx context.Context, file string, now func() time.Time) error {
	return fillDemo(ctx, file, now)
}

// WriteReport and WriteMetrics write the outputs of visto health with the clock of a summary.
func WriteReport(w io.Writer, s *health.Summary) error  { return writeReport(w, s) }
func WriteMetrics(w io.Writer, s *health.Summary) error { return writeMetrics(w, s) }

// RunIn is Run in a world of the test's: with its clock, and with the settings of requests that adjust makes.
func RunIn(
	args []string, stdin io.Reader, stdout, stderr io.Writer, env []string, clock probe.Clock,
	adjust func(*probe.Config),
) int {
	a := &app{in: stdin, out: stdout, err: stderr, clock: clock, adjust: adjust}
	a.env = env
	return a.run(args)
}
