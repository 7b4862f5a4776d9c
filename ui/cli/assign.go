package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"visto/review"
)

// assignCmd is the command assign.
type assignCmd struct {
	app    *app
	filter filterFlags
	to     []string
	by     string
	again  bool
	clear  bool
	dry    bool
}

// sharingWays are the values of --by.
var sharingWays = []string{"host", "count"}

func newAssign(a *app) *cobra.Command {
	c := &assignCmd{app: a}
	cmd := command("assign", "Share URLs out among reviewers", cobra.NoArgs,
		a.atDesk(func(cmd *cobra.Command, desk *review.Desk, _ []string) error { return c.run(cmd, desk) }))
	c.filter.register(a, cmd, "open")
	f := cmd.Flags()
	listVar(f, &c.to, "to", "share out among these reviewers: `NAME,...`")
	f.StringVar(&c.by, "by", sharingWays[0], "share out whole hosts (host), or as many URLs to each (count): `WAY`")
	f.BoolVar(&c.again, "again", false, "share out also the URLs that a reviewer has already")
	f.BoolVar(&c.clear, "clear", false, "take back the assignments of the URLs that the filter flags select")
	f.BoolVar(&c.dry, "dry-run", false, "print who would get how many, and assign nothing")
	a.complete(cmd, "by", sharingWays...)
	checkFirst(cmd, func() error {
		switch {
		case c.clear == (len(c.to) > 0):
			return errors.New("name reviewers (--to ana,ben), or take assignments back (--clear): one of the two")
		case c.clear && !c.filter.given(cmd):
			return errors.New("--clear takes back the assignments of a filter: give one, such as --status open")
		case !slices.Contains(sharingWays, c.by):
			return noneOf("--by", c.by, sharingWays)
		}
		return nil
	})
	return cmd
}

// assignJSON is the output with --json.
type assignJSON struct {
	DryRun  bool             `json:"dry_run,omitempty"`
	Changed int              `json:"changed"`
	Kept    int              `json:"kept"`
	To      []review.Portion `json:"to,omitempty"`
}

func (c *assignCmd) run(cmd *cobra.Command, desk *review.Desk) error {
	filter, err := c.filter.filter(cmd, desk, review.Filter{Open: true})
	if err != nil {
		return err
	}
	sharing := review.Sharing{Filter: filter, To: c.to, ByCount: c.by == "count", Again: c.again}
	if c.clear {
		sharing.To = []string{review.Nobody}
	}
	shares, err := desk.Shares(cmd.Context(), sharing)
	if err != nil {
		return err
	}
	data := assignJSON{c.dry, shares.Changed, shares.Kept, shares.Portions}
	if !c.dry {
		if data.Changed, err = desk.Assign(cmd.Context(), shares); err != nil {
			return err
		}
	}
	return c.app.print(func(w *printer) error { return c.report(w, data) })
}

// report says who has how many URLs, and how many assignments changed.
func (c *assignCmd) report(w *printer, data assignJSON) error {
	if w.json {
		return w.data(data)
	}
	var rows [][]any
	for _, p := range data.To {
		rows = append(rows, []any{p.Reviewer, count(p.URLs, "URL"), fmt.Sprintf("%d of them new", p.New)})
	}
	table(w, rows...)
	if c.clear {
		_, err := fmt.Fprintf(w, "%s the assignments of %s\n", c.tense("take back", "took back"),
			count(data.Changed, "URL"))
		return err
	}
	_, err := fmt.Fprintf(w, "%s %s, and %d stay with those who have them\n", c.tense("assign", "assigned"),
		count(data.Changed, "URL"), data.Kept)
	return err
}

// tense says that something would be done, or is.
func (c *assignCmd) tense(would, done string) string {
	if c.dry {
		return "would " + would
	}
	return done
}
