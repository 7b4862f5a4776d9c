package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"visto/review"
)

func newCheck(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "check",
		Short: "Check the database and the chain of its log",
		Long: `Check that the file is sound, that each entry of the log carries the hash of
the one before it, and that doing again what the log says gives what is stored.
Prints what is wrong and fails, or says that all is well.`,
		Example: `  visto check
  visto check --db backup.db`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withDesk(cmd.Context(), uses, func(desk *review.Desk) error {
				problems, err := desk.Check(cmd.Context())
				if err != nil {
					return err
				}
				return a.print(func(w io.Writer) error { return a.printProblems(w, problems) })
			})
		},
	}
}

func (a *app) printProblems(w io.Writer, problems []review.Problem) error {
	for _, p := range problems {
		if a.json {
			if err := a.printJSON(w, map[string]string{"what": p.What, "text": p.Text}); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(w, "%s: %s\n", p.What, safe(p.Text))
	}
	if len(problems) > 0 {
		return fmt.Errorf("checking: %s found", count(len(problems), "problem"))
	}
	if a.json {
		return nil
	}
	_, err := fmt.Fprintln(w, "the database, its log and its state are sound")
	return err
}
