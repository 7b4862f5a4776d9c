package sqlite

import (
	"context"
	"slices"
	"strings"

	"visto/review"
	"visto/review/read"
)

// citing selects the records of item i: those that cite it, or if it is gone, those that did.
const citing = `EXISTS (SELECT 1 FROM occurrence wo CROSS JOIN record wr ON wr.id = wo.record_id
	WHERE wo.item_id = i.id AND (wo.gone = 0 OR i.place_set_id = 0)`

// andRecords adds the conditions on the records that cite an item.
func (w *where) andRecords(f review.Filter) {
	if len(f.Records) > 0 {
		w.and("i.id IN (SELECT item_id FROM occurrence WHERE record_id IN (SELECT value FROM json_each(?)))",
			jsonList(f.Records))
	}
	if len(f.Where) == 0 {
		return
	}
	cond, args := citing, []any(nil)
	for _, a := range f.Where {
		values := make([]string, len(a.Values))
		for i, value := range a.Values {
			values[i] = "instr(CAST(wr.attributes AS BLOB), ?)"
			args = append(args, []byte(review.AttributeText(a.Name, value)))
		}
		cond += " AND (" + strings.Join(values, " OR ") + ")"
	}
	w.and(cond+")", args...)
}

// attributeCounts counts items by attribute and value.
type attributeCounts struct {
	values map[string]map[string]int // nil: more values than are counted
	item   int64
	seen   map[[2]string]bool // of the item
}

// Attributes counts by attribute in one pass over the items and their records.
func (s *Store) Attributes(ctx context.Context, f review.Filter) ([]review.AttributeFacet, error) {
	counts := attributeCounts{values: map[string]map[string]int{}, seen: map[[2]string]bool{}}
	err := s.read.snapshot(ctx, "counting URLs", func(q queryer) error {
		w := filterItems(f)
		w.and("(o.gone = 0 OR i.place_set_id = 0) AND r.attributes > ''")
		query := "SELECT i.id, r.attributes FROM item i CROSS JOIN occurrence o ON o.item_id = i.id CROSS JOIN " +
			"record r ON r.id = o.record_id" + w.sql()
		return each(ctx, q, query, w.args, func(scan scanner) error {
			var item int64
			var text string
			err := scan(&item, &text)
			counts.add(item, review.SplitAttributes(text))
			return err
		})
	})
	return counts.facets(), err
}

// add counts the attributes of a record that cites an item. The rows of an item follow each other.
func (c *attributeCounts) add(item int64, list []read.Attribute) {
	if item != c.item {
		c.item = item
		clear(c.seen)
	}
	for _, a := range list {
		for _, value := range a.Values {
			if key := [2]string{a.Name, value}; !c.seen[key] {
				c.seen[key] = true
				c.count(a.Name, value)
			}
		}
	}
}

func (c *attributeCounts) count(name, value string) {
	values, known := c.values[name]
	if !known {
		values = map[string]int{}
		c.values[name] = values
	}
	if values == nil {
		return
	}
	if values[value]++; len(values) > review.MaxAttributeValues {
		c.values[name] = nil
	}
}

func (c *attributeCounts) facets() (list []review.AttributeFacet) {
	for name, values := range c.values {
		if len(values) < 2 {
			continue
		}
		facet := review.AttributeFacet{Name: name}
		for value, n := range values {
			facet.Values = append(facet.Values, review.Bucket{Value: value, N: n})
		}
		sortBuckets(facet.Values)
		list = append(list, facet)
	}
	slices.SortFunc(list, func(a, b review.AttributeFacet) int { return strings.Compare(a.Name, b.Name) })
	return list
}
