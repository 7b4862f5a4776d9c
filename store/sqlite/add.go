package sqlite

import (
	"context"
	"fmt"

	"visto/review"
)

// Add inserts the items that are not there yet. An item is known by its original, byte for byte. What their evidence says
// of hosts is a matter of all items on them: if it is news, it starts a new generation.
func (s *Store) Add(ctx context.Context, gen int64, list []review.NewItem) ([]review.AddOutcome, error) {
	out := make([]review.AddOutcome, len(list))
	err := s.update(ctx, "adding URLs", func(t *tx) error {
		m, err := readMeta(ctx, t)
		if err != nil {
			return err
		}
		if m.Gen != gen {
			return review.ErrStale
		}
		a := adder{tx: t, next: m.LastID + 1, names: newInterner(t)}
		for i := range list {
			if out[i], err = a.add(&list[i]); err != nil {
				return err
			}
		}
		if a.names.news {
			return t.raiseGen()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// adder inserts items in one transaction.
type adder struct {
	*tx
	next  int64 // ID
	names *interner
}

func (a *adder) add(n *review.NewItem) (review.AddOutcome, error) {
	key := keyOf(n.Original)
	var id int64
	var original string
	found, err := a.tx.find("SELECT id, original FROM item WHERE original_key = ?", []any{key[:]}, &id, &original)
	switch {
	case err != nil:
		return review.AddOutcome{}, err
	case found && original != n.Original:
		return review.AddOutcome{}, fmt.Errorf("the URLs %q and %q have one key", original, n.Original)
	case found:
		return review.AddOutcome{ID: id, Known: true}, nil
	}
	id = a.next
	a.next++
	return review.AddOutcome{ID: id}, a.insert(id, key, n)
}

func (a *adder) insert(id int64, key review.Key, n *review.NewItem) error {
	file, err := a.names.id("file", n.Source.File)
	if err != nil {
		return err
	}
	field, err := a.names.id("field", n.Source.Field)
	if err != nil {
		return err
	}
	c, err := a.names.computed(&n.Computed)
	if err != nil {
		return err
	}
	status, flags := review.Stand(n.Computed, nil)
	c.flags, c.status = int64(flags), int64(status)
	is := kindOf(c.verdict, status, flags, false)
	a.moved[is]++
	_, err = a.exec(`INSERT INTO item (canonical, page_key, verdict, reason, flags, unknown, in_host_id, host_id, link_type,
		language, via, status, id, rev, original_key, original, file_id, field_id, position, title, open, was_open)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?)`,
		append(c.args(), id, key[:], n.Original, file, field, n.Source.Position, n.Title, is.open, is.wasOpen)...)
	if err == nil && n.Evidence != nil {
		err = a.names.writeEvidence(id, n.Computed.InHost, n.Evidence)
	}
	return err
}

// computedRow is review.Computed, and what follows from it, as columns.
type computedRow struct {
	canonical       string
	key             []byte // nil where there is no page
	verdict, reason int64
	flags           int64
	unknown         string
	inHost, host    int64
	linkType        int64
	language        string
	via             string
	status          int64
}

// args are the columns from canonical to status, in the order of the schema.
func (c *computedRow) args() []any {
	return []any{c.canonical, c.key, c.verdict, c.reason, c.flags, c.unknown, c.inHost, c.host, c.linkType, c.language, c.via, c.status}
}

// interner finds the IDs of texts that are kept once, and adds those that are new. It lives as long as its
// transaction, for what it added is gone if that fails.
type interner struct {
	*tx
	ids  map[string]map[string]int64 // table, text
	news bool                        // whether something new became known of a host
}

func newInterner(t *tx) *interner {
	return &interner{tx: t, ids: map[string]map[string]int64{"host": {}, "file": {}, "field": {}}}
}

func (in *interner) id(table, name string) (int64, error) {
	if id, ok := in.ids[table][name]; ok {
		return id, nil
	}
	var id int64
	found, err := in.find("SELECT id FROM "+table+" WHERE name = ?", []any{name}, &id)
	if err == nil && !found {
		err = in.get("INSERT INTO "+table+" (name) VALUES (?) RETURNING id", []any{name}, &id)
	}
	if err == nil {
		in.ids[table][name] = id
	}
	return id, err
}

// computed returns the row without its flags and status, which depend on the decision too.
func (in *interner) computed(c *review.Computed) (computedRow, error) {
	row := computedRow{canonical: c.Canonical, verdict: int64(c.Verdict), reason: int64(c.Reason),
		unknown: joinNames(c.Unknown), linkType: int64(c.LinkType), language: c.Language, via: joinHosts(c.Via)}
	if c.Key != (review.Key{}) {
		row.key = c.Key[:]
	}
	var err error
	if row.inHost, err = in.id("host", c.InHost); err != nil {
		return row, err
	}
	row.host, err = in.id("host", c.Host)
	return row, err
}
