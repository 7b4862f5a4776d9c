package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/review"
	"visto/ui/pane"
	"visto/ui/term"
)

func newShow(a *app) *cobra.Command {
	cmd := command("show ID|URL", "Show one URL with everything known about it", cobra.ExactArgs(1),
		a.atDesk(func(cmd *cobra.Command, desk *review.Desk, args []string) error {
			items, err := find(cmd.Context(), desk, args[0])
			if err != nil {
				return err
			}
			return a.print(func(w *printer) error { return a.show(cmd.Context(), w, desk, items) })
		}))
	cmd.ValidArgsFunction = a.completeIDs(review.Filter{})
	return cmd
}

// find returns the items that an argument names.
func find(ctx context.Context, desk *review.Desk, arg string) ([]review.Item, error) {
	items, err := desk.Find(ctx, arg)
	if errors.Is(err, review.ErrNotFound) {
		return nil, unknown(arg)
	}
	return items, err
}

// unknown says that nothing stored is what an argument names. A shell cuts a URL without quotes at its first "&".
func unknown(arg string) error {
	err := fmt.Errorf("looking for %q: %w", arg, review.ErrNotFound)
	if _, query, _ := strings.Cut(arg, "?"); strings.Contains(query, "=") && !strings.Contains(query, "&") {
		return withHint(err, "the shell ends a URL without quotes at its first &: put the URL in quotes; "+
			"visto list --status all shows all URLs")
	}
	return err
}

func (a *app) show(ctx context.Context, w *printer, desk *review.Desk, items []review.Item) error {
	for _, it := range items {
		if a.json {
			out, err := desk.Exported(ctx, it)
			if err == nil {
				err = w.data(out)
			}
			if err != nil {
				return err
			}
			continue
		}
		detail, err := desk.Detail(ctx, it.ID)
		if err != nil {
			return err
		}
		(&sheet{w: w, width: columns(a.out)}).detail(detail, desk.Policy())
	}
	return nil
}

// sheet writes named values, one below the other, wrapped to the width of the screen.
type sheet struct {
	w     io.Writer
	width int
	head  string // of the present part, until its first row
}

const nameWidth = 14

// row writes one named value. An empty value writes nothing.
func (s *sheet) row(name, value string) {
	if value == "" {
		return
	}
	if s.head != "" {
		fmt.Fprintf(s.w, "\n%s\n", s.head)
		s.head = ""
	}
	for i, line := range term.Wrap(safe(value), max(20, s.width-nameWidth)) {
		if i > 0 {
			name = ""
		}
		fmt.Fprintf(s.w, "%-*s%s\n", nameWidth, name, line)
	}
}

func (s *sheet) detail(d *review.Detail, policy *canon.Policy) {
	it, r := &d.Item, &d.Result
	s.row(fmt.Sprintf("#%d", it.ID), pane.StatusText(it))
	s.row("original", r.Original)
	s.row("canonical", r.Canonical)
	if it.Status == review.Approved && it.Canonical() != r.Canonical {
		s.row("approved", it.Canonical())
	}
	if d := it.Decision; d != nil && d.CanonicalOf != nil {
		s.row("approved by", fmt.Sprintf("%s, as the canonical URL of #%d %s", d.Reviewer, d.CanonicalOf.ID,
			d.CanonicalOf.Original))
	}
	s.row("assigned", pane.AssignmentText(d.Assignment))
	s.row("normalized", normalized(r))
	s.row("title", it.Title)
	s.cited(d)
	for _, by := range it.Citers(d.Files) {
		s.row("", pane.Alone(it, &by))
	}
	if r.Verdict == canon.Rejected {
		s.row("rejected", r.Reason.String()+": "+r.Detail)
	}
	for _, f := range d.Flags()[:len(d.Flags())-len(r.Flags)] {
		s.row("flag", f.Code.String()+": "+cmp.Or(f.Detail, f.Code.Summary()))
	}
	for _, f := range facts(r)[1:] {
		s.row(f[0], f[1])
	}
	s.rules(it.Computed.Flags, policy)
	s.trace(r.Trace)
	s.evidence(d.Evidence)
	s.checks(d)
	s.overrides(d.Overrides)
	s.notes(d.Notes)
	s.history(d)
	s.twins(d.Twins)
	fmt.Fprintln(s.w)
}

// rules writes the policy's own words on the flags, each once.
func (s *sheet) rules(flags canon.CodeSet, policy *canon.Policy) {
	seen := map[string]bool{}
	for _, c := range flags.Codes() {
		if text := policy.Rule(c); !seen[text] {
			seen[text] = true
			s.row("rule", text)
		}
	}
}

// normalized returns the comparison key, or nothing if it is the canonical URL itself.
func normalized(r *canon.Result) string {
	if r.Canonical == "" || r.Normalized() == r.Canonical {
		return ""
	}
	return r.Normalized()
}

// cited writes the places where a URL stands.
func (s *sheet) cited(d *review.Detail) {
	name := "cited by"
	for _, o := range d.Item.Occurrences {
		s.row(name, pane.Cited(o, d.Files))
		name = ""
	}
}

func (s *sheet) trace(trace []canon.Entry) {
	s.head = "Steps"
	for _, e := range trace {
		s.row("  "+e.Step, entryNote(e))
		if e.After != e.Before {
			s.row("", e.After)
		}
	}
}

func (s *sheet) evidence(ev *canon.Evidence) {
	s.head = "Evidence"
	for _, f := range pane.EvidenceFields(ev, time.Now()) {
		s.row("  "+safe(f.Name), f.Value)
	}
}

func (s *sheet) checks(d *review.Detail) {
	s.head = "Checks of the link"
	for _, f := range pane.CheckFields(d, pane.Outcomes) {
		s.row("  "+f.Name, f.Value)
	}
}

func (s *sheet) overrides(list []review.StoredOverride) {
	s.head = "Rules for it"
	for _, o := range list {
		s.row(fmt.Sprintf("  #%d", o.ID), o.Override.Match.String()+": "+ruleText(o.Override))
		s.row("", fmt.Sprintf("by %s at %s", o.Reviewer, pane.Stamp(o.At)))
	}
}

func (s *sheet) notes(notes []review.Note) {
	s.head = "Notes"
	for _, n := range notes {
		s.row("  "+n.Reviewer, fmt.Sprintf("%s (%s)", n.Text, pane.Stamp(n.At)))
	}
}

func (s *sheet) history(d *review.Detail) {
	s.head = "Decisions"
	for _, p := range d.History {
		text := fmt.Sprintf("by %s at %s, batch %d", p.Reviewer, pane.Stamp(p.At), p.Batch)
		if name := d.Item.CiterName(p.Record, d.Files); name != "" {
			text += ", for " + name + " alone"
		}
		text += pane.LookOf(&p.Decision)
		if p.Undone {
			text += ", undone"
		}
		s.row("  "+p.Kind.String(), text)
		if p.Canonical != "" && p.Canonical != p.From {
			s.row("", p.Canonical)
		}
		s.row("", p.Note)
	}
}

func (s *sheet) twins(twins []review.Item) {
	s.head = "The same page"
	for _, t := range twins {
		s.row(fmt.Sprintf("  #%d", t.ID), fmt.Sprintf("%s (%s)", t.Original, t.Status))
	}
}
