package review

import (
	"cmp"
	"time"

	"visto/canon"
)

// Filter selects items. The zero Filter selects all. Lists are alternatives; the fields are all to hold.
type Filter struct {
	Open     bool // only what waits for a person
	Statuses []Status
	Flags    canon.CodeSet // any of these
	Hosts    []string      // canonical host, or the incoming one; "*.gencat.cat" is a suffix pattern, "*" any
	Files    []string      // Source.File
	Fields   []string      // Source.Field

	Languages []string  // Computed.Language; "" is one that is not known
	Params    []string  // an unknown parameter of one of these names
	Reviewers []string  // whose decision stands
	Since     time.Time // the decision that stands was made then or later; zero: all
	Not       Values    // what has none of these

	Path   string // canonical URLs whose path has this prefix at a segment boundary
	Search string // substring of original, canonical, approved URL, title or a note, without ASCII case
	Regexp string // regular expression that one of these matches: see ParsePattern

	Reach  []string  // as Hosts, or a host in between: the URLs that an override for these hosts is looked up for
	AtHost string    // exactly this canonical host, as in Group.Host; the incoming one does not count
	Keys   []Key     // items with one of these comparison keys; callers pass at most 1,000 at a time
	IDs    []int64   // any number
	NotIDs []int64   // none of these
	UpTo   int64     // IDs up to this one; 0: all
	Due    time.Time // what has no evidence, or evidence that is due for another look at this time; zero: all
}

// chunk is how many IDs or keys are asked for in one query.
const chunk = 500

// Values are values of the facets; the fields mean what those of Filter do.
type Values struct {
	Statuses  []Status
	Flags     canon.CodeSet
	Hosts     []string
	Files     []string
	Fields    []string
	Languages []string
	Params    []string
	Reviewers []string
}

// Sort names an order. Ties are broken by ID.
type Sort uint8

// The orders.
const (
	ByID Sort = iota
	ByHost
	ByURL // host, then SortPath
	ByStatus
	ByFlags   // the same flags together
	ByDecided // when the decision that stands was made; first what has none
	ByDecider // reviewer of the decision that stands; first what has none
	ByLength  // bytes of the canonical URL, or of the original of what has none
	sortCount
)

func (s Sort) String() string {
	return [...]string{"id", "host", "url", "status", "flags", "decided", "reviewer", "length"}[s]
}

// Sorts are all orders.
func Sorts() []Sort {
	var list []Sort
	for s := range sortCount {
		list = append(list, s)
	}
	return list
}

// ParseSort returns the order of that name.
func ParseSort(name string) (Sort, bool) {
	for s := range sortCount {
		if s.String() == name {
			return s, true
		}
	}
	return 0, false
}

// Query is a filter and an order.
type Query struct {
	Filter Filter
	Sort   Sort
	Desc   bool
}

// Cursor is a place in a query's order: just after, or before, the item it was taken from. A Backward one without an ID is the
// place behind the last item: &Cursor{Backward: true} reads the last page.
type Cursor struct {
	Host     string // the sort value for ByHost and, first, for ByURL
	Path     string // then for ByURL
	Reviewer string // for ByDecider
	Number   int64  // for ByStatus, ByFlags, ByDecided (the batch) and ByLength
	ID       int64
	Backward bool // read the n items before the place, not after it
}

// After returns the place just after the item in the query's order.
func (q Query) After(it *Item) *Cursor {
	c := &Cursor{ID: it.ID}
	switch q.Sort {
	case ByHost:
		c.Host = it.Computed.Host
	case ByURL:
		c.Host, c.Path = it.Computed.Host, it.SortPath()
	case ByStatus:
		c.Number = int64(it.Status)
	case ByFlags:
		c.Number = int64(it.Computed.Flags)
	case ByDecided:
		if it.Decision != nil {
			c.Number = it.Decision.Batch
		}
	case ByDecider:
		if it.Decision != nil {
			c.Reviewer = it.Decision.Reviewer
		}
	case ByLength:
		c.Number = int64(len(cmp.Or(it.Computed.Canonical, it.Original)))
	}
	return c
}

// Before returns the place just before the item in the query's order.
func (q Query) Before(it *Item) *Cursor {
	c := q.After(it)
	c.Backward = true
	return c
}

// Compare says which of two items comes first in the query's order: it is negative if a does.
func (q Query) Compare(a, b *Item) int {
	x, y := q.After(a), q.After(b)
	c := cmp.Or(cmp.Compare(x.Host, y.Host), cmp.Compare(x.Path, y.Path), cmp.Compare(x.Reviewer, y.Reviewer), cmp.Compare(x.Number, y.Number), cmp.Compare(x.ID, y.ID))
	if q.Desc {
		return -c
	}
	return c
}

// SortPath is what ByURL sorts the URLs of a host by: the path and the query of the computed canonical URL, so that scheme and
// port do not set pages apart; the whole original where there is no canonical URL.
func (it *Item) SortPath() string {
	if it.Computed.Canonical == "" {
		return it.Original
	}
	_, path := SplitCanonical(it.Computed.Canonical)
	return path
}

// Facets counts the items of a filter by each value of each dimension. An item with two flags counts under both.
type Facets struct {
	Total    int
	Flags    map[canon.Code]int
	Statuses map[Status]int
	Hosts    []Bucket // the most frequent 500, largest first
	Files    []Bucket // all, largest first
	Fields   []Bucket
}

// Dimension is a dimension that Facets leaves out, because nothing keeps its counts: counting by it goes through all items of
// the filter.
type Dimension uint8

// The dimensions.
const (
	ByLanguage Dimension = iota + 1
	ByParam              // each unknown parameter; an item with two counts under both
	ByReviewer           // whose decision stands
)

// Bucket is a value with its count.
type Bucket struct {
	Value string
	N     int
}
