package review

import (
	"slices"

	"visto/canon"
)

// Computed is the stored part of the result of canonicalizing an item under the current policy, overrides and
// evidence. The trace is not stored; Detail computes it again. For a corrected item it is the result of the corrected
// URL, except for InHost. Its flags have changed-since-approval if the rules give another URL for a correction for one
// record alone.
type Computed struct {
	Canonical string
	Key       Key // comparison key of Canonical; zero when rejected
	Verdict   canon.Verdict
	Reason    canon.Reason
	Flags     canon.CodeSet
	Unknown   []string // parameters that raised unknown-param, percent-decoded
	InHost    string   // ASCII host of the original
	Host      string   // ASCII host of Canonical
	Via       []string // other hosts whose overrides apply, to corrections for one record too; usually none
	LinkType  canon.LinkType
	Language  string
}

// Key is the first 16 bytes of the SHA-256 of an original, or of a normalized canonical URL.
type Key [16]byte

// compute canonicalizes an item: its original or, if a correction is in force, the corrected URL (correction.go). It
// looks whether the corrections for one record alone still hold.
func compute(c *Engine, it *Item, ev *canon.Evidence) Computed {
	computed := computeForAll(c, it, ev)
	for _, r := range it.ByRecord {
		if r.Decision != nil && r.Decision.Kind.Corrects() {
			computed.noteCorrection(c, r.Decision, it.Fields, ev)
		}
	}
	return computed
}

// computeForAll is compute without the decisions for one record alone.
func computeForAll(c *Engine, it *Item, ev *canon.Evidence) Computed {
	if it.correction() != nil {
		return computeCorrected(c, it, ev)
	}
	r := c.Canonicalize(it.Original, ev, it.Fields)
	if trusting := ev.Trusting(); trusting != nil && it.approvesOther(r.Canonical) {
		if before := c.Canonicalize(it.Original, trusting, it.Fields); !it.approvesOther(before.Canonical) {
			r = before
		}
	}
	return computedOf(&r)
}

// approvesOther reports whether the approval of an item is outdated by a canonical URL. Where only the doubts about a
// preferred host outdate it, it stands until the URL itself is probed again (spec section 7, "Preferred host").
func (it *Item) approvesOther(canonical string) bool {
	return it.Decision != nil && it.Decision.Kind == Approve && it.Decision.outdatedBy(canonical)
}

// pin replaces the canonical URL.
func (c *Computed) pin(url string) {
	c.Canonical, c.Key = url, KeyOf(url)
}

// KeyOf returns the comparison key of a canonical URL.
func KeyOf(canonical string) Key {
	hash := canon.HashOf(canonical)
	return Key(hash[:len(Key{})])
}

func computedOf(r *canon.Result) Computed {
	c := Computed{
		Canonical: r.Canonical, Verdict: r.Verdict, Reason: r.Reason, Flags: r.Codes(), Unknown: r.UnknownParams,
		InHost: r.InHost, Host: r.Host, LinkType: r.LinkType, Language: r.Language, Via: r.Via,
	}
	if c.Canonical != "" {
		c.pin(r.Canonical)
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
	if it.Computed.sameResult(after) && !turns(it, after) && (title == "" || title == it.Title) {
		return nil
	}
	return &Recomputed{ID: it.ID, Computed: after, Title: title}
}

// sameResult is same, whether or not the results have the flags of decisions and of checks of links.
func (c Computed) sameResult(o Computed) bool {
	c.Flags, o.Flags = c.Flags&^raisedByReview, o.Flags&^raisedByReview
	return c.same(o)
}

// turns reports whether an item with decisions for one record alone gets or loses changed-since-approval.
func turns(it *Item, after Computed) bool {
	if it.ByRecord == nil {
		return false
	}
	_, flags := ResolveStatus(after, it.Link, it.Decision, it.ByRecord...)
	return flags.Has(canon.ChangedSinceApproval) != it.Computed.Flags.Has(canon.ChangedSinceApproval)
}
