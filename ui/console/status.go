package console

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"visto/review"
	"visto/ui/term"
	"visto/ui/wording"
)

// status is the line with database, policy, reviewer, filter, and progress. Where there is no room for all, the filter
// is shortened first. The progress is never shortened.
func (m *Model) status() string {
	done := "counting"
	if t := m.queue.totals; t != nil {
		if done = fmt.Sprintf("reviewed %d of %d", t.Reviewed, t.Reviewed+t.Open); t.Unfinished > 0 {
			done = fmt.Sprintf("%s to finish, %s", wording.URLs(t.Unfinished), done)
		}
	}
	room := m.width - term.Width(done) - 4
	filter := m.filterParts()
	names := joined(m.names(), "  ", room-min(term.Width(joined(filter, ", ", m.width)), m.width/4)-4)
	left := " " + names + "  ▽ " + joined(filter, ", ", room-term.Width(names)-3)
	return m.th.Status.Render(term.Pad(ends(left, done+" ", m.width), m.width))
}

// filterParts describes what the list on screen leaves out, in untrusted text.
func (m *Model) filterParts() []review.Part {
	var f review.Filter
	switch {
	case m.scope == inLog && m.log.search != "":
		f.Search, f.Regexp = review.ParseSearch(m.log.search)
		return f.Parts()
	case m.scope == inCauses && m.causes.pane.Searched() != "":
		f.Open, f.Search = true, m.causes.pane.Searched()
		return f.Parts()
	}
	return m.queue.filterParts()
}

// names are the names of the database, the policy, the reviewer and the others who are here, and the reason if the
// reviewer cannot write.
func (m *Model) names() []review.Part {
	names := []string{filepath.Base(m.opts.DBPath), m.who.Policy().ID(), m.who.Reviewer()}
	if m.who.ReadOnly() {
		names = append(names, "read-only")
	}
	if m.watcher.gone {
		names = slices.Insert(names, 0, "file gone")
	}
	var list []review.Part
	for _, name := range names {
		list = append(list, review.Part{Text: name, Short: name})
	}
	if len(m.company.others) > 0 {
		list = append(list, m.company.part())
	}
	return list
}

// minPart is the width that a part keeps when it is cut.
const minPart = 12

// joined makes the parts safe and joins them to at most width cells. The widest parts take their short form first, then
// they are cut in the middle. At last a number stands for the last parts.
func joined(parts []review.Part, between string, width int) string {
	texts := fitted(parts, between, width)
	line := strings.Join(texts, between)
	for n := len(texts) - 1; n > 0 && term.Width(line) > width; n-- {
		line = fmt.Sprintf("%s%s+%d", strings.Join(texts[:n], between), between, len(texts)-n)
	}
	return term.Truncate(line, width)
}

// fitted makes the parts safe and shortens them until they fit into width cells, or cannot be any shorter.
func fitted(parts []review.Part, between string, width int) []string {
	texts, widestFirst := make([]string, len(parts)), make([]int, len(parts))
	for i, p := range parts {
		texts[i], widestFirst[i] = wording.Safe(p.Text), i
	}
	byWidth := func(a, b string) int { return term.Width(a) - term.Width(b) }
	slices.SortStableFunc(widestFirst, func(i, j int) int { return byWidth(texts[j], texts[i]) })
	over := func() int { return term.Width(strings.Join(texts, between)) - width }
	for _, i := range widestFirst {
		if over() > 0 {
			texts[i] = wording.Safe(parts[i].Short)
		}
	}
	for n := over(); n > 0; n = over() {
		widest := slices.MaxFunc(texts, byWidth)
		size := term.Width(widest)
		if size <= minPart {
			break
		}
		texts[slices.Index(texts, widest)] = term.Middle(widest, max(minPart, size-n))
	}
	return texts
}
