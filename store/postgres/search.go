package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"visto/review"
	"visto/store/rows"
)

// A search selects items with a text that contains another one, ignoring the case of ASCII letters. The tables
// item_search and record_search have every text that an item or a record ever had, so they find too many and never too
// few: the items that they find are looked into.

// pattern returns a pattern of LIKE for the searchable texts that contain the text.
func pattern(text string) searchable {
	var b strings.Builder
	b.WriteByte('%')
	for i := range len(text) {
		c := searchRune(text[i])
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
	return "SELECT item_id FROM item_search WHERE " + cond + " UNION ALL SELECT o.item_id FROM record_search s " +
		"JOIN occurrence o ON o.record_id = s.record_id WHERE " + cond, append(args, args...)
}

// andFound selects the items to look into.
func (w *where) andFound(n rows.Need) {
	if n.None() {
		return
	}
	query, args := candidates(n)
	w.and("i.id IN ("+query+")", args...)
}

// laterTexts are the texts of item i, except those that most items have: as the column text.
const laterTexts = `SELECT td.note AS text FROM decision td WHERE td.item_id = i.id AND td.batch_id = i.batch_id
	UNION ALL SELECT unnest(ARRAY[tr.note, tr.canonical]) FROM decision tr JOIN batch trb ON trb.id = tr.batch_id
	WHERE tr.item_id = i.id AND tr.record_id > 0 AND trb.undone_seq = 0 AND tr.batch_id > ` + batchForAll + `
	UNION ALL SELECT tn.text FROM note tn JOIN batch tnb ON tnb.id = tn.batch_id
	WHERE tn.item_id = i.id AND i.notes > 0 AND tnb.undone_seq = 0
	UNION ALL SELECT unnest(ARRAY[tc.name, tc.key, tc.attributes]) FROM occurrence tco
	JOIN record tc ON tc.id = tco.record_id
	WHERE tco.item_id = i.id AND (tco.gone = 0 OR i.place_set_id = 0) AND tc.is_record`

// andSearch looks into the texts of the items.
func (w *where) andSearch(text string) {
	const is = "position(?::text IN search_text(%s)) > 0"
	var list []string
	for _, of := range []string{"i.original", "i.canonical", "i.title", "i.approved"} {
		list = append(list, fmt.Sprintf(is, of))
	}
	list = append(list, "EXISTS (SELECT 1 FROM ("+laterTexts+") later WHERE "+fmt.Sprintf(is, "later.text")+")")
	wanted := searchText(text)
	wanted = wanted[:len(wanted)-len(string(searchEnd))]
	for range list {
		w.args = append(w.args, wanted)
	}
	w.and("(" + strings.Join(list, " OR ") + ")")
}

// textsOfItem are the ID and the texts of item i.
const textsOfItem = `i.id, ARRAY[i.original, i.canonical, i.title, coalesce(i.approved, i.original)] ||
	ARRAY(` + laterTexts + `)`

var errEnough = errors.New("enough")

// matching returns the IDs of the items with a match of a regular expression in one of their texts: the first n in the
// order of the query, or with 0 all.
func matching(ctx context.Context, q *snapshot, pattern, query string, args []any, n int) ([]int64, error) {
	ids := []int64{}
	re, err := review.CompilePattern(pattern)
	if err != nil {
		return ids, err
	}
	err = q.stream(ctx, query, args, func(scan scanner) error {
		var id int64
		var texts [][]byte
		if err := scan(&id, &texts); err != nil {
			return err
		}
		for _, text := range texts {
			if re.Match(text) {
				ids = append(ids, id)
				break
			}
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
