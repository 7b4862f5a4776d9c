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
	var plain bool
	cmd := &cobra.Command{
		Use:   "review",
		Short: "Open the console on the queue (also: visto alone)",
		Long: `Open the console on the queue: each URL before and after, its flags, and keys
to approve, correct, reject or defer it, or to write a rule that settles a
whole class at once. ? shows all keys.

--plain is the same review as prompts, line by line, for screen readers and
dumb terminals. Without a terminal the queue is printed as text.`,
		Example: `  visto
  visto review --plain
  visto review --read-only`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withDesk(cmd.Context(), uses, func(desk *review.Desk) error {
				return a.review(cmd.Context(), desk, plain)
			})
		},
	}
	cmd.Flags().BoolVar(&plain, "plain", false, "prompts, line by line")
	return cmd
}

// review opens the console, or what stands in for it where there is no terminal.
func (a *app) review(ctx context.Context, desk *review.Desk, plain bool) error {
	switch {
	case plain:
		return console.Plain(ctx, desk, interruptible(ctx, a.in), a.out)
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
	return console.Run(ctx, desk, console.Options{DBPath: meta.Path, OpenBrowser: openBrowser, Env: a.consoleEnv()})
}

// consoleEnv is the environment as the console is to see it: --no-color is NO_COLOR.
func (a *app) consoleEnv() []string {
	if a.noColor {
		return append(slices.Clone(a.env), "NO_COLOR=1")
	}
	return a.env
}
