package review

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Values returns the values of the facets that the filter wants.
func (f Filter) Values() Values {
	return Values{
		Statuses: f.Statuses, Flags: f.Flags, Hosts: f.Hosts, Files: f.Files, Fields: f.Fields,
		Languages: f.Languages, Params: f.Params, Reviewers: f.Reviewers,
	}
}

// WithValues returns the filter with other values of the facets, wanted and left out ones.
func (f Filter) WithValues(want, not Values) Filter {
	f.Statuses, f.Flags, f.Hosts, f.Files, f.Fields = want.Statuses, want.Flags, want.Hosts, want.Files, want.Fields
	f.Languages, f.Params, f.Reviewers = want.Languages, want.Params, want.Reviewers
	f.Not = not
	return f
}

// Waiting is how String says Filter{Open: true}: what waits for a person.
const Waiting = "waiting"

// Part is what one condition of a filter says: Text names all values, Short says how many they are if they are several.
type Part struct{ Text, Short string }

// String says in words what the filter selects, such as "waiting, home-page or section-page, not boe.es". It may hold untrusted
// text. What only programs ask for (Reach, Keys, Due) is left out.
func (f Filter) String() string {
	var list []string
	for _, p := range f.Parts() {
		list = append(list, p.Text)
	}
	return strings.Join(list, ", ")
}

// Parts are what String says, one by one.
func (f Filter) Parts() []Part {
	list := []Part{f.standing()}
	for i, words := range f.Values().words()[1:] {
		list = append(list, either("", words, facetNames[i+1]))
	}
	list = append(list, part(f.Path), part(f.AtHost))
	for i, words := range f.Not.words() {
		list = append(list, either("not ", words, facetNames[i]))
	}
	if !f.Since.IsZero() {
		list = append(list, part("decided since "+f.Since.UTC().Format(time.DateOnly)))
	}
	if f.IDs != nil {
		list = append(list, part(fmt.Sprintf("%d marked", len(f.IDs))))
	}
	if len(f.NotIDs) > 0 {
		list = append(list, part(fmt.Sprintf("all but %d", len(f.NotIDs))))
	}
	list = append(list, f.sought()...)
	return slices.DeleteFunc(list, func(p Part) bool { return p.Text == "" })
}

// sought is what the filter searches for.
func (f Filter) sought() (list []Part) {
	if f.Search != "" {
		list = append(list, Part{fmt.Sprintf("with “%s”", f.Search), "“" + f.Search + "”"})
	}
	if f.Regexp != "" {
		list = append(list, Part{fmt.Sprintf("matching /%s/", f.Regexp), "/" + f.Regexp + "/"})
	}
	return list
}

func part(text string) Part { return Part{text, text} }

// standing says which statuses are wanted.
func (f Filter) standing() Part {
	switch {
	case len(f.Statuses) > 0:
		return either("", f.Values().words()[0], facetNames[0])
	case f.Open:
		return part(Waiting)
	case f.IDs != nil:
		return Part{}
	}
	return part("all")
}

// facetNames are what the values of each facet are called where they are several, in the order of words.
var facetNames = [...]string{"statuses", "flags", "parameters", "languages", "fields", "files", "hosts", "reviewers"}

// words are the values of each facet, as they are read.
func (v Values) words() [][]string {
	var statuses, flags []string
	for _, s := range v.Statuses {
		statuses = append(statuses, s.String())
	}
	for _, c := range v.Flags.Codes() {
		flags = append(flags, c.String())
	}
	return [][]string{statuses, flags, prefixed("parameter ", v.Params), prefixed("language ", v.Languages), v.Fields, v.Files, v.Hosts,
		prefixed("by ", v.Reviewers)}
}

func prefixed(what string, values []string) []string {
	var list []string
	for _, v := range values {
		list = append(list, what+v)
	}
	return list
}

// either joins alternatives behind a word; name is what several of them are called.
func either(word string, values []string, name string) Part {
	switch len(values) {
	case 0:
		return Part{}
	case 1:
		return part(word + values[0])
	}
	return Part{word + strings.Join(values, " or "), fmt.Sprintf("%s%d %s", word, len(values), name)}
}
