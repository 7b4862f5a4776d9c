package postgres

import (
	"context"

	"visto/review"
	"visto/store/rows"
)

// maxShown is the largest number of occurrences of an item of a page.
const maxShown = 100

// occurrenceJoins adds the tables of rows.OccurrenceColumns to those of occurrence o.
const occurrenceJoins = ` JOIN record r ON r.id = o.record_id JOIN file fi ON fi.id = r.file_id
	JOIN place p ON p.id = o.place_id JOIN field fe ON fe.id = p.field_id`

// occurrencesOf returns the query for the occurrences of items that addOccurrences takes: of each the first n (nil:
// all), and the first that is not gone.
func occurrencesOf(ids []int64, n any) statement {
	return statement{"SELECT " + rows.OccurrenceColumns + ` FROM unnest(?::bigint[]) wanted CROSS JOIN LATERAL
		((SELECT * FROM occurrence WHERE item_id = wanted ORDER BY id LIMIT ?) UNION
		(SELECT * FROM occurrence WHERE item_id = wanted AND gone = 0 ORDER BY id LIMIT 1)) o` + occurrenceJoins,
		[]any{ids, n}}
}

// addOccurrences fills in the occurrences of items.
func addOccurrences(ctx context.Context, list []review.Item, found *result) error {
	o := rows.NewOccurrences(list)
	err := found.each(ctx, o.Read)
	o.Sort()
	return err
}
