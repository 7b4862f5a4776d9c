package review

import (
	"context"
	"encoding/json"
	"time"

	"visto/canon"
)

// packedRule is a valid override as JSON, in a fraction of its memory. Of many overrides a program needs only those for
// the hosts of the URLs that it meets.
type packedRule struct {
	match canon.Match
	text  string

	id   int64       // of a stored one
	made *ruleAuthor // shared by the overrides of a batch; nil: it is not stored
}

// ruleAuthor says who made an override, and when.
type ruleAuthor struct {
	reviewer string
	at       time.Time
	batch    int64
}

// pack checks an override and packs it.
func pack(o *canon.Override) (p packedRule, err error) {
	if err = o.CheckWhole(); err == nil {
		var text []byte
		text, err = json.Marshal(o)
		p = packedRule{match: o.Match, text: string(text)}
	}
	return p, err
}

// override unpacks the override. Its text was written from one or has been read before, so that there is no error.
func (p *packedRule) override() *canon.Override {
	var o canon.Override
	json.Unmarshal([]byte(p.text), &o)
	return &o
}

func (p *packedRule) stored() StoredOverride {
	return StoredOverride{ID: p.id, Override: *p.override(), Reviewer: p.made.reviewer, At: p.made.at,
		Batch: p.made.batch}
}

// packed reads, checks and packs the overrides in force.
func (c *ruleCache) packed(ctx context.Context) (list []packedRule, err error) {
	err = c.store.EachOverride(ctx, func(o StoredOverride, text string) error {
		made := &ruleAuthor{o.Reviewer, o.At, o.Batch}
		if n := len(list); n > 0 && *list[n-1].made == *made {
			made = list[n-1].made
		}
		list = append(list, packedRule{o.Override.Match, text, o.ID, made})
		return o.Override.CheckWhole()
	})
	return list, err
}

// Overrides returns the overrides in force of a store, in the order in which they were made.
func Overrides(ctx context.Context, s RuleStore) (list []StoredOverride, err error) {
	err = s.EachOverride(ctx, func(o StoredOverride, _ string) error {
		list = append(list, o)
		return nil
	})
	return list, err
}

// Overrides returns the overrides in force, in the order in which they were made.
func (c *ruleCache) Overrides(ctx context.Context) ([]StoredOverride, error) {
	return Overrides(ctx, c.store)
}
