package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"visto/review"
)

func newNote(a *app) *cobra.Command {
	cmd := command("note ID... TEXT", "Add a note to URLs", cobra.MinimumNArgs(2),
		a.atDesk(func(cmd *cobra.Command, desk *review.Desk, args []string) error {
			names, text := args[:len(args)-1], args[len(args)-1]
			targets, err := a.targets(cmd.Context(), desk, names)
			if errors.Is(err, review.ErrNotFound) && len(names) > 1 {
				return withHint(err, "a text of several words stands in quotes: visto note %s \"TEXT\"", names[0])
			}
			if err != nil {
				return err
			}
			ids := make([]int64, len(targets))
			for i, t := range targets {
				ids[i] = t.ID
			}
			receipt, err := desk.Note(cmd.Context(), text, ids...)
			if err != nil {
				return err
			}
			return a.print(func(w *printer) error {
				return w.line(noteJSON{receipt.Batch, len(ids)}, "noted on %s (batch %d)\n", count(len(ids), "URL"),
					receipt.Batch)
			})
		}))
	cmd.ValidArgsFunction = a.completeIDs(review.Filter{})
	return cmd
}

// noteJSON is the output of note with --json.
type noteJSON struct {
	Batch int64 `json:"batch"`
	Noted int   `json:"noted"`
}
