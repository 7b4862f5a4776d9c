package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"visto/review"
	"visto/ui/pane"
)

func newList(a *app) *cobra.Command {
	var filter filterFlags
	var order orderFlags
	var ids, stale bool
	cmd := command("list", "List the queue, or any stored URLs", cobra.NoArgs,
		a.atDesk(func(cmd *cobra.Command, desk *review.Desk, _ []string) error {
			f, err := filter.filter(cmd, desk, review.Filter{Open: true})
			if err != nil {
				return err
			}
			if stale {
				f.Due = time.Now()
			}
			return a.printItems(cmd.Context(), desk, order.query(f), order.limit, ids)
		}))
	filter.register(a, cmd, "open")
	order.register(a, cmd)
	cmd.Flags().BoolVar(&stale, "stale", false, "without evidence from the network, or with evidence that is stale")
	cmd.Flags().BoolVar(&ids, "ids", false, "print only the numbers, for visto approve -")
	return cmd
}

// printItems prints the items of a query in the form that the flags choose, at most limit of them; limit 0 means all.
func (a *app) printItems(ctx context.Context, desk *review.Desk, q review.Query, limit int, ids bool) error {
	return a.print(func(w *printer) error {
		if a.json && !ids {
			return desk.EachExported(ctx, q, limit, func(out review.Exported) error { return w.data(out) })
		}
		return each(ctx, desk, q, limit, func(it review.Item) error {
			if ids {
				_, err := fmt.Fprintln(w, it.ID)
				return err
			}
			return printItem(w, &it)
		})
	})
}

// printItem writes an item as one line.
func printItem(w io.Writer, it *review.Item) error {
	_, err := fmt.Fprintf(w, "%6d  %-8s  %s%s\n", it.ID, it.Status, safe(pane.Shown(it)), safe(remark(it)))
	return err
}

// remark returns the reasons why an item is in the queue or was rejected, to print after its URL.
func remark(it *review.Item) string {
	var words []string
	if it.Computed.Reason != 0 {
		words = append(words, it.Computed.Reason.String())
	}
	if looks := pane.LooksText(it); looks != "" {
		words = append(words, looks)
	}
	if flags := it.Computed.Flags; flags.Len() > 0 {
		words = append(words, codeList(flags))
	}
	if len(words) == 0 {
		return ""
	}
	return "  [" + strings.Join(words, ", ") + "]"
}
