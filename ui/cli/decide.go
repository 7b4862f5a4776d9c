package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/review"
)

// verb describes one of the four commands that decide.
type verb struct {
	kind              review.Kind
	name, done, short string
}

var (
	approve = verb{review.Approve, "approve", "approved", "Approve URLs as shown, or corrected with --as"}
	reject  = verb{review.Reject, "reject", "rejected", "Reject URLs"}
	deferIt = verb{review.Defer, "defer", "deferred", "Put URLs off"}
	reopen  = verb{review.Reopen, "reopen", "reopened", "Put URLs back into the queue"}
)

// decidable selects the URLs that the filter flags narrow: those that wait for a person, or to reopen the decided ones.
// The name is that of the help.
func (v verb) decidable() (f review.Filter, name string) {
	if v.kind == review.Reopen {
		decided := []review.Status{review.Approved, review.Rejected, review.Deferred}
		return review.Filter{Statuses: decided}, "approved,rejected,deferred"
	}
	return review.Filter{Open: true}, "open"
}

func newDecide(a *app, v verb) *cobra.Command {
	choice := review.Choice{Kind: v.kind}
	var filter filterFlags
	var dry, asTyped bool
	var record string
	cmd := command(v.name+" [ID...]", v.short, cobra.ArbitraryArgs, func(cmd *cobra.Command, args []string) error {
		byFilter := filter.given(cmd)
		if (len(args) > 0) == byFilter {
			return usage(cmd, errors.New("name URLs, or select them by filter flags: one of the two"))
		}
		if byFilter && record != "" {
			return usage(cmd, errors.New("--record decides for one record of one URL: name the URL"))
		}
		if asTyped && choice.Canonical == "" {
			return usage(cmd, errors.New("--as-typed takes the URL of --as: give both"))
		}
		if choice.Canonical != "" {
			choice.Kind = review.Correct
		}
		if asTyped {
			choice.Kind = review.CorrectAsTyped
		}
		return a.withDesk(cmd.Context(), uses, func(desk *review.Desk) error {
			if byFilter {
				return a.decideAll(cmd, desk, v, choice, &filter, dry)
			}
			return a.decide(cmd, desk, v, choice, args, record)
		})
	})
	which, decidable := v.decidable()
	cmd.ValidArgsFunction = a.completeIDs(which)
	filter.register(a, cmd, decidable)
	cmd.Flags().BoolVar(&dry, "dry-run", false, "with filter flags: print their number, and decide nothing")
	cmd.Flags().StringVar(&choice.Note, "note", "", "`TEXT` kept with the decision")
	cmd.Flags().StringVar(&record, "record", "", "of the records that cite the URL only this one: `ID|NAME`")
	if v.kind == review.Approve {
		cmd.Flags().StringVar(&choice.Canonical, "as", "", "approve this `URL` in place of the canonical one")
		cmd.Flags().BoolVar(&asTyped, "as-typed", false, "take the URL of --as exactly as it is typed")
	}
	return cmd
}

// decideAll decides on the URLs that the filter flags select.
func (a *app) decideAll(
	cmd *cobra.Command, desk *review.Desk, v verb, choice review.Choice, flags *filterFlags, dry bool,
) error {
	if choice.Canonical != "" {
		return usage(cmd, errors.New("--as corrects one URL: name it"))
	}
	decidable, _ := v.decidable()
	f, err := flags.filter(cmd, desk, decidable)
	if err != nil {
		return err
	}
	if dry {
		n, err := desk.Count(cmd.Context(), f)
		if err != nil {
			return err
		}
		return a.print(func(w *printer) error {
			_, err := fmt.Fprintf(w, "%s would be %s\n", count(n, "URL"), v.done)
			return err
		})
	}
	receipt, err := desk.DecideAll(cmd.Context(), choice, f)
	if err != nil {
		return fmt.Errorf("%s: %w", v.name, err)
	}
	if receipt.Batch == 0 && len(receipt.Conflicts) == 0 {
		a.warn("no URL matches the filter\n")
	}
	return a.decided(v.done, receipt)
}

func (a *app) decide(
	cmd *cobra.Command, desk *review.Desk, v verb, choice review.Choice, args []string, record string,
) error {
	targets, err := a.targets(cmd.Context(), desk, args)
	if err == nil && record != "" {
		choice.Record, err = citer(cmd.Context(), desk, targets, record)
	}
	if err != nil {
		return err
	}
	if choice.Canonical != "" {
		if len(targets) != 1 {
			return usage(cmd, fmt.Errorf("--as corrects one URL, and %d are named", len(targets)))
		}
		if err := a.checkCorrection(cmd.Context(), desk, choice.Canonical); err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
	}
	receipt, err := desk.Decide(cmd.Context(), choice, targets...)
	if err != nil {
		return fmt.Errorf("%s: %w", v.name, err)
	}
	return a.decided(v.done, receipt)
}

// citer returns the number of the one record with that ID or name that cites the target.
func citer(ctx context.Context, desk *review.Desk, targets []review.Target, record string) (int64, error) {
	if len(targets) != 1 {
		return 0, fmt.Errorf("--record decides on one URL, and %d are named", len(targets))
	}
	d, err := desk.Detail(ctx, targets[0].ID)
	if err != nil {
		return 0, err
	}
	var names []string
	var number int64
	found := 0
	for _, by := range d.Item.Citers(d.Files) {
		if names = append(names, by.Name); by.Is(record) {
			number, found = by.Number, found+1
		}
	}
	switch {
	case len(names) < 2:
		return 0, withHint(fmt.Errorf("URL %d is not cited by several records", d.Item.ID), "decide without --record")
	case found != 1:
		return 0, withHint(fmt.Errorf("URL %d is cited by %s called %q", d.Item.ID, count(found, "record"), record),
			"it is cited by: %s", strings.Join(names, "; "))
	}
	return number, nil
}

// checkCorrection prints the flags of a corrected URL.
func (a *app) checkCorrection(ctx context.Context, desk *review.Desk, url string) error {
	c, err := desk.Correction(ctx, url)
	for _, f := range c.Result.Flags {
		if c.Result.Verdict != canon.Rejected {
			a.warn("%s: %s\n", f.Code, safe(f.Detail))
		}
	}
	return err
}

// targets finds the items that the arguments name, each once. A lone - stands for the lines of stdin.
func (a *app) targets(ctx context.Context, desk *review.Desk, args []string) ([]review.Target, error) {
	names, err := a.names(ctx, args)
	if err != nil {
		return nil, err
	}
	var targets []review.Target
	seen := map[int64]bool{}
	for _, name := range names {
		it, err := findOne(ctx, desk, name)
		if err != nil {
			return nil, err
		}
		if !seen[it.ID] {
			seen[it.ID] = true
			targets = append(targets, review.Target{ID: it.ID, Rev: it.Rev})
		}
	}
	if len(targets) == 0 {
		return nil, errors.New("reading stdin: no URL is named")
	}
	return targets, nil
}

func (a *app) names(ctx context.Context, args []string) ([]string, error) {
	if len(args) != 1 || args[0] != "-" {
		return args, nil
	}
	var names []string
	scan := bufio.NewScanner(interruptible(ctx, a.in))
	for scan.Scan() {
		if name := canon.Trim(scan.Text()); name != "" {
			names = append(names, name)
		}
	}
	if err := scan.Err(); err != nil {
		return nil, fmt.Errorf("reading stdin: %w", err)
	}
	return names, nil
}

func findOne(ctx context.Context, desk *review.Desk, name string) (review.Item, error) {
	items, err := find(ctx, desk, name)
	if err != nil {
		return review.Item{}, err
	}
	if len(items) > 1 {
		var ids []string
		for _, it := range items {
			ids = append(ids, fmt.Sprint(it.ID))
		}
		return review.Item{}, withHint(fmt.Errorf("looking for %q: %d entries have this URL", name, len(items)),
			"name one by its number: %s", strings.Join(ids, ", "))
	}
	return items[0], nil
}

// receiptJSON is the output of a writing command with --json.
type receiptJSON struct {
	Batch     int64 `json:"batch"`
	Decided   int   `json:"decided"`
	Waiting   int   `json:"waiting,omitempty"` // of those decided, for a second person
	Updated   int   `json:"updated"`
	Conflicts int   `json:"conflicts"`
}

func receiptData(r review.Receipt) receiptJSON {
	return receiptJSON{r.Batch, r.Decided, r.Waiting, r.Updated, len(r.Conflicts)}
}

// decided reports a receipt. The line is printed only once the decision is durable.
func (a *app) decided(done string, r review.Receipt) error {
	for _, c := range r.Conflicts {
		a.warn("%s\n", safe(masked(c.Error())))
	}
	err := a.print(func(w *printer) error {
		if r.Batch == 0 && !a.json {
			return nil
		}
		waiting := ""
		if r.Waiting > 0 {
			waiting = fmt.Sprintf(", %d of them waiting for another person's approval", r.Waiting)
		}
		return w.line(receiptData(r), "%s %s%s (batch %d)\n", done, count(r.Decided, "URL"), waiting, r.Batch)
	})
	if err == nil && len(r.Conflicts) > 0 {
		return quiet(statusFailed)
	}
	return err
}
