package console

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/review/cause"
	"visto/ui/desk"
	"visto/ui/pane"
	"visto/ui/term"
)

// start is the text above the queue on the first screen of a session: the open URLs, the best cause, and the keys.
// The first key or click ends it.
type start struct {
	*session
	queue  *queueTab
	causes *causesTab

	height  int // of the text as it was drawn, with the rule below it
	over    bool
	asked   bool // its numbers are being read, or have been
	files   int  // that cite the waiting URLs; 0: not known
	records int  // the same; 0: none, or too many to count
}

// maxCounted is the number of waiting URLs up to which their records are counted: it reads all of them.
const maxCounted = 2000

// maxGrouped is the number of waiting URLs up to which they are grouped into causes before anyone asks for these: it
// reads all of them.
const maxGrouped = 100_000

// shown reports whether the text is on the screen. It takes no room when nothing waits.
func (s *start) shown() bool {
	t := s.queue.totals
	return !s.over && s.scope == inQueue && t != nil && t.Open > 0 && !s.queue.reading.waiting
}

// follow reads the numbers once the first screen has been drawn without them. The root calls it after every message.
func (s *start) follow() tea.Cmd {
	if s.asked || !s.shown() {
		return nil
	}
	s.asked = true
	open := s.queue.totals.Open
	files, records := 0, 0
	return ask(func() (any, error) {
		waiting := review.Filter{Open: true}
		facets, err := s.queue.desk.Facets(s.ctx, waiting)
		if files = len(facets.Files); err == nil && open <= maxCounted {
			records, err = s.countRecords(waiting)
		}
		return nil, err
	}, func(_ any, err error) tea.Cmd {
		if err == nil { // else the text goes without them
			s.files, s.records = files, records
		}
		if s.over || open > maxGrouped {
			return nil
		}
		return s.causes.load()
	})
}

// countRecords counts the records that cite the URLs of a filter.
func (s *start) countRecords(f review.Filter) (int, error) {
	known := map[int64]bool{}
	for it, err := range desk.Walk(s.ctx, s.queue.desk, review.Query{Filter: f}, nil) {
		if err != nil {
			return 0, err
		}
		for _, r := range it.Records() {
			known[r.Number] = true
		}
	}
	return len(known), nil
}

// lines draws the text, with a rule below it. It takes at most half of the height: beyond that its parts are cut to a
// line each.
func (s *start) lines(c canvas, height int) []string {
	if !s.shown() {
		return nil
	}
	var list []string
	keys, best := "{help} shows all keys, {clear} closes this.", s.best()
	if s.who.ReadOnly() {
		best = "This database is open read-only: nothing can be decided."
	} else {
		keys = "{approve} {reject} {correct} decide on one URL; " + keys
	}
	texts := []string{s.waiting(), best, s.keyed(keys)}
	for _, text := range texts {
		list = append(list, term.Wrap(text, max(1, c.width-1))...)
	}
	if 2*len(list) >= height {
		list = texts
	}
	for i, text := range list {
		list[i] = c.th.Bold.Render(term.Truncate(" "+text, c.width))
	}
	s.height = len(list) + 1
	return append(list, c.th.Border.Render(strings.Repeat("─", c.width)))
}

// waiting says how many URLs wait, and where they stand.
func (s *start) waiting() string {
	text := counted(s.queue.totals.Open, "URL waits", "URLs wait") + " for your decision"
	var where []string
	if s.records > 0 {
		where = append(where, counted(s.records, "record", "records"))
	}
	if s.files > 0 {
		where = append(where, counted(s.files, "file", "files"))
	}
	if len(where) > 0 {
		text += ", of " + strings.Join(where, " in ")
	}
	return text + "."
}

// best says which cause would settle most, once that is known and more than one URL, and the key for it. Of very many
// URLs it is not known before the reviewer asks for the causes.
func (s *start) best() string {
	c, ok := s.causes.pane.Best()
	if !ok || c.Sole < 2 {
		return s.keyed("{causes} shows what many of them share, and settles these at once.")
	}
	return s.keyed("{causes} settles many at once: ") + fmt.Sprintf("%d URLs by %s.", c.Sole, causeName(c))
}

func causeName(c cause.Cause) string { return c.Flag.String() + " " + pane.CauseText(c) }

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
