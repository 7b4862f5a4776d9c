package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"visto/review"
	"visto/ui/pane"
)

func newLog(a *app) *cobra.Command {
	var limit int
	var output string
	cmd := command("log", "Show the audit log, newest first", noSuchCommand,
		func(cmd *cobra.Command, _ []string) error {
			if err := checkLimit(limit); err != nil {
				return usage(cmd, err)
			}
			if output != "" && cmd.Flags().Changed("limit") {
				return usage(cmd, errors.New("--limit: --export writes the whole log"))
			}
			return a.withDesk(cmd.Context(), uses, func(desk *review.Desk) error {
				if output != "" {
					return a.exportLog(cmd.Context(), desk, output)
				}
				return a.print(func(w *printer) error {
					if err := a.warnUnfinished(cmd.Context(), desk); err != nil {
						return err
					}
					return printLog(cmd.Context(), w, desk, limit)
				})
			})
		})
	cmd.Flags().IntVar(&limit, "limit", 50, "at most `N` entries; 0 means all")
	cmd.Flags().StringVar(&output, "export", "", "write the whole log to this `FILE`")
	cmd.AddCommand(newLogVerify(a))
	return cmd
}

// warnUnfinished says how many URLs do not follow the entries of the log yet.
func (a *app) warnUnfinished(ctx context.Context, desk *review.Desk) error {
	totals, err := desk.Totals(ctx)
	if err == nil && totals.Unfinished > 0 {
		a.warn("%v\n", review.UnfinishedError(totals.Unfinished))
	}
	return err
}

func printLog(ctx context.Context, w *printer, desk *review.Desk, limit int) error {
	var before int64
	return paged(limit, func(n int) (int, error) {
		page, err := desk.Log(ctx, before, n)
		for i := range page {
			if err := printEntry(ctx, w, desk, &page[i]); err != nil {
				return 0, err
			}
			before = page[i].Seq
		}
		return len(page), err
	})
}

func printEntry(ctx context.Context, w *printer, desk *review.Desk, e *review.EntryInfo) error {
	if w.json {
		whole, err := desk.Entry(ctx, e.Seq)
		if err != nil {
			return err
		}
		return w.data(whole)
	}
	batch := "-"
	if e.Batch != 0 {
		batch = fmt.Sprint(e.Batch)
	}
	_, err := fmt.Fprintf(w, "%6d  %5s  %s  %-12s  %-8s  %s\n",
		e.Seq, batch, pane.Stamp(e.At), safe(e.Reviewer), e.Action, safe(pane.EntrySummary(e)))
	return err
}
