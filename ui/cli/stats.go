package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/review"
)

func newStats(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "stats",
		Short: "Count the stored, decided and waiting URLs",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withDesk(cmd.Context(), uses, func(desk *review.Desk) error {
				stats, err := desk.Stats(cmd.Context())
				if err != nil {
					return err
				}
				return a.print(func(w io.Writer) error {
					if a.json {
						return a.printJSON(w, statsData(stats))
					}
					return printStats(w, stats, desk.Policy().ID())
				})
			})
		},
	}
}

// statsJSON is review.Stats with names in the place of numbers.
type statsJSON struct {
	Total          int                 `json:"total"`
	Open           int                 `json:"open"`
	Reviewed       int                 `json:"reviewed"`
	Verdicts       map[string]int      `json:"verdicts"`
	Statuses       map[string]int      `json:"statuses"`
	OpenFlags      map[string]int      `json:"open_flags"`
	Flags          map[string]int      `json:"flags"`
	OpenHosts      map[string]int      `json:"open_hosts"`
	DecisionCounts []decisionCountJSON `json:"decision_counts"`
	workJSON
}

type decisionCountJSON struct {
	review.DecisionCount
	Decision string `json:"decision"`
}

func statsData(s review.Stats) statsJSON {
	data := statsJSON{Total: s.Total, Open: s.Open, Reviewed: s.Reviewed,
		Verdicts: named(s.Verdicts), Statuses: named(s.Statuses), OpenFlags: named(s.OpenFlags), Flags: named(s.Flags),
		OpenHosts: map[string]int{}, DecisionCounts: []decisionCountJSON{}, workJSON: workData(s)}
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

func printStats(w io.Writer, s review.Stats, policy string) error {
	rows := [][]string{
		{"URLs", fmt.Sprint(s.Total), "policy " + policy},
		{"open", fmt.Sprint(s.Open), "wait for a person"},
		{"reviewed", fmt.Sprint(s.Reviewed), progress(s)},
	}
	for st := review.Pending; st <= review.Deferred; st++ {
		rows = append(rows, []string{"  " + st.String(), fmt.Sprint(s.Statuses[st])})
	}
	if err := table(w, rows); err != nil {
		return err
	}
	if err := printFlagCounts(w, s); err != nil {
		return err
	}
	if err := printHosts(w, s.Hosts); err != nil {
		return err
	}
	if err := printPace(w, s); err != nil {
		return err
	}
	return printDecisionCounts(w, s.DecisionCounts)
}

func progress(s review.Stats) string {
	if s.Open+s.Reviewed == 0 {
		return "nothing needed a person"
	}
	return fmt.Sprintf("of %d that needed a person (%d %%)", s.Open+s.Reviewed, 100*s.Reviewed/(s.Open+s.Reviewed))
}

func printFlagCounts(w io.Writer, s review.Stats) error {
	rows := [][]string{{"", "", ""}, {"FLAG", "OPEN", "ALL"}}
	for _, c := range canon.Codes() {
		if s.Flags[c] > 0 {
			rows = append(rows, []string{c.String(), fmt.Sprint(s.OpenFlags[c]), fmt.Sprint(s.Flags[c])})
		}
	}
	return tableIfAny(w, rows)
}

func printHosts(w io.Writer, hosts []review.Bucket) error {
	rows := [][]string{{"", ""}, {"HOST", "OPEN"}}
	for i, b := range hosts {
		if i == hostsShown {
			rows = append(rows, []string{fmt.Sprintf("and %d more", len(hosts)-i), ""})
			break
		}
		rows = append(rows, []string{orElse(b.Value, "(none)"), fmt.Sprint(b.N)})
	}
	return tableIfAny(w, rows)
}

func printDecisionCounts(w io.Writer, counts []review.DecisionCount) error {
	rows := [][]string{{"", "", "", ""}, {"DAY", "REVIEWER", "DECISION", "URLS"}}
	for _, c := range counts {
		rows = append(rows, []string{c.Day, c.Reviewer, c.Kind.String(), fmt.Sprint(c.N)})
	}
	return tableIfAny(w, rows)
}

// tableIfAny prints a table if it has rows below its two lines of heading.
func tableIfAny(w io.Writer, rows [][]string) error {
	if len(rows) == 2 {
		return nil
	}
	return table(w, rows)
}
