package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"visto/review"
	"visto/store/file"
	"visto/store/sqlite"
)

func newCheck(a *app) *cobra.Command {
	var replay bool
	cmd := command("check", "Check the database and the chain of its log", cobra.NoArgs,
		a.atDesk(func(cmd *cobra.Command, desk *review.Desk, _ []string) error {
			checks := []checkOf{desk.Doors}
			if replay {
				checks = append(checks, func(ctx context.Context) ([]review.Problem, error) { return replayLog(ctx, desk) })
			}
			return a.checkDesk(cmd.Context(), desk, checks...)
		}))
	cmd.Flags().BoolVar(&replay, "replay", false, "repeat the whole log in a fresh database, and compare")
	return cmd
}

// replayLog replays the log in a temporary database.
func replayLog(ctx context.Context, desk *review.Desk) (problems []review.Problem, err error) {
	folder, err := file.NewFolder(os.TempDir())
	if err != nil {
		return nil, fmt.Errorf("replaying the log: %w", err)
	}
	defer folder.Close()
	var fresh *sqlite.Store
	defer func() {
		if fresh != nil {
			err = errors.Join(err, fresh.Close())
		}
	}()
	return desk.Replay(ctx, func(now func() time.Time) (review.Replayer, error) {
		var err error
		fresh, err = sqlite.Open(ctx, filepath.Join(folder.Path, "visto.db"), sqlite.Options{Create: true, Now: now})
		return fresh, err
	})
}

// checkOf is a check of a database.
type checkOf func(context.Context) ([]review.Problem, error)

// checkDesk runs desk.Check and more checks, and prints what they find. It fails if there is a problem.
func (a *app) checkDesk(ctx context.Context, desk *review.Desk, more ...checkOf) error {
	var problems []review.Problem
	for _, check := range append([]checkOf{desk.Check}, more...) {
		found, err := check(ctx)
		if err != nil {
			return err
		}
		problems = append(problems, found...)
	}
	pending, err := desk.PendingItems(ctx)
	if err != nil && len(problems) == 0 { // else it is one of them
		return err
	}
	totals, err := desk.Totals(ctx)
	if err != nil && len(problems) == 0 {
		return err
	}
	return a.print(func(w *printer) error { return printProblems(w, problems, pending, totals.Unfinished) })
}

// checkJSON is the output of check with --json.
type checkJSON struct {
	Sound    bool          `json:"sound"`
	Problems []problemJSON `json:"problems,omitempty"`
	Pending  int           `json:"pending,omitempty"` // URLs whose results were not compared

	Unfinished int `json:"unfinished,omitempty"` // URLs that were not compared
}

type problemJSON struct {
	What string `json:"what"`
	Text string `json:"text"`
}

func printProblems(w *printer, problems []review.Problem, pending, unfinished int) error {
	report := checkJSON{Sound: len(problems) == 0, Pending: pending, Unfinished: unfinished}
	for _, p := range problems {
		report.Problems = append(report.Problems, problemJSON{p.What, p.Text})
		if !w.json {
			fmt.Fprintf(w, "%s: %s\n", p.What, safe(p.Text))
		}
	}
	if w.json {
		w.data(report)
	}
	if pending > 0 && !w.json {
		fmt.Fprintf(w, "not compared: the results of %s, which new evidence about hosts is to change; "+
			"visto probe or the console does that\n", count(pending, "URL"))
	}
	if unfinished > 0 && !w.json {
		fmt.Fprintf(w, "not compared: %s that do not follow a change of many yet; every command that may write "+
			"goes on with that\n", count(unfinished, "URL"))
	}
	if !report.Sound {
		return fmt.Errorf("checking: %s found", count(len(problems), "problem"))
	}
	if !w.json {
		fmt.Fprintln(w, "the database, its log and its state are sound")
	}
	return nil
}
