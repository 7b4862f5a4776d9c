package canon

import (
	"bytes"
	"slices"
)

// overrideTriggers: an override for the host concerns the whole URL, so every step is due.
func overrideTriggers(r *registrar) {
	r.onHosts(everyStep, func(h *hostFacts) bool { return len(h.rules) > 0 })
}

// stepOverride applies the preferred host of the overrides, and then the first rewrite whose prefix the URL has (seed
// 001 section 3.1: "after base normalization"). A rewritten URL is cleaned and goes through the pipeline once more, so
// that no rewrite applies to the result.
func (r *run) stepOverride() {
	if rule := r.rules.pinned(); rule != nil && rule.CanonicalHost != string(r.u.ascii) {
		r.note("the override for %s prefers %s", rule.Match.Host, rule.CanonicalHost)
		r.moveTo(rule.CanonicalHost)
	}
	for _, rule := range r.rules {
		for _, i := range rule.rewrites.matching(&r.u) {
			if r.rewrite(rule.RewriteRules[i], rule) {
				return
			}
		}
	}
}

// pinned returns the first rule with a preferred host, or nil.
func (l ruleList) pinned() *rule {
	for _, rule := range l {
		if rule.CanonicalHost != "" {
			return rule
		}
	}
	return nil
}

// rewrite applies a rewrite rule whose prefix the URL has, and reports whether that gives a URL.
func (r *run) rewrite(p Prefixes, rule *rule) bool {
	text, _ := r.u.rewritten(p)
	if bad := r.adopt(text); bad != nil {
		r.note("the rewrite of the override for %s gives no URL: %s", rule.Match.Host, bad.detail)
		return false
	}
	r.note("the override for %s rewrites %s to %s", rule.Match.Host, p.From, p.To)
	r.record(&r.u, "override", 0)
	r.again = true
	r.clean()
	r.checkHost(false)
	return true
}

// rewritten returns the text of the URL with the prefix replaced, and whether it has the prefix.
func (a *address) rewritten(p Prefixes) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(a.appendTo(nil), []byte(p.From))
	return append([]byte(p.To), rest...), ok
}

// rewritable reports whether a rewrite applies after the later steps, which drop page numbers and sort the query.
func (l ruleList) rewritable(u *address) bool {
	for _, rule := range l {
		for _, i := range rule.rewrites.matching(u) {
			text, _ := u.rewritten(rule.RewriteRules[i])
			if _, _, bad := parse(text); bad == nil {
				return true
			}
		}
	}
	return false
}

// rewriteTable finds the rewrites of an override by the length and text of their prefix, whatever their number.
type rewriteTable struct {
	byPrefix map[string][]int // places in the list, in its order
	lengths  []int            // of the prefixes, each once
}

func newRewriteTable(list []Prefixes) (t rewriteTable) {
	t.byPrefix = make(map[string][]int, len(list))
	for i, rewrite := range list {
		t.byPrefix[rewrite.From] = append(t.byPrefix[rewrite.From], i)
		t.lengths = append(t.lengths, len(rewrite.From))
	}
	slices.Sort(t.lengths)
	t.lengths = slices.Compact(t.lengths)
	return t
}

// matching returns the places of the rewrites whose prefix the URL has, in the order of the list.
func (t *rewriteTable) matching(u *address) (places []int) {
	if len(t.lengths) == 0 {
		return nil
	}
	text := u.appendTo(nil)
	for _, n := range t.lengths {
		if n > len(text) {
			break
		}
		places = append(places, t.byPrefix[string(text[:n])]...)
	}
	slices.Sort(places)
	return places
}

// acceptFlags removes the flags that the overrides accept.
func (r *run) acceptFlags() {
	for _, rule := range r.rules {
		for _, c := range rule.accept.Codes() {
			if r.flags.Has(c) {
				r.unflag(c)
				r.note("%s is accepted by the override for %s", c, rule.Match.Host)
			}
		}
	}
	r.record(&r.u, "override", 0)
}
