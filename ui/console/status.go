package console

import (
	"fmt"
	"path/filepath"
	"strings"

	"visto/review"
	"visto/ui/term"
)

// status is the line that always shows database, policy, reviewer, filter, and reviewed of total. Where there is no room for all of
// it, the filter is shortened first, and reviewed of total never.
func (m *Model) status() string {
	done := "counting"
	if t := m.totals; t != nil {
		done = fmt.Sprintf("reviewed %d of %d", t.Reviewed, t.Reviewed+t.Open)
	}
	room := m.width - term.Width(done) - 4
	filter := m.filterParts()
	names := joined(m.names(), "  ", room-min(term.Width(joined(filter, ", ", m.width)), m.width/4)-4)
	left := " " + names + "  ▽ " + joined(filter, ", ", room-term.Width(names)-3)
	return m.th.Status.Render(term.Pad(ends(left, done+" ", m.width), m.width))
}

// names are those of what is worked on and by whom.
func (m *Model) names() []review.Part {
	var list []review.Part
	for _, name := range []string{filepath.Base(m.opts.DBPath), m.desk.Policy().ID(), m.desk.Reviewer()} {
		list = append(list, review.Part{Text: name, Short: name})
	}
	if m.desk.ReadOnly() {
		list = append(list, review.Part{Text: "read-only", Short: "read-only"})
	}
	return list
}

// leastPart is how many cells of a part stay when it is cut.
const leastPart = 12

// joined makes the parts safe and joins them. For as long as they take more than width cells the widest is said in short, once all
// are the widest is cut in its middle, and in the end only how many the last ones are is told.
func joined(parts []review.Part, between string, width int) string {
	texts := fitted(parts, between, width)
	line := strings.Join(texts, between)
	for n := len(texts) - 1; n > 0 && term.Width(line) > width; n-- {
		line = fmt.Sprintf("%s%s+%d", strings.Join(texts[:n], between), between, len(texts)-n)
	}
	return term.Truncate(line, width)
}

// fitted are the parts, safe, as short as they have to be to fit into width cells, and as they can be.
func fitted(parts []review.Part, between string, width int) []string {
	texts, short := make([]string, len(parts)), make([]bool, len(parts))
	for i, p := range parts {
		texts[i] = safeText(p.Text)
	}
	for {
		over := term.Width(strings.Join(texts, between)) - width
		if over <= 0 {
			return texts
		}
		if i := widest(texts, short); i >= 0 {
			texts[i], short[i] = safeText(parts[i].Short), true
			continue
		}
		i := widest(texts, nil)
		size := term.Width(texts[i])
		if size <= leastPart {
			return texts
		}
		texts[i] = term.Middle(texts[i], max(leastPart, size-over))
	}
}

// widest returns which of the texts is the widest but for those to skip; -1 if there is none.
func widest(texts []string, skip []bool) int {
	at := -1
	for i, text := range texts {
		if (skip == nil || !skip[i]) && (at < 0 || term.Width(text) > term.Width(texts[at])) {
			at = i
		}
	}
	return at
}
