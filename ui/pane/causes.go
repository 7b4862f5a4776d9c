package pane

import (
	"slices"
	"strings"

	"visto/review"
	"visto/review/cause"
	"visto/ui/widget"
)

// Causes is the list of causes, with what was found about the one under the cursor.
type Causes struct {
	all     []cause.Cause
	found   []int32 // which of them the search finds, of which there may be very many; nil where nothing is looked for
	search  string
	narrow  int // which of the paths under it the one under the cursor is narrowed to, from 1; 0: none
	marks   []cause.Cause
	studies map[cause.Cause]*cause.Study // by what the cause is, without its numbers
	failed  string                       // why there is no study of the one under the cursor; safe
	list    widget.List
	loaded  bool
}

// Set replaces the causes. The cursor stays on the same cause, or goes to the first one after it that is still there: what
// was settled has left the list.
func (c *Causes) Set(list []cause.Cause) {
	old, at := *c, c.list.Cursor
	c.all, c.loaded, c.studies, c.failed = list, true, map[cause.Cause]*cause.Study{}, ""
	c.narrow = 0
	c.show(findCauses(c.all, c.search))
	if at >= old.Len() {
		c.list.To(at)
		return
	}
	next := -1
	for ; at < old.Len() && next < 0; at++ {
		next = c.index(old.at(at))
	}
	if next < 0 {
		next = c.Len()
	}
	c.list.To(next)
	c.marks = slices.DeleteFunc(c.marks, func(m cause.Cause) bool {
		return !slices.ContainsFunc(c.all, func(x cause.Cause) bool { return x.Same(m.Narrow("")) || x.Same(m) })
	})
}

// Search shows only causes in which all words of the text occur.
func (c *Causes) Search(text string) { c.Show(c.Finder(text)()) }

// CausesFound is what a search found.
type CausesFound struct {
	Text string
	in   []cause.Cause
	rows []int32
}

// Finder returns a function that looks for the text in the causes as they are now. It may take a tenth of a second, and may run beside
// everything else.
func (c *Causes) Finder(text string) func() CausesFound {
	in := c.all
	return func() CausesFound { return CausesFound{text, in, findCauses(in, text)} }
}

// Show shows what a search found. Where other causes have come meanwhile it looks in those.
func (c *Causes) Show(f CausesFound) {
	if len(f.in) != len(c.all) || len(f.in) > 0 && &f.in[0] != &c.all[0] {
		f.rows = findCauses(c.all, f.Text)
	}
	c.search = f.Text
	c.widen()
	c.show(f.rows)
	c.list.To(0)
}

func (c *Causes) show(rows []int32) {
	c.found = rows
	c.list.Len = c.Len()
	c.list.To(c.list.Cursor)
}

// Searched returns what Search was told last.
func (c *Causes) Searched() string { return c.search }

// CausesPlace is what is listed and where in it the cursor is.
type CausesPlace struct {
	found  CausesFound
	here   cause.Cause
	ok     bool // there is a cause under the cursor
	narrow int
	list   widget.List
}

// Place returns where in the causes the reviewer is.
func (c *Causes) Place() CausesPlace {
	here, ok := c.row()
	return CausesPlace{CausesFound{c.search, c.all, c.found}, here, ok, c.narrow, c.list}
}

// Restore goes back to a place: to its cause, where that is still there.
func (c *Causes) Restore(p CausesPlace) {
	c.Show(p.found)
	c.list.Top, c.list.Height = p.list.Top, p.list.Height
	c.list.To(p.list.Cursor)
	if i := c.index(p.here); p.ok && i >= 0 {
		c.list.To(i)
		c.narrow = min(p.narrow, len(c.under()))
	}
}

// findCauses returns which causes have all words of the text; nil if it has no words.
func findCauses(in []cause.Cause, text string) (rows []int32) {
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 {
		return nil
	}
	for i := range in {
		if hasWords(&in[i], words) {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// hasWords reports whether all words, in lower case, occur in what the cause is called. There may be hundreds of thousands of causes
// of hosts, whose names are in lower case: they are looked into piece by piece, for a word has no space in it.
func hasWords(c *cause.Cause, words []string) bool {
	whole := ""
	if c.Kind != cause.ByHost || c.Path != "" {
		whole = strings.ToLower(c.String())
	}
	for _, w := range words {
		in := func(text string) bool { return strings.Contains(text, w) }
		if !in(whole) && (whole != "" || !in(c.Host) && !in(c.Flag.String()) && !in("on") && !in(strings.ToLower(c.Param))) {
			return false
		}
	}
	return true
}

// Loaded reports whether the causes have been read.
func (c *Causes) Loaded() bool { return c.loaded }

// Len returns how many causes are listed.
func (c *Causes) Len() int {
	if c.searching() {
		return len(c.found)
	}
	return len(c.all)
}

// searching reports whether there is a search.
func (c *Causes) searching() bool { return strings.TrimSpace(c.search) != "" }

// at is the cause in a row of the list.
func (c *Causes) at(row int) cause.Cause {
	if c.searching() {
		return c.all[c.found[row]]
	}
	return c.all[row]
}

// index is the row of a cause, however many URLs it has by now; -1: none.
func (c *Causes) index(one cause.Cause) int {
	for i := range c.Len() {
		if one.Same(c.at(i)) {
			return i
		}
	}
	return -1
}

func (c *Causes) row() (one cause.Cause, ok bool) {
	if c.list.Cursor >= c.Len() {
		return one, false
	}
	return c.at(c.list.Cursor), true
}

// Current returns the cause under the cursor, as it is narrowed.
func (c *Causes) Current() (one cause.Cause, ok bool) {
	if one, ok = c.row(); !ok || c.narrow == 0 {
		return one, ok
	}
	b := c.under()[c.narrow-1]
	one = one.Narrow(b.Value)
	if s := c.StudyOf(one); s != nil {
		return s.Cause, true
	}
	one.N, one.Sole = b.N, min(one.Sole, b.N)
	return one, true
}

// Click moves the cursor to the row in line y, below the head; see [widget.List.Click].
func (c *Causes) Click(y int) (again, hit bool) {
	again, hit = c.list.Click(y - 1)
	if hit && !again {
		c.widen()
	}
	return again, hit
}

// Move moves the cursor.
func (c *Causes) Move(m widget.Motion) {
	c.widen()
	c.list.Move(m)
}

func (c *Causes) widen() { c.narrow, c.failed = 0, "" }

// SetStudy takes what was found about a cause.
func (c *Causes) SetStudy(s *cause.Study) {
	c.studies[identity(s.Cause)] = s
	c.failed = ""
}

// Fail says why nothing could be found about the cause under the cursor.
func (c *Causes) Fail(why string) { c.failed = why }

// Study returns what was found about the cause under the cursor, nil while that is not known.
func (c *Causes) Study() *cause.Study {
	here, ok := c.Current()
	if !ok {
		return nil
	}
	return c.StudyOf(here)
}

// StudyOf returns what was found about a cause, nil if nothing was.
func (c *Causes) StudyOf(cause cause.Cause) *cause.Study { return c.studies[identity(cause)] }

// identity is the cause without its numbers.
func identity(c cause.Cause) cause.Cause {
	c.N, c.Sole, c.Hosts = 0, 0, 0
	return c
}

// under are the paths that the cause under the cursor can be narrowed to.
func (c *Causes) under() []review.Bucket {
	row, _ := c.row()
	if s := c.StudyOf(row); s != nil {
		return s.Under
	}
	return nil
}

// Narrow goes on to the next path prefix that the cause can be narrowed to, or with by -1 back; before the first is the whole cause.
// It reports whether there was one.
func (c *Causes) Narrow(by int) bool {
	at := c.narrow + by
	if at < 0 || at > len(c.under()) {
		return false
	}
	c.narrow = at
	return true
}

// Toggle marks the cause under the cursor or takes its mark away, and moves on.
func (c *Causes) Toggle() {
	here, ok := c.Current()
	if !ok {
		return
	}
	if i := slices.IndexFunc(c.marks, here.Same); i >= 0 {
		c.marks = slices.Delete(c.marks, i, i+1)
	} else {
		c.marks = append(c.marks, here)
	}
	c.Move(widget.Down)
}

// Unmark takes all marks away and reports whether there were any.
func (c *Causes) Unmark() bool {
	had := len(c.marks) > 0
	c.marks = nil
	return had
}

// Chosen returns the marked causes; where none is marked, the one under the cursor.
func (c *Causes) Chosen() []cause.Cause {
	if len(c.marks) > 0 {
		return slices.Clone(c.marks)
	}
	if here, ok := c.Current(); ok {
		return []cause.Cause{here}
	}
	return nil
}
