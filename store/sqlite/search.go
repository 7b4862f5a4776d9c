package sqlite

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"visto/review"
)

// A search selects items with a text that contains another one, as review.Fold writes both. The table search knows
// which items have which trigrams (three consecutive bytes) in one of their folded texts. andSearch looks into the
// items that it finds, so it may find too many and must never find too few. It has every text that an item ever had:
// undoing and redoing a decision or a note changes nothing. Newer items, after search_state.upto and in search_dirty,
// are always looked into.

// shortest is the length in bytes of the shortest text that the index has. A text of one byte less is found by all
// trigrams that begin or end with it.
const shortest = 3

// candidates returns a query for the IDs of the items to look into for a folded text, with repetitions. It is empty if
// those are all.
func candidates(folded string) (string, []any) {
	switch {
	case len(folded) >= shortest:
		return candidatesBy(matchExpr(folded))
	case len(folded) == shortest-1:
		pairs := aroundPair(folded)
		return candidatesIn("json_each(?) CROSS JOIN search WHERE search MATCH value"), []any{pairs, pairs}
	}
	return "", nil
}

// candidatesBy is candidates for an FTS5 expression; the empty one stands for all.
func candidatesBy(expr string) (string, []any) {
	if expr == "" {
		return "", nil
	}
	return candidatesIn(foundBy), []any{expr, expr}
}

// foundBy are the rows of the index that match an FTS5 expression.
const foundBy = "search WHERE search MATCH ?"

// candidatesIn returns a query for the items found in the index, for those that a record found there cites, and for
// the newer ones. It names found twice.
func candidatesIn(found string) string {
	return `SELECT search.rowid % ` + layerText + ` FROM ` + found + ` AND search.rowid > 0
		UNION ALL ` + citedBy(found) + `
		UNION ALL SELECT item_id FROM search_dirty
		UNION ALL SELECT item_id FROM pending WHERE note <> ''
		UNION ALL SELECT id FROM item WHERE id > (SELECT upto FROM search_state)`
}

// citedBy returns a query for the items that records found in the index cite, or newer records.
func citedBy(found string) string {
	return `SELECT o.item_id FROM (SELECT -search.rowid % ` + layerText + ` AS id FROM ` + found + `
			AND search.rowid < 0 UNION ALL SELECT record_id FROM record_dirty
			UNION ALL SELECT id FROM record WHERE id > (SELECT records FROM search_state)) cited
			CROSS JOIN occurrence o ON o.record_id = cited.id`
}

// aroundPair returns the trigrams that begin or end with two bytes, as a list of FTS5 expressions in JSON. A text
// with the pair has one of these, because the indexed texts of an item are longer than two bytes (textsOf). In one
// expression FTS5 would evaluate all of them at every row.
func aroundPair(pair string) string {
	pair = byteText(pair)
	list := make([]string, 0, 2*256)
	for c := range 256 {
		next := byteText(string([]byte{byte(c)}))
		list = append(list, quoteTrigram(pair+next), quoteTrigram(next+pair))
	}
	return jsonList(list)
}

func quoteTrigram(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }

// maxTrigrams is the number of trigrams of a long text that are looked up.
const maxTrigrams = 32

// matchExpr returns the FTS5 expression for all trigrams of a folded text.
func matchExpr(folded string) string {
	bytes := []rune(byteText(folded))
	var list []string
	for i := 0; i+shortest <= len(bytes) && len(list) < maxTrigrams; i++ {
		list = append(list, quoteTrigram(string(bytes[i:i+shortest])))
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), " AND ")
}

// byteText writes a text so that FTS5 takes each byte for a character: it stops at NUL and mistreats bytes that are
// not UTF-8. Those become characters of a block without upper case.
func byteText(text string) string {
	const block = 0x0600
	out := make([]byte, 0, len(text)+8)
	for i := range len(text) {
		if c := text[i]; c == 0 || c >= utf8.RuneSelf {
			out = utf8.AppendRune(out, block+rune(c))
		} else {
			out = append(out, c)
		}
	}
	return string(out)
}

// isCommon reports whether there are many items to look into for a folded text.
func isCommon(ctx context.Context, q queryer, folded string) (bool, error) {
	query, args := candidates(folded)
	return findsMany(ctx, q, query, args)
}

// findsMany reports whether the query has more than fewFound rows. The empty query stands for all items.
func findsMany(ctx context.Context, q queryer, query string, args []any) (bool, error) {
	if query == "" {
		return true, nil
	}
	return findsMore(ctx, q, fewFound, query, args)
}

// findsMore reports whether the query has more than n rows.
func findsMore(ctx context.Context, q queryer, n int, query string, args []any) (bool, error) {
	var found int
	err := q.QueryRowContext(ctx, "SELECT count(*) FROM ("+query+limit(n+1)+")", args...).Scan(&found)
	return found > n, err
}

// markSearch notes that an item has a text that the index may lack.
func (t *tx) markSearch(id int64) error {
	return t.Exec("INSERT INTO search_dirty (item_id) VALUES (?) ON CONFLICT DO NOTHING", id)
}

// searchIndex keeps the table search up to date.
type searchIndex struct{ conn *writeConn }

// update indexes the newer texts. Each chunk adds a segment, and a search asks all segments: so they are merged
// before the next is added.
func (x searchIndex) update(ctx context.Context) error {
	for more := true; more; {
		err := x.conn.chunk(ctx, "indexing for the search", func(t *tx) (err error) {
			more, err = indexChunk(t)
			return err
		})
		if err == nil {
			err = x.merge(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// merge merges segments until no level has more than a few.
func (x searchIndex) merge(ctx context.Context) error {
	return x.conn.chunks(ctx, "merging the index of the search", func(t *tx) (more bool, err error) {
		for more = true; more && err == nil && t.inBudget(); {
			more, err = mergeStep(t)
		}
		return more, err
	})
}

// mergeAtOnce is the number of index pages that one step of merging writes, in some milliseconds.
const mergeAtOnce = 16

// mergeStep merges on, and reports whether there was anything to merge: then more than one row changed.
func mergeStep(t *tx) (bool, error) {
	const changes = "SELECT total_changes()"
	var before, after int
	err := t.Get(changes, nil, &before)
	if err == nil {
		err = t.Exec("INSERT INTO search (search, rank) VALUES ('merge', ?)", mergeAtOnce)
	}
	if err == nil {
		err = t.Get(changes, nil, &after)
	}
	return after-before > 1, err
}

// unindexed is a part of the items or records to index. next selects some of them after an ID, layer the layer of the
// index to add them to, and done marks all up to an ID as indexed. sign is that of their rows, texts reads their texts.
type unindexed struct {
	next, layer, done string
	sign              int64
	texts             func(t *tx, ids []int64) (searchTexts, error)
}

// allUnindexed returns the parts in the order in which they are indexed: new ones, then those with a newer text.
func allUnindexed() []unindexed {
	return []unindexed{
		{"SELECT id FROM item WHERE id > max(?, (SELECT upto FROM search_state)) ORDER BY id LIMIT ?", "SELECT ? * 0",
			"UPDATE search_state SET upto = ?", 1, textsOf},
		{"SELECT id FROM record WHERE id > max(?, (SELECT records FROM search_state)) ORDER BY id LIMIT ?",
			"SELECT ? * 0", "UPDATE search_state SET records = ?", -1, textsOfRecords},
		{"SELECT item_id FROM search_dirty WHERE item_id > ? ORDER BY item_id LIMIT ?",
			"SELECT 1 + coalesce(max(id), 0) / ? FROM search_docsize",
			"DELETE FROM search_dirty WHERE item_id <= ?", 1, textsOf},
		{"SELECT record_id FROM record_dirty WHERE record_id > ? ORDER BY record_id LIMIT ?",
			"SELECT 1 - coalesce(min(id), 0) / ? FROM search_docsize",
			"DELETE FROM record_dirty WHERE record_id <= ?", -1, textsOfRecords},
	}
}

// searchLayer is the number of rows of one layer of the index. An item has one row, at its ID, in each layer that
// indexed it, and a record at its number with a minus. Rows are never deleted: they stay correct, and FTS5 would
// process all deleted rows in every merge while others wait.
const searchLayer int64 = 1 << 40

var layerText = strconv.FormatInt(searchLayer, 10)

// indexChunk indexes some items, and reports whether there may be more. FTS5 sorts a chunk in memory and flushes it
// at the next write of something else, so that write comes last.
func indexChunk(t *tx) (bool, error) {
	for _, u := range allUnindexed() {
		last, err := u.index(t)
		if err == nil && last > 0 {
			err = t.Exec(u.done, last)
		}
		if err != nil || last > 0 {
			return true, err
		}
	}
	return false, nil
}

// readAhead is the number of rows that are read at once for indexing.
const readAhead = 128

// index indexes the rows that u selects, as many as the chunk may hold, and returns the last of them, 0 for none.
func (u *unindexed) index(t *tx) (last int64, err error) {
	var at int64
	if err := t.QueryRowContext(t.bare, u.layer, searchLayer).Scan(&at); err != nil {
		return 0, err
	}
	for t.inBudget() {
		ids, err := column[int64](t.ctx, t, u.next, last, min(readAhead, t.maxItems))
		if err != nil || len(ids) == 0 {
			return last, err
		}
		texts, err := u.texts(t, ids)
		if err != nil {
			return last, err
		}
		for _, id := range ids {
			if t.items++; t.items > t.maxItems {
				return last, nil
			}
			if err := t.Exec("INSERT INTO search (rowid, text) VALUES (?, ?)", u.sign*(at*searchLayer+id),
				byteText(strings.Join(texts[id], "\n"))); err != nil {
				return last, err
			}
			last = id
		}
	}
	return last, nil
}

// searchTexts are the folded texts of items, or of records, by ID.
type searchTexts map[int64][]string

// textsOfRecords returns the texts of records. They are longer than two bytes together.
func textsOfRecords(t *tx, ids []int64) (searchTexts, error) {
	texts := make(searchTexts, len(ids))
	return texts, each(t.ctx, t, `SELECT id, key, name, attributes FROM record
		WHERE id IN (SELECT value FROM json_each(?))`, []any{jsonList(ids)}, texts.addRecord)
}

func (s searchTexts) addRecord(scan scanner) error {
	var id int64
	var key, name, attributes string
	if err := scan(&id, &key, &name, &attributes); err != nil {
		return err
	}
	s[id] = []string{review.Fold(key), review.Fold(name), review.Fold(attributes)}
	return nil
}

// textsOf returns all texts that the items ever had, without repetitions.
func textsOf(t *tx, ids []int64) (searchTexts, error) {
	texts := make(searchTexts, len(ids))
	list := []any{jsonList(ids)}
	err := each(t.ctx, t, `SELECT i.id, i.original, i.title, i.canonical
		FROM item i WHERE i.id IN (SELECT value FROM json_each(?))`, list,
		texts.addItem)
	if err != nil {
		return nil, err
	}
	return texts, each(t.ctx, t, `SELECT item_id, canonical, note FROM decision
		WHERE item_id IN (SELECT value FROM json_each(?1))
		UNION ALL SELECT item_id, text, '' FROM note WHERE item_id IN (SELECT value FROM json_each(?1))`, list,
		texts.addLater)
}

func (s searchTexts) addItem(scan scanner) error {
	var id int64
	var given [3]string
	if err := scan(&id, &given[0], &given[1], &given[2]); err != nil {
		return err
	}
	original := review.Fold(given[0])
	s[id] = append(s[id], original)
	for _, text := range given[1:] {
		s[id] = append(s[id], beyond(original, review.Fold(text)))
	}
	return nil
}

// addLater adds texts of a decision or a note to those of its item (addItem).
func (s searchTexts) addLater(scan scanner) error {
	var id int64
	var a, b string
	if err := scan(&id, &a, &b); err != nil {
		return err
	}
	s[id] = append(s[id], beyond(s[id][0], review.Fold(a)), review.Fold(b))
	return nil
}

// beyond returns the part of text whose trigrams are not in the beginning that it shares with known.
func beyond(known, text string) string {
	n := 0
	for n < min(len(known), len(text)) && known[n] == text[n] {
		n++
	}
	if n == len(text) {
		return ""
	}
	return text[max(0, n-shortest+1):]
}

// andFound selects the items that the query on the index finds; the empty query stands for all.
func (w *where) andFound(query string, args []any) {
	if query != "" {
		w.and("i.id IN ("+query+")", args...)
	}
}

// andSearch selects items with the text in one of their texts. It has no wildcards.
func (w *where) andSearch(f review.Filter) {
	folded := review.Fold(f.Search)
	if !w.walk.search {
		w.andFound(candidates(folded))
	}
	w.andTexts("contains(CAST(%s AS BLOB), ?)", []byte(folded))
}

// andRegexp selects items with a match of the pattern in one of their texts.
func (w *where) andRegexp(f review.Filter) {
	if !w.walk.pattern {
		w.andFound(candidatesBy(required(f.Regexp)))
	}
	w.andTexts("matches(?, CAST(%s AS BLOB))", f.Regexp)
}

// andTexts applies a condition with one argument to the item's texts, one of which must meet it.
func (w *where) andTexts(cond string, arg any) {
	is := func(column string) string { return fmt.Sprintf(cond, column) }
	w.and("("+is("i.original")+" OR "+is("i.canonical")+" OR "+is("i.title")+
		" OR i.approved IS NOT NULL AND "+is("i.approved")+
		" OR i.batch_id IS NOT NULL AND EXISTS (SELECT 1 FROM decision sd WHERE sd.item_id = i.id "+
		"AND sd.batch_id = i.batch_id AND "+is("sd.note")+")"+
		" OR (SELECT 1 FROM pending LIMIT 1) IS NOT NULL AND EXISTS (SELECT 1 FROM pending sp JOIN batch spb "+
		"ON spb.id = sp.batch_id WHERE sp.item_id = i.id AND spb.undone_seq = 0 AND "+is("sp.note")+")"+
		" OR (SELECT 1 FROM decision WHERE record_id > 0 LIMIT 1) IS NOT NULL AND EXISTS (SELECT 1 FROM "+
		"decision sr JOIN batch srb ON srb.id = sr.batch_id WHERE sr.item_id = i.id AND sr.record_id > 0 "+
		"AND srb.undone_seq = 0 AND sr.batch_id > iif(i.settled_by IS NULL, ifnull(i.batch_id, 0), 0) AND ("+
		is("sr.note")+" OR "+is("sr.canonical")+"))"+
		" OR i.notes > 0 AND EXISTS (SELECT 1 FROM note n JOIN batch nb ON nb.id = n.batch_id"+
		" WHERE n.item_id = i.id AND nb.undone_seq = 0 AND "+is("n.text")+")"+
		" OR "+citing+" AND wr.is_record AND ("+is("wr.name")+" OR "+is("wr.key")+" OR "+is("wr.attributes")+")))",
		arg, arg, arg, arg, arg, arg, arg, arg, arg, arg, arg, arg)
}
