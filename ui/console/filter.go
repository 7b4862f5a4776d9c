package console

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/review"
	"visto/ui/dialog"
	"visto/ui/pane"
)

// setQuery is another filter or order for the queue. cause says in words where the filter came from, if not from the
// reviewer's own choice. The cursor goes to the place, which may be the URL it is on.
type setQuery struct {
	query review.Query
	cause string
	place pane.Place
}

func (m *Model) setQuery(s setQuery) tea.Cmd {
	m.query, m.cause = s.query, s.cause
	m.scope = inQueue
	m.queue.SetMarks(nil)
	m.queue.SetTotal(-1)
	return tea.Batch(m.loadPage(s.place), m.count())
}

// clear takes away the marks, and when there are none, what the filter was narrowed by.
func (m *Model) clear() tea.Cmd {
	if m.queue.Marks() > 0 {
		m.queue.SetMarks(nil)
		return nil
	}
	q := m.query
	q.Filter = review.Filter{Open: true}
	if m.filterText() == waiting {
		return nil
	}
	here := m.queue.Here()
	here.Jump = true
	return m.setQuery(setQuery{query: q, place: here})
}

func (m *Model) askSearch() tea.Cmd {
	query, cause := m.query, m.cause
	p := &dialog.Prompt{
		Title: "Search", Hint: "in originals, canonical URLs, titles and notes; empty shows all again", Yes: "search",
		Do: func(text string) dialog.Action {
			query.Filter.Search = text
			return setQuery{query: query, cause: cause}
		},
	}
	m.open(p.With(m.query.Filter.Search))
	return nil
}

// orders are the orders of the queue, by name.
var orders = []struct {
	name string
	sort review.Sort
	desc bool
}{
	{"as they came", review.ByID, false}, {"newest first", review.ByID, true},
	{"host", review.ByHost, false}, {"host, from the end", review.ByHost, true},
	{"canonical URL", review.ByURL, false}, {"canonical URL, from the end", review.ByURL, true},
	{"status", review.ByStatus, false}, {"status, from the end", review.ByStatus, true},
}

func (m *Model) askSort() tea.Cmd {
	menu := &dialog.Menu{Title: "Sort", Hint: "sort so"}
	at := 0
	for i, o := range orders {
		q := m.query
		q.Sort, q.Desc = o.sort, o.desc
		menu.Rows = append(menu.Rows, dialog.Row{Name: o.name, Do: setQuery{query: q, cause: m.cause}})
		if o.sort == m.query.Sort && o.desc == m.query.Desc {
			at = i
			menu.Rows[i].Text = "now"
		}
	}
	m.openMenu(menu, at)
	return nil
}

// askFacets opens the facets and has them counted: flags, hosts, files and fields among what the rest of the filter shows,
// statuses among all.
func (m *Model) askFacets() tea.Cmd {
	query := m.query
	m.open(dialog.NewFacets(func(chosen []dialog.Facet) dialog.Action {
		query.Filter = narrowed(query.Filter, chosen)
		return setQuery{query: query}
	}))
	return func() tea.Msg {
		wide := unnarrowed(query.Filter)
		all := wide
		all.Open, all.Statuses = false, nil
		f, err := m.desk.Facets(m.ctx, wide)
		if err != nil {
			return facetsAnswer{err: err}
		}
		s, err := m.desk.Facets(m.ctx, all)
		if err != nil {
			return facetsAnswer{err: err}
		}
		all.Open = true
		open, err := m.desk.Count(m.ctx, all)
		return facetsAnswer{facetList(query.Filter, f, s, open), err}
	}
}

type facetsAnswer struct {
	list []dialog.Facet
	err  error
}

func (a facetsAnswer) take(m *Model) tea.Cmd {
	d, ok := m.dialog.(*dialog.Facets)
	switch {
	case !ok:
	case a.err != nil:
		m.closeDialog()
		m.warn(plainError(a.err))
	default:
		d.SetFacets(a.list)
	}
	return nil
}

// unnarrowed is the filter without what facets choose but the status.
func unnarrowed(f review.Filter) review.Filter {
	return review.Filter{Open: f.Open, Statuses: f.Statuses, Search: f.Search, Params: f.Params, Path: f.Path, AtHost: f.AtHost}
}

// openFacet is the facet of everything that waits for a person.
type openFacet struct{}

// hostFacet, fileFacet and fieldFacet are values of those dimensions.
type (
	hostFacet  string
	fileFacet  string
	fieldFacet string
)

func facetList(f review.Filter, counts, all review.Facets, open int) []dialog.Facet {
	list := []dialog.Facet{{Group: "status", Label: "waiting for a person", N: open, On: f.Open, Value: openFacet{}}}
	for _, s := range []review.Status{review.Pending, review.Deferred, review.Accepted, review.Approved, review.Rejected} {
		list = append(list, dialog.Facet{Group: "status", Label: s.String(), N: all.Statuses[s], On: slices.Contains(f.Statuses, s), Value: s})
	}
	for _, c := range canon.Codes() {
		if counts.Flags[c] > 0 || f.Flags.Has(c) {
			list = append(list, dialog.Facet{Group: "flag", Label: c.String(), N: counts.Flags[c], On: f.Flags.Has(c), Value: c})
		}
	}
	bucket := func(group string, buckets []review.Bucket, on []string, value func(string) any) {
		for _, b := range buckets {
			if b.Value != "" {
				list = append(list, dialog.Facet{Group: group, Label: b.Value, N: b.N, On: slices.Contains(on, b.Value), Value: value(b.Value)})
			}
		}
	}
	bucket("field", counts.Fields, f.Fields, func(s string) any { return fieldFacet(s) })
	bucket("file", counts.Files, f.Files, func(s string) any { return fileFacet(s) })
	bucket("host", counts.Hosts, f.Hosts, func(s string) any { return hostFacet(s) })
	return list
}

// narrowed is the filter with what was chosen.
func narrowed(f review.Filter, chosen []dialog.Facet) review.Filter {
	f = unnarrowed(f)
	f.Open, f.Statuses = false, nil
	for _, c := range chosen {
		switch v := c.Value.(type) {
		case openFacet:
			f.Open = true
		case review.Status:
			f.Statuses = append(f.Statuses, v)
		case canon.Code:
			f.Flags = f.Flags.With(v)
		case hostFacet:
			f.Hosts = append(f.Hosts, string(v))
		case fileFacet:
			f.Files = append(f.Files, string(v))
		case fieldFacet:
			f.Fields = append(f.Fields, string(v))
		}
	}
	if len(f.Statuses) > 0 {
		f.Open = false // the statuses are the narrower wish
	}
	return f
}

// waiting is the filter that the console opens with, in words.
const waiting = "waiting"

// filterText says what is filtered, in words; it may hold untrusted text.
func (m *Model) filterText() string {
	f := m.query.Filter
	var list []string
	switch {
	case len(f.Statuses) > 0:
		for _, s := range f.Statuses {
			list = append(list, s.String())
		}
	case f.Open:
		list = append(list, waiting)
	default:
		list = append(list, "all")
	}
	if m.cause != "" {
		list = append(list, m.cause)
	} else {
		for _, c := range f.Flags.Codes() {
			list = append(list, c.String())
		}
		list = slices.Concat(list, f.Fields, f.Files, f.Hosts, f.Params)
		for _, s := range []string{f.Path, f.AtHost} {
			if s != "" {
				list = append(list, s)
			}
		}
	}
	if f.Search != "" {
		list = append(list, fmt.Sprintf("with “%s”", f.Search))
	}
	return strings.Join(list, ", ")
}
