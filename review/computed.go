package review

import (
	"slices"

	"visto/canon"
)

// Computed is the stored part of the result of canonicalizing an item under the current policy, overrides and
// evidence. The trace is not stored; Detail computes it again.
type Computed struct {
	Canonical string
	Key       Key // comparison key of Canonical; zero when rejected
	Verdict   canon.Verdict
	Reason    canon.Reason
	Flags     canon.CodeSet
	Unknown   []string // parameters that raised unknown-param, percent-decoded
	InHost    string   // ASCII host of the original
	Host      string   // ASCII host of Canonical
	Via       []string // hosts between InHost and Host, whose overrides apply too; usually none
	LinkType  canon.LinkType
	Language  string
}

// Key is the first 16 bytes of the SHA-256 of an original, or of a normalized canonical URL.
type Key [16]byte

// compute canonicalizes an original.
func compute(c *canon.Canonicalizer, original string, ev *canon.Evidence) Computed {
	r := c.Canonicalize(original, ev)
	return computedOf(&r)
}

func computedOf(r *canon.Result) Computed {
	c := Computed{
		Canonical: r.Canonical, Verdict: r.Verdict, Reason: r.Reason, Flags: r.Codes(), Unknown: r.UnknownParams,
		InHost: r.InHost, Host: r.Host, LinkType: r.LinkType, Language: r.Language, Via: r.Via,
	}
	if c.Canonical != "" {
		hash := r.Hash()
		copy(c.Key[:], hash[:])
	}
	return c
}

// same reports whether two results are equal. It runs for every item of a trial, so it avoids reflection.
func (c *Computed) same(o Computed) bool {
	return c.Canonical == o.Canonical && c.Key == o.Key && c.Flags == o.Flags && c.Verdict == o.Verdict &&
		c.Reason == o.Reason && c.InHost == o.InHost && c.Host == o.Host && c.LinkType == o.LinkType &&
		c.Language == o.Language && slices.Equal(c.Unknown, o.Unknown) && slices.Equal(c.Via, o.Via)
}

// recomputed returns the new result for an item, or nil if nothing changes. An empty title is no change.
func recomputed(it *Item, after Computed, title string) *Recomputed {
	before := it.Computed
	before.Flags = before.Flags.Without(canon.ChangedSinceApproval)
	if before.same(after) && (title == "" || title == it.Title) {
		return nil
	}
	return &Recomputed{ID: it.ID, Computed: after, Title: title}
}
