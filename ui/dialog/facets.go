package dialog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// Facets narrows the queue by values in groups. Each value has a count and can be included or excluded. The counts of a
// group arrive one group at a time.
type Facets struct {
	Apply   func(chosen []Facet) Action
	Recount func(chosen []Facet) Action     // called after each choice: it changes the counts of the other groups
	Typed   func(text string) (Facet, bool) // returns the typed text as a value, if it can be one

	groups  []string
	values  map[string][]Facet // by group, largest count first
	pending []string           // the groups that are not counted yet
	in      widget.Input
	list    widget.List
	hits    []Facet
}

// Facet is a value of a group.
type Facet struct {
	Group, Value string // Value is untrusted
	Label        string // shown instead of the value; "": the value itself
	N            int    // the count; -1: unknown
	Choice       FacetChoice
	WantOnly     bool // the value cannot be excluded
}

// FacetChoice is the choice made for a value.
type FacetChoice uint8

// The choices.
const (
	FacetOff     FacetChoice = iota
	FacetWith                // included: an item must have one of the included values of each group
	FacetWithout             // excluded
)

// NewFacets returns the dialog with its groups, in that order, and the choices so far. [Facets.SetGroup] adds the
// counts.
func NewFacets(groups []string, chosen []Facet) *Facets {
	f := &Facets{
		groups: groups, pending: slices.Clone(groups), values: map[string][]Facet{}, in: widget.NewInput(""),
	}
	for _, c := range chosen {
		f.values[c.Group] = append(f.values[c.Group], c)
	}
	f.narrow()
	return f
}

// SetGroup sets the counts of a group. The choices stay, and the cursor stays on its value.
func (f *Facets) SetGroup(name string, counts []Facet) {
	here, at := f.current(), f.list.Cursor
	f.values[name] = merged(f.values[name], counts)
	f.pending = slices.DeleteFunc(f.pending, func(g string) bool { return g == name })
	f.narrow()
	f.list.To(at)
	if i := slices.IndexFunc(f.hits, here.same); i >= 0 && at > 0 {
		f.list.To(i)
	}
}

// merged returns the counts with the choices of the old values. A chosen value that is not counted gets the count 0.
func merged(old, counts []Facet) []Facet {
	counts = slices.Clone(counts)
	for _, o := range old {
		if o.Choice == FacetOff {
			continue
		}
		if i := slices.IndexFunc(counts, func(c Facet) bool { return c.Value == o.Value }); i >= 0 {
			counts[i].Choice = o.Choice
		} else {
			o.N = 0
			counts = append(counts, o)
		}
	}
	return counts
}

// Typing returns true: letters narrow the list.
func (f *Facets) Typing() bool { return true }

// Update takes a key or a paste.
func (f *Facets) Update(msg tea.Msg) Action {
	if motion, ok := motionOf(msg); ok {
		f.list.Move(motion)
		return nil
	}
	switch {
	case isKey(msg, "esc"):
		return Close{}
	case isKey(msg, "space", "tab"):
		return f.choose(FacetWith)
	case isKey(msg, "!"):
		return f.choose(FacetWithout)
	case isKey(msg, "ctrl+x"):
		return f.reset()
	case isKey(msg, "enter"):
		return f.Apply(f.chosen())
	case f.in.Update(msg):
		f.narrow()
	}
	return nil
}

// Pick moves the cursor to a row.
func (f *Facets) Pick(row int) Action {
	f.list.To(row)
	return nil
}

// Switch moves the cursor to a row and makes the next choice for its value: with, without, off.
func (f *Facets) Switch(row int) Action {
	f.list.To(row)
	if at := f.current(); at.Choice == FacetOff || at.WantOnly {
		return f.choose(FacetWith)
	}
	return f.choose(FacetWithout)
}

// choose toggles a choice for the value under the cursor.
func (f *Facets) choose(c FacetChoice) Action {
	at := f.current()
	if at.Group == "" || at.WantOnly && c == FacetWithout {
		return nil
	}
	group := f.values[at.Group]
	i := slices.IndexFunc(group, at.same)
	if i < 0 {
		group, i = append(group, at), len(group)
	}
	if group[i].Choice == c {
		c = FacetOff
	}
	group[i].Choice, f.values[at.Group] = c, group
	cursor := f.list.Cursor
	f.narrow()
	f.list.To(cursor)
	return f.Recount(f.chosen())
}

func (f *Facets) reset() Action {
	for _, group := range f.values {
		for i := range group {
			group[i].Choice = FacetOff
		}
	}
	f.narrow()
	return f.Recount(nil)
}

func (f *Facets) chosen() []Facet {
	return f.matching(func(x Facet) bool { return x.Choice != FacetOff })
}

// matching returns the values that match, in the order of the groups.
func (f *Facets) matching(match func(Facet) bool) (list []Facet) {
	for _, name := range f.groups {
		for _, x := range f.values[name] {
			if match(x) {
				list = append(list, x)
			}
		}
	}
	return list
}

func (f *Facets) current() Facet {
	if f.list.Cursor < len(f.hits) {
		return f.hits[f.list.Cursor]
	}
	return Facet{}
}

// narrow keeps the values with all typed words in group or label, and adds the typed text as an uncounted value.
func (f *Facets) narrow() {
	want := review.Fold(f.in.Value())
	f.hits = f.matching(func(x Facet) bool { return hasWords(review.Fold(x.Group+" "+x.label()), want) })
	if f.Typed != nil {
		if x, ok := f.Typed(f.in.Value()); ok && !slices.ContainsFunc(f.hits, x.same) {
			f.hits = append(f.hits, x)
		}
	}
	f.list.Len = len(f.hits)
	f.list.To(0)
}

// same reports whether both are the same value of the same group.
func (x Facet) same(y Facet) bool { return x.Group == y.Group && x.Value == y.Value }

func (x Facet) label() string { return cmp.Or(x.Label, x.Value) }

// View draws the dialog.
func (f *Facets) View(th *theme.Theme, width, height int) View {
	s := newSheet(th, width, 76)
	s.input(&f.in, th.Key.Render("› "), true)
	s.add("")
	f.list.Resize(len(f.hits), max(1, min(30, height-9)))
	s.list(&f.list, func(i, width int) string {
		y := len(s.lines)
		box := Zone{Y: y, From: boxColumn, To: boxColumn + 3, Row: i, Box: true}
		s.zones = append(s.zones, box, Zone{Y: y, To: width, Row: i})
		return f.row(th, i, i == f.list.Top, width)
	})
	if len(f.hits) == 0 && len(f.pending) == 0 {
		s.dim("nothing by that name")
	}
	s.addUpTo(2 + f.list.Height)
	s.add("", th.Dim.Render(f.foot()))
	s.keysLine("space", "with", "!", "without", "ctrl+x", "all off", "enter", "show", "esc", "cancel")
	return s.view("Show only", height, 0, 4)
}

// foot returns the groups still being counted, or the rule by which choices combine.
func (f *Facets) foot() string {
	if len(f.pending) > 0 {
		return "counting by " + strings.Join(f.pending, ", ") + "…"
	}
	return "one of those wanted in each group or attribute; nothing that is left out"
}

// boxColumn is the column of the box in a row.
const boxColumn = len("  parameter ")

// boxes show the choices without colour.
var boxes = [...]string{FacetOff: "[ ] ", FacetWith: "[x] ", FacetWithout: "[!] "}

func (f *Facets) row(th *theme.Theme, i int, first bool, width int) string {
	x := f.hits[i]
	group := x.Group
	if !first && f.hits[i-1].Group == group {
		group = ""
	}
	n := ""
	if x.N >= 0 {
		n = fmt.Sprint(x.N)
	}
	label := term.Pad(term.Middle(term.Safe(term.Clip(x.label(), 1024)), width-27), width-27)
	if i == f.list.Cursor {
		return th.Selected.Render(term.Pad(fmt.Sprintf("▌ %-9s %s%s %8s", group, boxes[x.Choice], label, n), width))
	}
	heading, count := th.Heading.Render(fmt.Sprintf("%-9s", group)), th.Dim.Render(fmt.Sprintf("%8s", n))
	return fmt.Sprintf("  %s %s%s %s", heading, boxes[x.Choice], label, count)
}
