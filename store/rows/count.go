package rows

import (
	"cmp"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/review/read"
)

// InRows reports whether a filter asks for columns by which items are not counted: only the items have them.
func InRows(f review.Filter) bool {
	values := len(f.Languages) + len(f.Params) + len(f.Reviewers) +
		len(f.Not.Languages) + len(f.Not.Params) + len(f.Not.Reviewers) + len(f.Reach) + len(f.NotIDs) +
		len(f.Records) + len(f.Where) + len(f.Not.Where) + len(f.Assigned) + len(f.Not.Assigned)
	return values > 0 || f.Path != "" || f.Search != "" || f.Regexp != "" || f.Keys != nil || f.IDs != nil ||
		f.Originals != nil || f.UpTo > 0 || f.LinkStates != nil || !f.Since.IsZero() || !f.Due.IsZero()
}

// AddTotal adds a row to the totals of all items: whether they are gone, verdict, status, open, was_open, and their
// number.
func AddTotal(t *review.Totals, scan Scan) error {
	var verdict canon.Verdict
	var status review.Status
	var gone, open, wasOpen bool
	var n int
	if err := scan(&gone, Verdict(&verdict), Status(&status), &open, &wasOpen, &n); err != nil {
		return err
	}
	if gone {
		t.Gone += n
		return nil
	}
	t.Items += n
	t.Verdicts[verdict] += n
	if open {
		t.Open += n
	}
	if status == review.Deferred {
		t.Deferred += n
	}
	if !open && wasOpen {
		t.Reviewed += n
		if review.ByRules(verdict, status) {
			t.ByRules += n
		}
	}
	return nil
}

// SortBuckets sorts by falling count, then by value.
func SortBuckets(list []review.Bucket) {
	slices.SortFunc(list, func(a, b review.Bucket) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Value, b.Value))
	})
}

// NameLists caches lists of names by their text, at most maxNameLists of them. Most items share a list with many
// others.
type NameLists map[string][]string

const maxNameLists = 4096

// Split is SplitNames with the cache.
func (l NameLists) Split(text string) ([]string, error) {
	list, ok := l[text]
	if ok {
		return list, nil
	}
	list, err := SplitNames(text)
	if len(l) == maxNameLists {
		clear(l)
	}
	l[text] = list
	return list, err
}

// AttributeCounts counts items by the attributes of their records and the values of these.
type AttributeCounts struct {
	values map[string]map[string]int // nil: more values than are counted
	item   int64
	seen   map[[2]string]bool // of the item
}

// NewAttributeCounts returns counts of nothing.
func NewAttributeCounts() *AttributeCounts {
	return &AttributeCounts{values: map[string]map[string]int{}, seen: map[[2]string]bool{}}
}

// Add counts the attributes of a record that cites an item. The rows of an item follow each other.
func (c *AttributeCounts) Add(item int64, list []read.Attribute) {
	if item != c.item {
		c.item = item
		clear(c.seen)
	}
	for _, a := range list {
		for _, value := range a.Values {
			if key := [2]string{a.Name, value}; !c.seen[key] {
				c.seen[key] = true
				c.count(a.Name, value)
			}
		}
	}
}

func (c *AttributeCounts) count(name, value string) {
	values, known := c.values[name]
	if !known {
		values = map[string]int{}
		c.values[name] = values
	}
	if values == nil {
		return
	}
	if values[value]++; len(values) > review.MaxAttributeValues {
		c.values[name] = nil
	}
}

// Facets returns the attributes with at least two values, and not too many.
func (c *AttributeCounts) Facets() (list []review.AttributeFacet) {
	for name, values := range c.values {
		if len(values) < 2 {
			continue
		}
		facet := review.AttributeFacet{Name: name}
		for value, n := range values {
			facet.Values = append(facet.Values, review.Bucket{Value: value, N: n})
		}
		SortBuckets(facet.Values)
		list = append(list, facet)
	}
	slices.SortFunc(list, func(a, b review.AttributeFacet) int { return strings.Compare(a.Name, b.Name) })
	return list
}
