package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"visto/review"
)

func newExport(a *app) *cobra.Command {
	var filter filterFlags
	var format, output string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the registry: accepted and approved URLs",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			kind, ok := map[string]review.Format{"jsonl": review.JSONL, "csv": review.CSV}[format]
			if !ok {
				return usage(cmd, fmt.Errorf("--format: %q is neither jsonl nor csv", format))
			}
			return a.withDesk(cmd.Context(), uses, func(desk *review.Desk) error {
				registry := review.Filter{Statuses: []review.Status{review.Accepted, review.Approved}}
				f, err := filter.filter(cmd.Context(), cmd, desk, registry)
				if err != nil {
					return err
				}
				return a.export(cmd.Context(), desk, kind, f, output)
			})
		},
	}
	filter.register(cmd, "accepted,approved")
	cmd.Flags().StringVar(&format, "format", "jsonl", "`FORMAT`: jsonl or csv")
	cmd.Flags().StringVarP(&output, "output", "o", "", "`FILE` to write, in place of stdout")
	complete(cmd, "format", func() []string { return []string{"jsonl", "csv"} })
	return cmd
}

func (a *app) export(
	ctx context.Context, desk *review.Desk, format review.Format, f review.Filter, output string,
) error {
	var n int
	write := func(w io.Writer) (err error) {
		n, err = desk.Export(ctx, w, format, f)
		return err
	}
	return a.printTo(output, write, func() string { return count(n, "URL") })
}
