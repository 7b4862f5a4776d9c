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

// String says in words what the filter selects, such as "waiting, home-page or section-page, not boe.es". It may hold untrusted
// text. What only programs ask for (Reach, Keys, Due) is left out.
func (f Filter) String() string {
	list := []string{f.standing()}
	for _, words := range f.Values().words()[1:] {
		list = append(list, either("", words))
	}
	list = append(list, f.Path, f.AtHost)
	for _, words := range f.Not.words() {
		list = append(list, either("not ", words))
	}
	if !f.Since.IsZero() {
		list = append(list, "decided since "+f.Since.UTC().Format(time.DateOnly))
	}
	if f.IDs != nil {
		list = append(list, fmt.Sprintf("%d marked", len(f.IDs)))
	}
	if len(f.NotIDs) > 0 {
		list = append(list, fmt.Sprintf("all but %d", len(f.NotIDs)))
	}
	if f.Search != "" {
		list = append(list, fmt.Sprintf("with “%s”", f.Search))
	}
	if f.Regexp != "" {
		list = append(list, fmt.Sprintf("matching /%s/", f.Regexp))
	}
	return strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), ", ")
}

// standing says which statuses are wanted.
func (f Filter) standing() string {
	switch {
	case len(f.Statuses) > 0:
		return either("", f.Values().words()[0])
	case f.Open:
		return Waiting
	case f.IDs != nil:
		return ""
	}
	return "all"
}

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

// either joins alternatives behind a word.
func either(word string, values []string) string {
	if len(values) == 0 {
		return ""
	}
	return word + strings.Join(values, " or ")
}
