package console

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"visto/canon"
	"visto/review"
	"visto/ui/pane"
)

// announced is a screen with the decisions that it announces: those about its subject, and those about the marks.
type announced struct {
	screen  string
	row     string   // the URL that the screen shows to decide about, or the cause; "" if a dialog covers it
	subject sighting // of the row, or of the part of a dialog that names what it is about
	marks   sighting
	marked  map[int64]bool // the URLs marked by number; nil: others may be marked too
	causes  int            // the URLs of the marked causes, or of the one under the cursor
	at      time.Time      // of the key
	behind  *announced     // the screen before the key that led to a dialog which says nothing of its own
}

// sighting is a thing on the screen. own says that a key of the reviewer led there.
type sighting struct {
	what  string
	since time.Time
	own   bool
}

func (s *sighting) see(what string, now time.Time, own bool) {
	if what != s.what {
		*s = sighting{what, now, own}
	}
}

// by reports whether the thing can have been seen at a moment.
func (s *sighting) by(at time.Time) bool { return s.own || at.Sub(s.since) >= 250*time.Millisecond }

// look notes what a screen shows.
func (s *announced) look(m *monkey, screen string, own bool) {
	s.screen, s.row = screen, m.rowOf(screen)
	s.subject.see(cmp.Or(headOf(boxOf(screen)), s.row, m.url.row), m.now, own)
	if boxOf(screen) != "" {
		return
	}
	head, _, _ := strings.Cut(screen, "\n")
	marks := strings.Join(markCount.FindAllString(head, -1), ", ")
	if n := sum(markCount, marks); n > 0 && n <= sum(markCount, s.marks.what) { // some are decided
		s.marks.what = marks
	}
	s.marks.see(marks, m.now, own)
	listed := s.causes
	s.marked, s.causes = map[int64]bool{}, 0
	q := m.model.queue.pane
	for _, t := range q.Marked() {
		s.marked[t.ID] = true
	}
	if _, _, ranging := q.Range(); ranging || q.AllMarked() != nil {
		s.marked = nil
	}
	if m.model.scope == inCauses {
		for _, c := range m.model.causes.pane.Chosen() {
			if read := m.model.causes.pane.StudyOf(c); read != nil {
				c = read.Cause
			}
			s.causes += c.N
		}
	}
	if s.causes > listed && listed > 0 && !own { // more than could be read
		s.subject.since, s.subject.own = m.now, false
	}
}

// rowOf is the row under the cursor or the opened URL, by its number if there is one; "" if a dialog is open or nothing
// is shown.
func (m *monkey) rowOf(screen string) string {
	if boxOf(screen) != "" {
		return ""
	}
	_, row, listed := strings.Cut(screen, "▌")
	row, _, _ = strings.Cut(row, "\n")
	switch scope := m.model.scope; {
	case scope&opened != 0:
		shown, _ := m.model.detail.pane.ID()
		return fmt.Sprintf("URL %d", shown)
	case scope == inCauses:
		if c, ok := m.model.causes.pane.Current(); ok {
			return c.Identity().String() // the names of its fields change places with their counts
		}
	case scope == inQueue:
		it := m.model.queue.pane.Current()
		if it != nil && listed && strings.Contains(row, strings.TrimPrefix(pane.Shown(it), "https://")) {
			return fmt.Sprintf("URL %d", it.ID)
		}
	}
	return row
}

// headOf is the part of a dialog that names the URLs to decide about: its title, its row under the cursor and its
// numbers of URLs.
func headOf(box string) string {
	head, _, _ := strings.Cut(box, "\n")
	for line := range strings.Lines(box) {
		if strings.Contains(line, "▌") {
			head += line
		}
	}
	return head + strings.Join(urlCount.FindAllString(box, -1), ", ")
}

// boxOf is the dialog on a screen, or "".
func boxOf(screen string) string {
	var box []string
	from, to := 0, 0
	for line := range strings.Lines(screen) {
		cells := []rune(line)
		if at := slices.Index(cells, '╭'); at >= 0 {
			from, to = at, slices.Index(cells, '╮')
		}
		if to > 0 && to < len(cells) {
			box = append(box, string(cells[from:to]))
		}
		if to > 0 && slices.Contains(cells, '╰') {
			break
		}
	}
	return strings.Join(box, "\n")
}

var (
	nameless  = regexp.MustCompile(`─ (?:Redo will be lost|\d+ records cite this URL|Commands|Keys) ─`)
	urlCount  = regexp.MustCompile(`(\d+) (?:URLs?|other)|(?:approve|reject|defer|reopen) (\d+)`)
	markCount = regexp.MustCompile(`(\d+) marked|range of (\d+)|range of over 100`)
)

// unannounced says why a screen did not announce the decisions and rules of an entry; "" is that it did.
func (m *monkey) unannounced(info review.EntryInfo, s *announced) string {
	entry, err := m.ana.Entry(m.t.Context(), info.Seq)
	if err != nil {
		m.t.Fatal(err)
	}
	body, err := entry.Read()
	if err != nil {
		m.t.Fatal(err)
	}
	for _, n := range body.Notes {
		d, err := m.ana.Detail(m.t.Context(), n.ID)
		if err != nil {
			m.t.Fatal(err)
		}
		body.Decisions = append(body.Decisions, review.LoggedDecision{Item: n.ID, From: pane.Shown(&d.Item)})
	}
	for _, c := range body.Overrides {
		if !s.namesRule(cmp.Or(c.After, c.Before).Match) {
			return "the rule was not on the screen, or for less than 250 ms"
		}
	}
	if n := len(body.Decisions); n > 0 && !s.names(body.Decisions) {
		return fmt.Sprintf("the %d URLs were not on the screen, or for less than 250 ms", n)
	}
	return ""
}

// namesRule reports whether the screen showed what a rule is about. Marks stand for their causes: a search may hide
// them.
func (s *announced) namesRule(match canon.Match) bool {
	about := cmp.Or(match.Field, match.Host)
	if about == "*" { // a cause of many hosts names its path alone
		about = match.PathPrefix
	}
	switch {
	case boxOf(s.screen) == "" && s.marks.what != "":
		return s.marks.by(s.at)
	case !s.subject.by(s.at):
		return false
	}
	return strings.Contains(s.screen, about) || s.behind != nil && s.behind.namesRule(match)
}

// names reports whether the screen announced decisions: by their URL, or by a number that is not smaller, for others
// may have decided some.
func (s *announced) names(list []review.LoggedDecision) bool {
	box, now := boxOf(s.screen), s.subject.by(s.at)
	switch {
	case now && s.behind != nil && s.behind.names(list), now && len(list) == 1 && s.namesURL(list[0]):
		return true
	case box != "": // or about several causes, whose URLs may overlap
		return now && (strings.Contains(box, " causes") || sum(urlCount, box) >= len(list))
	case s.causes > 0:
		return s.causes >= len(list) && (now || s.marks.what != "" && s.marks.by(s.at))
	}
	other := func(d review.LoggedDecision) bool { return s.marked != nil && !s.marked[d.Item] }
	unknown := strings.Contains(s.marks.what, "over")
	return s.marks.by(s.at) && (unknown || sum(markCount, s.marks.what) >= len(list)) &&
		!slices.ContainsFunc(list, other)
}

// namesURL reports whether the URL of a decision was under the cursor, opened or in the dialog.
func (s *announced) namesURL(d review.LoggedDecision) bool {
	box := boxOf(s.screen)
	return s.subject.what == fmt.Sprintf("URL %d", d.Item) ||
		box != "" && strings.Contains(box, strings.TrimPrefix(d.From, "https://"))
}

// sum adds up the numbers of a pattern in a text.
func sum(count *regexp.Regexp, text string) (n int) {
	for _, found := range count.FindAllStringSubmatch(text, -1) {
		one, _ := strconv.Atoi(found[1] + found[2])
		n += one
	}
	return n
}
