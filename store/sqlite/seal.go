package sqlite

import (
	"context"
	"encoding/binary"
	"hash/crc32"
)

// sealOf returns the seal of texts: their CRC-32C, each behind its length. It finds every change of one bit, and of up to 32
// bits in a row; it is no guard against a forger, who is what the log's chain is for.
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

// titleSeal returns the seal of a title. Most URLs come without one, whose seal takes no room.
func titleSeal(title string) int64 {
	if title == "" {
		return 0
	}
	return sealOf(title)
}

// seal seals what was written before there were seals, as it is stored now: from then on no byte of it changes unseen. What does not
// have the key of its original is damaged already, and stays without a seal. It goes on where it was interrupted.
func (s *Store) seal(ctx context.Context) error {
	for last, more := int64(0), true; more; {
		err := s.piece(ctx, "sealing what an older version wrote", func(t *tx) (err error) {
			last, more, err = t.sealPiece(last, s.atOnce)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// sealPiece seals items behind last, as many as others can wait for and no more than atOnce. It returns how far it came, and whether there may be more.
func (t *tx) sealPiece(last int64, atOnce int) (int64, bool, error) {
	ids, err := readIDs(t.ctx, t, "SELECT id FROM item INDEXED BY item_unsealed WHERE seal IS NULL AND id > ? ORDER BY id LIMIT ?", last, atOnce)
	if err != nil {
		return last, false, err
	}
	for _, id := range ids {
		if !t.more() {
			break
		}
		if err := t.sealItem(id); err != nil {
			return last, false, err
		}
		last = id
	}
	return last, len(ids) > 0, nil
}

func (t *tx) sealItem(id int64) error {
	g := given{id: id}
	err := t.get(givenQuery+" WHERE i.id = ?", []any{id}, g.into()...)
	if err != nil || !g.keyed() {
		return err
	}
	_, err = t.exec("UPDATE item SET seal = ?, title_seal = ifnull(title_seal, ?) WHERE id = ?", g.sourceSeal(), titleSeal(g.title), id)
	if err == nil && g.evidence.Valid {
		_, err = t.exec("UPDATE evidence SET seal = ifnull(seal, ?) WHERE item_id = ?", sealOf(g.evidence.String), id)
	}
	return err
}
