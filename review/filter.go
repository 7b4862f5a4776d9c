package review

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"visto/canon"
	"visto/review/health"
	"visto/review/read"
)

// Filter selects items that meet all its fields. The values of a list are alternatives. The zero Filter selects all
// items that an input still cites.
type Filter struct {
	Open     bool   // only open items
	For      string // of these, leave out those that wait for another person after the approval of this reviewer
	Statuses []Status
	Flags    canon.CodeSet // any of these
	Hosts    []string      // canonical host, or the incoming one; "*.gencat.cat" is a suffix pattern, "*" any
	Files    []string      // an occurrence is in one of these; with Fields, under one of them
	Fields   []string
	Presence Presence
	Records  []int64          // numbers of records, one of which has an occurrence of the item
	Where    []read.Attribute // an occurrence is in a record that has one of the values of each of these attributes

	Languages []string  // Computed.Language; "" is one that is not known
	Params    []string  // names of unknown parameters
	Reviewers []string  // of the decision in effect
	Since     time.Time // the decision in effect was made then or later; zero: all
	Assigned  []string  // reviewers who have the item, or Mine or Nobody
	Me        string    // the reviewer whom Mine stands for
	Not       Values    // items with none of these values

	LinkStates []health.State // of Item.LinkState; all that are not checked are active

	Path string // canonical URLs whose path has this prefix at a segment boundary
	// part of original, canonical, approved URL, title, a note, or a record's ID, name or attribute, without case and
	// accents; see Fold
	Search string
	Regexp string // regular expression over the same texts, which are not folded; see ParsePattern

	Reach     []string  // like Hosts, and hosts in between: the URLs to which overrides for these hosts may apply
	AtHosts   []string  // exactly one of these canonical hosts, each once, as in Group.Host
	Keys      []Key     // any number of comparison keys
	Originals []string  // any number of originals
	IDs       []int64   // any number of IDs
	NotIDs    []int64   // excluded IDs
	UpTo      int64     // IDs up to this one; 0: all
	Due       time.Time // items without evidence, or with evidence that is due at this time; zero: all
}

// Values are values of the facets. The fields have the meaning of those in Filter.
type Values struct {
	Statuses  []Status      `json:"statuses,omitempty"`
	Flags     canon.CodeSet `json:"-"` // a stored view has their names
	Hosts     []string      `json:"hosts,omitempty"`
	Files     []string      `json:"files,omitempty"`
	Fields    []string      `json:"fields,omitempty"`
	Languages []string      `json:"languages,omitempty"`
	Params    []string      `json:"params,omitempty"`
	Reviewers []string      `json:"reviewers,omitempty"`
	Assigned  []string      `json:"assigned,omitempty"`

	Where []read.Attribute `json:"where,omitempty"` // in Filter.Not, each by itself
}

// readChunk is the number of IDs or keys in one query that reads. PostgreSQL finds 100,000 keys among a million in
// 0.3 s so, and in 1.5 s if it is asked for 500 at a time. writeChunk is that of items or hosts in one write: others
// wait for it.
const readChunk, writeChunk = 10000, 500

// everything selects all items.
var everything = Filter{Presence: AnyPresence}

// Values returns the wanted values of the facets.
func (f Filter) Values() Values {
	return Values{
		Statuses: f.Statuses, Flags: f.Flags, Hosts: f.Hosts, Files: f.Files, Fields: f.Fields,
		Languages: f.Languages, Params: f.Params, Reviewers: f.Reviewers, Assigned: f.Assigned,
		Where: f.Where,
	}
}

// WithValues returns the filter with other wanted and unwanted values of the facets.
func (f Filter) WithValues(want, not Values) Filter {
	f.Statuses, f.Flags, f.Hosts, f.Files, f.Fields = want.Statuses, want.Flags, want.Hosts, want.Files, want.Fields
	f.Languages, f.Params, f.Reviewers, f.Where = want.Languages, want.Params, want.Reviewers, want.Where
	f.Assigned = want.Assigned
	f.Not = not
	return f
}

// ParseHost reads a host to filter by, or a pattern of hosts, in the spelling of the store. A text that no host has
// selects nothing, and is an error.
func ParseHost(text string) (string, error) {
	host := text
	if _, rest, ok := strings.Cut(text, "://"); ok {
		host = rest
	}
	ends := `/\?#:`
	if strings.HasPrefix(host, "[") {
		ends = `/\?#`
	}
	if i := strings.IndexAny(host, ends); i >= 0 {
		host = host[:i]
	}
	switch {
	case strings.LastIndexByte(text, '*') > 0 || strings.ContainsAny(host, " @"):
		return "", fmt.Errorf("%q is no host", text)
	case host == "":
		return "", fmt.Errorf("%q has no host in it", text)
	case host != text:
		return "", fmt.Errorf("%q is no host; did you mean %s?", text, host)
	}
	return canon.Match{Host: host}.Normal().Host, nil
}

// Waiting is the text of Filter{Open: true}.
const Waiting = "waiting"

// Part describes one condition of a filter. Text names all values; Short gives the number of several values.
type Part struct{ Text, Short string }

// String describes the filter in words, such as "waiting, home-page or section-page, not boe.es". The text may be
// untrusted. Conditions for programs only (Reach, Keys, Originals, Due) are left out.
func (f Filter) String() string {
	return strings.Join(mapped(f.Parts(), func(p Part) string { return p.Text }), ", ")
}

// Parts returns the descriptions of all conditions; String joins them.
func (f Filter) Parts() []Part {
	list := []Part{f.statusPart()}
	for i, words := range f.Values().words()[1:] {
		list = append(list, either("", words, facetNames[i+1]))
	}
	list = append(list, part(f.Path), either("", f.AtHosts, "hosts"))
	list = append(list, either("", mapped(f.LinkStates, health.State.String), "states of links"))
	list = append(list, attributeParts("", f.Where)...)
	if len(f.Records) > 0 {
		list = append(list, part("the same record"))
	}
	for i, words := range f.Not.words() {
		list = append(list, either("not ", words, facetNames[i]))
	}
	list = append(list, attributeParts("not ", f.Not.Where)...)
	if !f.Since.IsZero() {
		list = append(list, part("decided since "+f.Since.UTC().Format(time.DateOnly)))
	}
	if f.IDs != nil {
		list = append(list, part(fmt.Sprintf("%d marked", len(f.IDs))))
	}
	if len(f.NotIDs) > 0 {
		list = append(list, part(fmt.Sprintf("all but %d", len(f.NotIDs))))
	}
	if f.Search != "" {
		list = append(list, Part{fmt.Sprintf("with “%s”", f.Search), "“" + f.Search + "”"})
	}
	if f.Regexp != "" {
		list = append(list, part(PatternMark+f.Regexp))
	}
	return slices.DeleteFunc(list, func(p Part) bool { return p.Text == "" })
}

func part(text string) Part { return Part{text, text} }

// statusPart describes the wanted statuses.
func (f Filter) statusPart() Part {
	switch {
	case len(f.Statuses) > 0:
		return either("", f.Values().words()[0], facetNames[0])
	case f.Open:
		return part(Waiting)
	case f.Presence == Gone:
		return part("gone")
	case f.IDs != nil:
		return Part{}
	}
	return part("all")
}

// facetNames are the names for several values of each facet, in the order of words.
var facetNames = [...]string{"statuses", "flags", "parameters", "languages", "fields", "files", "hosts", "reviewers",
	"assignees"}

// words returns the values of each facet, for people.
func (v Values) words() [][]string {
	return [][]string{mapped(v.Statuses, Status.String), v.flags(), withPrefix("parameter ", v.Params),
		withPrefix("language ", v.Languages), v.Fields, v.Files, v.Hosts, withPrefix("by ", v.Reviewers),
		assignedWords(v.Assigned)}
}

func withPrefix(prefix string, values []string) []string {
	return mapped(values, func(v string) string { return prefix + v })
}

func attributeParts(word string, list []read.Attribute) []Part {
	return mapped(list, func(a read.Attribute) Part { return either(word+a.Name+"=", a.Values, "values") })
}

// either joins alternatives after a word. name is the plural for several of them.
func either(word string, values []string, name string) Part {
	switch len(values) {
	case 0:
		return Part{}
	case 1:
		return part(word + values[0])
	}
	return Part{word + strings.Join(values, " or "), fmt.Sprintf("%s%d %s", word, len(values), name)}
}

// Registry selects the URLs that an export has by default, and those whose link is inactive.
func Registry() Filter { return Filter{Statuses: []Status{Accepted, Approved}} }
