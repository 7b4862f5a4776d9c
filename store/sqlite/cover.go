package sqlite

import (
	"context"
	"fmt"

	"visto/review"
)

// coverOld appends log entries that cover the items of a database whose log does not know added items yet: those of
// schema 11.
func (c *writeConn) coverOld(ctx context.Context) error {
	const query = `SELECT EXISTS (SELECT 1 FROM item) AND NOT EXISTS (SELECT 1 FROM log WHERE batch_id < 0)`
	var old bool
	if err := c.QueryRowContext(ctx, query).Scan(&old); err != nil || !old {
		return err
	}
	return c.update(ctx, "covering the stored URLs by the log", func(t *tx) error {
		if err := t.get(query, nil, &old); err != nil || !old {
			return err // another program was quicker
		}
		return (&coverer{tx: t}).run()
	})
}

// coverer appends the entries.
type coverer struct {
	*tx
	first   int64 // entry
	last    int64
	digests [][32]byte
}

func (c *coverer) run() error {
	err := each(c.ctx, c.tx, givenQuery+" ORDER BY i.id", nil, func(scan scanner) error {
		g, err := scanGiven(scan)
		if err != nil {
			return err
		}
		ev, err := parseEvidence(g.id, g.evidence.String)
		if err != nil {
			return err
		}
		source := review.Source{File: g.file, Field: g.field, Position: g.position}
		c.last, c.digests = g.id, append(c.digests, review.DigestOf(g.original, source, g.title, ev))
		if len(c.digests) < maxChunk {
			return nil
		}
		return c.entry()
	})
	if err != nil || len(c.digests) == 0 {
		return err
	}
	return c.entry()
}

func (c *coverer) entry() error {
	e := review.Entry{Body: review.AddedBody(c.last-int64(len(c.digests))+1, c.digests)}
	e.EntryInfo = review.EntryInfo{At: c.at, Reviewer: "visto", Action: review.ActAdd, Run: c.first,
		Summary: fmt.Sprintf("%d URLs were added before the log covered them", c.last)}
	err := c.appendEntry(&e)
	c.first, c.digests = e.Run, c.digests[:0]
	return err
}
