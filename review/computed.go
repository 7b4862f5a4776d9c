package review

import (
	"slices"

	"visto/canon"
)

// Computed is the machine's answer for an item under the current policy, overrides and evidence, as far as it
// is stored. The trace is not: Detail computes it again.
type Computed struct {
	Canonical string
	Key       Key // comparison key of Canonical; zero when rejected
	Verdict   canon.Verdict
	Reason    canon.Reason
	Flags     canon.CodeSet
	Unknown   []string // parameters behind unknown-param, percent-decoded
	InHost    string   // ASCII host of the original
	Host      string   // ASCII host of Canonical
	Via       []string // hosts it stood on in between, for which overrides are looked up too; mostly none
	LinkType  canon.LinkType
	Language  string
}

// Key is the first 16 bytes of a SHA-256: of an original, or of a normalized canonical URL.
type Key [16]byte

// compute is the machine's answer for an original, as it is stored.
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

// same reports whether two answers are one. It is the first thing asked of every item of a trial, and mostly the last.
func (c *Computed) same(o Computed) bool {
	return c.Canonical == o.Canonical && c.Key == o.Key && c.Flags == o.Flags && c.Verdict == o.Verdict &&
		c.Reason == o.Reason && c.InHost == o.InHost && c.Host == o.Host && c.LinkType == o.LinkType &&
		c.Language == o.Language && slices.Equal(c.Unknown, o.Unknown) && slices.Equal(c.Via, o.Via)
}

// recomputed is what has to be written of a new answer for an item; nil if nothing does.
func recomputed(it *Item, after Computed, title string) *Recomputed {
	before := it.Computed
	before.Flags = before.Flags.Without(canon.ChangedSinceApproval)
	if before.same(after) && (title == "" || title == it.Title) {
		return nil
	}
	return &Recomputed{ID: it.ID, Computed: after, Title: title}
}
