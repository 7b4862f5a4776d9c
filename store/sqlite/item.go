package sqlite

import (
	"context"
	"slices"

	"visto/review"
	"visto/store/rows"
)

// itemColumns are the columns of rows.ItemRow.Read. itemJoins adds the shared texts and the decision
// in force to "FROM item i". A CROSS JOIN tells SQLite to keep this order: each is one look-up by key.
const (
	itemColumns = answerColumns + ", " + rows.ItemColumns
	hostJoin    = ` CROSS JOIN host h ON h.id = i.host_id`
	restJoins   = ` CROSS JOIN host ih ON ih.id = i.in_host_id
	CROSS JOIN file fi ON fi.id = i.file_id CROSS JOIN field fe ON fe.id = i.field_id` + decisionJoin + `
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
	sets := fieldSets{}
	_, changing := q.(rows.Tx)
	return &rows.ItemRow{Row: rows.NewItemRow(columns), Changing: changing,
		Fields: func(set int64) (review.FieldSet, error) { return sets.of(ctx, q, set) },
		ByRecord: func(item int64, decision *review.Decision) ([]review.RecordDecision, error) {
			return byRecord(ctx, q, item, decision)
		}}
}

// items reads all items that the rest of the query selects.
func items(ctx context.Context, q queryer, rest string, args ...any) ([]review.Item, error) {
	row := newItemRow(ctx, q)
	return collect(ctx, q, "SELECT "+itemColumns+rest, args, func(it *review.Item, scan scanner) (err error) {
		*it, err = row.Read(scan)
		return err
	})
}

func readItem(ctx context.Context, q queryer, id int64) (review.Item, error) {
	list, err := items(ctx, q, fromItems+" WHERE i.id = ?", id)
	if err == nil && len(list) == 0 {
		err = review.ErrNotFound
	}
	if err != nil {
		return review.Item{}, err
	}
	return list[0], nil
}

// Item returns one item.
func (s *Store) Item(ctx context.Context, id int64) (review.Item, error) {
	return readNow(ctx, s.read, "reading a URL", func(q queryer) (review.Item, error) {
		it, err := readItem(ctx, q, id)
		if err != nil {
			return it, err
		}
		list := []review.Item{it}
		err = withOccurrences(ctx, q, list, -1)
		return list[0], err
	})
}

// Find returns the item with that original. If there is none, it returns the items with that canonical or approved
// URL, by ID.
func (s *Store) Find(ctx context.Context, url string) ([]review.Item, error) {
	return readNow(ctx, s.read, "looking for a URL", func(q queryer) ([]review.Item, error) {
		list, err := findItems(ctx, q, url)
		if err == nil {
			err = withOccurrences(ctx, q, list, maxShown)
		}
		return list, err
	})
}

func findItems(ctx context.Context, q queryer, url string) ([]review.Item, error) {
	key := rows.Key(url)
	list, err := items(ctx, q, fromItems+" WHERE i.original_key = ? AND i.original = ?", key[:], url)
	if err != nil || len(list) > 0 || url == "" {
		return list, err
	}
	host, path := review.SplitCanonical(url)
	list, err = items(ctx, q, fromItems+" WHERE i.host_id = (SELECT id FROM host WHERE name = ?) AND i.sort_path = ? "+
		"AND i.canonical = ?", host, []byte(path), url)
	if err != nil {
		return nil, err
	}
	approved, err := items(ctx, q, fromItems+" WHERE (i.approved = ?1 OR i.id IN (SELECT item_id FROM decision "+
		"WHERE canonical = ?1 AND record_id IS NOT NULL)) AND i.canonical <> ?1", url)
	list = append(list, approved...)
	slices.SortFunc(list, func(a, b review.Item) int { return int(a.ID - b.ID) })
	return list, err
}

// answerColumns are the columns of rows.ItemRow.Answer. decisionJoin adds the decision to "FROM item i"; that of a
// settled item is about another one (settle.go).
const (
	answerColumns = rows.AnswerColumns + `, iif((SELECT 1 FROM decision WHERE record_id > 0 LIMIT 1) IS NULL, 0,
		EXISTS (SELECT 1 FROM decision r WHERE r.item_id = i.id AND r.record_id IS NOT NULL)), ` + rows.Confirmed + `,
		iif((SELECT 1 FROM pending LIMIT 1) IS NULL, 0,
		EXISTS (SELECT 1 FROM pending WHERE item_id = i.id))`
	decisionJoin = ` LEFT JOIN decision d ON d.item_id = ifnull(i.settled_by, i.id) AND d.batch_id = i.batch_id`
)

// hostNames returns the names of hosts.
func hostNames(ctx context.Context, q queryer) *rows.HostNames {
	return rows.NewHostNames(eachOf(ctx, q))
}
