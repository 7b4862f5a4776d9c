package dialog

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

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

	groups []facetGroup
	in     widget.Input
	list   widget.List
	hits   []Facet
}

// facetGroup is a group with its values, largest count first.
type facetGroup struct {
	name    string
	facets  []Facet
	counted bool
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
	f := &Facets{in: widget.NewInput("")}
	for _, name := range groups {
		g := facetGroup{name: name}
		for _, c := range chosen {
			if c.Group == name {
				g.facets = append(g.facets, c)
			}
		}
		f.groups = append(f.groups, g)
	}
	f.narrow()
	return f
}

// SetGroup sets the counts of a group. The choices stay, and the cursor stays on its value.
func (f *Facets) SetGroup(name string, counts []Facet) {
	here, at := f.current(), f.list.Cursor
	for i := range f.groups {
		if g := &f.groups[i]; g.name == name {
			g.facets, g.counted = merged(g.facets, counts), true
		}
	}
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
	default:
		if f.in.Update(msg) {
			f.narrow()
		}
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
	for i := range f.groups {
		if f.groups[i].name == at.Group {
			f.groups[i].choose(at, c)
		}
	}
	cursor := f.list.Cursor
	f.narrow()
	f.list.To(cursor)
	return f.Recount(f.chosen())
}

func (g *facetGroup) choose(at Facet, c FacetChoice) {
	i := slices.IndexFunc(g.facets, func(x Facet) bool { return x.Value == at.Value })
	if i < 0 {
		g.facets, i = append(g.facets, at), len(g.facets)
	}
	if g.facets[i].Choice == c {
		c = FacetOff
	}
	g.facets[i].Choice = c
}

func (f *Facets) reset() Action {
	for i := range f.groups {
		for j := range f.groups[i].facets {
			f.groups[i].facets[j].Choice = FacetOff
		}
	}
	f.narrow()
	return f.Recount(nil)
}

func (f *Facets) chosen() []Facet {
	var list []Facet
	for _, g := range f.groups {
		for _, x := range g.facets {
			if x.Choice != FacetOff {
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

// narrow keeps the values with all typed words in group or label, and offers the typed text as a value.
func (f *Facets) narrow() {
	want := strings.ToLower(f.in.Value())
	f.hits = nil
	for _, g := range f.groups {
		for _, x := range g.facets {
			if hasWords(strings.ToLower(x.Group+" "+x.label()), want) {
				f.hits = append(f.hits, x)
			}
		}
	}
	f.offer()
	f.list.Len = len(f.hits)
	f.list.To(0)
}

// offer adds the typed text as an uncounted value, if it can be one.
func (f *Facets) offer() {
	if f.Typed == nil {
		return
	}
	x, ok := f.Typed(f.in.Value())
	if ok && !slices.ContainsFunc(f.hits, x.same) {
		f.hits = append(f.hits, x)
	}
}

// same reports whether both are the same value of the same group.
func (x Facet) same(y Facet) bool { return x.Group == y.Group && x.Value == y.Value }

func (x Facet) label() string {
	if x.Label != "" {
		return x.Label
	}
	return x.Value
}

// View draws the dialog.
func (f *Facets) View(th *theme.Theme, width, height int) View {
	s := newSheet(th, width, 76)
	s.input(&f.in, th.Key.Render("› "), true)
	s.add("")
	f.list.Resize(len(f.hits), max(1, min(30, height-9)))
	from, to := f.list.Visible()
	for i := from; i < to; i++ {
		y := len(s.lines)
		box := Zone{Y: y, From: boxColumn, To: boxColumn + 3, Row: i, Box: true}
		s.zones = append(s.zones, box, Zone{Y: y, To: s.width, Row: i})
		s.add(f.row(th, i, i == from, s.width))
	}
	if len(f.hits) == 0 && f.pending() == "" {
		s.dim("nothing by that name")
	}
	for len(s.lines) < 2+f.list.Height {
		s.add("")
	}
	s.add("", th.Dim.Render(f.foot()))
	s.keysLine("space", "with", "!", "without", "ctrl+x", "all off", "enter", "show", "esc", "cancel")
	return s.view("Show only", height, 0, 4)
}

// foot returns the groups still being counted, or the rule by which choices combine.
func (f *Facets) foot() string {
	if p := f.pending(); p != "" {
		return "counting by " + p + "…"
	}
	return "one of those wanted in each group; nothing that is left out"
}

// pending returns the names of the groups that are not counted yet.
func (f *Facets) pending() string {
	var list []string
	for _, g := range f.groups {
		if !g.counted {
			list = append(list, g.name)
		}
	}
	return strings.Join(list, ", ")
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
	label := term.Pad(term.Safe(term.Clip(x.label(), 200)), width-27)
	if i == f.list.Cursor {
		return th.Selected.Render(term.Pad(fmt.Sprintf("▌ %-9s %s%s %8s", group, boxes[x.Choice], label, n), width))
	}
	heading, count := th.Heading.Render(fmt.Sprintf("%-9s", group)), th.Dim.Render(fmt.Sprintf("%8s", n))
	return fmt.Sprintf("  %s %s%s %s", heading, boxes[x.Choice], label, count)
}
