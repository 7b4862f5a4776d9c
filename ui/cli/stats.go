package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/review"
	"visto/ui/pane"
)

func newStats(a *app) *cobra.Command {
	return command("stats", "Count the stored, decided and waiting URLs", cobra.NoArgs,
		a.atDesk(func(cmd *cobra.Command, desk *review.Desk, _ []string) error {
			stats, err := desk.Stats(cmd.Context())
			if err != nil {
				return err
			}
			return a.print(func(w *printer) error {
				if a.json {
					return w.data(statsData(stats))
				}
				printStats(w, stats, desk.Policy().ID())
				return nil
			})
		}))
}

// statsJSON is review.Stats with names in the place of numbers.
type statsJSON struct {
	Total          int                 `json:"total"`
	Unfinished     int                 `json:"unfinished,omitempty"` // URLs
	Open           int                 `json:"open"`
	Reviewed       int                 `json:"reviewed"`
	Verdicts       map[string]int      `json:"verdicts"`
	Statuses       map[string]int      `json:"statuses"`
	OpenFlags      map[string]int      `json:"open_flags"`
	Flags          map[string]int      `json:"flags"`
	OpenHosts      map[string]int      `json:"open_hosts"`
	DecisionCounts []decisionCountJSON `json:"decision_counts"`
	workJSON
	Agreement  agreementJSON   `json:"agreement"`
	Agreements []agreementJSON `json:"agreements"`
}

// agreementJSON is a review.Agreement. Without Kappa there is none.
type agreementJSON struct {
	Reviewers []string `json:"reviewers,omitempty"`
	N         int      `json:"n"`
	Alike     float64  `json:"alike"`
	Kappa     *float64 `json:"kappa,omitempty"`
}

func agreementData(a review.Agreement) agreementJSON {
	data := agreementJSON{N: a.N, Alike: a.Share()}
	if a.Reviewers != [2]string{} {
		data.Reviewers = a.Reviewers[:]
	}
	if kappa, ok := a.Kappa(); ok {
		data.Kappa = &kappa
	}
	return data
}

type decisionCountJSON struct {
	review.DecisionCount
	Decision string `json:"decision"`
}

func statsData(s review.Stats) statsJSON {
	data := statsJSON{Total: s.Total, Unfinished: s.Unfinished, Open: s.Open, Reviewed: s.Reviewed,
		Verdicts: named(s.Verdicts), Statuses: named(s.Statuses), OpenFlags: named(s.OpenFlags), Flags: named(s.Flags),
		OpenHosts: map[string]int{}, DecisionCounts: []decisionCountJSON{}, workJSON: workData(s),
		Agreement: agreementData(s.Agreement), Agreements: []agreementJSON{}}
	for _, a := range s.Agreements {
		data.Agreements = append(data.Agreements, agreementData(a))
	}
	for _, b := range s.Hosts {
		data.OpenHosts[b.Value] = b.N
	}
	for _, t := range s.DecisionCounts {
		data.DecisionCounts = append(data.DecisionCounts, decisionCountJSON{t, t.Kind.String()})
	}
	return data
}

// named returns counts by the names of their keys.
func named[K interface {
	comparable
	fmt.Stringer
}](counts map[K]int) map[string]int {
	byName := map[string]int{}
	for k, n := range counts {
		byName[k.String()] = n
	}
	return byName
}

// hostsShown is the number of hosts in the output for people.
const hostsShown = 10

func printStats(w io.Writer, s review.Stats, policy string) {
	rows := [][]any{{"URLs", s.Total, "policy " + policy}, {"open", s.Open, "wait for a person"},
		{"reviewed", s.Reviewed, progress(s)}}
	if s.Unfinished > 0 {
		rows = slices.Insert(rows, 1, []any{"unfinished", s.Unfinished, "do not follow a change of many URLs yet"})
	}
	for st := review.Pending; st <= review.Deferred; st++ {
		rows = append(rows, []any{"  " + st.String(), s.Statuses[st]})
	}
	table(w, rows...)
	printFlagCounts(w, s)
	printHosts(w, s.Hosts)
	printPace(w, s)
	printAgreement(w, s)
	printDecisionCounts(w, s.DecisionCounts)
}

func progress(s review.Stats) string {
	if s.Open+s.Reviewed == 0 {
		return "nothing needed a person"
	}
	return fmt.Sprintf("of %d that needed a person (%d %%)", s.Open+s.Reviewed, 100*s.Reviewed/(s.Open+s.Reviewed))
}

func printFlagCounts(w io.Writer, s review.Stats) {
	var rows [][]any
	for _, c := range canon.Codes() {
		if s.Flags[c] > 0 {
			rows = append(rows, []any{c, s.OpenFlags[c], s.Flags[c]})
		}
	}
	printCounts(w, []any{"FLAG", "OPEN", "ALL"}, rows)
}

func printHosts(w io.Writer, hosts []review.Bucket) {
	var rows [][]any
	for i, b := range hosts {
		if i == hostsShown {
			rows = append(rows, []any{fmt.Sprintf("and %d more", len(hosts)-i), ""})
			break
		}
		rows = append(rows, []any{cmp.Or(b.Value, "(none)"), b.N})
	}
	printCounts(w, []any{"HOST", "OPEN"}, rows)
}

func printAgreement(w io.Writer, s review.Stats) {
	if s.Agreement.N == 0 {
		return
	}
	fmt.Fprintln(w)
	for _, a := range append([]review.Agreement{s.Agreement}, s.Agreements...) {
		fmt.Fprintln(w, safe(pane.AgreementText(&a)))
	}
}

func printDecisionCounts(w io.Writer, counts []review.DecisionCount) {
	var rows [][]any
	for _, c := range counts {
		rows = append(rows, []any{c.Day, c.Reviewer, c.Kind, c.N})
	}
	printCounts(w, []any{"DAY", "REVIEWER", "DECISION", "URLS"}, rows)
}

// printCounts prints a table below an empty line and its heading, if it has rows.
func printCounts(w io.Writer, heading []any, rows [][]any) {
	if len(rows) > 0 {
		fmt.Fprintln(w)
		table(w, append([][]any{heading}, rows...)...)
	}
}
