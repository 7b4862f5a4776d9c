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

// A search wants items with a text that holds another one. The table search knows which items have which three bytes in a row
// in one of their texts; what it finds is looked into (andSearch), so it may find too much, and must never find too little.
// Every text that an item ever had is in it: a decision or a note that is taken back and brought back changes nothing. What is
// newer than it knows, the items after search_state.upto and those in search_dirty, is looked into in any case.

// shortest is the length in bytes of the shortest text that the index has. One of a byte less is found by all that begin or end with it.
const shortest = 3

// candidates returns a query for the IDs of the items to look into, some of them more than once; it is empty if those are all.
func candidates(text string) (string, []any) {
	switch {
	case len(text) >= shortest:
		return candidatesBy(matchExpr(text))
	case len(text) == shortest-1:
		return candidatesIn("json_each(?) CROSS JOIN search WHERE search MATCH value"), []any{aroundPair(text)}
	}
	return "", nil
}

// candidatesBy is candidates for an FTS5 expression; the empty one stands for all.
func candidatesBy(expr string) (string, []any) {
	if expr == "" {
		return "", nil
	}
	return candidatesIn("search WHERE search MATCH ?"), []any{expr}
}

// candidatesIn returns a query for what is found in the index and what is newer than it knows.
func candidatesIn(found string) string {
	return `SELECT search.rowid % ` + strconv.FormatInt(searchLayer, 10) + ` FROM ` + found + ` UNION ALL SELECT item_id FROM search_dirty
		UNION ALL SELECT id FROM item WHERE id > (SELECT upto FROM search_state)`
}

// aroundPair returns the trigrams that begin or end with two bytes, as a list of FTS5 expressions in JSON. What has the two has one of
// these, for what is indexed of an item is longer than two bytes (textsOf). Said as one expression, FTS5 would ask all of
// them at every row.
func aroundPair(text string) string {
	pair := foldText(text)
	list := make([]string, 0, 2*256)
	for c := range 256 {
		if folded := foldText(string([]byte{byte(c)})); c < 'A' || c > 'Z' {
			list = append(list, quoteTrigram(pair+folded), quoteTrigram(folded+pair))
		}
	}
	return jsonList(list)
}

func quoteTrigram(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }

// maxTrigrams is how many trigrams of a long text are looked up.
const maxTrigrams = 32

// matchExpr returns the FTS5 expression for what has every trigram of the text.
func matchExpr(text string) string {
	folded := []rune(foldText(text))
	var list []string
	for i := 0; i+shortest <= len(folded) && len(list) < maxTrigrams; i++ {
		list = append(list, quoteTrigram(string(folded[i:i+shortest])))
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), " AND ")
}

// foldText writes a text so that FTS5 takes each byte of it for a character: it stops at NUL, and knows no bytes that are not
// UTF-8. Those become characters of a block that has no upper case. ASCII letters become lower case.
func foldText(text string) string {
	const block = 0x0600
	out := make([]byte, 0, len(text)+8)
	for i := range len(text) {
		switch c := text[i]; {
		case c == 0 || c >= utf8.RuneSelf:
			out = utf8.AppendRune(out, block+rune(c))
		case 'A' <= c && c <= 'Z':
			out = append(out, c+'a'-'A')
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

// isCommon reports whether there are more items to look into than that.
func isCommon(ctx context.Context, q queryer, text string, few int) (bool, error) {
	query, args := candidates(text)
	if query == "" {
		return true, nil
	}
	return isMore(ctx, q, few, query, args)
}

// isMore reports whether the query has more rows than few.
func isMore(ctx context.Context, q queryer, few int, query string, args []any) (bool, error) {
	var n int
	err := q.QueryRowContext(ctx, "SELECT count(*) FROM ("+query+" LIMIT ?)", append(args, few+1)...).Scan(&n)
	return n > few, err
}

// markSearch notes that an item got a text that the index may not have.
func (t *tx) markSearch(id int64) error {
	_, err := t.exec("INSERT INTO search_dirty (item_id) VALUES (?) ON CONFLICT DO NOTHING", id)
	return err
}

// Maintain does what may be done at any time: it folds a change that a program left unfolded, seals what an older version wrote, and
// indexes for the search what is not yet indexed. Others can write in between.
func (s *Store) Maintain(ctx context.Context) error {
	if s.readOnly {
		return nil
	}
	for _, step := range []func(context.Context) error{s.fold, s.seal, s.index} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// index brings the search index up to date. What each piece adds is a segment of its own, and a search asks them all: so they are merged
// before the next is added.
func (s *Store) index(ctx context.Context) error {
	for more := true; more; {
		err := s.piece(ctx, "indexing for the search", func(t *tx) (err error) {
			more, err = t.indexPiece()
			return err
		})
		if err == nil {
			err = s.mergeSearch(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mergeSearch merges segments of the search index until no level of it has more than a few.
func (s *Store) mergeSearch(ctx context.Context) error {
	for more := true; more; {
		err := s.piece(ctx, "merging the index of the search", func(t *tx) (err error) {
			for more = true; more && err == nil && t.room(); {
				more, err = t.mergeStep()
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// mergeAtOnce is how many pages of the index a step of merging writes: some milliseconds.
const mergeAtOnce = 16

// mergeStep goes on merging, and reports whether there was something to merge: then it has changed more than a row.
func (t *tx) mergeStep() (bool, error) {
	const changes = "SELECT total_changes()"
	var before, after int
	err := t.get(changes, nil, &before)
	if err == nil {
		_, err = t.exec("INSERT INTO search (search, rank) VALUES ('merge', ?)", mergeAtOnce)
	}
	if err == nil {
		err = t.get(changes, nil, &after)
	}
	return after-before > 1, err
}

// unindexed is what there is to index, in this order: the new items, then those with a newer text. next finds some of them after
// one, layer gives the layer of the index that they go to, and done says that all up to one are indexed.
var unindexed = []struct{ next, layer, done string }{
	{"SELECT id FROM item WHERE id > max(?, (SELECT upto FROM search_state)) ORDER BY id LIMIT ?", "SELECT ? * 0",
		"UPDATE search_state SET upto = ?"},
	{"SELECT item_id FROM search_dirty WHERE item_id > ? ORDER BY item_id LIMIT ?", "SELECT 1 + coalesce(max(id), 0) / ? FROM search_docsize",
		"DELETE FROM search_dirty WHERE item_id <= ?"},
}

// searchLayer is how many rows a layer of the index has room for: an item is in it as often as it was indexed, once a layer at most,
// in the row of its ID. What was indexed is never taken out again, for it stays right, and FTS5 goes through what was taken out at
// every merge, however much that is, while others wait.
const searchLayer int64 = 1 << 40

// indexPiece indexes some items, and reports whether there may be more. FTS5 sorts in memory what one piece has, and writes it when
// anything else is written: so that comes last.
func (t *tx) indexPiece() (bool, error) {
	for _, u := range unindexed {
		last, err := t.indexItems(u.next, u.layer)
		if err == nil && last > 0 {
			_, err = t.exec(u.done, last)
		}
		if err != nil || last > 0 {
			return true, err
		}
	}
	return false, nil
}

// readAhead is how many items are read at once to be indexed.
const readAhead = 128

// indexItems indexes the items that next finds, as many as the piece is about, and returns the last of them; 0: none.
func (t *tx) indexItems(next, layer string) (last int64, err error) {
	var at int64
	if err := t.QueryRowContext(t.bare, layer, searchLayer).Scan(&at); err != nil {
		return 0, err
	}
	for t.room() {
		ids, err := readIDs(t.ctx, t, next, last, min(readAhead, t.most))
		if err != nil || len(ids) == 0 {
			return last, err
		}
		texts, err := t.textsOf(ids)
		if err != nil {
			return last, err
		}
		for _, id := range ids {
			if t.items++; t.items > t.most {
				return last, nil
			}
			if _, err := t.exec("INSERT INTO search (rowid, text) VALUES (?, ?)", at*searchLayer+id, foldText(strings.Join(texts[id], "\n"))); err != nil {
				return last, err
			}
			last = id
		}
	}
	return last, nil
}

// textsOf returns all texts that the items ever had, as far as they do not repeat each other.
func (t *tx) textsOf(ids []int64) (map[int64][]string, error) {
	texts := make(map[int64][]string, len(ids))
	list := jsonList(ids)
	err := each(t.ctx, t, `SELECT i.id, i.original, i.title, i.canonical, ifnull(s.canonical, ''), ifnull(s.title, '')
		FROM item i LEFT JOIN staged s ON s.id = i.id WHERE i.id IN (SELECT value FROM json_each(?))`, []any{list},
		func(scan func(...any) error) error {
			var id int64
			var given [5]string
			err := scan(&id, &given[0], &given[1], &given[2], &given[3], &given[4])
			texts[id] = append(texts[id], given[0])
			for _, text := range given[1:] {
				texts[id] = append(texts[id], beyond(given[0], text))
			}
			return err
		})
	if err != nil {
		return nil, err
	}
	err = each(t.ctx, t, `SELECT item_id, canonical, note FROM decision WHERE item_id IN (SELECT value FROM json_each(?))
		UNION ALL SELECT item_id, canonical, note FROM staged_decision WHERE item_id IN (SELECT value FROM json_each(?)) AND kind IS NOT NULL
		UNION ALL SELECT item_id, text, '' FROM note WHERE item_id IN (SELECT value FROM json_each(?))`, []any{list, list, list},
		func(scan func(...any) error) error {
			var id int64
			var a, b string
			err := scan(&id, &a, &b)
			texts[id] = append(texts[id], beyond(texts[id][0], a), b)
			return err
		})
	return texts, err
}

// beyond returns the part of text whose trigrams are not those of the beginning that it has in common with known.
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

// andHas leaves out most of the items that do not have the text, if an index knows which those are.
func (w *where) andHas(text string) {
	if query, args := candidates(text); query != "" {
		w.and("i.id IN ("+query+")", args...)
	}
}

// andSearch wants the text in one of the item's texts, without regard to the case of ASCII letters. Nothing in it is a wildcard.
func (w *where) andSearch(f review.Filter) {
	if !w.walk.search {
		w.andHas(f.Search)
	}
	w.andTexts("instr(CAST(lower(%s) AS BLOB), ?)", []byte(review.LowerASCII(f.Search)))
}

// andRegexp wants a match of the pattern in one of the item's texts.
func (w *where) andRegexp(f review.Filter) {
	if !w.walk.pattern {
		if query, args := candidatesBy(required(f.Regexp)); query != "" {
			w.and("i.id IN ("+query+")", args...)
		}
	}
	w.andTexts("matches(?, CAST(%s AS BLOB))", f.Regexp)
}

// andTexts wants one of the item's texts to hold to a condition with one argument.
func (w *where) andTexts(cond string, arg any) {
	is := func(column string) string { return fmt.Sprintf(cond, column) }
	w.and("("+is("i.original")+" OR "+is("i.canonical")+" OR "+is("i.title")+
		" OR i.approved IS NOT NULL AND "+is("i.approved")+
		" OR i.batch_id IS NOT NULL AND EXISTS (SELECT 1 FROM decision sd WHERE sd.item_id = i.id AND sd.batch_id = i.batch_id AND "+is("sd.note")+")"+
		" OR i.notes > 0 AND EXISTS (SELECT 1 FROM note n JOIN batch nb ON nb.id = n.batch_id"+
		" WHERE n.item_id = i.id AND nb.undone_seq = 0 AND "+is("n.text")+"))",
		arg, arg, arg, arg, arg, arg)
}
