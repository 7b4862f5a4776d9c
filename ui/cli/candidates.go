package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"visto/review"
	"visto/review/candidate"
	"visto/review/probe"
)

func newCandidates(a *app) *cobra.Command {
	var network networkFlags
	var record string
	cmd := command("candidates ID|URL", "Find pages to cite in the place of one URL", cobra.ExactArgs(1),
		func(cmd *cobra.Command, args []string) error {
			cfg, err := network.config(cmd)
			if err != nil {
				return err
			}
			return a.withDesk(cmd.Context(), uses, func(desk *review.Desk) error {
				return a.candidates(cmd.Context(), desk, cfg, args[0], record)
			})
		})
	cmd.Flags().StringVar(&record, "record", "",
		"the record that a page is wanted for, if several cite the URL: `ID|NAME`")
	network.register(cmd, true)
	cmd.ValidArgsFunction = a.completeIDs(review.Filter{})
	return cmd
}

// candidates asks the network and prints the pages.
func (a *app) candidates(ctx context.Context, desk *review.Desk, cfg probe.Config, name, record string) error {
	it, err := findOne(ctx, desk, name)
	if err != nil {
		return err
	}
	citer, err := citerFor(ctx, desk, it.ID, record)
	if err != nil {
		return err
	}
	screen := newProbeScreen(a, candidate.MaxRequests, "request")
	net := newNetwork(a, desk, cfg)
	defer net.close()
	list, err := net.Candidates(ctx, candidate.Question{Item: it.ID, Citer: citer, Now: time.Now()}, screen.asked())
	screen.end()
	var taken *review.LeaseError
	switch {
	case errors.As(err, &taken):
		return withHint(err, "wait until it ends, and ask again")
	case errors.Is(err, probe.ErrOffline):
		return withHint(err, "ask again once there is a network")
	case err != nil:
		return err
	}
	if len(list) == 0 {
		a.warn("no page was found that fits\n")
	}
	return a.print(func(w *printer) error { return printCandidates(w, list) })
}

// citerFor returns the number of the record that a page is wanted for, 0 if only one record, or none, cites the URL.
func citerFor(ctx context.Context, desk *review.Desk, id int64, record string) (int64, error) {
	d, err := desk.Detail(ctx, id)
	if err != nil {
		return 0, err
	}
	var names []string
	var numbers []int64
	for _, by := range d.Item.Citers(d.Files) {
		if names = append(names, by.Name); by.Is(record) {
			numbers = append(numbers, by.Number)
		}
	}
	hint := "name one with --record: " + strings.Join(names, "; ")
	switch {
	case len(numbers) == 1:
		return numbers[0], nil
	case record != "":
		return 0, withHint(fmt.Errorf("URL %d is cited by %s called %q", id, count(len(numbers), "record"), record),
			"it is cited by: %s", strings.Join(names, "; "))
	case len(names) > 1:
		return 0, withHint(fmt.Errorf("URL %d: %w", id, candidate.ErrCiters), "%s", hint)
	}
	return 0, nil
}

// candidateJSON is a line of --json.
type candidateJSON struct {
	URL   string   `json:"url"`
	Title string   `json:"title,omitempty"`
	Score float64  `json:"score"`
	Why   []string `json:"why"`
}

func printCandidates(w *printer, list []candidate.Candidate) error {
	for _, c := range list {
		data := candidateJSON{c.URL, c.Title, c.Score, c.Why}
		err := w.line(data, "%7.2f  %s\n", c.Score, safe(c.URL))
		if err == nil && !w.json {
			err = printBelow(w, c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// printBelow writes title and reasons below a URL.
func printBelow(w *printer, c candidate.Candidate) error {
	if c.Title != "" {
		fmt.Fprintf(w, "         %s\n", safe(c.Title))
	}
	_, err := fmt.Fprintf(w, "         %s\n", safe(strings.Join(c.Why, "; ")))
	return err
}
