package candidate

import (
	"fmt"
	"strings"
)

// The limits of a clear page. On the town of package testnet 22 of 40 records have one, and each is the right page; the
// one record whose best page is a wrong one has none, for that leads by 1.23. Without the right page among the
// candidates, 2 records have one.
const (
	clearScore = 16
	clearLead  = 1.65
)

// Clear returns the best of the candidates that Find has found if it is the only one that fits: its score is at least
// 16, or its title has all words of the record's name; it is 1.65 times that of the next one; and the page has no
// flag. Else it returns why none is, for people.
func Clear(list []Candidate) (best Candidate, why string) {
	if len(list) == 0 {
		return Candidate{}, "nothing was found"
	}
	best = list[0]
	rivals := 1
	for _, c := range list[1:] {
		if best.Score < clearLead*c.Score {
			rivals++
		}
	}
	switch {
	case best.Score < clearScore && !best.Named:
		return Candidate{}, fmt.Sprintf("no page fits well: the best one scores %.2f", best.Score)
	case rivals > 1:
		return Candidate{}, fmt.Sprintf("%d pages fit about as well: the best two score %.2f and %.2f", rivals,
			best.Score, list[1].Score)
	case len(best.Flags) > 0:
		return Candidate{}, "the best page is flagged " + strings.Join(best.Flags, ", ")
	}
	return best, ""
}

// farLead is the lead over the next page at which one key cites a page that a person sees.
const farLead = 2

// Leads returns the first of the candidates that Find has found if it leads clearly: its score is at least farLead times
// that of the second, and its page has no flag. The lead is the ratio of the two scores; 0 if the first does not lead
// clearly, or if there is no second.
func Leads(list []Candidate) (best Candidate, lead float64) {
	if len(list) < 2 || len(list[0].Flags) > 0 || list[1].Score <= 0 || list[0].Score < farLead*list[1].Score {
		return Candidate{}, 0
	}
	return list[0], list[0].Score / list[1].Score
}
