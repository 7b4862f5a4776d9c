package sqlite

import (
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"visto/review"
	"visto/store/rows"
)

// where collects conditions on item i, all of which must hold, with their arguments.
type where struct {
	conds []string
	args  []any
	host  string // the only canonical host, if the filter names one exactly
	walk  walk   // the parts of the filter to scan for, without an index
	same  int    // the number of sort keys with a fixed value
	found bool   // few items, found by another index than that of the order
	looks bool   // found by the values of a list or a text, whatever else the filter asks for
}

func (w *where) and(cond string, args ...any) {
	w.conds = append(w.conds, cond)
	w.args = append(w.args, args...)
}

func (w *where) sql() string {
	if len(w.conds) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.conds, " AND ")
}

// filterItems returns the conditions of a filter. Texts too short for the search index are searched in all items.
func filterItems(f review.Filter) *where {
	return filterItemsBy(f, shortWalk(f))
}

// filterItemsBy is filterItems with a given walk.
func filterItemsBy(f review.Filter, walk walk) *where {
	return filterItemsIn(f, walk, walk.looks(f))
}

// filterItemsIn is filterItemsBy. looks keeps SQLite from the indexes of status and host, whose order is not that of
// the IDs.
func filterItemsIn(f review.Filter, walk walk, looks bool) *where {
	w := &where{walk: walk, looks: looks}
	w.andFilter(f)
	if set, args := hostSet(f.Hosts); set != "" {
		w.and("i.id IN ("+onHosts(set)+")", slices.Concat(args, args)...)
	}
	return w
}

// onHosts returns a query for the IDs of the items whose canonical or incoming host is in the set. The query names
// the set twice. As a list of IDs SQLite finds the items by indexes, in their order; with an OR it would sort them
// with all columns.
func onHosts(set string) string {
	return "SELECT id FROM item WHERE host_id IN " + set +
		" UNION ALL SELECT id FROM item WHERE in_host_id <> host_id AND in_host_id IN " + set
}

// andIn adds a condition with the set of numbers in place of %s, unless the list is empty.
func andIn[T ~uint8](w *where, cond string, list []T) {
	if len(list) > 0 {
		w.and(strings.Replace(cond, "%s", marks(len(list)), 1), anys(list)...)
	}
}

// andInTexts adds a condition with the set of texts in place of %s, unless the list is empty.
func andInTexts(w *where, cond string, list []string) {
	if len(list) > 0 {
		w.and(strings.Replace(cond, "%s", textSet, 1), hexList(list))
	}
}

// andCounted adds the columns that the counts have too, except the hosts. of is "i" for items or "t" for counts.
func (w *where) andCounted(of string, f review.Filter) {
	if f.Open {
		w.and(of + ".open = 1")
	}
	andIn(w, of+".status IN %s", f.Statuses)
	if f.Flags != 0 {
		w.and(of+".flags & ? <> 0", int64(f.Flags))
	}
	w.andPlaces(of, f)
	andIn(w, of+".status NOT IN %s", f.Not.Statuses)
	if f.Not.Flags != 0 {
		w.and(of+".flags & ? = 0", int64(f.Not.Flags))
	}
	andInTexts(w, of+".place_set_id NOT IN ("+setsWith+inFiles+")", f.Not.Files)
	andInTexts(w, of+".place_set_id NOT IN ("+setsWith+inFields+")", f.Not.Fields)
}

// andHost adds the conditions on hosts, except f.Hosts.
func (w *where) andHost(of string, f review.Filter) {
	w.andAtHosts(of, f.AtHosts)
	if len(f.Not.Hosts) == 0 {
		return
	}
	set, args := hostSet(f.Not.Hosts)
	if set == "" {
		w.and("0") // every host is excluded
		return
	}
	w.and(of+".host_id NOT IN "+set+" AND "+of+".in_host_id NOT IN "+set, slices.Concat(args, args)...)
}

// andAtHosts adds the condition that the canonical host is one of some. Items on several hosts are found by a list of
// IDs, in the order of these: see onHosts.
func (w *where) andAtHosts(of string, hosts []string) {
	const named = "(SELECT id FROM host WHERE name IN " + textSet + ")"
	switch {
	case len(hosts) == 0:
	case len(hosts) == 1:
		w.and(of+".host_id = (SELECT id FROM host WHERE name = ?)", hosts[0])
	case of == "i":
		w.and("i.id IN (SELECT id FROM item WHERE host_id IN "+named+")", hexList(hosts))
	default:
		w.and(of+".host_id IN "+named, hexList(hosts))
	}
}

// andDecided adds the conditions on the decision in force.
func (w *where) andDecided(f review.Filter) {
	if f.Open && f.For != "" {
		w.and("i.id NOT IN ("+firstLooks+")", f.For)
	}
	andInTexts(w, "i.batch_id IN (SELECT id FROM batch WHERE reviewer IN %s)", f.Reviewers)
	if !f.Since.IsZero() {
		w.and("i.batch_id IN (SELECT id FROM batch WHERE at >= ?)", rows.Millis(f.Since))
	}
	andInTexts(w, "(i.batch_id IS NULL OR i.batch_id NOT IN (SELECT id FROM batch WHERE reviewer IN %s))",
		f.Not.Reviewers)
}

// assignedTo is a query for the items that some reviewers have.
const assignedTo = "SELECT item_id FROM assignment WHERE reviewer IN " + textSet

// andAssigned adds the conditions on the assignments. Many items are scanned for, the few of some reviewers are looked
// up.
func (w *where) andAssigned(f review.Filter) {
	const has = "SELECT 1 FROM assignment a WHERE a.item_id = i.id"
	if len(f.Assigned) > 0 {
		names, none := f.Assignees(false)
		switch {
		case none:
			w.and("(NOT EXISTS ("+has+") OR EXISTS ("+has+" AND +a.reviewer IN "+textSet+"))", hexList(names))
		case w.walk.assigned:
			w.and("EXISTS ("+has+" AND +a.reviewer IN "+textSet+")", hexList(names))
		default:
			w.and("i.id IN ("+assignedTo+")", hexList(names))
		}
	}
	if len(f.Not.Assigned) > 0 {
		names, none := f.Assignees(true)
		w.and("NOT EXISTS ("+has+" AND +a.reviewer IN "+textSet+")", hexList(names))
		if none {
			w.and("EXISTS (" + has + ")")
		}
	}
}

// andFilter adds all conditions of the filter except f.Hosts. The + keeps SQLite from the indexes of status and host
// where the items are looked up: they find many more.
func (w *where) andFilter(f review.Filter) {
	item := "i"
	if w.looks {
		item = "+i"
	}
	w.andCounted(item, f)
	w.andHost(item, f)
	if f.Originals != nil {
		keys := make([]string, len(f.Originals))
		for i, original := range f.Originals {
			key := rows.Key(original)
			keys[i] = string(key[:])
		}
		w.and("i.original_key IN (SELECT unhex(value) FROM json_each(?))", hexList(keys))
	}
	if f.Keys != nil {
		w.and("i.page_key IN (SELECT unhex(value) FROM json_each(?))", hexList(keyTexts(f.Keys)))
	}
	if f.IDs != nil {
		w.and("i.id IN (SELECT value FROM json_each(?))", jsonList(f.IDs))
	}
	if len(f.NotIDs) > 0 {
		w.and("i.id NOT IN (SELECT value FROM json_each(?))", jsonList(f.NotIDs))
	}
	if f.UpTo > 0 {
		w.and("i.id <= ?", f.UpTo)
	}
	if reached, args := reaching(f.Reach); reached != "" {
		w.and("i.id IN ("+reached+")", args...)
	}
	if !f.Due.IsZero() {
		w.and("NOT EXISTS (SELECT 1 FROM evidence due WHERE due.item_id = i.id AND due.due > ?)"+
			" AND NOT EXISTS (SELECT 1 FROM postponed p WHERE p.item_id = i.id AND p.until > ?)", rows.Millis(f.Due),
			rows.Millis(f.Due))
	}
	andIn(w, linkStateOfItem+" IN %s", f.LinkStates)
	w.andRecords(f)
	w.andDecided(f)
	w.andAssigned(f)
	w.andText(f)
}

// reaching returns a query for the IDs of the items that an override for these hosts may concern. It is empty if
// those are all.
func reaching(hosts []string) (string, []any) {
	set, args := hostSet(hosts)
	if set == "" {
		return "", nil
	}
	// in via each name stands between two spaces
	const names = `json_each('[' || replace(json_quote(via), ' ', '","') || ']') hop`
	inVia, viaArgs := matching("hop.value", hosts)
	return onHosts(set) + " UNION ALL SELECT id FROM item WHERE via > '' AND EXISTS (SELECT 1 FROM " + names +
		" WHERE " + inVia + ")", slices.Concat(args, args, viaArgs)
}

// andText adds the conditions on texts. Texts are compared as bytes: see doc.go.
func (w *where) andText(f review.Filter) {
	andInTexts(w, "i.language IN %s", f.Languages)
	andInTexts(w, "i.language NOT IN %s", f.Not.Languages)
	w.andParams("", f.Params)
	w.andParams("NOT ", f.Not.Params)
	if f.Path != "" {
		w.andPath(f.Path)
	}
	if f.Search != "" {
		w.andSearch(f)
	}
	if f.Regexp != "" {
		w.andRegexp(f)
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
	const list = `json_each('["' || replace(substr(i.unknown, 2, length(i.unknown) - 2), '&', '","') || '"]') param`
	w.and(not+"(i.unknown > '' AND EXISTS (SELECT 1 FROM "+list+" WHERE param.value IN "+textSet+"))", hexList(stored))
}

// andPath selects canonical URLs whose path starts with the prefix, as whole segments. The path starts at the first
// slash behind "https://", and also behind "http://", because no host is empty.
func (w *where) andPath(prefix string) {
	const canonical = "CAST(i.canonical AS BLOB)"
	const afterScheme = "instr(substr(" + canonical + ", 9), x'2f')"
	p := trimPath(prefix)
	if p == "" {
		w.and("i.canonical <> ''")
		return
	}
	if !w.walk.path {
		w.andFound(candidates(review.Fold(p)))
	}
	args := []any{len(p) + 1}
	for _, next := range []string{"", "/", "?", "#"} {
		args = append(args, []byte(p+next))
	}
	w.and("("+afterScheme+" > 0 AND substr("+canonical+", 8 + "+afterScheme+", ?) IN (?, ?, ?, ?))", args...)
}

// trimPath returns a path prefix with a slash before it and none behind.
func trimPath(prefix string) string {
	p := strings.TrimRight(prefix, "/")
	if p != "" && p[0] != '/' {
		p = "/" + p
	}
	return p
}

// hostSet returns a subquery for the IDs of the hosts that the patterns match. It is empty if those are all.
func hostSet(patterns []string) (string, []any) {
	cond, args := hostNamed(patterns)
	if cond == "" {
		return "", nil
	}
	return "(SELECT id FROM host WHERE " + cond + ")", args
}

// hostNamed returns the condition that the patterns match a host. It is empty if they match all.
func hostNamed(patterns []string) (string, []any) {
	if len(patterns) == 0 || slices.Contains(patterns, "*") {
		return "", nil
	}
	return matching("name", patterns)
}

// matching returns the condition that one of the patterns matches the name of a host, however many they are: a name
// is looked up whole, and from its end in each length that a suffix has.
func matching(name string, patterns []string) (string, []any) {
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
		conds, args = append(conds, name+" IN "+textSet), append(args, hexList(exact))
	}
	if len(suffixes) > 0 {
		conds = append(conds, "EXISTS (SELECT 1 FROM json_each(?) suffix WHERE substr("+name+
			", -suffix.value) IN "+textSet+")")
		args = append(args, jsonList(slices.Sorted(maps.Keys(lengths))), hexList(suffixes))
	}
	return "(" + strings.Join(conds, " OR ") + ")", args
}

func isPattern(host string) bool { return strings.HasPrefix(host, "*") }

// marks returns a list of n placeholders.
func marks(n int) string {
	if n == 0 {
		return "()"
	}
	return "(" + strings.Repeat("?, ", n-1) + "?)"
}

func keyTexts(keys []review.Key) []string {
	out := make([]string, len(keys))
	for i := range keys {
		out[i] = string(keys[i][:])
	}
	return out
}

func anys[T any](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}

// textSet is the set of the texts of one argument, a hexList. A statement takes 32,766 arguments and an expression
// 1,000 terms, but a list in JSON has any length.
const textSet = "(SELECT CAST(unhex(value) AS TEXT) FROM json_each(?))"

// hexList passes any number of texts, whatever their bytes, as one argument.
func hexList(list []string) string {
	size := 2
	for _, text := range list {
		size += 2*len(text) + len(`"",`)
	}
	out := make([]byte, 0, size)
	out = append(out, '[')
	for i, text := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(hex.AppendEncode(append(out, '"'), []byte(text)), '"')
	}
	return string(append(out, ']'))
}

// jsonList passes any number of IDs, or of texts in UTF-8, as one argument.
func jsonList[T int64 | string](list []T) string {
	text, err := json.Marshal(list)
	if err != nil {
		panic(err) // numbers and texts are always JSON
	}
	return string(text)
}
