package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"visto/review"
)

func newReview(a *app) *cobra.Command {
	var plain bool
	cmd := &cobra.Command{
		Use:   "review",
		Short: "Open the console on the queue (also: visto alone)",
		Long: `Open the console on the queue: each URL before and after, its flags, and keys to approve, correct, reject or defer
it, or to write a rule that settles a whole class at once. ? shows all keys.

--plain is the same review as prompts, line by line, for screen readers and dumb terminals. Without a terminal
the queue is printed as text.`,
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
	return a.queue(ctx, desk)
}

// queue prints the queue as text.
func (a *app) queue(ctx context.Context, desk *review.Desk) error {
	q := review.Query{Filter: review.Filter{Open: true}}
	n := 0
	err := a.print(func(w io.Writer) error {
		one := a.itemPrinter(ctx, w, desk, false)
		return each(ctx, desk, q, 0, func(it review.Item) error {
			n++
			return one(it)
		})
	})
	if err != nil {
		return err
	}
	a.warn("%s in the queue; run visto in a terminal for the console, or visto review --plain for prompts\n", count(n, "URL"))
	return nil
}
