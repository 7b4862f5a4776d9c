package review

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"visto/canon"
)

// Correction is a URL that a reviewer typed, as the rules see it. A correction is a URL like any other.
type Correction struct {
	Typed  string       // without white space at its ends
	Result canon.Result // explained; rejected if the URL cannot be cited
}

// Correction returns a typed URL under the current rules and host evidence.
func (d *Desk) Correction(ctx context.Context, typed string) (Correction, error) {
	r, err := d.rules(ctx)
	if err != nil {
		return Correction{}, err
	}
	return r.correction(typed), nil
}

// correction canonicalizes a typed URL. It rejects a URL off the allowlist, which in an input is only flagged: a
// correction must not bring in a new site, unless an override accepts the flag.
func (r *rules) correction(typed string) Correction {
	res := r.engine().Explain(typed, withHosts(nil, r.hosts), "")
	for _, f := range res.Flags {
		if f.Code == canon.OffAllowlist {
			res.Verdict, res.Reason, res.Detail, res.Canonical = canon.Rejected, canon.LeftAllowlist, f.Detail, ""
		}
	}
	return Correction{Typed: strings.TrimSpace(typed), Result: res}
}

// typedURL matches a URL that can be cited exactly as it was typed.
var typedURL = regexp.MustCompile("^https?://[!-~]+$")

// AsTyped returns an error if the text cannot be taken as it was typed.
func (c Correction) AsTyped() error {
	switch {
	case c.Result.Verdict == canon.Rejected:
		return errors.New(whyRejected(&c.Result))
	case !typedURL.MatchString(c.Typed):
		return errors.New("as typed it needs http:// or https:// in front, and no space or letter outside ASCII")
	case c.Result.Codes().Has(canon.Credentials):
		return errors.New("as typed it would show a user name or password")
	}
	return nil
}

// url returns the URL that a correction of that kind stores.
func (c Correction) url(kind Kind) (string, error) {
	if kind == CorrectAsTyped {
		return c.Typed, c.AsTyped()
	}
	if c.Result.Verdict == canon.Rejected {
		return c.Typed, errors.New(whyRejected(&c.Result))
	}
	return c.Result.Canonical, nil
}

func whyRejected(r *canon.Result) string {
	return strings.TrimSuffix(r.Reason.String()+": "+r.Detail, ": ")
}

// correction returns the decision in force on the item if it is a correction, else nil.
func (it *Item) correction() *Decision {
	if it.Decision != nil && it.Decision.Kind.Corrects() {
		return it.Decision
	}
	return nil
}

// computeCorrected is compute for a corrected item. The item's own evidence is about its original. InHost stays that
// of the original, and Via has the hosts whose overrides apply to the corrected URL.
func computeCorrected(c *Engine, it *Item, ev *canon.Evidence) Computed {
	r := c.Canonicalize(it.Decision.Canonical, onlyHosts(ev), it.Fields)
	computed := computedOf(&r)
	if it.Decision.Kind == CorrectAsTyped && r.Verdict != canon.Rejected {
		computed.pin(it.Decision.Canonical)
		computed.Host = r.InHost
	}
	computed.InHost = c.bare.Canonicalize(it.Original, ev).InHost
	computed.Via = nil
	for _, h := range slices.Concat([]string{r.InHost}, r.Via, []string{r.Host}) {
		if h != "" && h != computed.InHost && h != computed.Host && !slices.Contains(computed.Via, h) {
			computed.Via = append(computed.Via, h)
		}
	}
	return computed
}

// explain is compute with words. The trace of a corrected item begins with the correction.
func (r *rules) explain(c *Engine, it *Item, ev *canon.Evidence) canon.Result {
	d := it.correction()
	if d == nil {
		return c.Explain(it.Original, ev, it.Fields)
	}
	res := c.Explain(d.Canonical, onlyHosts(ev), it.Fields)
	if d.Kind == CorrectAsTyped && res.Verdict != canon.Rejected {
		res.Canonical, res.FragmentNote, res.Pagination, res.Trace = d.Canonical, "", nil, nil
	}
	res.Original = c.bare.Canonicalize(it.Original, nil).Original
	entry := canon.Entry{Step: "review", Before: res.Original, After: d.Canonical}
	entry.Note = r.policy.MaskText(reviewNote(d))
	res.Trace = append([]canon.Entry{entry}, res.Trace...)
	return res
}

// onlyHosts returns the host evidence alone.
func onlyHosts(ev *canon.Evidence) *canon.Evidence {
	if ev == nil {
		return nil
	}
	return withHosts(nil, ev.Hosts)
}
