package canon

import "bytes"

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
		for _, rewrite := range rule.RewriteRules {
			if r.rewrite(rewrite, rule) {
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

// rewrite applies a rewrite rule and reports whether it did.
func (r *run) rewrite(p Prefixes, rule *rule) bool {
	text, ok := r.u.rewritten(p)
	if !ok {
		return false
	}
	if bad := r.adopt(text); bad != nil {
		r.note("the rewrite of the override for %s gives no URL: %s", rule.Match.Host, bad.detail)
		return false
	}
	r.note("the override for %s rewrites %s to %s", rule.Match.Host, p.From, p.To)
	r.record(&r.u, "override", 0)
	r.again = true
	r.clean()
	r.checkAllowlist()
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
		for _, rewrite := range rule.RewriteRules {
			if text, ok := u.rewritten(rewrite); ok {
				if _, _, bad := parse(text); bad == nil {
					return true
				}
			}
		}
	}
	return false
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
