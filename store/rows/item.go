package rows

import (
	"cmp"
	"strings"

	"visto/canon"
	"visto/review"
)

// AnswerColumns are columns of an item i with its result, except the hosts, and with the decision d in force; that of a
// settled item is about another one. ItemRow expects three more behind them: whether there is a decision for a record
// alone, the batch that the decision confirms, and whether the item is pending.
const AnswerColumns = `i.id, i.original, i.canonical, i.page_key, i.verdict, i.reason, i.flags, i.unknown,
	i.link_type, i.language, i.via, d.batch_id, d.kind, d.canonical, d.seen, i.place_set_id, i.settled_by,
	d.record_id, i.link`

// AnswerWidth is the number of columns that ItemRow.Answer reads.
const AnswerWidth = 22

// ItemColumns are the columns that ItemRow.Read reads behind these.
const ItemColumns = `i.rev, fi.name, fe.name, i.position, i.title, ih.name, h.name, i.status, i.notes, d.note,
	b.reviewer, b.at, (SELECT y.original FROM item y WHERE y.id = i.settled_by)`

// ItemWidth is the number of columns that ItemRow.Read reads.
const ItemWidth = AnswerWidth + 13

// itemNames are the columns of ItemRow for errors. A name is ambiguous without its table.
const itemNames = AnswerColumns + `, d.record_id, d.confirms, pending.item_id, i.rev, file.name, field.name, i.position,
	i.title, in_host.name, host.name, i.status, i.notes, d.note, b.reviewer, b.at, i.settled_by`

// The largest stored numbers of the kinds of values that are named.
const (
	maxVerdict  = uint8(canon.Rejected)
	maxReason   = uint8(canon.Blocked)
	maxLinkType = uint8(canon.Homepage)
	maxStatus   = uint8(review.Deferred)
	maxKind     = uint8(review.CorrectAsTyped)
)

// NewItemRow returns the Row of an ItemRow with that number of columns.
func NewItemRow(columns int) Row { return NewRow("URL", columns, itemNames) }

// ItemRow reads items.
type ItemRow struct {
	Row

	// Changing says that a change is under way. A status may be older then than the decisions that it follows from.
	Changing bool

	// Fields returns the fields of a place set.
	Fields func(set int64) (review.FieldSet, error)

	// ByRecord returns the decisions on an item for a record alone, without the one in force.
	ByRecord func(item int64, decision *review.Decision) ([]review.RecordDecision, error)
}

// Answer reads a row that begins with AnswerColumns and the three behind them.
func (r *ItemRow) Answer(scan Scan) (review.Item, error) {
	if err := r.Scan(scan); err != nil {
		return review.Item{}, err
	}
	it := review.Item{ID: r.Number(0), Original: r.Text(1), Computed: review.Computed{
		Canonical: r.Text(2), Verdict: canon.Verdict(r.upTo(4, maxVerdict)), Reason: canon.Reason(r.upTo(5, maxReason)),
		Flags:    r.flags(6),
		LinkType: canon.LinkType(r.upTo(8, maxLinkType)), Language: r.Text(9),
	}}
	it.Presence, it.Unfinished = Presence(r.Number(15)), r.Flag(21)
	r.fill(it.Computed.Key[:], 3)
	if via := r.Text(10); via != "" {
		it.Computed.Via = strings.Fields(via)
	}
	if batch := r.Number(11); batch > 0 {
		it.Decision = &review.Decision{Batch: batch, Kind: review.Kind(r.upTo(12, maxKind)), Canonical: r.Text(13),
			From: r.Text(14), Record: r.Number(17), SecondLook: !r.IsNull(20), Confirms: r.Number(20)}
		if by := r.Number(16); by > 0 {
			it.Decision.Kind, it.Decision.CanonicalOf = review.Approve, &review.Reference{ID: by}
			it.Decision.Record = 0
		}
	}
	if r.Flag(19) {
		var err error
		if it.ByRecord, err = r.ByRecord(it.ID, it.Decision); err != nil {
			return it, err
		}
	}
	var err error
	if it.Link, err = UnpackLink(r.Number(18)); err != nil {
		return it, r.damaged(18, err)
	}
	if it.Computed.Unknown, err = SplitNames(r.Text(7)); err != nil {
		return it, r.damaged(7, err)
	}
	it.Fields, err = r.Fields(r.Number(15))
	return it, cmp.Or(r.Err, err)
}

// Read reads a row that goes on with ItemColumns.
func (r *ItemRow) Read(scan Scan) (review.Item, error) {
	it, err := r.Answer(scan)
	if err != nil {
		return it, err
	}
	const at = AnswerWidth
	it.Rev, it.Title = r.Number(at), r.Text(at+4)
	it.Status, it.Notes = review.Status(r.upTo(at+7, maxStatus)), int(r.Number(at+8))
	it.Source = review.Source{File: r.Text(at + 1), Field: r.Text(at + 2), Position: r.Text(at + 3)}
	it.Computed.InHost, it.Computed.Host = r.Text(at+5), r.Text(at+6)
	r.expect(11, r.Changing || it.Status != review.Approved || it.Standing() != nil)
	if d := it.Decision; d != nil {
		d.Note, d.Reviewer, d.At = r.Text(at+9), r.Text(at+10), r.time(at+11)
		if d.CanonicalOf != nil {
			d.CanonicalOf.Original = r.Text(at + 12)
		}
	}
	return it, r.Err
}

// ReadWithEvidence reads a row that ends with the body of the item's own evidence.
func (r *ItemRow) ReadWithEvidence(scan Scan) (review.Item, *canon.Evidence, error) {
	it, err := r.Read(scan)
	if err != nil {
		return it, nil, err
	}
	ev, err := ParseEvidence(it.ID, r.Text(ItemWidth))
	return it, ev, cmp.Or(r.Err, err)
}
