package cli

import (
	"context"
	"io"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"visto/review"
	"visto/ui/console"
)

func newReview(a *app) *cobra.Command {
	var c consoleFlags
	cmd := &cobra.Command{
		Use:   "review",
		Short: "Open the console on the queue (also: visto alone)",
		Long: `Open the console on the queue: each URL before and after, its flags, and keys
to approve, correct, reject or defer it, or to write a rule that settles a
whole class at once. ? shows all keys.

--plain is the same review as prompts, line by line, for screen readers and
dumb terminals. Without a terminal the queue is printed as text.

p asks the network about a URL. How it is asked is said by the flags of visto
probe, from --rate to --connect-to, which hold here too.`,
		Example: `  visto
  visto review --plain
  visto review --contact https://www.example.gob.es/robot
  visto review --read-only`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withDesk(cmd.Context(), uses, func(desk *review.Desk) error {
				return a.review(cmd, desk, &c)
			})
		},
	}
	c.register(cmd)
	return cmd
}

// consoleFlags are those of the commands that open the console.
type consoleFlags struct {
	plain   bool
	network networkFlags
}

func (c *consoleFlags) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&c.plain, "plain", false, "prompts, line by line")
	c.network.register(cmd)
	c.network.hide(cmd)
}

// review opens the console, or what stands in for it where there is no terminal.
func (a *app) review(cmd *cobra.Command, desk *review.Desk, c *consoleFlags) error {
	ctx := cmd.Context()
	cfg, err := c.network.config(cmd)
	if err != nil {
		return err
	}
	network := newNetwork(desk, cfg)
	switch {
	case c.plain:
		return console.Plain(ctx, desk, network, interruptible(ctx, a.in), a.out)
	case a.json:
		return a.print(func(w io.Writer) error {
			q := review.Query{Filter: review.Filter{Open: true}}
			return each(ctx, desk, q, 0, a.itemPrinter(ctx, w, desk, false))
		})
	case !isTerminal(a.in) || !isTerminal(a.out):
		return a.print(func(w io.Writer) error { return console.Text(ctx, desk, w, a.width()) })
	}
	meta, err := desk.Meta(ctx)
	if err != nil {
		return err
	}
	var tending sync.WaitGroup
	defer tending.Wait()
	background, stop := context.WithCancel(ctx)
	defer stop()
	tending.Go(func() { desk.Tend(background) }) // what fails is left for the next time
	return console.Run(ctx, desk, console.Options{DBPath: meta.Path, OpenBrowser: openBrowser, Prober: network, Env: a.consoleEnv()})
}

// consoleEnv is the environment as the console is to see it: --no-color is NO_COLOR.
func (a *app) consoleEnv() []string {
	if a.noColor {
		return append(slices.Clone(a.env), "NO_COLOR=1")
	}
	return a.env
}
