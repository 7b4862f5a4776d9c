package rows

import (
	"visto/canon"
	"visto/review"
)

// CountKey holds the columns by which items are counted. Host 0 stands for all hosts together.
type CountKey struct {
	Host, InHost, Set int64 // Set is the place set
	Verdict, Status   int64
	Open, WasOpen     bool
	Flags             int64
}

// CountColumns are the columns of a CountKey in an item i.
const CountColumns = "i.host_id, i.in_host_id, i.place_set_id, i.verdict, i.status, i.open, i.was_open, i.flags"

// Into returns where the values of CountColumns go.
func (k *CountKey) Into() []any {
	return []any{&k.Host, &k.InHost, &k.Set, &k.Verdict, &k.Status, &k.Open, &k.WasOpen, &k.Flags}
}

// Resolve returns the key of the item with that result and those decisions.
func (k CountKey) Resolve(
	c review.Computed, link review.Link, d *review.Decision, by []review.RecordDecision,
) CountKey {
	status, flags := review.ResolveStatus(c, link, d, by...)
	it := review.Item{Status: status, Computed: review.Computed{Flags: flags}, Presence: Presence(k.Set)}
	k.Verdict, k.Status, k.Flags, k.Open = int64(c.Verdict), int64(status), int64(flags), it.Open()
	k.WasOpen = k.WasOpen || k.Open && !openByLink(status, flags)
	return k
}

// PlacedIn returns the key of the item with another place set.
func (k CountKey) PlacedIn(set int64) CountKey {
	k.Set = set
	it := review.Item{Status: review.Status(k.Status), Presence: Presence(set)}
	it.Computed.Flags = canon.CodeSet(k.Flags)
	k.Open = it.Open()
	k.WasOpen = k.WasOpen || k.Open && !openByLink(it.Status, it.Computed.Flags)
	return k
}

// CountDeltas are the changes of a transaction to the counts.
type CountDeltas map[CountKey]int

// Move notes that an item changed its key.
func (m CountDeltas) Move(from, to CountKey) {
	m[from]--
	m[to]++
}

// ComputedRow is review.Computed with its status, as columns.
type ComputedRow struct {
	CountKey
	Canonical string
	key       []byte // nil where there is no page
	reason    int64
	unknown   string
	linkType  int64
	language  string
	via       string
}

// newComputedRow returns the row without the columns of its count key that depend on the decision too. id returns the
// ID of a host.
func newComputedRow(c *review.Computed, id func(host string) (int64, error)) (row ComputedRow, err error) {
	row = ComputedRow{Canonical: c.Canonical, reason: int64(c.Reason), unknown: joinNames(c.Unknown),
		linkType: int64(c.LinkType), language: c.Language, via: joinHosts(c.Via)}
	if c.Key != (review.Key{}) {
		row.key = c.Key[:]
	}
	if row.InHost, err = id(c.InHost); err != nil {
		return row, err
	}
	row.Host, err = id(c.Host)
	return row, err
}

// Resolve sets the status, flags and open state that follow from the decisions. was is the count key so far.
func (c *ComputedRow) Resolve(
	computed review.Computed, link review.Link, d *review.Decision, by []review.RecordDecision, was CountKey,
) {
	was.Host, was.InHost = c.Host, c.InHost
	c.CountKey = was.Resolve(computed, link, d, by)
}

// ComputedColumns are the columns of a ComputedRow.
const ComputedColumns = "canonical, page_key, verdict, reason, flags, unknown, in_host_id, host_id, link_type, " +
	"language, via, status, open, was_open"

// Args are the values of ComputedColumns.
func (c *ComputedRow) Args() []any {
	return []any{c.Canonical, c.key, c.Verdict, c.reason, c.Flags, c.unknown, c.InHost, c.Host, c.linkType,
		c.language, c.via, c.Status, c.Open, c.WasOpen}
}
