package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"

	"visto/review"
	"visto/store/rows"
)

// A search selects items with a text that contains another one, as review.Fold writes both. The tables item_search and
// record_search have every folded text that an item or a record ever had, so they find too many and never too few. The
// texts of the items that they find are read, and this program tests them.

// pattern returns a pattern of LIKE for the searchable texts that contain a folded text.
func pattern(folded string) searchable {
	var b strings.Builder
	b.WriteByte('%')
	for i := range len(folded) {
		c := searchRune(folded[i])
		if strings.ContainsRune(`\%_`, c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	b.WriteByte('%')
	return searchable(b.String())
}

// likeNeed returns the condition that the column text has what is needed.
func likeNeed(n rows.Need) (string, []any) {
	list, by := n.All, " AND "
	if len(n.Any) > 0 {
		list, by = n.Any, " OR "
	}
	if len(list) == 0 {
		return "text LIKE ?", []any{pattern(n.Text)}
	}
	var conds []string
	var args []any
	for _, part := range list {
		cond, more := likeNeed(part)
		conds, args = append(conds, cond), append(args, more...)
	}
	return "(" + strings.Join(conds, by) + ")", args
}

// candidates returns a query for the IDs of the items to look into, with repetitions. Something has to be needed.
func candidates(n rows.Need) (string, []any) {
	cond, args := likeNeed(n)
	return "SELECT item_id FROM item_search WHERE " + cond + " OR item_id = " + unfoldedItems + " UNION ALL " +
		"SELECT o.item_id FROM record_search s JOIN occurrence o ON o.record_id = s.record_id WHERE " + cond +
		" OR s.record_id = " + unfoldedRecords, append(args, args...)
}

// andFound selects the items to look into.
func (w *where) andFound(n rows.Need) {
	if n.None() {
		return
	}
	query, args := candidates(n)
	w.and("i.id IN ("+query+")", args...)
}

// textTest reports whether one of the texts of an item has what a filter asks for.
type textTest func(texts []string) bool

// textTests returns what a filter asks for in texts, and what the index has of it.
func textTests(f review.Filter) (tests []textTest, needs []rows.Need, err error) {
	if f.Search != "" {
		folded := review.Fold(f.Search)
		tests = append(tests, func(texts []string) bool {
			return slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(review.Fold(s), folded) })
		})
		needs = append(needs, rows.Need{Text: folded})
	}
	if f.Regexp != "" {
		re, err := review.CompilePattern(f.Regexp)
		if err != nil {
			return nil, nil, err
		}
		tests = append(tests, func(texts []string) bool { return slices.ContainsFunc(texts, re.MatchString) })
		needs = append(needs, rows.Required(f.Regexp))
	}
	return tests, slices.DeleteFunc(needs, rows.Need.None), nil
}

// textsOfItem are the ID and the texts of item i.
const textsOfItem = `i.id, ARRAY[i.original, i.canonical, i.title, coalesce(i.approved, i.original)] || ARRAY(
	SELECT td.note FROM decision td WHERE td.item_id = i.id AND td.batch_id = i.batch_id
	UNION ALL SELECT unnest(ARRAY[tr.note, tr.canonical]) FROM decision tr JOIN batch trb ON trb.id = tr.batch_id
	WHERE tr.item_id = i.id AND tr.record_id > 0 AND trb.undone_seq = 0 AND tr.batch_id > ` + batchForAll + `
	UNION ALL SELECT tn.text FROM note tn JOIN batch tnb ON tnb.id = tn.batch_id
	WHERE tn.item_id = i.id AND i.notes > 0 AND tnb.undone_seq = 0
	UNION ALL SELECT unnest(ARRAY[tc.name, tc.key, tc.attributes]) FROM occurrence tco
	JOIN record tc ON tc.id = tco.record_id
	WHERE tco.item_id = i.id AND (tco.gone = 0 OR i.place_set_id = 0) AND tc.is_record)`

var errEnough = errors.New("enough")

// matching returns the IDs of the items whose texts meet all tests: the first n in the order of the query, or with 0
// all.
func matching(ctx context.Context, q *snapshot, tests []textTest, query string, args []any, n int) ([]int64, error) {
	ids := []int64{}
	err := q.stream(ctx, "SELECT "+textsOfItem+query, args, func(scan scanner) error {
		var id int64
		var texts []string
		if err := scan(&id, &texts); err != nil {
			return err
		}
		if !slices.ContainsFunc(tests, func(meets textTest) bool { return !meets(texts) }) {
			ids = append(ids, id)
		}
		if len(ids) == n && n > 0 {
			return errEnough
		}
		return nil
	})
	if err == errEnough {
		err = nil
	}
	return ids, err
}
