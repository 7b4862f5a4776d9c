package read

import (
	"cmp"
	"slices"
	"strings"
)

// Summary counts the URLs and links of an input: those that URLs yielded, and those that it did not take.
type Summary struct {
	Format  string       // one of Formats; empty: the input is empty or not text
	Found   int          // URLs passed to yield
	Untaken []FieldCount // URLs under fields that are not known, the most first
	// Relative URLs name no host. Other links of HTML and Markdown are no web pages, such as mailto:. Placeholders are
	// texts with a placeholder of a template in the place of a URL. All of them are only counted.
	Relative, Other, Placeholders int
	// Glued is the number of words of a text in which a URL is not taken, because of what stands before it, such as
	// xhttp://www.boe.es or ftp://www.boe.es.
	Glued    int
	Sitemaps []string // the sitemaps that an index names, without secrets; nothing is fetched
}

// FieldCount is the number of strings under a field that are URLs, though the field is not known to hold them.
type FieldCount struct {
	Field string // empty: under no field
	URLs  int
}

// maxUntaken is the number of fields that are counted. The keys of an input may be data too.
const maxUntaken = 1000

// untaken counts URLs under fields that are not read.
type untaken struct {
	counts map[string]int
	order  []string // of the fields, as they came
}

func (u *untaken) add(field string) {
	if u.counts == nil {
		u.counts = map[string]int{}
	}
	if _, ok := u.counts[field]; !ok {
		if len(u.order) == maxUntaken {
			return
		}
		field = strings.Clone(field)
		u.order = append(u.order, field)
	}
	u.counts[field]++
}

// list returns the counts, the largest first.
func (u *untaken) list() []FieldCount {
	var list []FieldCount
	for _, field := range u.order {
		list = append(list, FieldCount{field, u.counts[field]})
	}
	slices.SortStableFunc(list, func(a, b FieldCount) int { return cmp.Compare(b.URLs, a.URLs) })
	return list
}

// isURL reports whether a text as a whole is a URL with a scheme, a host and no white space in it.
func isURL(text string) bool {
	text = strings.TrimSpace(text)
	scheme, rest, ok := strings.Cut(text, "://")
	return ok && rest != "" && !strings.ContainsAny(text, " \t\r\n") &&
		(strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}
