package pane

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"visto/review"
	"visto/ui/term"
)

// PaceNote explains active time.
func PaceNote() string {
	return fmt.Sprintf("Active time is the time between a reviewer's actions: "+
		"a pause of more than %d min, and the beginning, count as %d min. "+
		"Days are of UTC. Undone actions do not count.",
		int(review.LongestPause.Minutes()), int(review.PauseCounts.Minutes()))
}

// PaceText returns the decisions, the active time and their ratio in one line.
func PaceText(p review.Pace) string {
	return fmt.Sprintf("decisions: %d, batches: %d, active time: %s, decisions a minute: %s",
		p.Decisions, p.Batches, Active(p.Active), PerMinute(p))
}

// PerMinute returns the decisions in a minute of active time.
func PerMinute(p review.Pace) string { return fmt.Sprintf("%.1f", p.PerMinute()) }

// Active returns active time in hours and minutes, rounded to the minute.
func Active(d time.Duration) string {
	minutes := int(d.Round(time.Minute).Minutes())
	if minutes < 60 {
		return fmt.Sprintf("%d min", minutes)
	}
	return fmt.Sprintf("%d h %02d min", minutes/60, minutes%60)
}

// pace adds the speed of the work in total, by reviewer and by day.
func (p *statsPage) pace() {
	s := p.of.data
	if len(s.Days) == 0 {
		return
	}
	p.heading("How fast")
	p.para(p.th.Text, 2, PaceText(s.Pace))
	days := DailyDecisions(s.Days)
	p.spark(fmt.Sprintf("decisions a day, to %s", s.Days[len(s.Days)-1].Name), days)
	p.spark(fmt.Sprintf("a minute, to %s", Stamp(s.LastAt)), s.LastHour)
	p.para(p.th.Dim, 2, PaceNote())
	p.paced("By reviewer", s.Reviewers)
	newest := slices.Clone(s.Days)
	slices.Reverse(newest)
	p.paced("By day", newest)
}

// spark adds a name, a sparkline of the last values that fit, and the largest of these.
func (p *statsPage) spark(name string, values []int) {
	const label = 31
	room := max(1, p.width-label-4-len(" most 1000000"))
	values = values[max(0, len(values)-room):]
	line := p.th.Accent.Render(Sparkline(values)) + fmt.Sprintf(" most %d", slices.Max(values))
	p.add("  " + term.Pad(name, label) + line)
}

// Sparkline draws each value as a column in eighths of the largest. Zero is a dot, and no other value is.
func Sparkline(values []int) string {
	columns := []rune("▁▂▃▄▅▆▇█")
	limit := max(1, slices.Max(append([]int{1}, values...)))
	var b strings.Builder
	for _, v := range values {
		if v <= 0 {
			b.WriteRune('·')
			continue
		}
		b.WriteRune(columns[(v*len(columns)-1)/limit])
	}
	return b.String()
}

// DailyDecisions returns the decisions of each day from the first to the last, including days without work.
func DailyDecisions(days []review.Paced) []int {
	var list []int
	var next time.Time
	for _, d := range days {
		day, err := time.Parse(time.DateOnly, d.Name)
		for ; err == nil && len(list) > 0 && next.Before(day); next = next.AddDate(0, 0, 1) {
			list = append(list, 0)
		}
		list, next = append(list, d.Decisions), day.AddDate(0, 0, 1)
	}
	return list
}

// paced adds a table of paces.
func (p *statsPage) paced(heading string, list []review.Paced) {
	const row = "  %s %9s %9s %13s %9s"
	p.heading(heading)
	p.add(p.th.Dim.Render(fmt.Sprintf(row, term.Pad("", 24), "decisions", "batches", "active", "a minute")))
	for _, l := range list {
		p.add(fmt.Sprintf(row, term.Pad(safe(l.Name, 24), 24),
			fmt.Sprint(l.Decisions), fmt.Sprint(l.Batches), Active(l.Active), PerMinute(l.Pace)))
	}
}

// AgreementText tells how far the judgements of two persons agree. The names are untrusted.
func AgreementText(a *review.Agreement) string {
	who := "all"
	if a.Reviewers != [2]string{} {
		who = a.Reviewers[0] + " and " + a.Reviewers[1]
	}
	kappa := "no kappa, for all were judged in one way"
	if k, ok := a.Kappa(); ok {
		kappa = fmt.Sprintf("Cohen's kappa %.2f", k)
	}
	return fmt.Sprintf("%s: %d second looks, %s alike, %s", who, a.N, Share(a.Alike, a.N), kappa)
}

// agreement adds the agreement where two persons looked.
func (p *statsPage) agreement() {
	s := p.of.data
	if s.Agreement.N == 0 {
		return
	}
	p.heading("Where two looked")
	for _, a := range append([]review.Agreement{s.Agreement}, s.Agreements...) {
		p.add("  " + term.Safe(AgreementText(&a)))
	}
}
