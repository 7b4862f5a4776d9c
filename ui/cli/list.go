package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"visto/review"
)

func newList(a *app) *cobra.Command {
	var filter filterFlags
	var order orderFlags
	var ids, stale bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the queue, or any stored URLs",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withDesk(cmd.Context(), uses, func(desk *review.Desk) error {
				f, err := filter.filter(cmd.Context(), cmd, desk, review.Filter{Open: true})
				if err != nil {
					return err
				}
				if stale {
					f.Due = time.Now()
				}
				q, err := order.query(cmd, f)
				if err != nil {
					return err
				}
				return a.print(func(w io.Writer) error {
					return each(cmd.Context(), desk, q, order.limit, a.itemPrinter(cmd.Context(), w, desk, ids))
				})
			})
		},
	}
	filter.register(cmd, "open")
	order.register(cmd)
	cmd.Flags().BoolVar(&stale, "stale", false, "without evidence from the network, or with evidence that is stale")
	cmd.Flags().BoolVar(&ids, "ids", false, "print only the numbers, for visto approve -")
	return cmd
}

// itemPrinter returns a function that prints one item of a list in the form that the flags choose.
func (a *app) itemPrinter(ctx context.Context, w io.Writer, desk *review.Desk, ids bool) func(review.Item) error {
	return func(it review.Item) error {
		switch {
		case ids:
			_, err := fmt.Fprintln(w, it.ID)
			return err
		case a.json:
			record, err := desk.Record(ctx, it)
			if err != nil {
				return err
			}
			return a.printJSON(w, record)
		}
		return printItem(w, &it)
	}
}

// printItem writes an item as one line.
func printItem(w io.Writer, it *review.Item) error {
	_, err := fmt.Fprintf(w, "%6d  %-8s  %s%s\n", it.ID, it.Status, safe(shown(it)), safe(remark(it)))
	return err
}

// shown returns the URL to print for an item: the one to cite, or without one the original.
func shown(it *review.Item) string { return orElse(it.Canonical(), it.Original) }

// remark returns the reasons why an item is in the queue or was rejected, to print after its URL.
func remark(it *review.Item) string {
	var words []string
	if it.Computed.Reason != 0 {
		words = append(words, it.Computed.Reason.String())
	}
	if flags := it.Computed.Flags; flags.Len() > 0 {
		words = append(words, codeList(flags))
	}
	if len(words) == 0 {
		return ""
	}
	return "  [" + strings.Join(words, ", ") + "]"
}
