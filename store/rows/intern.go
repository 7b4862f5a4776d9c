package rows

import (
	"slices"

	"visto/canon"
	"visto/review"
)

// Names are the IDs of texts and of sets that are stored once.
type Names struct {
	IDs    map[string]map[string]int64 // by table and text
	places map[placeKey]int64
	steps  map[setStep]int64
}

type placeKey struct {
	field int64
	path  string
}

// setStep is a member that joins a set.
type setStep struct {
	set int64
	Placed
}

// Len is about the number of names.
func (n *Names) Len() int { return len(n.IDs["host"]) + len(n.places) + len(n.steps) }

// Items are the operations that an Interner leaves to its store.
type Items interface {
	// ID returns the ID of a name in a table.
	ID(table, name string) (int64, error)
	// SetPlaces gives an item another place set.
	SetPlaces(item, set int64) error
	// Restate brings an item up to date after a record began or ceased to cite it.
	Restate(item int64) error
}

// Interner finds the IDs of texts that are stored once, and adds new ones. If its transaction fails, the added texts
// are gone, and it is of no use.
type Interner struct {
	Tx
	Items
	Names
	Hosts   canon.Hosts // the evidence of hosts that were written to
	Changed canon.Hosts // the facts that changed it

	review.Computing
	Recomputes bool        // others who compute results have to look again
	AllHosts   canon.Hosts // nil until Compute needs it
}

// NewInterner returns an Interner for a transaction.
func NewInterner(t Tx, items Items) Interner {
	return Interner{Tx: t, Items: items, Hosts: canon.Hosts{}, Changed: canon.Hosts{}, Names: Names{
		IDs:    map[string]map[string]int64{"host": {}, "file": {}, "field": {}, "place_set": {}},
		places: map[placeKey]int64{}, steps: map[setStep]int64{}}}
}

// Computed returns the row of a result. Its count key depends on the decision too.
func (in *Interner) Computed(c *review.Computed) (ComputedRow, error) {
	return newComputedRow(c, func(host string) (int64, error) { return in.ID("host", host) })
}

// place returns the ID of a field and a short path.
func (in *Interner) place(field int64, path string) (int64, error) {
	key := placeKey{field, path}
	if id, ok := in.places[key]; ok {
		return id, nil
	}
	var id int64
	found, err := in.Find("SELECT id FROM place WHERE field_id = ? AND "+in.Equals("path"), []any{field, path}, &id)
	if err == nil && !found {
		err = in.Get("INSERT INTO place (field_id, path) VALUES (?, ?) RETURNING id", []any{field, path}, &id)
	}
	if err == nil {
		in.places[key] = id
	}
	return id, err
}

// set returns the ID of the set of the members, in any order and with repetitions.
func (in *Interner) set(list []Placed) (int64, error) {
	slices.SortFunc(list, Placed.Compare)
	list = slices.Compact(list)
	members := setMembers(list)
	if id, ok := in.IDs["place_set"][members]; ok {
		return id, nil
	}
	var id int64
	found, err := in.Find("SELECT id FROM place_set WHERE "+in.Equals("members"), []any{members}, &id)
	if err == nil && !found {
		err = in.Get("INSERT INTO place_set (members) VALUES (?) RETURNING id", []any{members}, &id)
		for _, p := range list {
			if err == nil {
				err = in.Insert("INTO place_set_member (set_id, file_id, field_id)", id, p.File, p.Field)
			}
		}
	}
	if err == nil {
		in.IDs["place_set"][members] = id
	}
	return id, err
}

// SetWith returns the set with one more member.
func (in *Interner) SetWith(set int64, p Placed) (int64, error) {
	step := setStep{set, p}
	if id, ok := in.steps[step]; ok {
		return id, nil
	}
	list, err := in.placed("SELECT file_id, field_id FROM place_set_member WHERE set_id = ?", set)
	if err != nil {
		return 0, err
	}
	id, err := in.set(append(list, p))
	in.steps[step] = id
	return id, err
}

func (in *Interner) placed(query string, id int64) (list []Placed, err error) {
	err = in.Each(query, []any{id}, func(scan Scan) error {
		var p Placed
		if err := scan(&p.File, &p.Field); err != nil {
			return err
		}
		list = append(list, p)
		return nil
	})
	return list, err
}

// placesOf finds the members of the set of the occurrences that an item has now.
const placesOf = `SELECT DISTINCT (SELECT file_id FROM record WHERE id = o.record_id),
	(SELECT field_id FROM place WHERE id = o.place_id) FROM occurrence o WHERE o.item_id = ? AND o.gone = 0`

// markGone marks an occurrence as gone since a log entry, or with 0 as not gone, and reports whether it was not so.
func (in *Interner) markGone(id, seq int64) (bool, error) {
	var item int64
	found, err := in.Find("UPDATE occurrence SET gone = ?1 WHERE id = ?2 AND (gone > 0) <> (CAST(?1 AS bigint) > 0) "+
		"RETURNING item_id", []any{seq, id}, &item)
	if err != nil || !found {
		return false, err
	}
	list, err := in.placed(placesOf, item)
	if err != nil {
		return false, err
	}
	set, err := in.set(list)
	if err == nil {
		err = in.SetPlaces(item, set)
	}
	if err != nil {
		return false, err
	}
	return true, in.Restate(item)
}

// Mark is markGone for a list, while more allows it. It returns those that were not so, and the rest of the list.
func (in *Interner) Mark(ids []int64, since int64, more func() bool) (marked, rest []int64, err error) {
	for rest = ids; len(rest) > 0 && more(); rest = rest[1:] {
		was, err := in.markGone(rest[0], since)
		if err != nil {
			return nil, nil, err
		}
		if was {
			marked = append(marked, rest[0])
		}
	}
	return marked, rest, nil
}

// Always reports that there is more room.
func Always() bool { return true }
