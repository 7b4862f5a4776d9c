package postgres

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"visto/review"
	"visto/review/read"
	"visto/store/rows"
)

// where collects conditions on item i, or on counts t, all of which must hold, with their arguments.
type where struct {
	conds []string
	args  []any
}

func (w *where) and(cond string, args ...any) {
	w.conds = append(w.conds, cond)
	w.args = append(w.args, args...)
}

// sql returns the WHERE of the conditions.
func (w *where) sql() string {
	if len(w.conds) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.conds, " AND ")
}

// filterItems returns the conditions for the items i of a filter. What it asks for in texts is found here.
func filterItems(ctx context.Context, q *snapshot, f review.Filter) (*where, error) {
	tests, needs, err := textTests(f)
	if err != nil {
		return nil, err
	}
	w, err := filterRows(ctx, q, f)
	if err != nil || len(tests) == 0 {
		return w, err
	}
	for _, n := range needs {
		w.andFound(n)
	}
	ids, err := matching(ctx, q, tests, " FROM item i"+w.sql(), w.args, 0)
	return &where{conds: []string{"i.id = ANY(?)"}, args: []any{ids}}, err
}

// filterRows returns all conditions except those of Search and Regexp.
func filterRows(ctx context.Context, q *snapshot, f review.Filter) (*where, error) {
	q.byFilter()
	w := &where{}
	w.andCounted("i", f)
	w.andHosts("i", f)
	if err := w.andOnHosts(ctx, q, f.Hosts); err != nil {
		return nil, err
	}
	w.andIDs(f)
	if !f.Due.IsZero() {
		w.and("NOT EXISTS (SELECT 1 FROM evidence due WHERE due.item_id = i.id AND due.due > ?)"+
			" AND NOT EXISTS (SELECT 1 FROM postponed p WHERE p.item_id = i.id AND p.until > ?)", rows.Millis(f.Due),
			rows.Millis(f.Due))
	}
	andIn(w, linkStateOfItem+" = ANY(?)", f.LinkStates)
	w.andRecords(f)
	w.andDecided(f)
	w.andAssigned(f)
	w.andTexts(f)
	return w, nil
}

// andCounted adds the columns that the counts have too, except the hosts. of is "i" for items or "t" for counts.
func (w *where) andCounted(of string, f review.Filter) {
	if f.Open {
		w.and(of + ".open")
	}
	andIn(w, of+".status = ANY(?)", f.Statuses)
	if f.Flags != 0 {
		w.and(of+".flags & ? <> 0", int64(f.Flags))
	}
	w.andPlaces(of, f)
	andIn(w, of+".status <> ALL(?)", f.Not.Statuses)
	if f.Not.Flags != 0 {
		w.and(of+".flags & ? = 0", int64(f.Not.Flags))
	}
	andTexts(w, of+".place_set_id NOT IN ("+setsWith+inFiles+")", f.Not.Files)
	andTexts(w, of+".place_set_id NOT IN ("+setsWith+inFields+")", f.Not.Fields)
}

// The place sets with a member in one of the files, or one of the fields.
const (
	setsWith = "SELECT m.set_id FROM place_set_member m WHERE "
	inFiles  = "m.file_id IN (SELECT id FROM file WHERE name = ANY(?::bytea[]))"
	inFields = "m.field_id IN (SELECT id FROM field WHERE name = ANY(?::bytea[]))"
)

// andPlaces adds the conditions on the places of items.
func (w *where) andPlaces(of string, f review.Filter) {
	switch {
	case f.Presence == review.Cited && !f.Open:
		w.and(of + ".place_set_id <> 0")
	case f.Presence == review.Gone:
		w.and(of + ".place_set_id = 0")
	}
	if len(f.Files) > 0 && len(f.Fields) > 0 {
		w.and(of+".place_set_id IN ("+setsWith+inFiles+" AND "+inFields+")", f.Files, f.Fields)
		return
	}
	andTexts(w, of+".place_set_id IN ("+setsWith+inFiles+")", f.Files)
	andTexts(w, of+".place_set_id IN ("+setsWith+inFields+")", f.Fields)
}

// andHosts adds the conditions on hosts, except f.Hosts.
func (w *where) andHosts(of string, f review.Filter) {
	switch len(f.AtHosts) {
	case 0:
	case 1: // the index of one host is in the order of the IDs
		w.and(of+".host_id = (SELECT id FROM host WHERE sha256(name) = sha256(?))", f.AtHosts[0])
	default:
		w.and(of+".host_id IN (SELECT id FROM host WHERE name = ANY(?::bytea[]))", f.AtHosts)
	}
	if len(f.Not.Hosts) == 0 {
		return
	}
	set, args := hostSet(f.Not.Hosts)
	if set == "" {
		w.and("false") // every host is excluded
		return
	}
	w.and(of+".host_id NOT IN "+set+" AND "+of+".in_host_id NOT IN "+set, slices.Concat(args, args)...)
}

// andIDs adds the conditions on the items themselves.
func (w *where) andIDs(f review.Filter) {
	if f.Originals != nil {
		keys := make([][]byte, len(f.Originals))
		for i, original := range f.Originals {
			key := rows.Key(original)
			keys[i] = key[:]
		}
		w.and("i.original_key = ANY(?::bytea[])", keys)
	}
	if f.Keys != nil {
		keys := make([][]byte, len(f.Keys))
		for i := range f.Keys {
			keys[i] = f.Keys[i][:]
		}
		w.and("i.page_key = ANY(?::bytea[])", keys)
	}
	if f.IDs != nil {
		w.and("i.id = ANY(?)", f.IDs)
	}
	if len(f.NotIDs) > 0 {
		w.and("i.id <> ALL(?)", f.NotIDs)
	}
	if f.UpTo > 0 {
		w.and("i.id <= ?", f.UpTo)
	}
	if reached, args := reaching(f.Reach); reached != "" {
		w.and("i.id IN ("+reached+")", args...)
	}
}

// andIn adds a condition with an array of numbers, unless the list is empty.
func andIn[T ~uint8](w *where, cond string, list []T) {
	if len(list) == 0 {
		return
	}
	numbers := make([]int64, len(list))
	for i, n := range list {
		numbers[i] = int64(n)
	}
	w.and(cond, numbers)
}

// andTexts adds a condition with an array of texts, unless the list is empty.
func andTexts(w *where, cond string, list []string) {
	if len(list) > 0 {
		w.and(cond, list)
	}
}

// andDecided adds the conditions on the decision in force. No batch is 0.
func (w *where) andDecided(f review.Filter) {
	const batch = "coalesce(i.batch_id, 0)"
	if f.Open && f.For != "" {
		w.and("i.id NOT IN ("+firstLooks+")", f.For)
	}
	andTexts(w, batch+" IN (SELECT id FROM batch WHERE reviewer = ANY(?::bytea[]))", f.Reviewers)
	if !f.Since.IsZero() {
		w.and(batch+" IN (SELECT id FROM batch WHERE at >= ?)", rows.Millis(f.Since))
	}
	andTexts(w, batch+" NOT IN (SELECT id FROM batch WHERE reviewer = ANY(?::bytea[]))", f.Not.Reviewers)
}

// linkStateOfItem is review.Item.LinkState of item i: of the decisions by which records cite its page, the oldest
// counts. One for a record alone is of kind 1, for a correction cites another page. approvalForAll is the batch of that
// for all records, NULL if it is no approval.
const (
	approvalForAll = `CASE WHEN i.approved IS NOT NULL OR i.settled_by IS NOT NULL THEN i.batch_id
		WHEN i.batch_id IS NULL THEN 0 END`
	linkStateOfItem = `(CASE WHEN i.link >> 6 & 3 <> 0 AND EXISTS (SELECT 1 FROM decision m WHERE m.item_id = i.id
		AND m.batch_id = i.batch_id AND i.settled_by IS NULL AND m.kind IN (2, 6) AND m.canonical <> m.seen
		AND m.batch_id > i.link >> 9) OR i.link >> 8 & 1 <> 0 AND i.link >> 9 < (SELECT CASE WHEN count(*) = 0
		THEN coalesce(` + approvalForAll + `, 0)
		ELSE coalesce(min(CASE WHEN d.kind IS NULL THEN ` + approvalForAll + `
		WHEN d.kind = 1 AND NOT ` + rows.Waits + ` THEN d.batch_id END), 0) END
		FROM (SELECT DISTINCT o.record_id FROM occurrence o WHERE o.item_id = i.id AND o.gone = 0) c
		LEFT JOIN decision d ON d.item_id = i.id AND d.batch_id = (SELECT max(x.batch_id) FROM decision x
		JOIN batch y ON y.id = x.batch_id WHERE x.item_id = i.id AND x.record_id = c.record_id
		AND x.batch_id > ` + batchForAll + ` AND y.undone_seq = 0)) THEN 0
		ELSE i.link >> 6 & 3 END)`

	// batchForAll is the batch of the item's own decision, 0 for none
	batchForAll = "CASE WHEN i.settled_by IS NULL THEN coalesce(i.batch_id, 0) ELSE 0 END"
)

// andRecords adds the conditions on the records that cite an item.
func (w *where) andRecords(f review.Filter) {
	if len(f.Records) > 0 {
		w.and("i.id IN (SELECT item_id FROM occurrence WHERE record_id = ANY(?))", f.Records)
	}
	if len(f.Where) > 0 {
		w.andAttributes("", f.Where)
	}
	for i := range f.Not.Where {
		w.andAttributes("NOT ", f.Not.Where[i:i+1])
	}
}

// citing selects the records of item i: those that cite it, or if it is gone, those that did.
const citing = `EXISTS (SELECT 1 FROM occurrence wo JOIN record wr ON wr.id = wo.record_id
	WHERE wo.item_id = i.id AND (wo.gone = 0 OR i.place_set_id = 0)`

// andAttributes adds the condition, after not, that a record has one of the values of each attribute.
func (w *where) andAttributes(not string, list []read.Attribute) {
	cond, args := citing, []any(nil)
	for _, a := range list {
		var exact []string
		for _, value := range a.Values {
			text := review.AttributeText(a.Name, value)
			exact = append(exact, "(ws.text LIKE ? OR ws.record_id = "+unfoldedRecords+
				") AND position(?::bytea IN wr.attributes) > 0")
			args = append(args, pattern(review.Fold(text)), text)
		}
		cond += ` AND wr.id IN (SELECT wr.id FROM record_search ws JOIN record wr ON wr.id = ws.record_id
			WHERE ` + strings.Join(exact, " OR ") + ")"
	}
	w.and(not+cond+")", args...)
}

// andTexts adds the conditions on texts, except Search and Regexp.
func (w *where) andTexts(f review.Filter) {
	andTexts(w, "i.language = ANY(?::bytea[])", f.Languages)
	andTexts(w, "i.language <> ALL(?::bytea[])", f.Not.Languages)
	w.andParams("", f.Params)
	w.andParams("NOT ", f.Not.Params)
	if f.Path != "" {
		w.andPath(f.Path)
	}
}

// andParams adds the condition, after not, that one of the names is an unknown parameter.
func (w *where) andParams(not string, names []string) {
	if len(names) == 0 {
		return
	}
	stored := make([]string, len(names))
	for i, name := range names {
		stored[i] = url.QueryEscape(name)
	}
	w.and(not+"(i.unknown <> '' AND EXISTS (SELECT 1 FROM "+
		"unnest(string_to_array(encode(i.unknown, 'escape'), '&')) param "+
		"WHERE param <> '' AND param = ANY(?::text[])))",
		stored)
}

// andPath selects canonical URLs whose path starts with the prefix, as whole segments.
func (w *where) andPath(prefix string) {
	w.and("i.canonical <> ''")
	p := strings.TrimRight(prefix, "/")
	if p == "" {
		return
	}
	if p[0] != '/' {
		p = "/" + p
	}
	head := p[:min(len(p), sortHead)]
	w.and("i.sort_head >= ? AND substr(i.sort_head, 1, ?) = ? AND substr(i.sort_path, 1, ?) = ANY(?::bytea[])",
		head, len(head), head, len(p)+1, []string{p, p + "/", p + "?", p + "#"})
	if last := len(head) - 1; head[last] < 0xff {
		w.and("i.sort_head < ?", head[:last]+string([]byte{head[last] + 1}))
	}
}

// sortHead is the number of bytes of item.sort_head.
const sortHead = 1000

// hostSet returns a subquery for the IDs of the hosts that the patterns match. It is empty if those are all.
func hostSet(patterns []string) (string, []any) {
	if len(patterns) == 0 || slices.Contains(patterns, "*") {
		return "", nil
	}
	cond, args := matchingName("name", patterns)
	return "(SELECT id FROM host WHERE " + cond + ")", args
}

// fewHosts is the largest number of hosts that a filter finds items by. Of more of them most items are.
const fewHosts = 1000

// andOnHosts adds the condition that the canonical or the incoming host is one that the patterns match. The server
// knows how many items are on a given host.
func (w *where) andOnHosts(ctx context.Context, q queryer, patterns []string) error {
	set, args := hostSet(patterns)
	if set == "" {
		return nil
	}
	const either = "(i.host_id %[1]s OR i.in_host_id <> i.host_id AND i.in_host_id %[1]s)"
	ids, err := column[int64](ctx, q, set[1:len(set)-1]+" LIMIT ?", append(slices.Clone(args), fewHosts+1)...)
	if len(ids) <= fewHosts {
		w.and(fmt.Sprintf(either, "= ANY(?)"), ids, ids)
		return err
	}
	w.and(fmt.Sprintf(either, "IN "+set), slices.Concat(args, args)...)
	return err
}

// onHosts returns a query for the IDs of the items whose canonical or incoming host is in the set. It names the set
// twice.
func onHosts(set string) string {
	return "SELECT id FROM item WHERE host_id IN " + set +
		" UNION ALL SELECT id FROM item WHERE in_host_id <> host_id AND in_host_id IN " + set
}

// reaching returns a query for the IDs of the items that an override for these hosts may concern. It is empty if
// those are all.
func reaching(hosts []string) (string, []any) {
	set, args := hostSet(hosts)
	if set == "" {
		return "", nil
	}
	// in via each name stands between two spaces
	const names = "unnest(string_to_array(encode(via, 'escape'), ' ')) hop"
	inVia, viaArgs := matchingName("decode(hop, 'escape')", hosts)
	return onHosts(set) + " UNION ALL SELECT id FROM item WHERE via <> '' AND EXISTS (SELECT 1 FROM " + names +
		" WHERE hop <> '' AND " + inVia + ")", slices.Concat(args, args, viaArgs)
}

// matchingName returns the condition that one of the patterns matches the name of a host, however many they are: a name
// is looked up whole, and from its end in each length that a suffix has.
func matchingName(name string, patterns []string) (string, []any) {
	var exact, suffixes []string
	lengths := map[int64]bool{}
	for _, p := range patterns {
		if suffix, ok := strings.CutPrefix(p, "*"); ok {
			suffixes = append(suffixes, suffix)
			lengths[int64(len(suffix))] = true
		} else {
			exact = append(exact, p)
		}
	}
	var conds []string
	var args []any
	if len(exact) > 0 {
		conds, args = append(conds, name+" = ANY(?::bytea[])"), append(args, exact)
	}
	if len(suffixes) > 0 {
		conds = append(conds, "EXISTS (SELECT 1 FROM unnest(?::bigint[]) n WHERE n <= octet_length("+name+
			") AND substr("+name+", (octet_length("+name+") - n + 1)::int) = ANY(?::bytea[]))")
		args = append(args, slices.Sorted(maps.Keys(lengths)), suffixes)
	}
	return "(" + strings.Join(conds, " OR ") + ")", args
}
