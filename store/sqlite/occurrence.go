package sqlite

import (
	"context"

	"visto/review"
	"visto/store/rows"
)

// maxShown is the largest number of occurrences of an item of a page.
const maxShown = 100

// occurrenceJoins adds the tables of rows.OccurrenceColumns to those of occurrence o.
const occurrenceJoins = ` CROSS JOIN record r ON r.id = o.record_id CROSS JOIN file fi ON fi.id = r.file_id
	CROSS JOIN place p ON p.id = o.place_id CROSS JOIN field fe ON fe.id = p.field_id`

// withOccurrences fills in the occurrences of items: of each the first n, and the first that is not gone.
func withOccurrences(ctx context.Context, q queryer, list []review.Item, n int) error {
	if len(list) == 0 {
		return nil
	}
	ids := make([]int64, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	o := rows.NewOccurrences(list)
	err := each(ctx, q, "SELECT "+rows.OccurrenceColumns+` FROM json_each(?) wanted CROSS JOIN occurrence o ON o.id IN
		(SELECT id FROM (SELECT id FROM occurrence WHERE item_id = wanted.value ORDER BY id`+limit(n)+`) UNION ALL
		SELECT id FROM (SELECT id FROM occurrence WHERE item_id = wanted.value AND gone = 0 ORDER BY id LIMIT 1))`+
		occurrenceJoins, []any{jsonList(ids)}, o.Read)
	o.Sort()
	return err
}
