package dialog

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// Facets narrows the queue: a list of values with their counts, each of which can be switched on and off.
type Facets struct {
	Apply func(chosen []Facet) Action

	facets []Facet
	loaded bool
	in     widget.Input
	list   widget.List
	hits   []int
}

// Facet is a value of a dimension. Value is what the console knows it by.
type Facet struct {
	Group string
	Label string // untrusted
	N     int
	On    bool
	Value any
}

// NewFacets returns the dialog; the facets come later.
func NewFacets(apply func(chosen []Facet) Action) *Facets {
	return &Facets{Apply: apply, in: widget.NewInput("")}
}

// SetFacets shows the facets.
func (f *Facets) SetFacets(list []Facet) {
	f.facets, f.loaded = list, true
	f.narrow()
}

// Typing reports that letters are text: they narrow the list.
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
		f.toggle()
	case isKey(msg, "ctrl+x"):
		for i := range f.facets {
			f.facets[i].On = false
		}
	case isKey(msg, "enter"):
		return f.enter()
	default:
		if f.in.Update(msg) {
			f.narrow()
		}
	}
	return nil
}

func (f *Facets) toggle() {
	if f.list.Cursor < len(f.hits) {
		at := &f.facets[f.hits[f.list.Cursor]]
		at.On = !at.On
	}
}

// enter applies what is on.
func (f *Facets) enter() Action {
	if !f.loaded {
		return nil
	}
	var chosen []Facet
	for _, x := range f.facets {
		if x.On {
			chosen = append(chosen, x)
		}
	}
	return f.Apply(chosen)
}

func (f *Facets) narrow() {
	want := strings.ToLower(f.in.Value())
	f.hits = f.hits[:0]
	for i, x := range f.facets {
		if words(strings.ToLower(x.Group+" "+x.Label), want) {
			f.hits = append(f.hits, i)
		}
	}
	f.list.Len = len(f.hits)
	f.list.To(0)
}

// View draws the dialog.
func (f *Facets) View(th *theme.Theme, width, height int) View {
	s := newSheet(th, width, 76)
	s.input(&f.in, th.Key.Render("› "), true)
	s.add("")
	f.list.Resize(len(f.hits), max(1, min(max(len(f.facets), 1), height-6)))
	if !f.loaded {
		s.dim("counting…")
	}
	from, to := f.list.Visible()
	for i := from; i < to; i++ {
		s.add(f.row(th, i, i == from, s.width))
	}
	for len(s.lines) < 2+f.list.Height {
		s.add("")
	}
	s.keysLine("type", "to narrow", "space", "on/off", "ctrl+x", "all off", "enter", "show", "esc", "cancel")
	return s.view("Show only", height, 0, 2)
}

func (f *Facets) row(th *theme.Theme, i int, first bool, width int) string {
	x := f.facets[f.hits[i]]
	group := x.Group
	if !first && f.facets[f.hits[i-1]].Group == group {
		group = ""
	}
	box := "[ ] "
	if x.On {
		box = "[x] "
	}
	label := term.Pad(term.Safe(term.Clip(x.Label, 200)), width-26)
	if i == f.list.Cursor {
		return th.Selected.Render(term.Pad(fmt.Sprintf("▌ %-8s %s%s %8d", group, box, label, x.N), width))
	}
	return fmt.Sprintf("  %s %s%s %s", th.Heading.Render(fmt.Sprintf("%-8s", group)), box, label, th.Dim.Render(fmt.Sprintf("%8d", x.N)))
}
