package cli

import (
	"fmt"
	"io"
	"time"

	"visto/review"
	"visto/ui/pane"
)

// workJSON is the part of review.Stats on how URLs were settled, and how fast.
type workJSON struct {
	Settled           settledJSON `json:"settled"`
	BatchesPerSettled float64     `json:"batches_per_settled"`
	Pace              paceJSON    `json:"pace"`
	Reviewers         []paceJSON  `json:"reviewers"`
	Days              []paceJSON  `json:"days"`
	LastHour          []int       `json:"last_hour"`
	LastAt            *time.Time  `json:"last_at"` // null if nothing was done
}

type settledJSON struct {
	Rules  int `json:"rules"`
	Single int `json:"single"`
	Bulk   int `json:"bulk"`
}

type paceJSON struct {
	Reviewer           string  `json:"reviewer,omitempty"`
	Day                string  `json:"day,omitempty"`
	Decisions          int     `json:"decisions"`
	Batches            int     `json:"batches"`
	ActiveSeconds      float64 `json:"active_seconds"`
	DecisionsPerMinute float64 `json:"decisions_per_minute"`
}

func workData(s review.Stats) workJSON {
	data := workJSON{Settled: settledJSON(s.Settled), BatchesPerSettled: s.BatchesPerSettled(),
		Pace: paceData("", "", s.Pace), Reviewers: []paceJSON{}, Days: []paceJSON{},
		LastHour: append([]int{}, s.LastHour...)}
	for _, r := range s.Reviewers {
		data.Reviewers = append(data.Reviewers, paceData(r.Name, "", r.Pace))
	}
	for _, d := range s.Days {
		data.Days = append(data.Days, paceData("", d.Name, d.Pace))
	}
	if len(s.Days) > 0 {
		data.LastAt = &s.LastAt
	}
	return data
}

func paceData(reviewer, day string, p review.Pace) paceJSON {
	return paceJSON{reviewer, day, p.Decisions, p.Batches, p.Active.Seconds(), p.PerMinute()}
}

// printPace writes how URLs were settled and how fast: in all, by reviewer and by day.
func printPace(w io.Writer, s review.Stats) {
	if total := s.Settled.Total(); total > 0 {
		printCounts(w, []any{"SETTLED BY", "URLS", ""}, [][]any{
			{"rules and evidence", s.Settled.Rules, pane.Share(s.Settled.Rules, total)},
			{"decisions on one URL", s.Settled.Single, pane.Share(s.Settled.Single, total)},
			{"decisions on many at once", s.Settled.Bulk, pane.Share(s.Settled.Bulk, total)},
			{"batches for each", fmt.Sprintf("%.2f", s.BatchesPerSettled()), ""}})
	}
	printPaces(w, "REVIEWER", s.Reviewers)
	printPaces(w, "DAY (UTC)", s.Days)
}

func printPaces(w io.Writer, of string, paces []review.Paced) {
	var rows [][]any
	for _, p := range paces {
		rows = append(rows, []any{p.Name, p.Decisions, p.Batches, pane.Active(p.Active), pane.PerMinute(p.Pace)})
	}
	printCounts(w, []any{of, "DECISIONS", "BATCHES", "ACTIVE", "A MINUTE"}, rows)
}
