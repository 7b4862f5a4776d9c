package review

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"

	"visto/canon"
)

// applyInput notes the input that an entry covers or replaces.
func (s *state) applyInput(b *EntryBody) {
	if b.Added != nil {
		s.added = append(s.added, *b.Added)
	}
	for _, r := range b.Inputs {
		if _, known := s.replaced[r.ID]; !known { // as read: before the first evidence of a probe
			s.replaced[r.ID] = r
		}
	}
	for _, l := range b.Evidence {
		if l.Evidence != nil && l.Evidence.Title != "" {
			s.titles[l.ID] = l.Evidence.Title
		}
	}
}

// checkedItem is a value computed from an item for Check and Replay.
type checkedItem struct {
	computed Computed
	digest   [32]byte // of the item's input
}

// worker adds the digest to a worker's result.
func (s *state) worker(compute worker[Computed]) worker[checkedItem] {
	return func(it *Item, ev *canon.Evidence) checkedItem {
		return checkedItem{compute(it, ev), s.digest(it, ev)}
	}
}

// digest returns the digest of an item's input, as it was read.
func (s *state) digest(it *Item, ev *canon.Evidence) [32]byte {
	if r, ok := s.replaced[it.ID]; ok {
		return r.digest(it.Original, it.Source)
	}
	return DigestOf(it.Original, it.Source, it.Title, ev)
}

// inputCheck compares the input of the items, in the order of their IDs, with the log entries that added them.
type inputCheck struct {
	*state
	report func(what, format string, args ...any)
	at     int // the entry of added that the next item belongs to
	sum    hash.Hash
}

func (c *inputCheck) item(it *Item, digest [32]byte) {
	for c.at < len(c.added) && it.ID > c.added[c.at].Last {
		c.next()
	}
	if c.at == len(c.added) || it.ID < c.added[c.at].First {
		c.report("given", "URL %d is in no log entry that added URLs", it.ID)
	} else {
		c.hash().Write(digest[:])
	}
	if c.otherTitle(it) {
		c.report("given", "URL %d has not the title that the log has", it.ID)
	}
}

// otherTitle reports whether an item with logged evidence has another title than that of the newest evidence with one,
// or else the one that was read.
func (s *state) otherTitle(it *Item) bool {
	r, ok := s.replaced[it.ID]
	if title, replaced := s.titles[it.ID]; replaced {
		return it.Title != title
	}
	return ok && hashOf(it.Title) != r.Title
}

func (c *inputCheck) hash() hash.Hash {
	if c.sum == nil {
		c.sum = sha256.New()
	}
	return c.sum
}

// next compares the hash over the items of an entry, and goes on to the next one.
func (c *inputCheck) next() {
	a := c.added[c.at]
	if hex.EncodeToString(c.hash().Sum(nil)) != a.Hash {
		c.report("given", "URLs %d to %d are not those that were added: an original, a place, a title or evidence was "+
			"changed, or a URL is missing", a.First, a.Last)
	}
	c.at, c.sum = c.at+1, nil
}

// end compares the entries that are left.
func (c *inputCheck) end() {
	for c.at < len(c.added) {
		c.next()
	}
}
