package pane

import (
	"fmt"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/review/health"
	"visto/ui/presence"
	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// Stats is the page of counts.
type Stats struct {
	data   *review.Stats
	health *health.Summary // of the links; nil: it is being read
	others []presence.Here // who else is here
	view   widget.List
}

// Set sets the counts.
func (s *Stats) Set(data *review.Stats) { s.data = data }

// SetOthers sets who else is here, and on which items.
func (s *Stats) SetOthers(list []presence.Here) { s.others = list }

// Scroll scrolls the page.
func (s *Stats) Scroll(m widget.Motion) { s.view.Scroll(m) }

// View draws the visible part of the page.
func (s *Stats) View(th *theme.Theme, width, height int) string {
	if s.data == nil {
		return emptyView(th, false, "", width, height)
	}
	p := statsPage{page{th: th, width: width}, s}
	p.draw(height)
	for i, line := range p.lines {
		p.lines[i] = term.Truncate(line, width)
	}
	return fill(strings.Join(s.view.Window(p.lines, height), "\n"), height)
}

// statsPage is a page with the counts as bars, sparklines and tables.
type statsPage struct {
	page
	of *Stats
}

// draw adds everything. Before the first decision the hosts may fill the height.
func (p *statsPage) draw(height int) {
	s := p.of.data
	p.add("", fmt.Sprintf("  %d URLs, %d wait for a person, %d reviewed", s.Total, s.Open, s.Reviewed))
	if s.Unfinished > 0 {
		p.add(fmt.Sprintf("  %d do not follow a change of many URLs yet", s.Unfinished))
	}
	p.add("  " + p.meter(s.Reviewed, s.Reviewed+s.Open))
	list(&p.page, "Also here", p.of.others, func(h *presence.Here) {
		where := "on no URL"
		if h.Item != 0 {
			where = fmt.Sprintf("on URL %d", h.Item)
		}
		p.add(fmt.Sprintf("  %s  %s since %s", term.Pad(safe(h.Name, maxPerson), maxPerson), where, Stamp(h.Since)))
	})
	if p.width < columnsWidth {
		p.standing()
		p.waiting(p.hostsIn(height))
		p.pace()
		p.decisions()
		return
	}
	left, right := p.column(), p.column()
	left.standing()
	right.waiting(max(p.hostsIn(height), len(left.lines)-2))
	p.beside(&left.page, &right.page)
	left, right = p.column(), p.column()
	left.pace()
	right.decisions()
	p.beside(&left.page, &right.page)
}

const (
	leastHosts = 10

	headingLines = 2 // of a heading, with the empty line before it
)

// hostsIn is the number of hosts to show: before the first decision as many as find room with the links in a page of the
// given height, behind what is on it.
func (p *statsPage) hostsIn(height int) int {
	if len(p.of.data.Days) > 0 {
		return leastHosts
	}
	below := &statsPage{page{th: p.th, width: p.width}, p.of}
	below.links()
	return max(leastHosts, height-len(p.lines)-headingLines-len(below.lines))
}

// column is an empty column of the page.
func (p *statsPage) column() *statsPage { return &statsPage{*p.page.column(), p.of} }

// standing adds the counts by status, by the ways in which URLs were settled, and by flag.
func (p *statsPage) standing() {
	s := p.of.data
	p.heading("Where they stand")
	for _, st := range Statuses {
		p.bar(st.String(), s.Statuses[st])
	}
	p.settled()
	p.heading("Waiting, by flag")
	for _, c := range canon.Codes() {
		if s.OpenFlags[c] > 0 {
			p.bar(c.String(), s.OpenFlags[c])
		}
	}
}

// waiting adds the hosts of most waiting URLs, at most so many, and the links.
func (p *statsPage) waiting(hosts int) {
	list := p.of.data.Hosts
	p.heading("Waiting, by host")
	for _, b := range list[:min(hosts, len(list))] {
		p.bar(b.Value, b.N)
	}
	p.links()
}

// decisions adds the agreement, and the decisions of each day, the newest first.
func (p *statsPage) decisions() {
	p.agreement()
	newest := slices.Clone(p.of.data.DecisionCounts)
	slices.SortStableFunc(newest, func(a, b review.DecisionCount) int { return strings.Compare(b.Day, a.Day) })
	list(&p.page, "Decisions", newest, func(c *review.DecisionCount) {
		kind := term.Pad(c.Kind.String(), 8)
		p.add(fmt.Sprintf("  %s  %s %6d  %s", term.Safe(c.Day), kind, c.N, term.Safe(c.Reviewer)))
	})
}

// settled adds the shares of the ways in which URLs were settled.
func (p *statsPage) settled() {
	s := p.of.data
	total := s.Settled.Total()
	if total == 0 {
		return
	}
	p.heading("Settled by")
	settled := func(by string, n int) {
		p.bar(fmt.Sprintf("%s %5s", term.Pad(by, p.barName()-6), Share(n, total)), n)
	}
	settled("rules and evidence", s.Settled.Rules)
	settled("decisions on one URL", s.Settled.Single)
	settled("decisions on many at once", s.Settled.Bulk)
	p.add(fmt.Sprintf("  %.2f batches for each settled URL", s.BatchesPerSettled()))
}

// bar adds a name, a count of URLs and a bar as long as their share of all URLs.
func (p *statsPage) bar(name string, n int) {
	name = term.Pad(safe(name, p.barName()), p.barName())
	room, length := max(0, p.width-p.barName()-16), 0
	if of := p.of.data.Total; of > 0 {
		length = (n*room + of - 1) / of
	}
	share := p.th.Accent.Render(strings.Repeat("▇", min(length, room)))
	p.add(fmt.Sprintf("  %s %7d  %s", name, n, share))
}

// barName is the width of the name before a bar. In a narrow window the bar gets short before the name does.
func (p *statsPage) barName() int { return max(10, min(32, p.width-18)) }

// meter draws the part of the work that is done.
func (p *statsPage) meter(done, of int) string {
	room := max(10, min(50, p.width-20))
	full, percent := room, 100
	if of > 0 {
		full, percent = done*room/of, done*100/of
	}
	bar := p.th.OK.Render(strings.Repeat("█", full)) + p.th.Dim.Render(strings.Repeat("░", room-full))
	return fmt.Sprintf("%s %d %%", bar, percent)
}

// Share returns n as a percentage of a total.
func Share(n, of int) string {
	if of == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(of))
}
