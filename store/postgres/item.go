package postgres

import (
	"cmp"
	"context"
	"slices"

	"visto/review"
	"visto/store/rows"
)

// itemColumns are the columns of rows.ItemRow.Read. itemJoins adds the shared texts and the decision
// in force to "FROM item i".
const (
	itemColumns = answerColumns + ", " + rows.ItemColumns
	hostJoin    = ` JOIN host h ON h.id = i.host_id`
	restJoins   = ` JOIN host ih ON ih.id = i.in_host_id
	JOIN file fi ON fi.id = i.file_id JOIN field fe ON fe.id = i.field_id` + decisionJoin + `
	LEFT JOIN batch b ON b.id = d.batch_id`
	itemJoins = hostJoin + restJoins
	fromItems = ` FROM item i` + itemJoins
)

// newItemRow returns a row of itemColumns.
func newItemRow(ctx context.Context, q queryer) *rows.ItemRow {
	return answerRow(ctx, q, rows.ItemWidth)
}

// newEvidenceRow returns a row of itemColumns and a body.
func newEvidenceRow(ctx context.Context, q queryer) *rows.ItemRow {
	return answerRow(ctx, q, rows.ItemWidth+1)
}

// answerRow returns a row of answerColumns and more.
func answerRow(ctx context.Context, q queryer, columns int) *rows.ItemRow {
	_, changing := q.(rows.Tx)
	return &rows.ItemRow{Row: rows.NewItemRow(columns), Changing: changing,
		Fields: func(set int64) (review.FieldSet, error) { return fieldsOf(ctx, q, set) },
		ByRecord: func(item int64, decision *review.Decision) ([]review.RecordDecision, error) {
			return byRecord(ctx, q, item, decision)
		}}
}

// itemsOf returns the query for the items with these IDs that readItems takes.
func itemsOf(ids []int64) statement {
	return statement{"SELECT " + itemColumns + " FROM unnest(?::bigint[]) wanted (id) JOIN item i ON i.id = wanted.id" +
		itemJoins, []any{ids}}
}

func readItems(ctx context.Context, q queryer, found *result) (list []review.Item, err error) {
	row := newItemRow(ctx, q)
	err = found.each(ctx, func(scan scanner) error {
		it, err := row.Read(scan)
		list = append(list, it)
		return err
	})
	return list, err
}

// citedItems reads items with their occurrences: of each the first n (nil: all), and the first that is not gone. An ID
// of no item is left out.
func citedItems(ctx context.Context, q *snapshot, ids []int64, n any) ([]review.Item, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	q.byKeys()
	found, err := q.queries(ctx, itemsOf(ids), occurrencesOf(ids, n))
	if err != nil {
		return nil, err
	}
	list, err := readItems(ctx, q, found[0])
	if err == nil {
		err = addOccurrences(ctx, list, found[1])
	}
	return list, err
}

// Item returns one item.
func (s *Store) Item(ctx context.Context, id int64) (review.Item, error) {
	return readNow(ctx, s.read, "reading a URL", func(q *snapshot) (it review.Item, err error) {
		list, err := citedItems(ctx, q, []int64{id}, nil)
		if err == nil && len(list) == 0 {
			err = review.ErrNotFound
		}
		if err != nil {
			return it, err
		}
		return list[0], nil
	})
}

// Find returns the item with that original. If there is none, it returns the items with that canonical or approved
// URL, by ID.
func (s *Store) Find(ctx context.Context, url string) ([]review.Item, error) {
	return readNow(ctx, s.read, "looking for a URL", func(q *snapshot) ([]review.Item, error) {
		ids, err := findItems(ctx, q, url)
		if err != nil {
			return nil, err
		}
		list, err := citedItems(ctx, q, ids, maxShown)
		slices.SortFunc(list, func(a, b review.Item) int { return cmp.Compare(a.ID, b.ID) })
		return list, err
	})
}

func findItems(ctx context.Context, q queryer, url string) ([]int64, error) {
	key := rows.Key(url)
	ids, err := column[int64](ctx, q, "SELECT id FROM item WHERE original_key = ? AND original = ?", key[:], url)
	if err != nil || len(ids) > 0 || url == "" {
		return ids, err
	}
	return column[int64](ctx, q, "SELECT id FROM item WHERE canonical = ?1 OR approved = ?1 OR id IN (SELECT item_id "+
		"FROM decision WHERE canonical = ?1 AND record_id IS NOT NULL)", url)
}

// answerColumns are the columns of rows.ItemRow.Answer. decisionJoin adds the decision to "FROM item i"; that of a
// settled item is about another one (settle.go).
const (
	answerColumns = rows.AnswerColumns + `, EXISTS (SELECT 1 FROM decision r WHERE r.item_id = i.id AND
		r.record_id IS NOT NULL), ` + rows.Confirmed + `, false`
	decisionJoin = ` LEFT JOIN decision d ON d.item_id = coalesce(i.settled_by, i.id) AND d.batch_id = i.batch_id`
)

// hostNames returns the names of hosts.
func hostNames(ctx context.Context, q queryer) *rows.HostNames {
	return rows.NewHostNames(eachOf(ctx, q))
}
