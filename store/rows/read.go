package rows

import (
	"cmp"

	"visto/canon"
	"visto/review"
	"visto/review/health"
)

// The dimensions of the rows that AddFacet reads.
const (
	FacetStatus = iota // status and flags
	FacetHost
	FacetFile
	FacetField
)

// NewFacets returns facets without counts.
func NewFacets() review.Facets {
	return review.Facets{Flags: map[canon.Code]int{}, Statuses: map[review.Status]int{}}
}

// AddFacet adds a row of dimension, status, flags, name and count.
func AddFacet(facets *review.Facets, scan Scan) error {
	var dimension int
	var status review.Status
	var flags canon.CodeSet
	var b review.Bucket
	if err := scan(&dimension, Status(&status), Flags(&flags), &b.Value, &b.N); err != nil {
		return err
	}
	switch dimension {
	case FacetHost:
		facets.Hosts = append(facets.Hosts, b)
	case FacetFile:
		facets.Files = append(facets.Files, b)
	case FacetField:
		facets.Fields = append(facets.Fields, b)
	case FacetStatus:
		facets.Total += b.N
		facets.Statuses[status] += b.N
		for _, code := range flags.Codes() {
			facets.Flags[code] += b.N
		}
	}
	return nil
}

// MaxHosts is the number of hosts that the facets list.
const MaxHosts = 500

// SortFacets puts the most frequent values first.
func SortFacets(facets *review.Facets) {
	for _, list := range [][]review.Bucket{facets.Hosts, facets.Files, facets.Fields} {
		SortBuckets(list)
	}
	facets.Hosts = facets.Hosts[:min(len(facets.Hosts), MaxHosts)]
}

// Values counts items by the values of a dimension.
type Values struct {
	Split  func(string) ([]string, error) // a value into single ones; nil: the value itself
	counts map[string]int
}

// Add adds a row of value and count.
func (v *Values) Add(scan Scan) error {
	if v.counts == nil {
		v.counts = map[string]int{}
	}
	var value string
	var n int
	if err := scan(&value, &n); err != nil {
		return err
	}
	if v.Split == nil {
		v.counts[value] += n
		return nil
	}
	names, err := v.Split(value)
	for _, name := range names {
		v.counts[name] += n
	}
	return err
}

// Buckets returns the counts, the largest first.
func (v *Values) Buckets() (list []review.Bucket) {
	for value, n := range v.counts {
		list = append(list, review.Bucket{Value: value, N: n})
	}
	SortBuckets(list)
	return list
}

// rejudgedQuery is the query for the rows of scanJudgement: the judgements on items with several decisions.
const rejudgedQuery = `SELECT d.item_id, b.reviewer, d.kind, d.canonical FROM decision d
	JOIN batch b ON b.id = d.batch_id
	WHERE d.item_id IN (SELECT item_id FROM decision GROUP BY item_id HAVING count(*) > 1)
	AND d.record_id IS NULL AND d.kind IN (1, 2, 3, 6) AND b.undone_seq = 0 ORDER BY d.item_id, d.batch_id`

// scanJudgement scans a row of rejudgedQuery.
func scanJudgement(scan Scan) (j review.Judgement, err error) {
	err = scan(&j.Item, &j.Reviewer, DecisionKind(&j.Kind), &j.Canonical)
	return j, err
}

// GroupRow reads rows of host, flags, count, the name of the host, the place set and the status.
type GroupRow struct {
	row    Row
	places map[int64][]review.FileField // by place set
	each   Each
}

// NewGroupRow returns a GroupRow.
func NewGroupRow(each Each) *GroupRow {
	return &GroupRow{NewRow("host", 6, "host_id, flags, n, name, place_set_id, status"),
		map[int64][]review.FileField{}, each}
}

// members returns the members of a place set, sorted.
func (r *GroupRow) members(set int64) ([]review.FileField, error) {
	const query = `SELECT file.name, field.name FROM place_set_member m JOIN file ON file.id = m.file_id
		JOIN field ON field.id = m.field_id WHERE m.set_id = ? ORDER BY 1, 2`
	return Collect(r.each, query, []any{set}, func(p *review.FileField, scan Scan) error {
		return scan(&p.File, &p.Field)
	})
}

// Read reads a row.
func (r *GroupRow) Read(scan Scan) (review.Group, error) {
	row := &r.row
	if err := row.Scan(scan); err != nil {
		return review.Group{}, err
	}
	g := review.Group{Flags: row.flags(1), N: int(row.Number(2)), Host: row.Text(3),
		Status: review.Status(row.upTo(5, maxStatus))}
	set, known := row.Number(4), false
	if g.Places, known = r.places[set]; !known {
		var err error
		if g.Places, err = r.members(set); err != nil {
			return g, err
		}
		r.places[set] = g.Places
	}
	return g, row.Err
}

// undecidedColumns are the columns of an item i and its host h that undecidedRow reads.
const undecidedColumns = "i.id, i.flags, i.unknown, i.canonical, h.name"

// undecidedRow reads rows of undecidedColumns.
type undecidedRow struct {
	row   Row
	lists NameLists
}

// newUndecidedRow returns an undecidedRow.
func newUndecidedRow() *undecidedRow {
	return &undecidedRow{NewRow("URL", 5, undecidedColumns), NameLists{}}
}

// read reads a row.
func (r *undecidedRow) read(scan Scan) (u review.Undecided, err error) {
	if err := r.row.Scan(scan); err != nil {
		return u, err
	}
	u = review.Undecided{Flags: r.row.flags(1), Canonical: r.row.Text(3), Host: r.row.Text(4)}
	if u.Params, err = r.lists.Split(r.row.Text(2)); err != nil {
		err = r.row.damaged(2, err)
	}
	return u, cmp.Or(r.row.Err, err)
}

// ReadWithLink reads a row that ends with the history of the item's link.
func (r *ItemRow) ReadWithLink(scan Scan) (review.Item, *health.Record, error) {
	it, err := r.Read(scan)
	if err != nil || r.IsNull(ItemWidth) {
		return it, nil, err
	}
	record, err := LinkRecord(it.ID, r.Bytes(ItemWidth), health.Unpack)
	return it, record, err
}

// answeredWidth is the number of columns that ReadAnswered reads.
const answeredWidth = AnswerWidth + 3

// ReadAnswered reads a row that goes on with the IDs of the hosts and the body of the item's own evidence.
func (r *ItemRow) ReadAnswered(scan Scan, hosts *HostNames) (it review.Item, ev *canon.Evidence, err error) {
	if it, err = r.Answer(scan); err != nil {
		return it, nil, err
	}
	it.Computed.InHost, err = hosts.Name(r.Number(AnswerWidth))
	if err == nil {
		it.Computed.Host, err = hosts.Name(r.Number(AnswerWidth + 1))
	}
	if err == nil {
		ev, err = ParseEvidence(it.ID, r.Text(AnswerWidth+2))
	}
	return it, ev, cmp.Or(r.Err, err)
}
