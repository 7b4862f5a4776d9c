package sqlite

import (
	"context"
	"strings"

	"visto/review"
	"visto/review/read"
	"visto/store/rows"
)

// IndexRecord is rows.IntakeTx's. New records are indexed as those with the highest IDs.
func (t *tx) IndexRecord(id int64, isNew bool, _ *read.Record, _ string) error {
	if isNew {
		return nil
	}
	return t.Exec("INSERT INTO record_dirty (record_id) VALUES (?) ON CONFLICT DO NOTHING", id)
}

// citing selects the records of item i: those that cite it, or if it is gone, those that did.
const citing = `EXISTS (SELECT 1 FROM occurrence wo CROSS JOIN record wr ON wr.id = wo.record_id
	WHERE wo.item_id = i.id AND (wo.gone = 0 OR i.place_set_id = 0)`

// andRecords adds the conditions on the records that cite an item.
func (w *where) andRecords(f review.Filter) {
	if len(f.Records) > 0 {
		w.and("i.id IN (SELECT item_id FROM occurrence WHERE record_id IN (SELECT value FROM json_each(?)))",
			jsonList(f.Records))
	}
	if len(f.Where) > 0 {
		if !w.walk.attributes {
			w.andFound(citedWith(f.Where))
		}
		w.andAttributes("", f.Where)
	}
	for i := range f.Not.Where {
		w.andAttributes("NOT ", f.Not.Where[i:i+1])
	}
}

// citedWith returns a query for the IDs of the items to look into for records with one of the values of each attribute,
// with repetitions. The index of the search has attributes with their marks.
func citedWith(list []read.Attribute) (string, []any) {
	needed := make([]string, len(list))
	for i, a := range list {
		values := make([]string, len(a.Values))
		for j, value := range a.Values {
			values[j] = "(" + attributeExpr(a.Name, value) + ")"
		}
		needed[i] = "(" + strings.Join(values, " OR ") + ")"
	}
	return citedBy(foundBy), []any{strings.Join(needed, " AND ")}
}

// attributeExpr returns the FTS5 expression for the begin and the end of the value, with the marks around it and the
// last byte of the name. More trigrams find hardly less, and each takes a pass over its list.
func attributeExpr(name, value string) string {
	const atEnd = 5
	text := review.Fold(review.AttributeText(name, value))[len(review.Fold(name)):]
	if len(text) <= shortest+atEnd {
		return matchExpr(text)
	}
	return matchExpr(text[:shortest]) + " AND " + matchExpr(text[len(text)-atEnd:])
}

// andAttributes adds the condition, after not, that a record has one of the values of each attribute.
func (w *where) andAttributes(not string, list []read.Attribute) {
	cond, args := citing, []any(nil)
	for _, a := range list {
		values := make([]string, len(a.Values))
		for i, value := range a.Values {
			values[i] = "instr(CAST(wr.attributes AS BLOB), ?)"
			args = append(args, []byte(review.AttributeText(a.Name, value)))
		}
		cond += " AND (" + strings.Join(values, " OR ") + ")"
	}
	w.and(not+cond+")", args...)
}

// Attributes counts by attribute in one pass over the items and their records.
func (s *Store) Attributes(ctx context.Context, f review.Filter) ([]review.AttributeFacet, error) {
	counts := rows.NewAttributeCounts()
	err := s.read.snapshot(ctx, "counting URLs", func(q queryer) error {
		w := filterItems(f)
		w.and("(o.gone = 0 OR i.place_set_id = 0) AND r.attributes > ''")
		query := "SELECT i.id, r.attributes FROM item i CROSS JOIN occurrence o ON o.item_id = i.id CROSS JOIN " +
			"record r ON r.id = o.record_id" + w.sql()
		return each(ctx, q, query, w.args, func(scan scanner) error {
			var item int64
			var text string
			if err := scan(&item, &text); err != nil {
				return err
			}
			counts.Add(item, review.SplitAttributes(text))
			return nil
		})
	})
	return counts.Facets(), err
}
