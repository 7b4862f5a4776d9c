package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"visto/review"
	"visto/ui/pane"
)

func newLog(a *app) *cobra.Command {
	var limit int
	var output string
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Show the audit log, newest first",
		Long: `Show who did what and when, newest first. The log is append-only: an undo is an
entry of its own. The number in the second column is the batch, which visto
undo takes. --json prints the entries in full, with all changes and the
hashes that chain them. --export verifies the chain and writes the whole log,
oldest first, for visto log verify.`,
		Example: `  visto log
  visto log --limit 0 --json
  visto log --export log-2026-02-18.jsonl`,
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 0 {
				return usage(cmd, fmt.Errorf("--limit: %d is less than 0", limit))
			}
			if output != "" && cmd.Flags().Changed("limit") {
				return usage(cmd, errors.New("--limit: --export writes the whole log"))
			}
			return a.withDesk(cmd.Context(), uses, func(desk *review.Desk) error {
				if output != "" {
					return a.exportLog(cmd.Context(), desk, output)
				}
				return a.print(func(w io.Writer) error { return a.printLog(cmd, w, desk, limit) })
			})
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 50, "at most `N` entries; 0 means all")
	cmd.Flags().StringVar(&output, "export", "", "write the whole log to this `FILE`")
	cmd.AddCommand(newLogVerify(a))
	return cmd
}

func (a *app) printLog(cmd *cobra.Command, w io.Writer, desk *review.Desk, limit int) error {
	var before int64
	for done := 0; ; {
		want := pageSize
		if limit > 0 {
			want = min(want, limit-done)
		}
		if want == 0 {
			return nil
		}
		page, err := desk.Log(cmd.Context(), before, want)
		if err != nil {
			return err
		}
		for i := range page {
			if err := a.printEntry(cmd.Context(), w, desk, &page[i]); err != nil {
				return err
			}
		}
		if done += len(page); len(page) < want {
			return nil
		}
		before = page[len(page)-1].Seq
	}
}

func (a *app) printEntry(ctx context.Context, w io.Writer, desk *review.Desk, e *review.EntryInfo) error {
	if a.json {
		whole, err := desk.Entry(ctx, e.Seq)
		if err != nil {
			return err
		}
		return a.printJSON(w, whole)
	}
	batch := "-"
	if e.Batch != 0 {
		batch = fmt.Sprint(e.Batch)
	}
	_, err := fmt.Fprintf(w, "%6d  %5s  %s  %-12s  %-8s  %s\n",
		e.Seq, batch, pane.Stamp(e.At), safe(e.Reviewer), e.Action, safe(e.Summary))
	return err
}
