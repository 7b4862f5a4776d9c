package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"visto/canon"
	"visto/review"
	"visto/store/rows"
)

// Add inserts the items that are not there yet. The original, byte for byte, identifies an item. Host evidence
// concerns all items on the host: if it is new, it starts a new generation.
func (s *Store) Add(ctx context.Context, in *review.Intake, list []review.NewItem) ([]review.AddOutcome, error) {
	s.write.widenCache(ctx)
	out := make([]review.AddOutcome, 0, len(list))
	for {
		a := adder{Adder: rows.Adder{Intake: *in}, list: list[len(out):]}
		err := s.write.chunk(ctx, "adding URLs", func(t *tx) error {
			t.readClock(s.write.now)
			return a.run(t, t.more, func() error {
				if err := a.recallNames(s.write); err != nil {
					return err
				}
				return a.deferIndexes(s.write, s.known)
			})
		})
		if err != nil {
			return out, err
		}
		s.write.names.Store(&knownNames{a.names.Names, a.version, a.names.Hosts, a.hostsGen})
		*in = a.Intake
		if out = append(out, a.out...); len(out) == len(list) {
			return out, nil
		}
	}
}

// adder inserts items in one transaction, as many as its chunk may hold.
type adder struct {
	*tx
	rows.Adder
	list     []review.NewItem
	out      []review.AddOutcome
	names    *interner
	version  int64     // data_version of the transaction
	hostsGen int64     // as Meta.HostsGen, before and after the transaction
	load     *load     // nil: item_original finds the URLs that are there
	wasKnown bool      // the item before
	items    insertion // with load only: item_original needs no asking
	cites    insertion // of occurrences
	waiting  []int64   // the items with rows that are not written yet
}

// run inserts items of the list, after prepare, while more reports that there is room.
func (a *adder) run(t *tx, more func() bool, prepare func() error) error {
	m, err := readMeta(t.ctx, t)
	if err != nil {
		return err
	}
	if a.Intake.Stale(m) || len(a.list) > 0 && a.Intake.Outdated(&a.list[0]) {
		return review.ErrStale
	}
	a.tx, a.Next, a.names, a.hostsGen = t, m.LastID+1, newInterner(t), m.HostsGen
	a.items.into, a.cites.into = intoItem, rows.IntoOccurrence
	a.Begin(t, &a.names.Interner, a)
	if err := a.Number(); err != nil {
		return err
	}
	if err := prepare(); err != nil {
		return err
	}
	for i := 0; i < len(a.list) && more() && (i == 0 || !a.Intake.Outdated(&a.list[i])); i++ {
		o, err := a.add(&a.list[i])
		if err != nil {
			return err
		}
		a.out = append(a.out, o)
	}
	err = a.Finish(m)
	if len(a.names.Changed) > 0 {
		a.hostsGen = m.Gen + 1
	}
	return err
}

// Cite adds the row of an occurrence.
func (a *adder) Cite(item int64, values ...any) error {
	a.waiting = append(a.waiting, item)
	if a.cites.add(values...) {
		return a.Flush()
	}
	return nil
}

// Flush writes the rows that wait: items first, which the occurrences refer to.
func (a *adder) Flush() error {
	a.waiting = a.waiting[:0]
	return rows.InOrder(func() error { return a.items.write(a.tx) }, func() error { return a.cites.write(a.tx) })
}

// flushIf is flush for somebody who reads the item and its occurrences.
func (a *adder) flushIf(item int64) error {
	if slices.Contains(a.waiting, item) {
		return a.Flush()
	}
	return nil
}

// add inserts the item or finds the stored one. It tries first to do as with the item before: a file that is read
// again has long runs of known URLs, and a try to insert costs as much as an insertion.
func (a *adder) add(n *review.NewItem) (review.AddOutcome, error) {
	key := rows.Key(n.Original)
	if a.load != nil {
		if id, ok := a.load.ids[key]; ok {
			if err := a.flushIf(id); err != nil {
				return review.AddOutcome{}, err
			}
			return a.known("id = ?", id, n)
		}
	}
	if a.wasKnown {
		if o, err := a.known("original_key = ?", key[:], n); !errors.Is(err, sql.ErrNoRows) {
			return o, err
		}
	}
	added, err := a.insert(a.Next, key, n)
	if err != nil {
		return review.AddOutcome{}, err
	}
	if a.wasKnown = !added; !added {
		return a.known("original_key = ?", key[:], n)
	}
	id := a.Next
	if a.load != nil {
		a.load.ids[key], a.load.last = id, id
	}
	a.Next++
	a.Digests = append(a.Digests, n.Digest)
	if n.Evidence != nil {
		if err = a.Flush(); err != nil {
			return review.AddOutcome{}, err
		}
		err = a.names.PutEvidence(n.Computed.InHost, review.ItemEvidence{ID: id, Evidence: n.Evidence, Due: n.Due}, 0)
	}
	return review.AddOutcome{ID: id}, err
}

// known adds the occurrence of an item that is there; where finds the item.
func (a *adder) known(where string, arg any, n *review.NewItem) (review.AddOutcome, error) {
	var id, set int64
	var stored string
	err := a.Get("SELECT id, place_set_id, original FROM item WHERE "+where, []any{arg}, &id, &set, &stored)
	if err == nil && stored != n.Original {
		err = fmt.Errorf("the URLs %q and %q have one key", stored, n.Original)
	}
	if err == nil && a.Repeated == nil {
		err = a.flushIf(id)
	}
	if err == nil && a.Repeated == nil {
		var s rows.Spot
		if s, err = a.SpotOf(n); err == nil {
			_, err = a.OccurAgain(id, set, s)
		}
	}
	return review.AddOutcome{ID: id, Known: true}, err
}

// The INSERT of an item: without item_original, and with it.
var (
	intoItem = "INTO item (" + rows.ComputedColumns + ", id, rev, original_key, original, file_id, field_id, " +
		"position, title, seal, title_seal, place_set_id, batch_id, settled_by)"
	insertNewItem = insertQuery(intoItem) + " ON CONFLICT (original_key) DO NOTHING"
)

// insert reports whether the item is new.
func (a *adder) insert(id int64, key review.Key, n *review.NewItem) (bool, error) {
	file, err := a.names.ID("file", n.Source.File)
	if err != nil {
		return false, err
	}
	field, err := a.names.ID("field", n.Source.Field)
	if err != nil {
		return false, err
	}
	c, err := a.names.Computed(&n.Computed)
	if err != nil {
		return false, err
	}
	var s rows.Spot
	set := int64(rows.GoneSet)
	if a.Repeated == nil {
		if s, err = a.SpotOf(n); err == nil {
			set, err = a.names.SetWith(rows.GoneSet, s.Placed)
		}
		if err != nil {
			return false, err
		}
	}
	var by rows.Settling
	if a.Approvals {
		if by, err = a.approval(id, n.Original); err != nil {
			return false, err
		}
	}
	c.Resolve(n.Computed, review.Link{}, by.Decision(n.Original), nil, rows.CountKey{Set: set})
	isNew, err := a.insertRow(append(c.Args(), id, 1, key[:], n.Original, file, field, n.Source.Position,
		n.Title, rows.Seal(n.Original, n.Source.File, n.Source.Field, n.Source.Position), rows.TitleSeal(n.Title), set,
		by.Batch, by.Item))
	if isNew && err == nil {
		a.deltas[c.CountKey]++
		if a.Repeated == nil {
			err = a.Occur(id, s)
		}
	}
	return isNew, err
}

// insertRow inserts the row of an item unless its URL is there. With load it is not, and the row can wait.
func (a *adder) insertRow(args []any) (isNew bool, err error) {
	if a.load != nil {
		a.items.add(args...)
		return true, nil
	}
	n, err := a.execCount(insertNewItem, args...)
	return n > 0, err
}

// knownNames are the names and the evidence of hosts of a transaction that was committed. The names hold while no other
// connection writes, the evidence as long as its generation is the newest of hosts.
type knownNames struct {
	rows.Names
	version  int64 // data_version
	hosts    canon.Hosts
	hostsGen int64
}

// maxNames is the number of names that are kept from one transaction to the next.
const maxNames = 500_000

// recallNames takes the names of the transaction before.
func (a *adder) recallNames(c *writeConn) (err error) {
	a.version, err = dataVersion(a.ctx, a)
	if known := c.names.Swap(nil); known != nil && known.version == a.version && known.Len() < maxNames {
		a.names.Names = known.Names
		if known.hostsGen == a.hostsGen {
			a.names.Hosts = known.hosts
		}
	}
	return err
}

// interner is rows.Interner.
type interner struct {
	*tx
	rows.Interner
	sets   fieldSets
	adding bool // the last name that ID looked up was new
}

func newInterner(t *tx) *interner {
	in := &interner{tx: t, sets: fieldSets{}}
	in.Interner = rows.NewInterner(t, in)
	return in
}

// ID is rows.Items'. It tries first to do as with the name before: in a new database nearly all are new.
func (in *interner) ID(table, name string) (ID int64, err error) {
	if id, ok := in.IDs[table][name]; ok {
		return id, nil
	}
	for ID == 0 && err == nil {
		if in.adding {
			ID, err = in.insertNew("INSERT INTO "+table+" (name) VALUES (?) ON CONFLICT (name) DO NOTHING", name)
		} else {
			_, err = in.Find("SELECT id FROM "+table+" WHERE name = ?", []any{name}, &ID)
		}
		in.adding = in.adding == (ID > 0)
	}
	if err == nil {
		in.IDs[table][name] = ID
	}
	return ID, err
}
