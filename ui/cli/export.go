package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"visto/review"
)

func newExport(a *app) *cobra.Command {
	var filter filterFlags
	var format, output string
	cmd := command("export", "Write the registry: accepted and approved URLs", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error {
			kind, ok := map[string]review.Format{"jsonl": review.JSONL, "csv": review.CSV}[format]
			if !ok {
				return usage(cmd, fmt.Errorf("--format: %q is neither jsonl nor csv", format))
			}
			return a.withDesk(cmd.Context(), uses, func(desk *review.Desk) error {
				registry := review.Filter{Statuses: []review.Status{review.Accepted, review.Approved}}
				f, err := filter.filter(cmd, desk, registry)
				if err != nil {
					return err
				}
				var n int
				write := func(w io.Writer) (err error) {
					n, err = desk.Export(cmd.Context(), w, kind, f)
					return err
				}
				return a.printTo(output, write, func() string { return count(n, "URL") })
			})
		})
	filter.register(cmd, "accepted,approved")
	cmd.Flags().StringVar(&format, "format", "jsonl", "`FORMAT`: jsonl or csv")
	cmd.Flags().StringVarP(&output, "output", "o", "", "`FILE` to write, in place of stdout")
	complete(cmd, "format", "jsonl", "csv")
	return cmd
}
