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

func paceData(p review.Pace) paceJSON {
	return paceJSON{Decisions: p.Decisions, Batches: p.Batches,
		ActiveSeconds: p.Active.Seconds(), DecisionsPerMinute: p.PerMinute()}
}

func workData(s review.Stats) workJSON {
	data := workJSON{Settled: settledJSON(s.Settled), BatchesPerSettled: s.BatchesPerSettled(), Pace: paceData(s.Pace),
		Reviewers: []paceJSON{}, Days: []paceJSON{}, LastHour: append([]int{}, s.LastHour...)}
	for _, r := range s.Reviewers {
		p := paceData(r.Pace)
		p.Reviewer = r.Name
		data.Reviewers = append(data.Reviewers, p)
	}
	for _, d := range s.Days {
		p := paceData(d.Pace)
		p.Day = d.Name
		data.Days = append(data.Days, p)
	}
	if len(s.Days) > 0 {
		data.LastAt = &s.LastAt
	}
	return data
}

// printPace writes how URLs were settled and how fast: in all, by reviewer and by day.
func printPace(w io.Writer, s review.Stats) error {
	if total := s.Settled.Total(); total > 0 {
		rows := [][]string{{"", "", ""}, {"SETTLED BY", "URLS", ""},
			{"rules and evidence", fmt.Sprint(s.Settled.Rules), pane.Share(s.Settled.Rules, total)},
			{"decisions on one URL", fmt.Sprint(s.Settled.Single), pane.Share(s.Settled.Single, total)},
			{"decisions on many at once", fmt.Sprint(s.Settled.Bulk), pane.Share(s.Settled.Bulk, total)},
			{"batches for each", fmt.Sprintf("%.2f", s.BatchesPerSettled()), ""}}
		if err := table(w, rows); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		name string
		list []review.Paced
	}{{"REVIEWER", s.Reviewers}, {"DAY (UTC)", s.Days}} {
		rows := [][]string{{"", "", "", "", ""}, {part.name, "DECISIONS", "BATCHES", "ACTIVE", "A MINUTE"}}
		for _, p := range part.list {
			rows = append(rows, []string{p.Name, fmt.Sprint(p.Decisions), fmt.Sprint(p.Batches),
				pane.Active(p.Active), pane.PerMinute(p.Pace)})
		}
		if err := tableIfAny(w, rows); err != nil {
			return err
		}
	}
	return nil
}
