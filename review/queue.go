package review

import (
	"cmp"
	"slices"

	"visto/canon"
)

// Sort names an order. Ties are broken by ID.
type Sort uint8

// The orders.
const (
	ByID Sort = iota
	ByHost
	ByURL // host, then sortPath
	ByStatus
	ByFlags   // the same flags together
	ByDecided // time of the decision in effect; items without one first
	ByDecider // reviewer of the decision in effect; items without one first
	ByLength  // bytes of the canonical URL, or of the original if there is none
	ByRecord  // name, or else ID, of the record that cited the item first; items in plain text first
	ByDoubt   // Doubt of the flags: items that a recommended answer settles first
	sortCount
)

func (s Sort) String() string {
	return [...]string{"id", "host", "url", "status", "flags", "decided", "reviewer", "length", "record",
		"doubt"}[s]
}

// Sorts returns all orders.
func Sorts() []Sort {
	var list []Sort
	for s := range sortCount {
		list = append(list, s)
	}
	return list
}

// ParseSort returns the order of that name.
func ParseSort(name string) (Sort, bool) { return parseName(sortCount, name) }

// Query is a filter and an order.
type Query struct {
	Filter Filter
	Sort   Sort
	Desc   bool
}

// Cursor is a place in the order of a query, just after or before an item. &Cursor{Backward: true} is the place after
// the last item: it reads the last page.
type Cursor struct {
	Host     string // for ByHost and ByURL
	Path     string // for ByURL, after Host
	Reviewer string // for ByDecider
	Record   string // for ByRecord
	Number   int64  // for ByStatus, ByFlags, ByDecided (the batch), ByLength, ByDoubt, and ByRecord (Occurrence.Citer)
	Place    int64  // for ByRecord (Occurrence.ID), after Number
	ID       int64
	Backward bool // read the items before the place
}

// After returns the place just after the item in the query's order.
func (q Query) After(it *Item) *Cursor {
	c := &Cursor{ID: it.ID}
	switch q.Sort {
	case ByHost:
		c.Host = it.Computed.Host
	case ByURL:
		c.Host, c.Path = it.Computed.Host, it.sortPath()
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
	case ByDoubt:
		c.Number = Doubt(it.Computed.Flags)
	case ByRecord:
		o := it.firstCiting()
		c.Number, c.Place = o.Citer, o.ID
		if o.Record != nil {
			c.Record = cmp.Or(o.Record.Name, o.Record.ID)
		}
	}
	return c
}

// Before returns the place just before the item in the query's order.
func (q Query) Before(it *Item) *Cursor {
	c := q.After(it)
	c.Backward = true
	return c
}

// Compare compares two items in the order of the query. It is negative if a comes first.
func (q Query) Compare(a, b *Item) int {
	x, y := q.After(a), q.After(b)
	c := cmp.Or(cmp.Compare(x.Host, y.Host), cmp.Compare(x.Path, y.Path), cmp.Compare(x.Reviewer, y.Reviewer),
		cmp.Compare(x.Record, y.Record), cmp.Compare(x.Number, y.Number), cmp.Compare(x.Place, y.Place),
		cmp.Compare(x.ID, y.ID))
	if q.Desc {
		return -c
	}
	return c
}

// sortPath returns the sort value of ByURL within a host: path and query of the computed canonical URL, so that
// scheme and port do not separate pages. Without a canonical URL it is the original.
func (it *Item) sortPath() string {
	if it.Computed.Canonical == "" {
		return it.Original
	}
	_, path := SplitCanonical(it.Computed.Canonical)
	return path
}

// DoubtClass is a class of flags that leave the same doubt.
type DoubtClass struct {
	Flags canon.CodeSet
	Why   string
}

// doubts are the classes of the flags, the surest first: from a fact that the server stated to a host that misleads.
var doubts = []DoubtClass{
	{0, "nothing is flagged any more"},
	{canon.SetOf(canon.TrailingSlash, canon.HTTPOnly, canon.Credentials, canon.CertificateExpiring,
		canon.RedirectChanged), "the server says what to do"},
	{canon.SetOf(canon.UnknownParam, canon.HomePage, canon.SectionPage, canon.NonstandardPort),
		"one answer settles all that are alike"},
	{canon.SetOf(canon.NoSpanish, canon.BrokenEncoding, canon.FragmentRoute, canon.RobotsBlocked, canon.NoContent,
		canon.ContentChanged, canon.CanonicalConflict, canon.ChangedSinceApproval, canon.PastedText),
		"the page has to be read"},
	{canon.SetOf(canon.OffAllowlist, canon.RedirectLimit, canon.UnresolvedShortener, canon.Unreachable,
		canon.LinkBroken), "a person has to find out whose or where the page is"},
	{canon.SetOf(canon.SuspiciousHost), "the host may mislead"},
}

// DoubtClasses returns the classes, the surest first. The first one is that of no flag; every flag is in one other.
func DoubtClasses() []DoubtClass { return slices.Clone(doubts) }

// Doubt ranks the flags of an item by how likely a recommended answer is right for it: twice the number of the class of
// its most doubtful flag, and one more if it has several flags. 0 is the surest.
func Doubt(flags canon.CodeSet) (rank int64) {
	for i, class := range slices.Backward(doubts) {
		if flags&class.Flags != 0 {
			rank = 2 * int64(i)
			break
		}
	}
	if flags.Len() > 1 {
		rank++
	}
	return rank
}

// DoubtOf returns the flags that Doubt ranks by and why they leave that doubt.
func DoubtOf(flags canon.CodeSet) DoubtClass {
	class := doubts[Doubt(flags)/2]
	class.Flags &= flags
	return class
}

// Facets counts the items of a filter by each value of each dimension. An item with two flags counts under both.
type Facets struct {
	Total    int
	Flags    map[canon.Code]int
	Statuses map[Status]int
	Hosts    []Bucket // the 500 most frequent, largest first
	Files    []Bucket // all, largest first
	Fields   []Bucket
}

// Dimension is a dimension without stored counts, which Facets leaves out. Counting by it reads all items of the
// filter.
type Dimension uint8

// The dimensions.
const (
	ByLanguage Dimension = iota + 1
	ByParam              // each unknown parameter; an item with two counts under both
	ByReviewer           // of the decision in effect
	ByAssignee
)

// Bucket is a value with its count.
type Bucket struct {
	Value string
	N     int
}

// queueDesk is the part of a Desk for saved views of the queue, and for sharing it out among reviewers.
type queueDesk struct{ *deskBase }
