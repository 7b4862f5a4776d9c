package postgres

import (
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/store/rows"
)

// grid collects rows that one statement takes as arrays, one for each column: however many rows there are, they take
// few round trips.
type grid struct{ rows [][]any }

func (g *grid) add(values ...any) { g.rows = append(g.rows, values) }

// gridSize is the largest number of rows of one statement.
const gridSize = 10_000

// execGrid is exec for the rows of a grid.
func (t *tx) execGrid(query string, g *grid) error {
	for part := range slices.Chunk(g.rows, gridSize) {
		args := make([]any, len(part[0]))
		for c := range args {
			column := make([]any, len(part))
			for i, row := range part {
				column[i] = row[c]
			}
			args[c] = column
		}
		if err := t.Exec(query, args...); err != nil {
			return err
		}
	}
	return nil
}

// arrays returns the FROM of a grid. The columns have their types behind them, as those of a table.
func arrays(columns string) string {
	var marks, names []string
	for column := range strings.SplitSeq(columns, ", ") {
		name, kind, _ := strings.Cut(column, " ")
		marks, names = append(marks, "?::"+kind+"[]"), append(names, name)
	}
	return "unnest(" + strings.Join(marks, ", ") + ") AS w (" + strings.Join(names, ", ") + ")"
}

// itemState is an item with all that its status follows from, as it is stored.
type itemState struct {
	id, rev   int64
	result    string // its canonical URL
	link      review.Link
	cited     bool    // by the record that was asked for
	alone     bool    // there ever was a decision for one record alone
	corrected bool    // there ever was a correction for one record alone
	touches   []int64 // the items whose originals its decisions approve, or the URL that was asked for
	rows.CountKey
	rows.Standing
}

// wanted is an item to read the state of. record and url are 0 and empty for none.
type wanted struct {
	id, record int64
	url        string
}

var statesQuery = `SELECT i.id, i.rev, i.canonical, i.link, ` + rows.CountColumns + `, ` + standingColumns + `,
	w.record = 0 OR EXISTS (SELECT 1 FROM occurrence o WHERE o.item_id = i.id AND o.record_id = w.record
	AND o.gone = 0),
	alone.found, alone.corrects, ARRAY(SELECT y.id FROM item y WHERE y.original_key = ANY (alone.keys || w.key
	|| substr(sha256(i.approved), 1, 16)))
	FROM ` + arrays("id bigint, record bigint, key bytea") + ` JOIN item i ON i.id = w.id` + decisionJoin + `
	CROSS JOIN LATERAL (SELECT count(*) > 0 AS found, coalesce(bool_or(r.kind IN (2, 6)), false) AS corrects,
	array_agg(substr(sha256(r.canonical), 1, 16)) AS keys
	FROM decision r WHERE r.item_id = i.id AND r.record_id IS NOT NULL) alone`

// askStates asks for items (ask). Those that are not stored are left out.
func (t *tx) askStates(list []wanted) map[int64]*itemState {
	found := make(map[int64]*itemState, len(list))
	for part := range slices.Chunk(list, gridSize) {
		ids, records, keys := make([]int64, len(part)), make([]int64, len(part)), make([][]byte, len(part))
		for i, one := range part {
			ids[i], records[i] = one.id, one.record
			if one.url != "" {
				key := rows.Key(one.url)
				keys[i] = key[:]
			}
		}
		t.ask(statesQuery, []any{ids, records, keys}, func(scan scanner) error {
			var s itemState
			into := append([]any{&s.id, &s.rev, &s.result, packedLink{&s.link}}, s.CountKey.Into()...)
			into = append(append(into, s.Standing.Into()...), &s.cited, &s.alone, &s.corrected, &s.touches)
			if err := scan(into...); err != nil {
				return err
			}
			found[s.id] = &s
			return nil
		})
	}
	return found
}

// states is askStates with the answers.
func (t *tx) states(list []wanted) (map[int64]*itemState, error) {
	found := t.askStates(list)
	return found, t.flush()
}

// statesOf is states for IDs alone.
func (t *tx) statesOf(ids []int64) (map[int64]*itemState, error) {
	list := make([]wanted, len(ids))
	for i, id := range ids {
		list[i].id = id
	}
	return t.states(list)
}

// outcome returns the count key of the item with that decision.
func (t *tx) outcome(s *itemState, decision *review.Decision) (rows.CountKey, error) {
	by, err := t.recordDecisions(s, decision)
	c := review.Computed{Canonical: s.result, Verdict: canon.Verdict(s.Verdict), Flags: canon.CodeSet(s.Flags)}
	return s.CountKey.Resolve(c, s.link, decision, by), err
}

// recordDecisions is byRecord for an item whose state is known. Nearly all items have no such decision.
func (t *tx) recordDecisions(s *itemState, decision *review.Decision) ([]review.RecordDecision, error) {
	if !s.alone {
		return nil, nil
	}
	return byRecord(t.ctx, t, s.id, decision)
}

// inForce is a decision that comes into force on an item, nil for none.
type inForce struct {
	*itemState
	decision *review.Decision
}

var updateStanding = `UPDATE item i SET rev = i.rev + 1, status = w.status, flags = w.flags, open = w.open,
	was_open = w.was_open, batch_id = w.batch_id, approved = w.approved, settled_by = w.settled_by FROM ` +
	arrays("id bigint, status bigint, flags bigint, open boolean, was_open boolean, batch_id bigint, approved bytea, "+
		"settled_by bigint") + " WHERE i.id = w.id"

// apply writes decisions to their items, with the statuses that follow from them.
func (w *writer) apply(list []inForce) error {
	computed, err := w.correct(list)
	if err != nil {
		return err
	}
	var g grid
	for _, f := range list {
		w.unsettle(f)
		is, ok := computed[f.id]
		if !ok {
			if is, err = w.outcome(f.itemState, f.decision); err != nil {
				return err
			}
		}
		w.deltas.Move(f.CountKey, is)
		batch, approved := rows.DecisionColumns(f.decision)
		g.add(f.id, is.Status, is.Flags, is.Open, is.WasOpen, batch, approved, nil)
	}
	return w.execGrid(updateStanding, &g)
}

// updateComputed stores new results in items. raise is 1 if that alone raises their revisions.
var updateComputed = "UPDATE item i SET rev = i.rev + w.raise, title = CASE w.title WHEN '' THEN i.title ELSE " +
	"w.title END, title_seal = CASE w.title WHEN '' THEN i.title_seal ELSE w.title_seal END, (" + rows.ComputedColumns +
	") = (w." + strings.ReplaceAll(rows.ComputedColumns, ", ", ", w.") + ") FROM " + arrays("id bigint, raise bigint, "+
	"title bytea, title_seal bigint, canonical bytea, page_key bytea, verdict bigint, reason bigint, flags bigint, "+
	"unknown bytea, in_host_id bigint, host_id bigint, link_type bigint, language bytea, via bytea, status bigint, "+
	"open boolean, was_open boolean") + " WHERE i.id = w.id"

// newResult is a new result of an item with a decision in force.
type newResult struct {
	inForce
	review.Computed
	title string // empty: unchanged
}

// writeResults stores results, and returns the count keys that follow from them.
func (in *interner) writeResults(list []newResult, raise int) (map[int64]rows.CountKey, error) {
	var hosts []string
	for i := range list {
		hosts = append(hosts, list[i].InHost, list[i].Host)
	}
	if err := in.allIDs("host", hosts); err != nil {
		return nil, err
	}
	keys := make(map[int64]rows.CountKey, len(list))
	var g, texts grid
	for i := range list {
		r := &list[i]
		row, err := in.Computed(&r.Computed)
		if err != nil {
			return nil, err
		}
		by, err := in.recordDecisions(r.itemState, r.decision)
		if err != nil {
			return nil, err
		}
		row.Resolve(r.Computed, r.link, r.decision, by, r.CountKey)
		keys[r.id] = row.CountKey
		g.add(append([]any{r.id, raise, r.title, rows.TitleSeal(r.title)}, row.Args()...)...)
		if r.title != "" || row.Canonical != r.result && !strings.Contains(r.Original, row.Canonical) {
			texts.add(r.id, string(searchText(row.Canonical, r.title)))
		}
	}
	return keys, rows.InOrder(func() error { return in.execGrid(updateComputed, &g) },
		func() error { return in.execGrid(addTexts, &texts) })
}

// addTexts adds to the texts of items that a search looks into. These are all texts that an item ever had: undoing and
// redoing a decision or a note changes nothing.
var addTexts = "UPDATE item_search s SET text = s.text || w.text FROM " + arrays("id bigint, text text") +
	" WHERE s.item_id = w.id AND strpos(s.text, w.text) = 0"

// FollowLink brings the status of an item up to date with its link. Its result and its decisions stay.
func (t *tx) FollowLink(item int64) error {
	states, err := t.statesOf([]int64{item})
	if err != nil {
		return err
	}
	s := states[item]
	is, err := t.outcome(s, s.Decision())
	if err != nil || is == s.CountKey {
		return err
	}
	t.deltas.Move(s.CountKey, is)
	return t.Exec("UPDATE item SET rev = rev + 1, status = ?, flags = ?, open = ?, was_open = ? WHERE id = ?",
		is.Status, is.Flags, is.Open, is.WasOpen, item)
}
