package postgres

import (
	"context"
	"slices"
	"sync"

	"visto/review"
	"visto/store/rows"
)

// interner is rows.Interner.
type interner struct {
	*tx
	rows.Interner
}

func newInterner(t *tx) *interner {
	in := &interner{tx: t}
	in.Interner = rows.NewInterner(t, in)
	return in
}

// ID is rows.Items'.
func (in *interner) ID(table, name string) (int64, error) {
	err := in.allIDs(table, []string{name})
	return in.IDs[table][name], err
}

// allIDs finds the IDs of names that are not known yet, and adds the new ones.
func (in *interner) allIDs(table string, names []string) error {
	known := in.IDs[table]
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return known[name] > 0 })
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	names = slices.Compact(names)
	read := func(scan scanner) error {
		var id int64
		var name string
		if err := scan(&id, &name); err != nil {
			return err
		}
		known[name] = id
		return nil
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

// fieldSets caches the fields of place sets, a review.FieldSet by ID. A set never changes.
type fieldSets struct{ sync.Map }

// fieldsOf returns the fields of a place set.
func fieldsOf(ctx context.Context, q queryer, set int64) (fields review.FieldSet, err error) {
	if known, ok := q.fieldSets().Load(set); ok {
		return known.(review.FieldSet), nil
	}
	if set == rows.GoneSet {
		return fields, nil
	}
	list, err := rows.FieldSets(eachOf(ctx, q), set)
	for id, fields := range list {
		q.fieldSets().Store(id, fields)
	}
	return list[set], err
}
