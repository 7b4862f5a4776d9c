package sqlite

import (
	"slices"
	"strconv"
	"strings"

	"visto/canon"
	"visto/review"
)

// The files and fields in which an item is cited are a place set, which the item names. An item whose occurrences are
// all gone has the empty set.
const goneSet = 0

func presenceOf(set int64) review.Presence {
	if set == goneSet {
		return review.Gone
	}
	return review.Cited
}

// placed is a member of a place set.
type placed struct{ file, field int64 }

func (p placed) compare(other placed) int {
	if p.file != other.file {
		return int(p.file - other.file)
	}
	return int(p.field - other.field)
}

// setMembers writes the members of a set as its text.
func setMembers(list []placed) string {
	var b strings.Builder
	for i, p := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.FormatInt(p.file, 10) + ":" + strconv.FormatInt(p.field, 10))
	}
	return b.String()
}

// set returns the ID of the set of the members, in any order and with repetitions.
func (in *interner) set(list []placed) (int64, error) {
	slices.SortFunc(list, placed.compare)
	list = slices.Compact(list)
	members := setMembers(list)
	if id, ok := in.ids["place_set"][members]; ok {
		return id, nil
	}
	var id int64
	found, err := in.find("SELECT id FROM place_set WHERE members = ?", []any{members}, &id)
	if err == nil && !found {
		err = in.get("INSERT INTO place_set (members) VALUES (?) RETURNING id", []any{members}, &id)
		for _, p := range list {
			if err == nil {
				err = in.insert("INTO place_set_member (set_id, file_id, field_id)", id, p.file, p.field)
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
	placed
}

// setWith returns the set with one more member.
func (in *interner) setWith(set int64, p placed) (int64, error) {
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

func (in *interner) members(set int64) ([]placed, error) {
	return collect(in.ctx, in, "SELECT file_id, field_id FROM place_set_member WHERE set_id = ?", []any{set},
		func(p *placed, scan scanner) error { return scan(&p.file, &p.field) })
}

// placesOf returns the set of the occurrences that an item has now.
func (in *interner) placesOf(item int64) (int64, error) {
	list, err := collect(in.bare, prepared{in.tx}, `SELECT DISTINCT r.file_id, p.field_id FROM occurrence o
		CROSS JOIN record r ON r.id = o.record_id CROSS JOIN place p ON p.id = o.place_id
		WHERE o.item_id = ? AND o.gone = 0`, []any{item},
		func(p *placed, scan scanner) error { return scan(&p.file, &p.field) })
	if err != nil {
		return 0, err
	}
	return in.set(list)
}

// setPlaces gives an item another place set. It waits for a person or not, as its status says, while it has any place.
func (t *tx) setPlaces(item, set int64) error {
	if err := t.applyStagedItem(item); err != nil {
		return err
	}
	var was countKey
	err := t.get("SELECT "+countColumns+" FROM item i WHERE i.id = ?", []any{item}, was.into()...)
	if err != nil || was.set == set {
		return err
	}
	is := was.placedIn(set)
	t.deltas.move(was, is)
	err = t.exec("UPDATE item SET place_set_id = ?, open = ?, was_open = ? WHERE id = ?", set, is.open, is.wasOpen, item)
	if err != nil || t.stage.state != staging {
		return err
	}
	return t.restagePlaces(item, was, is)
}

// placedIn returns the key of an item with another place set.
func (k countKey) placedIn(set int64) countKey {
	k.set = set
	it := review.Item{Status: review.Status(k.status), Presence: presenceOf(set)}
	it.Computed.Flags = canon.CodeSet(k.flags)
	k.open = it.Open()
	k.wasOpen = k.wasOpen || k.open
	return k
}

// restagePlaces updates the staged row of an item whose place set changed.
func (t *tx) restagePlaces(item int64, was, is countKey) error {
	for _, table := range []struct{ name, id, key string }{
		{"staged", "id", "s.host_id, s.in_host_id, i.place_set_id, s.verdict, s.status, s.open, s.was_open, s.flags"},
		{"staged_decision", "item_id",
			"i.host_id, i.in_host_id, i.place_set_id, i.verdict, s.status, s.open, s.was_open, s.flags"},
	} {
		var will countKey
		found, err := t.find("SELECT "+table.key+" FROM "+table.name+" s CROSS JOIN item i ON i.id = s."+table.id+
			" WHERE i.id = ?", []any{item}, will.into()...)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		will.set = was.set // the item has its new set already
		now := will.placedIn(is.set)
		t.stagedDeltas.move(will, now)
		t.stagedDeltas.move(is, was)
		if err := t.exec("UPDATE "+table.name+" SET open = ?, was_open = ? WHERE "+table.id+" = ?", now.open,
			now.wasOpen, item); err != nil {
			return err
		}
	}
	return nil
}

// Queries for the place sets with a member in one of some files, under one of some fields, or both.
const (
	setsWith = "SELECT m.set_id FROM place_set_member m WHERE "
	inFiles  = "m.file_id IN (SELECT id FROM file WHERE name IN %s)"
	inFields = "m.field_id IN (SELECT id FROM field WHERE name IN %s)"
)

// andPlaces adds the conditions on the places of items. of is "i" for items or "t" for counts.
func (w *where) andPlaces(of string, f review.Filter) {
	switch {
	case f.Presence == review.Cited && !f.Open:
		w.and(of + ".place_set_id <> 0")
	case f.Presence == review.Gone:
		w.and(of + ".place_set_id = 0")
	}
	if len(f.Files) > 0 && len(f.Fields) > 0 {
		cond := strings.ReplaceAll(of+".place_set_id IN ("+setsWith+inFiles+" AND "+inFields+")", "%s", textSet)
		w.and(cond, hexList(f.Files), hexList(f.Fields))
		return
	}
	andInTexts(w, of+".place_set_id IN ("+setsWith+inFiles+")", f.Files)
	andInTexts(w, of+".place_set_id IN ("+setsWith+inFields+")", f.Fields)
}
