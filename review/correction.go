package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"visto/canon"
	"visto/review/probe"
	"visto/review/read"
)

// Correction is a URL that a reviewer typed, as the rules see it. A correction is a URL like any other.
type Correction struct {
	Typed  string       // without white space at its ends
	Result canon.Result // explained; rejected if the URL cannot be cited
}

// Correction returns a typed URL under the current rules and host evidence.
func (d decisionDesk) Correction(ctx context.Context, typed string) (Correction, error) {
	r, err := d.rules(ctx)
	if err != nil {
		return Correction{}, err
	}
	return r.correction(typed, nil), nil
}

// Judge returns the result of a URL that may become a correction, with its own evidence or nil. It belongs to one
// goroutine.
type Judge func(url string, ev *canon.Evidence) canon.Result

// Judge returns a Judge under the current rules and host evidence. URLs on the hosts, with or without "www.", are only
// flagged if these are off the allowlist: a reviewer may accept such a host first.
func (d decisionDesk) Judge(ctx context.Context, hosts ...string) (Judge, error) {
	r, err := d.rules(ctx)
	if err != nil {
		return nil, err
	}
	hosts = slices.Clone(hosts)
	for i, host := range hosts {
		hosts[i] = strings.TrimPrefix(host, "www.")
	}
	return func(url string, ev *canon.Evidence) canon.Result {
		res := r.typed(url, ev)
		if !slices.Contains(hosts, strings.TrimPrefix(res.Host, "www.")) {
			refuseNewHost(&res)
		}
		return res
	}, nil
}

// correction canonicalizes a typed URL, and rejects one off the allowlist.
func (r *rules) correction(typed string, ev *canon.Evidence) Correction {
	res := r.typed(typed, ev)
	refuseNewHost(&res)
	return Correction{Typed: strings.TrimSpace(typed), Result: res}
}

func (r *rules) typed(url string, ev *canon.Evidence) canon.Result {
	return r.engine().Explain(url, withHosts(ev, r.hosts), "")
}

// refuseNewHost rejects a URL off the allowlist, which in an input is only flagged: a correction must not bring in a
// new site, unless an override accepts the flag.
func refuseNewHost(res *canon.Result) {
	for _, f := range res.Flags {
		if f.Code == canon.OffAllowlist {
			res.Verdict, res.Reason, res.Detail, res.Canonical = canon.Rejected, canon.LeftAllowlist, f.Detail, ""
		}
	}
}

// typedURL matches a URL that can be cited exactly as it was typed.
var typedURL = regexp.MustCompile("^https?://[!-~]+$")

// IsCitable reports whether a URL can be cited as it is: it has http:// or https:// in front, and no space or letter
// outside ASCII.
func IsCitable(url string) bool { return typedURL.MatchString(url) }

// AsTyped returns an error if the text cannot be taken as it was typed.
func (c Correction) AsTyped() error {
	switch {
	case c.Result.Verdict == canon.Rejected:
		return errors.New(whyRejected(&c.Result))
	case !IsCitable(c.Typed):
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

// pagesRead is the name of the input of the pages that were read to be cited. None of them is cited there.
const pagesRead = "candidates"

// Citation is a correction of an item to a page that was read.
type Citation struct {
	Choice Choice // its URL is cited in its canonical form
	Target Target
	Page   probe.Report
}

// Cite makes the choices of corrections, as Decide does, as one batch, and stores the answers of the pages that they
// cite, as those of URLs of their own: an item's evidence stays that of its original. Each item occurs once. Unless
// each choice is possible nothing is written, nor is the page for an item that changed after the reviewer saw it. now
// is the clock for the age of evidence.
func (d *Desk) Cite(ctx context.Context, now func() time.Time, list ...Citation) (Receipt, error) {
	r, err := d.rules(ctx)
	if err != nil {
		return Receipt{}, err
	}
	if list, err = r.citations(list); err != nil {
		return Receipt{}, err
	}
	cited, err := d.unchanged(ctx, r, list)
	if err != nil {
		return Receipt{}, err
	}
	for _, one := range cited {
		if err := d.keepPage(ctx, now, one); err != nil {
			return Receipt{}, fmt.Errorf("storing the page to cite: %w", err)
		}
	}
	if len(list) == 1 {
		return d.Decide(ctx, list[0].Choice, list[0].Target)
	}
	return d.citeAll(ctx, list)
}

// citations checks citations without any item, and returns them with their choices in the form in which they are
// stored.
func (r *rules) citations(list []Citation) ([]Citation, error) {
	list, known := slices.Clone(list), map[int64]bool{}
	for i := range list {
		c, id := &list[i].Choice, list[i].Target.ID
		if known[id] || len(list) > 1 && c.Record != 0 {
			return nil, fmt.Errorf("citing pages: URL %d has to be corrected once, for all that cite it", id)
		}
		c.Kind, known[id] = Correct, true
		var err error
		if *c, err = r.validate(*c); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// unchanged returns the citations whose items are as the reviewer saw them. It returns an error if one of these choices
// is not possible.
func (d *Desk) unchanged(ctx context.Context, r *rules, list []Citation) (fresh []Citation, err error) {
	engine := r.engine()
	for _, one := range list {
		err := d.eachTarget(ctx, one.Choice, []Target{one.Target}, func(it Item) error {
			if cmp.Or(one.Target.Rev, it.Rev) != it.Rev {
				return nil
			}
			fresh = append(fresh, one)
			_, err := one.Choice.on(r, engine, &it)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return fresh, nil
}

// keepPage stores the answer of the page of a citation, if there is one.
func (d *Desk) keepPage(ctx context.Context, now func() time.Time, c Citation) error {
	if c.Page.Evidence == nil {
		return nil
	}
	id, err := d.pageRead(ctx, c.Choice.Canonical, c.Page.Evidence)
	if err == nil {
		_, err = NewProbing(d, nil, now).keep(ctx, id, c.Page)
	}
	return err
}

// citeAll makes the choices of citations for all that cite the items.
func (d *Desk) citeAll(ctx context.Context, list []Citation) (receipt Receipt, err error) {
	var ids []int64
	by := map[int64]Citation{}
	for _, c := range list {
		ids, by[c.Target.ID] = append(ids, c.Target.ID), c
	}
	err = whileStale(func() error {
		r, err := d.rules(ctx)
		if err != nil {
			return err
		}
		change := Decide{Reviewer: d.reviewer, Action: Correct.action(), Computing: r.computing()}
		var again []Conflict
		e := r.engine()
		err = d.eachOf(ctx, ids, func(it Item) error {
			c, err := r.validate(by[it.ID].Choice)
			if err != nil {
				return err
			}
			decision, err := c.on(r, e, &it)
			seen := cmp.Or(by[it.ID].Target.Rev, it.Rev)
			if own := d.confirm(&it, &decision); own != nil && seen == it.Rev {
				again = append(again, Conflict{it, own})
				return nil
			}
			change.Decisions = append(change.Decisions, ItemDecision{ID: it.ID, Rev: seen, Decision: decision})
			return err
		})
		if err != nil {
			return err
		}
		change.Summary = Choice{Kind: Correct}.summary(change.Decisions)
		receipt, err = d.commitDecisions(ctx, change, again)
		return err
	})
	return receipt, err
}

// pageRead returns the item whose original is the URL of a page that was read. If there is none, it adds one that no
// file cites.
func (d *Desk) pageRead(ctx context.Context, url string, ev *canon.Evidence) (int64, error) {
	id, err := d.withOriginal(ctx, url)
	if id != 0 || err != nil {
		return id, err
	}
	input := Input{File: pagesRead, Takes: func(string) bool { return true }}
	_, err = d.Add(ctx, Input{}, func(yield func(Found) error) error {
		return yield(Found{URL: url, Place: read.Place{File: pagesRead}, Evidence: ev})
	})
	if err == nil {
		err = d.markGone(ctx, &Intake{Reviewer: d.reviewer}, input)
	}
	if err != nil {
		return 0, err
	}
	return d.withOriginal(ctx, url)
}

// withOriginal returns the item with the original, 0 if there is none.
func (d *Desk) withOriginal(ctx context.Context, url string) (int64, error) {
	items, err := d.store.Find(ctx, url)
	i := slices.IndexFunc(items, func(it Item) bool { return it.Original == url })
	if i < 0 || err != nil {
		return 0, err
	}
	return items[i].ID, nil
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
	computed, hosts := it.Decision.computeURL(c, it.Fields, ev)
	computed.InHost = c.bare.Canonicalize(it.Original, ev).InHost
	computed.Via = nil
	computed.addVia(hosts)
	return computed
}

// noteCorrection brings in a correction for one record alone: the flag changed-since-approval if the rules give
// another URL for it, and the hosts whose overrides apply to it.
func (c *Computed) noteCorrection(e *Engine, d *Decision, fields FieldSet, ev *canon.Evidence) {
	corrected, hosts := d.computeURL(e, fields, ev)
	if d.outdatedBy(corrected.Canonical) {
		c.Flags = c.Flags.With(canon.ChangedSinceApproval)
	}
	c.addVia(hosts)
}

// computeURL returns the result of the URL of a correction, and the hosts whose overrides apply to it.
func (d *Decision) computeURL(c *Engine, fields FieldSet, ev *canon.Evidence) (Computed, []string) {
	r := c.Canonicalize(d.Canonical, onlyHosts(ev), fields)
	computed := computedOf(&r)
	if d.Kind == CorrectAsTyped && r.Verdict != canon.Rejected {
		computed.pin(d.Canonical)
		computed.Host = r.InHost
	}
	return computed, slices.Concat([]string{r.InHost}, r.Via, []string{r.Host})
}

// addVia adds the hosts to Via that the result does not name yet.
func (c *Computed) addVia(hosts []string) {
	c.Via = slices.Clip(c.Via)
	for _, h := range hosts {
		if h != "" && h != c.InHost && h != c.Host && !slices.Contains(c.Via, h) {
			c.Via = append(c.Via, h)
		}
	}
}

// explain is compute with words. The trace of a corrected item begins with the correction.
func (r *rules) explain(c *Engine, it *Item, ev *canon.Evidence) canon.Result {
	d := it.correction()
	if d == nil {
		res := c.Explain(it.Original, ev, it.Fields)
		if trusting := ev.Trusting(); trusting != nil && it.approvesOther(res.Canonical) {
			if before := c.Explain(it.Original, trusting, it.Fields); !it.approvesOther(before.Canonical) {
				return before
			}
		}
		return res
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
