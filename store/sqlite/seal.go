package sqlite

import (
	"database/sql"
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// sealOf returns the seal of texts: the CRC-32C over each text behind its length. It detects every change of one bit,
// and of up to 32 bits in a row. It is no guard against forgery; the chain of the log is.
func sealOf(texts ...string) int64 {
	table := crc32.MakeTable(crc32.Castagnoli)
	var sum uint32
	for _, text := range texts {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(text)))
		sum = crc32.Update(sum, table, length[:])
		sum = crc32.Update(sum, table, []byte(text))
	}
	return int64(sum)
}

// titleSeal returns the seal of a title. Most URLs come without one: its seal 0 takes no room.
func titleSeal(title string) int64 {
	if title == "" {
		return 0
	}
	return sealOf(title)
}

// givenQuery reads the given columns of items i, for given.
const givenQuery = `SELECT i.id, i.original, i.original_key, ifnull(fi.name, ''), ifnull(fe.name, ''), i.position,
	i.title, i.seal, i.title_seal, e.body, e.seal FROM item i LEFT JOIN file fi ON fi.id = i.file_id LEFT JOIN field fe
	ON fe.id = i.field_id LEFT JOIN evidence e ON e.item_id = i.id`

// given checks the seals of the columns that no rule and no log can restore: originals, sources, titles and evidence.
func (c *checker) given() error {
	damaged := map[string][]int64{}
	err := each(c.ctx, c.q, givenQuery+" ORDER BY i.id", nil, func(scan scanner) error {
		g, err := scanGiven(scan)
		if err == nil {
			for _, part := range g.broken() {
				damaged[part] = append(damaged[part], g.id)
			}
		}
		return err
	})
	for _, part := range []string{"original", "source", "title", "evidence"} {
		if ids := damaged[part]; len(ids) > 0 {
			c.report("given", "the %s of %s changed since it was added", part, urls(ids))
		}
	}
	return err
}

// given is a row of givenQuery.
type given struct {
	id                    int64
	key                   []byte
	original, file, field string
	position, title       string
	seal, titleSeal       int64
	evidence              sql.NullString
	evidenceSeal          sql.NullInt64
}

func scanGiven(scan scanner) (g given, err error) {
	err = scan(&g.id, &g.original, &g.key, &g.file, &g.field, &g.position, &g.title, &g.seal, &g.titleSeal,
		&g.evidence, &g.evidenceSeal)
	return g, err
}

// broken names the parts that do not match their seal. The seal of the source covers the original, which has a key.
func (g *given) broken() (parts []string) {
	if key := keyOf(g.original); string(g.key) != string(key[:]) {
		parts = append(parts, "original")
	} else if g.seal != sealOf(g.original, g.file, g.field, g.position) {
		parts = append(parts, "source")
	}
	if g.titleSeal != titleSeal(g.title) {
		parts = append(parts, "title")
	}
	if g.evidence.Valid && g.evidenceSeal.Int64 != sealOf(g.evidence.String) {
		parts = append(parts, "evidence")
	}
	return parts
}

// urls names URLs by their IDs, the first few of many.
func urls(ids []int64) string {
	const few = 10
	text := fmt.Sprintf("URL %d", ids[0])
	for _, id := range ids[1:min(len(ids), few)] {
		text += fmt.Sprintf(", %d", id)
	}
	if len(ids) > few {
		text += fmt.Sprintf(" and %d more", len(ids)-few)
	}
	return text
}

// records checks the seals of the texts of records.
func (c *checker) records() error {
	var damaged []int64
	r := newRow("record", 7)
	err := each(c.ctx, c.q, "SELECT id, is_record, path, key, name, attributes, seal FROM record ORDER BY id", nil,
		func(scan scanner) error {
			if err := scan(r.into...); err != nil {
				return err
			}
			if recordSeal(scanRecord(&r, 1), r.text(5)) != r.number(6) {
				damaged = append(damaged, r.number(0))
			}
			return r.err
		})
	for _, id := range damaged[:min(len(damaged), maxShown)] {
		c.report("given", "a text of record %d changed since it was read", id)
	}
	return err
}
