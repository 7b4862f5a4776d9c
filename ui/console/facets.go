package console

import (
	"context"
	"slices"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/review"
	"visto/ui/dialog"
)

// The groups of the facets, in the order in which they are shown.
var facetGroups = []string{"status", "flag", "parameter", "language", "field", "file", "reviewer", "host"}

// stringGroups are those whose values are texts, with their place among the values of a filter.
var stringGroups = map[string]func(*review.Values) *[]string{
	"parameter": func(v *review.Values) *[]string { return &v.Params },
	"language":  func(v *review.Values) *[]string { return &v.Languages },
	"field":     func(v *review.Values) *[]string { return &v.Fields },
	"file":      func(v *review.Values) *[]string { return &v.Files },
	"reviewer":  func(v *review.Values) *[]string { return &v.Reviewers },
	"host":      func(v *review.Values) *[]string { return &v.Hosts },
}

// slowGroups are those that are counted in a pass over the items.
var slowGroups = map[string]review.Dimension{"parameter": review.ByParam, "language": review.ByLanguage, "reviewer": review.ByReviewer}

// statuses are in the order in which they are shown.
var statuses = []review.Status{review.Pending, review.Deferred, review.Accepted, review.Approved, review.Rejected}

// facetRun is the counting for the open facets. The newest one wins, and stops the one before.
type facetRun struct {
	seq    int
	cancel context.CancelFunc
}

func (r *facetRun) stop() {
	if r.cancel != nil {
		r.cancel()
	}
	r.seq, r.cancel = r.seq+1, nil
}

// recount asks for the counts under what is chosen now.
type recount struct{ filter review.Filter }

// askFacets opens the facets and has them counted.
func (m *Model) askFacets() tea.Cmd {
	query, today := m.query, m.today
	d := dialog.NewFacets(facetGroups, chosenOf(query.Filter))
	d.Apply = func(chosen []dialog.Facet) dialog.Action {
		query.Filter = narrowed(query.Filter, chosen)
		return setQuery{query: query, today: today}
	}
	d.Recount = func(chosen []dialog.Facet) dialog.Action { return recount{narrowed(query.Filter, chosen)} }
	d.Typed = typedHost
	m.open(d)
	return m.recount(query.Filter)
}

// typedHost offers a host that is not among the most frequent, or a pattern of hosts.
func typedHost(text string) (dialog.Facet, bool) {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, ".") || strings.ContainsAny(text, " /") {
		return dialog.Facet{}, false
	}
	return dialog.Facet{Group: "host", Value: review.NormalMatch(canon.Match{Host: text}).Host, N: -1}, true
}

// recount counts each group under what is chosen of the others, in the background. One reading comes after the other: SQLite takes three
// times the memory for all of them at once.
func (m *Model) recount(f review.Filter) tea.Cmd {
	m.facets.stop()
	ctx, cancel := context.WithCancel(m.ctx)
	m.facets.cancel = cancel
	seq := m.facets.seq
	var turn sync.Mutex
	var cmds []tea.Cmd
	for _, part := range countingParts(f) {
		cmds = append(cmds, func() tea.Msg {
			turn.Lock()
			defer turn.Unlock()
			counts, err := part.count(ctx, m.desk)
			return facetsAnswer{seq, counts, err}
		})
	}
	return tea.Batch(cmds...)
}

// countingPart is what one reading of the store counts: groups under one filter.
type countingPart struct {
	filter review.Filter
	groups []string
}

// countingParts says which readings count all groups. Those of which nothing is chosen are counted under the whole filter, the
// others under what is chosen in the other groups.
func countingParts(f review.Filter) []countingPart {
	var parts []countingPart
	whole := countingPart{filter: f}
	for _, g := range facetGroups {
		wide, chosen := unchosen(f, g)
		switch {
		case slowGroups[g] != 0 || chosen:
			parts = append(parts, countingPart{wide, []string{g}})
		default:
			whole.groups = append(whole.groups, g)
		}
	}
	if len(whole.groups) > 0 {
		parts = slices.Insert(parts, 0, whole) // which is the quickest
	}
	return parts
}

// unchosen is the filter without what is chosen of the group, and whether anything is.
func unchosen(f review.Filter, group string) (review.Filter, bool) {
	rest := slices.DeleteFunc(chosenOf(f), func(x dialog.Facet) bool { return x.Group == group })
	return narrowed(f, rest), len(rest) < len(chosenOf(f))
}

func (p countingPart) count(ctx context.Context, desk Desk) (map[string][]dialog.Facet, error) {
	counts := map[string][]dialog.Facet{}
	if by := slowGroups[p.groups[0]]; by != 0 {
		list, err := desk.Facet(ctx, p.filter, by)
		counts[p.groups[0]] = bucketFacets(p.groups[0], list)
		return counts, err
	}
	all, err := desk.Facets(ctx, p.filter)
	if err != nil {
		return nil, err
	}
	for _, g := range p.groups {
		if counts[g], err = p.group(ctx, desk, g, all); err != nil {
			return nil, err
		}
	}
	return counts, nil
}

// group are the values of a group with their counts.
func (p countingPart) group(ctx context.Context, desk Desk, group string, f review.Facets) ([]dialog.Facet, error) {
	switch group {
	case "status":
		open := p.filter
		open.Open = true
		n, err := desk.Count(ctx, open)
		return statusFacets(n, f.Statuses), err
	case "flag":
		return flagFacets(f.Flags), nil
	case "field":
		return bucketFacets(group, f.Fields), nil
	case "file":
		return bucketFacets(group, f.Files), nil
	}
	return bucketFacets(group, f.Hosts), nil
}

func statusFacets(open int, counts map[review.Status]int) []dialog.Facet {
	list := []dialog.Facet{{Group: "status", Value: review.Waiting, Label: "waiting for a person", N: open, WantOnly: true}}
	for _, s := range statuses {
		list = append(list, dialog.Facet{Group: "status", Value: s.String(), N: counts[s]})
	}
	return list
}

func flagFacets(counts map[canon.Code]int) []dialog.Facet {
	var list []dialog.Facet
	for _, c := range canon.Codes() {
		if counts[c] > 0 {
			list = append(list, dialog.Facet{Group: "flag", Value: c.String(), N: counts[c]})
		}
	}
	return list
}

func bucketFacets(group string, buckets []review.Bucket) []dialog.Facet {
	var list []dialog.Facet
	for _, b := range buckets {
		if b.Value != "" {
			list = append(list, dialog.Facet{Group: group, Value: b.Value, N: b.N})
		}
	}
	return list
}

type facetsAnswer struct {
	seq    int
	counts map[string][]dialog.Facet
	err    error
}

func (a facetsAnswer) take(m *Model) tea.Cmd {
	d, ok := m.dialog.(*dialog.Facets)
	switch {
	case !ok || a.seq != m.facets.seq:
	case a.err != nil:
		m.closeDialog()
		m.warn(plainError(a.err))
	default:
		for group, counts := range a.counts {
			d.SetGroup(group, counts)
		}
	}
	return nil
}

// chosenOf are the choices that a filter says.
func chosenOf(f review.Filter) []dialog.Facet {
	var list []dialog.Facet
	if f.Open {
		list = append(list, dialog.Facet{Group: "status", Value: review.Waiting, Label: "waiting for a person", N: -1, WantOnly: true, Choice: dialog.FacetWith})
	}
	for choice, v := range [...]review.Values{dialog.FacetWith: f.Values(), dialog.FacetWithout: f.Not} {
		add := func(group, value string) {
			list = append(list, dialog.Facet{Group: group, Value: value, N: -1, Choice: dialog.FacetChoice(choice)})
		}
		for _, s := range v.Statuses {
			add("status", s.String())
		}
		for _, c := range v.Flags.Codes() {
			add("flag", c.String())
		}
		for _, group := range facetGroups {
			if place := stringGroups[group]; place != nil {
				for _, value := range *place(&v) {
					add(group, value)
				}
			}
		}
	}
	return list
}

// narrowed is the filter with what was chosen, and nothing else of the facets.
func narrowed(f review.Filter, chosen []dialog.Facet) review.Filter {
	var want, not review.Values
	f.Open = false
	for _, c := range chosen {
		v := &want
		if c.Choice == dialog.FacetWithout {
			v = &not
		}
		switch {
		case c.Value == review.Waiting && c.Group == "status":
			f.Open = true
		default:
			choose(v, c)
		}
	}
	if len(want.Statuses) > 0 {
		f.Open = false // the statuses are the narrower wish
	}
	return f.WithValues(want, not)
}

// choose adds a value of a group.
func choose(v *review.Values, c dialog.Facet) {
	switch c.Group {
	case "status":
		if s, ok := review.ParseStatus(c.Value); ok {
			v.Statuses = append(v.Statuses, s)
		}
	case "flag":
		if code, ok := canon.ParseCode(c.Value); ok {
			v.Flags = v.Flags.With(code)
		}
	default:
		place := stringGroups[c.Group](v)
		*place = append(*place, c.Value)
	}
}
