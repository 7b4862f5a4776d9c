package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"visto/review"
	"visto/review/health"
)

func newExport(a *app) *cobra.Command {
	var filter filterFlags
	var order orderFlags
	var fields []string
	var format, output string
	cmd := command("export", "Write the registry: accepted and approved URLs", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error {
			kind, ok := map[string]review.Format{"jsonl": review.JSONL, "csv": review.CSV}[format]
			if !ok {
				return usage(cmd, noneOf("--format", format, []string{"jsonl", "csv"}))
			}
			if err := checkFields(fields, kind, format); err != nil {
				return usage(cmd, err)
			}
			return a.withDesk(cmd.Context(), uses, func(desk *review.Desk) error {
				registered := review.Registry()
				registered.LinkStates = []health.State{health.Active, health.Degraded}
				f, err := filter.filter(cmd, desk, registered)
				if err != nil {
					return err
				}
				opt := review.ExportOptions{Format: kind, Query: order.query(f), Limit: order.limit, Fields: fields}
				var n int
				var left review.UnfinishedError
				write := func(w io.Writer) (err error) {
					if n, err = desk.Export(cmd.Context(), w, opt); errors.As(err, &left) {
						err = nil
					}
					return err
				}
				err = a.printTo(cmd.Context(), output, write, func() string { return count(n, "URL") })
				if err == nil && left > 0 {
					a.complain(left)
					err = quiet(statusSkipped)
				}
				return err
			})
		})
	filter.register(a, cmd, "accepted,approved")
	order.register(a, cmd)
	listVar(cmd.Flags(), &fields, "fields", "only these fields or columns: `NAME,...`, in this order")
	a.complete(cmd, "fields", exportFields()...)
	cmd.Flags().StringVar(&format, "format", "jsonl", "`FORMAT`: jsonl or csv")
	cmd.Flags().StringVarP(&output, "output", "o", "", "`FILE` to write, in place of stdout")
	a.complete(cmd, "format", "jsonl", "csv")
	return cmd
}

// checkFields returns the error in --fields.
func checkFields(names []string, kind review.Format, format string) error {
	for i, name := range names {
		switch {
		case !slices.Contains(kind.Fields(), name):
			return fmt.Errorf("--fields: no field %q in %s%s", name, format, near(name, kind.Fields()))
		case slices.Contains(names[:i], name):
			return fmt.Errorf("--fields: %q is named twice", name)
		}
	}
	return nil
}

// exportFields returns the fields of all formats.
func exportFields() []string {
	names := append(review.JSONL.Fields(), review.CSV.Fields()...)
	slices.Sort(names)
	return slices.Compact(names)
}
