package sqlite

import (
	"database/sql"
	"fmt"
	"strings"
)

// givenQuery reads what was given with items i, for given.into.
const givenQuery = `SELECT i.id, i.original, i.original_key, ifnull(fi.name, ''), ifnull(fe.name, ''), i.position, i.title, i.seal,
	i.title_seal, e.body, e.seal FROM item i LEFT JOIN file fi ON fi.id = i.file_id LEFT JOIN field fe ON fe.id = i.field_id
	LEFT JOIN evidence e ON e.item_id = i.id`

// given checks what no rule and no log can give again against its seals: the originals, where they were found, their titles
// and evidence.
func (c *checker) given() error {
	var damaged faults
	err := each(c.ctx, c.q, givenQuery+" ORDER BY i.id", nil, func(scan func(...any) error) error {
		var g given
		err := scan(g.into()...)
		if err == nil {
			g.check(&damaged)
		}
		return err
	})
	for _, f := range []struct {
		what string
		ids  []int64
	}{{"original", damaged.original}, {"source", damaged.source}, {"title", damaged.title}, {"evidence", damaged.evidence}} {
		if len(f.ids) > 0 {
			c.report("given", "the %s of %s is not what was added", f.what, urls(f.ids))
		}
	}
	return err
}

// given is a row of what was given.
type given struct {
	id                            int64
	key                           []byte
	original, file, field         string
	position, title               string
	evidence                      sql.NullString
	seal, titleSeal, evidenceSeal sql.NullInt64
}

// faults are the URLs of which something is not what was given.
type faults struct{ original, source, title, evidence []int64 }

func (g *given) into() []any {
	return []any{&g.id, &g.original, &g.key, &g.file, &g.field, &g.position, &g.title, &g.seal, &g.titleSeal, &g.evidence, &g.evidenceSeal}
}

// keyed reports whether the original has the key that it was added with.
func (g *given) keyed() bool {
	key := keyOf(g.original)
	return string(g.key) == string(key[:])
}

func (g *given) sourceSeal() int64 { return sealOf(g.original, g.file, g.field, g.position) }

func (g *given) check(f *faults) {
	sound := g.keyed()
	if !sound {
		f.original = append(f.original, g.id)
	}
	if sound && broken(g.seal, g.sourceSeal()) {
		f.source = append(f.source, g.id)
	}
	if broken(g.titleSeal, titleSeal(g.title)) {
		f.title = append(f.title, g.id)
	}
	if g.evidence.Valid && broken(g.evidenceSeal, sealOf(g.evidence.String)) {
		f.evidence = append(f.evidence, g.id)
	}
}

// broken reports whether something was sealed otherwise.
func broken(seal sql.NullInt64, now int64) bool { return seal.Valid && seal.Int64 != now }

// urls names URLs by their IDs, the first few of many.
func urls(ids []int64) string {
	const few = 10
	var b strings.Builder
	fmt.Fprintf(&b, "URL %d", ids[0])
	for _, id := range ids[1:min(len(ids), few)] {
		fmt.Fprintf(&b, ", %d", id)
	}
	if len(ids) > few {
		fmt.Fprintf(&b, " and %d more", len(ids)-few)
	}
	return b.String()
}
