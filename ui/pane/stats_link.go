package pane

import (
	"fmt"
	"strings"
	"time"

	"visto/review/health"
	"visto/ui/term"
)

// shownDomains is the number of domains in the statistics.
const shownDomains = 10

// SetHealth sets the health of the links, which takes longer to read than the counts; nil: it is being read.
func (s *Stats) SetHealth(h *health.Summary) { s.health = h }

// links adds the states of the links, and a trend for each of the worst domains.
func (p *page) links(h *health.Summary) {
	if h == nil {
		p.heading("Links")
		p.add(p.th.Dim.Render("  reading the checks…"))
		return
	}
	if h.Unchecked == h.URLs {
		return
	}
	p.heading("Links, last checked " + Stamp(h.LastAt))
	p.bar("healthy", h.Healthy, h.URLs)
	p.bar("degraded", h.Degraded, h.URLs)
	p.bar("inactive", h.Inactive, h.URLs)
	p.bar("never checked", h.Unchecked, h.URLs)
	p.bar("the last check failed", h.Failing, h.URLs)
	p.add(fmt.Sprintf("  uptime %s, answers in %s, mean of %d days", uptime(h.Uptime), tookText(h.Response),
		health.Days))
	p.domains(h.Domains)
}

func (p *page) domains(list []health.Domain) {
	const row = "  %s %5s %7s %6s  %s"
	p.heading("Links by domain, the worst first")
	p.add(p.th.Dim.Render(fmt.Sprintf(row, term.Pad("", 23), "URLs", "failing", "uptime", "days up to today")))
	for i := range list[:min(len(list), shownDomains)] {
		d := &list[i]
		p.add(fmt.Sprintf(row, term.Pad(safe(d.Name, 23), 23), fmt.Sprint(d.URLs), fmt.Sprint(d.Failing),
			uptime(d.Uptime),
			p.th.Accent.Render(Trend(d))))
	}
	if n := len(list) - shownDomains; n > 0 {
		p.add(p.th.Dim.Render(fmt.Sprintf("  and %d more: visto health lists them", n)))
	}
}

func uptime(s health.Share) string {
	if !s.Known {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*s.Value)
}

func tookText(d time.Duration) string {
	if d == 0 {
		return "an unknown time"
	}
	return fmt.Sprintf("%d ms", d.Milliseconds())
}

// Trend draws the share of answered checks of each day as a column: the lowest is none, the highest all. A day
// without a check is a dot.
func Trend(d *health.Domain) string {
	columns := []rune("▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, day := range d.Days {
		column := '·'
		if share := day.Share(); share.Known {
			column = columns[int(share.Value*float64(len(columns)-1))]
		}
		b.WriteRune(column)
	}
	return b.String()
}
