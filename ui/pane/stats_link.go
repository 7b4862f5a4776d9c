package pane

import (
	"fmt"
	"strings"
	"time"

	"visto/review/health"
	"visto/ui/term"
)

// ShownDomains is the number of domains in the statistics.
const ShownDomains = 10

// SetHealth sets the health of the links, which takes longer to read than the counts; nil: it is being read.
func (s *Stats) SetHealth(h *health.Summary) { s.health = h }

// links adds the states of the links, and a trend for each of the worst domains.
func (p *statsPage) links() {
	h := p.of.health
	if h == nil {
		p.heading("Links")
		p.add(p.th.Dim.Render("  reading the checks…"))
		return
	}
	if h.Unchecked == h.URLs {
		return
	}
	p.heading("Links, last checked " + CheckStamp(h, h.LastAt))
	p.bar("healthy", h.Healthy)
	p.bar("degraded", h.Degraded)
	p.bar("inactive", h.Inactive)
	p.bar("never checked", h.Unchecked)
	p.bar("the last check failed", h.Failing)
	p.add(fmt.Sprintf("  uptime %s, answers in %s, mean of %d days", Uptime(h.Uptime), TookText(h.Response),
		health.Days))
	p.domains(h.Domains)
}

func (p *statsPage) domains(list []health.Domain) {
	const row = "  %s %5s %7s %6s  %s"
	p.heading("Links by domain, the worst first")
	p.add(p.th.Dim.Render(fmt.Sprintf(row, term.Pad("", 23), "URLs", "failing", "uptime", "days up to today")))
	for i := range list[:min(len(list), ShownDomains)] {
		d := &list[i]
		p.add(fmt.Sprintf(row, term.Pad(safe(d.Name, 23), 23), fmt.Sprint(d.URLs), fmt.Sprint(d.Failing),
			Uptime(d.Uptime),
			p.th.Accent.Render(Trend(d))))
	}
	if n := len(list) - ShownDomains; n > 0 {
		p.add(p.th.Dim.Render(fmt.Sprintf("  and %d more: visto health --json lists them", n)))
	}
}

// CheckStamp formats a time in the zone of the policy, as the summary has it, and names the zone. The zero time is
// "never".
func CheckStamp(s *health.Summary, t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.In(s.At.Location()).Format("2006-01-02 15:04 MST")
}

// Uptime returns a share as a percentage. Only nothing is 0 %, and only everything 100 %.
func Uptime(s health.Share) string {
	if !s.Known {
		return "-"
	}
	percent := 100 * s.Value
	if s.Value > 0 && s.Value < 1 {
		percent = min(99, max(1, percent))
	}
	return fmt.Sprintf("%.0f %%", percent)
}

// TookText returns the mean time of the answers for people.
func TookText(d time.Duration) string {
	if d == 0 {
		return "an unknown time"
	}
	return fmt.Sprintf("%d ms", d.Milliseconds())
}

// Trend draws the share of answered checks of each day as a column: only none is the lowest, and only all the
// highest. A day without a check is a dot.
func Trend(d *health.Domain) string {
	columns := []rune("▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, day := range d.Days {
		column := '·'
		switch share := day.Share(); {
		case !share.Known:
		case day.Answered == 0:
			column = columns[0]
		default:
			column = columns[1+int(share.Value*float64(len(columns)-2))]
		}
		b.WriteRune(column)
	}
	return b.String()
}
