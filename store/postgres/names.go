package postgres

import (
	"context"
	"slices"
	"sync"

	"visto/canon"
	"visto/review"
	"visto/store/rows"
)

// interner finds the IDs of texts that are stored once, and adds new ones. If its transaction fails, the added texts
// are gone, and it is of no use.
type interner struct {
	*tx
	ids     map[string]map[string]int64 // by table and text
	places  map[placeKey]int64
	steps   map[setStep]int64
	hosts   canon.Hosts // the evidence of hosts that were written to
	changed canon.Hosts // the facts that changed it

	compute    func(review.Item, *canon.Evidence) review.Computed // as that of review.Intake
	onFields   bool                                               // as that of review.Intake
	gen        int64                                              // of the rules of compute
	recomputes bool                                               // others who compute results have to look again
	allHosts   canon.Hosts                                        // nil until compute needs it
}

func newInterner(t *tx) *interner {
	return &interner{tx: t, ids: map[string]map[string]int64{"host": {}, "file": {}, "field": {}, "place_set": {}},
		places: map[placeKey]int64{}, steps: map[setStep]int64{}, hosts: canon.Hosts{}, changed: canon.Hosts{}}
}

// follow has the results of items follow the fields and records that cite them.
func (in *interner) follow(run *review.Intake) {
	in.compute, in.onFields, in.gen = run.Compute, run.OnFields, run.Gen
}

// id returns the ID of a name.
func (in *interner) id(table, name string) (int64, error) {
	err := in.allIDs(table, []string{name})
	return in.ids[table][name], err
}

// allIDs finds the IDs of names that are not known yet, and adds the new ones.
func (in *interner) allIDs(table string, names []string) error {
	known := in.ids[table]
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return known[name] > 0 })
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	names = slices.Compact(names)
	read := func(scan scanner) error {
		var id int64
		var name string
		err := scan(&id, &name)
		known[name] = id
		return err
	}
	err := each(in.ctx, in, "SELECT t.id, t.name FROM unnest(?::bytea[]) wanted JOIN "+table+
		" t ON sha256(t.name) = sha256(wanted)", []any{names}, read)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return known[name] > 0 })
	if len(names) == 0 {
		return nil
	}
	err = each(in.ctx, in, "INSERT INTO "+table+" (name) SELECT unnest(?::bytea[]) ON CONFLICT DO NOTHING "+
		"RETURNING id, name", []any{names}, read)
	if err != nil || !slices.ContainsFunc(names, func(name string) bool { return known[name] == 0 }) {
		return err
	}
	return in.allIDs(table, names) // others added some meanwhile
}

// computed returns the row of a result. Its count key depends on the decision too.
func (in *interner) computed(c *review.Computed) (rows.ComputedRow, error) {
	return rows.NewComputedRow(c, func(host string) (int64, error) { return in.id("host", host) })
}

type placeKey struct {
	field int64
	path  string
}

// place returns the ID of a field and a short path.
func (in *interner) place(field int64, path string) (int64, error) {
	key := placeKey{field, path}
	if id, ok := in.places[key]; ok {
		return id, nil
	}
	var id int64
	found, err := in.Find("SELECT id FROM place WHERE field_id = ? AND sha256(path) = sha256(?)",
		[]any{field, path}, &id)
	if err == nil && !found {
		err = in.Get("INSERT INTO place (field_id, path) VALUES (?, ?) RETURNING id", []any{field, path}, &id)
	}
	if err == nil {
		in.places[key] = id
	}
	return id, err
}

// set returns the ID of the set of the members, in any order and with repetitions.
func (in *interner) set(list []rows.Placed) (int64, error) {
	slices.SortFunc(list, rows.Placed.Compare)
	list = slices.Compact(list)
	members := rows.SetMembers(list)
	if id, ok := in.ids["place_set"][members]; ok {
		return id, nil
	}
	var id int64
	found, err := in.Find("SELECT id FROM place_set WHERE sha256(members) = sha256(?)", []any{members}, &id)
	if err == nil && !found {
		err = in.Get("INSERT INTO place_set (members) VALUES (?) RETURNING id", []any{members}, &id)
		for _, p := range list {
			if err == nil {
				err = in.Insert("INTO place_set_member (set_id, file_id, field_id)", id, p.File, p.Field)
			}
		}
	}
	if err == nil {
		in.ids["place_set"][members] = id
	}
	return id, err
}

// setStep is a member that joins a set.
type setStep struct {
	set int64
	rows.Placed
}

// setWith returns the set with one more member.
func (in *interner) setWith(set int64, p rows.Placed) (int64, error) {
	step := setStep{set, p}
	if id, ok := in.steps[step]; ok {
		return id, nil
	}
	list, err := in.members(set)
	if err != nil {
		return 0, err
	}
	id, err := in.set(append(list, p))
	in.steps[step] = id
	return id, err
}

func (in *interner) members(set int64) ([]rows.Placed, error) {
	return collect(in.ctx, in, "SELECT file_id, field_id FROM place_set_member WHERE set_id = ?", []any{set},
		func(p *rows.Placed, scan scanner) error { return scan(&p.File, &p.Field) })
}

// fieldSets caches the fields of place sets, a review.FieldSet by ID. A set never changes.
type fieldSets struct{ sync.Map }

// setsAtOnce is the number of sets with neighbouring IDs that are read at once.
const setsAtOnce = 64

// fieldsOf returns the fields of a place set.
func fieldsOf(ctx context.Context, q queryer, set int64) (fields review.FieldSet, err error) {
	if known, ok := q.fieldSets().Load(set); ok {
		return known.(review.FieldSet), nil
	}
	if set == rows.GoneSet {
		return fields, nil
	}
	first := set / setsAtOnce * setsAtOnce
	names := map[int64][]string{}
	err = each(ctx, q, `SELECT m.set_id, f.name FROM place_set_member m JOIN field f ON f.id = m.field_id
		WHERE m.set_id >= ? AND m.set_id < ?`, []any{first, first + setsAtOnce}, func(scan scanner) error {
		var id int64
		var name string
		err := scan(&id, &name)
		names[id] = append(names[id], name)
		return err
	})
	if err != nil {
		return fields, err
	}
	for id, list := range names {
		q.fieldSets().Store(id, review.NewFieldSet(list...))
	}
	return review.NewFieldSet(names[set]...), nil
}
