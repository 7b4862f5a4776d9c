package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

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

// FillDemo makes the demo's database with a clock of the test's.
func FillDemo(ctx context.Context, file string, now func() time.Time) error {
	return fillDemo(ctx, file, now)
}
