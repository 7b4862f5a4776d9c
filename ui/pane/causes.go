package pane

import (
	"maps"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/review/cause"
	"visto/ui/widget"
)

// Causes is the list of causes, with the study of the one under the cursor.
type Causes struct {
	all     []cause.Cause
	more    int     // suggestions left out
	rows    []int32 // indices of the causes that are listed; there may be very many
	search  string
	open    map[cause.Cause]bool // the causes, by their identities, whose folded rows are listed behind them
	narrow  int                  // the path or field, from 1, to which the cause under the cursor is narrowed; 0: the whole cause
	marks   []cause.Cause
	studies map[cause.Cause]*cause.Study // by their identities
	failed  string                       // why the cause under the cursor has no study; safe
	list    widget.List
	loaded  bool
	awaited bool // what settled a cause was taken back: the cursor goes to it with the list that has it

	textWidth int               // the room for the text of the row under the cursor
	pages     map[int64]PageFor // found for URLs, by item
	samples   samples           // of the cause under the cursor, or of an earlier one
	pairs     widget.List       // of the suggestion under the cursor
	expanded  bool              // the study has the whole body
}

// Await makes the cursor go to the cause that a list has again, or has with most URLs more. It holds for each list
// until EndAwait: the next one may have been read too early.
func (c *Causes) Await() { c.awaited = true }

// EndAwait leaves the cursor on its cause from now on.
func (c *Causes) EndAwait() { c.awaited = false }

// Set replaces the causes. The cursor stays on its cause, unless another one is awaited. If it left the list or settles
// nothing more, the cursor goes to the best one that it has not passed.
func (c *Causes) Set(list []cause.Cause) {
	old, at := *c, c.list.Cursor
	c.all, c.loaded, c.studies, c.failed = list, true, map[cause.Cause]*cause.Study{}, ""
	c.narrow, c.samples = 0, samples{}
	if c.open == nil {
		c.open = map[cause.Cause]bool{}
	}
	c.show(rowsOf(c.all, c.open, c.search))
	if at >= old.Len() {
		c.list.To(at)
		return
	}
	row := c.next(&old, at)
	if c.awaited {
		if back := c.returned(old.all); back >= 0 {
			row = back
		}
	}
	c.list.To(row)
	c.marks = slices.DeleteFunc(c.marks, func(m cause.Cause) bool {
		return !slices.ContainsFunc(c.all, func(one cause.Cause) bool { return m.Within(one) && m.N <= one.N })
	})
}

// LeaveOut notes the number of suggestions that the list leaves out.
func (c *Causes) LeaveOut(n int) { c.more = n }

// next returns the row for the cursor, which was in a row of the old list.
func (c *Causes) next(old *Causes, at int) int {
	row := c.indexWithin(old.at(at))
	if row >= 0 && (c.at(row).Sole > 0 || old.at(at).Sole == 0) {
		return row
	}
	row = -1
	for from := at + 1; from < old.Len() && row < 0; from++ {
		row = c.indexWithin(old.at(from))
	}
	if row < 0 {
		row = c.Len()
	}
	return c.risen(old, at, row)
}

// returned returns the row of the cause that has most URLs more than in the old causes, the first of several; -1: none
// has more.
func (c *Causes) returned(old []cause.Cause) (row int) {
	before := make(map[cause.Cause]int, len(old))
	for _, one := range old {
		before[one.Identity()] = one.N
	}
	row, most := -1, 0
	for i := range c.Len() {
		one := c.at(i)
		if more := one.N - before[one.Identity()]; more > most {
			row, most = i, more
		}
	}
	return row
}

// maxPassed is the number of passed rows among which those that have risen are looked for.
const maxPassed = 200

// risen returns the first row before a row that was not yet passed in the old list, or else the row itself.
func (c *Causes) risen(old *Causes, at, row int) int {
	if at >= maxPassed {
		return row
	}
	for i := range min(row, maxPassed) {
		passed := false
		for p := 0; p <= at && !passed; p++ {
			passed = c.at(i).Within(old.at(p))
		}
		if !passed {
			return i
		}
	}
	return row
}

// Search lists only the causes that contain all words of the text.
func (c *Causes) Search(text string) { c.Show(c.Finder(text)()) }

// CausesFound is the result of a search.
type CausesFound struct {
	Text string
	in   []cause.Cause
	rows []int32
}

// Finder returns a function that searches the current causes for the text. The function may take 0.1 s and is safe to
// run concurrently.
func (c *Causes) Finder(text string) func() CausesFound {
	in, open := c.all, maps.Clone(c.open)
	return func() CausesFound { return CausesFound{text, in, rowsOf(in, open, text)} }
}

// Show lists the result of a search. If the causes have changed since, it searches again.
func (c *Causes) Show(f CausesFound) {
	if len(f.in) != len(c.all) || len(f.in) > 0 && &f.in[0] != &c.all[0] {
		f.rows = rowsOf(c.all, c.open, f.Text)
	}
	c.search = f.Text
	c.widen()
	c.show(f.rows)
	c.list.To(0)
}

func (c *Causes) show(rows []int32) {
	c.rows = rows
	c.list.Len = c.Len()
	c.list.To(c.list.Cursor)
}

// Searched returns the text of the current search.
func (c *Causes) Searched() string { return c.search }

// CausesPlace is the listed causes with the place of the cursor.
type CausesPlace struct{ was Causes }

// Place returns the current list and place.
func (c *Causes) Place() CausesPlace { return CausesPlace{*c} }

// Restore returns to a place, and to its cause if that is still there.
func (c *Causes) Restore(p CausesPlace) {
	c.Show(CausesFound{p.was.search, p.was.all, p.was.rows})
	c.list.Top, c.list.Height = p.was.list.Top, p.was.list.Height
	c.list.To(p.was.list.Cursor)
	here, ok := p.was.row()
	if i := c.index(here); ok && i >= 0 {
		c.list.To(i)
		c.narrow = min(p.was.narrow, len(c.under()))
	}
}

// findCauses returns the indices of the causes with all words of the text. It is false for a text without words.
func findCauses(in []cause.Cause, text string) (rows []int32, ok bool) {
	words := strings.Fields(review.Fold(text))
	if len(words) == 0 {
		return nil, false
	}
	for i := range in {
		if hasWords(&in[i], words) {
			rows = append(rows, int32(i))
		}
	}
	return rows, true
}

// hasWords reports whether all words, as review.Fold writes them, occur in the name of the cause. Causes of one host, of
// which there may be hundreds of thousands, are searched part by part without building the name: hosts are in lower case
// and a word has no space.
func hasWords(c *cause.Cause, words []string) bool {
	whole := ""
	if c.Suggestion != nil || c.Kind != cause.ByHost || c.Path != "" || c.WWW {
		whole = review.Fold(c.String())
	}
	if c.Suggestion != nil {
		whole += " " + suggested(c.Suggestion)
	}
	for _, w := range words {
		in := func(text string) bool { return strings.Contains(text, w) }
		inParts := whole == "" && (in(c.Host) || in(c.Flag.String()) || in("on") ||
			in(review.Fold(c.Params.String())))
		if !inParts && !in(whole) {
			return false
		}
	}
	return true
}

// Loaded reports whether the causes have been read.
func (c *Causes) Loaded() bool { return c.loaded }

// Len returns the number of listed causes.
func (c *Causes) Len() int { return len(c.rows) }

// searching reports whether there is a search.
func (c *Causes) searching() bool { return strings.TrimSpace(c.search) != "" }

// Best returns the cause that settles most URLs, the first of several, but none with one of the flags; ok is false if
// none settles any.
func (c *Causes) Best(but canon.CodeSet) (best cause.Cause, ok bool) {
	for _, one := range c.all {
		if one.Sole > best.Sole && !but.Has(one.Flag) {
			best = one
		}
	}
	return best, best.Sole > 0
}

// at returns the cause in a row.
func (c *Causes) at(row int) cause.Cause { return c.all[c.rows[row]] }

// index returns the row of a cause, whatever its numbers are now; -1: none.
func (c *Causes) index(one cause.Cause) int {
	for i := range c.Len() {
		if one.Same(c.at(i)) {
			return i
		}
	}
	return -1
}

// indexWithin returns the row of a cause, or of one with some of its fields, parameters or hosts; -1: none.
func (c *Causes) indexWithin(one cause.Cause) int {
	if i := c.index(one); i >= 0 || !one.WWW && len(one.Fields.List()) < 2 && len(one.Params.List()) < 2 {
		return i
	}
	for i := range c.Len() {
		if c.at(i).Within(one) {
			return i
		}
	}
	return -1
}

// row returns the cause under the cursor, not narrowed.
func (c *Causes) row() (one cause.Cause, ok bool) {
	if c.list.Cursor >= c.Len() {
		return one, false
	}
	return c.at(c.list.Cursor), true
}

// Current returns the cause under the cursor, narrowed to the chosen path.
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
	if c.expanded {
		return false, false
	}
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

func (c *Causes) widen() { c.narrow, c.failed, c.pairs = 0, "", widget.List{} }

// SetStudy sets the study of a cause.
func (c *Causes) SetStudy(s *cause.Study) {
	c.studies[s.Cause.Identity()] = s
	c.failed = ""
}

// Fail shows why the cause under the cursor could not be studied.
func (c *Causes) Fail(why string) { c.failed = why }

// Study returns the study of the cause under the cursor; nil until known.
func (c *Causes) Study() *cause.Study {
	here, _ := c.Current()
	return c.StudyOf(here)
}

// StudyOf returns the study of a cause; nil if there is none.
func (c *Causes) StudyOf(one cause.Cause) *cause.Study { return c.studies[one.Identity()] }

// under returns the hosts, path prefixes or fields to which the cause under the cursor can be narrowed.
func (c *Causes) under() []review.Bucket {
	row, _ := c.row()
	if s := c.StudyOf(row); s != nil {
		return s.Under
	}
	return nil
}

// Narrow narrows the cause to the next path prefix or field, or with by -1 to the previous one; before the first is
// the whole cause. It reports whether there is one.
func (c *Causes) Narrow(by int) bool {
	at := c.narrow + by
	if at < 0 || at > len(c.under()) {
		return false
	}
	c.narrow = at
	return true
}

// Toggle marks or unmarks the cause under the cursor and moves down.
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

// Marks returns the number of marked causes, also of those that a search hides.
func (c *Causes) Marks() int { return len(c.marks) }

// Unmark removes all marks and reports whether there were any.
func (c *Causes) Unmark() bool {
	had := len(c.marks) > 0
	c.marks = nil
	return had
}

// Chosen returns the marked causes, or without marks the one under the cursor.
func (c *Causes) Chosen() []cause.Cause {
	if len(c.marks) > 0 {
		return slices.Clone(c.marks)
	}
	if here, ok := c.Current(); ok {
		return []cause.Cause{here}
	}
	return nil
}
