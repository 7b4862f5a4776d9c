package canon

import (
	"bytes"
	"cmp"
	"fmt"
)

// redirectsTriggers: hosts off the allowlist, and shorteners. Redirects themselves are evidence.
func redirectsTriggers(r *registrar) {
	r.onHosts(r.step, func(h *hostFacts) bool { return !h.allowed || h.shortener })
}

// stepRedirects is step 8, rule 7. It goes to the final URL of the recorded chain, and cleans it with steps 2 to 7,
// unless the chain leaves the allowlist, is too long, runs in a circle or ends nowhere. If the page did not answer, the
// step goes to the alternative URL that shows it, or else flags it. The hops are checked before the shape of the chain:
// a bad shape is only flagged, and a person could approve the URL.
func (r *run) stepRedirects() {
	isEnd := !r.laterPass && r.policy.doc.Redirects != "ignore"
	if isEnd && r.ev != nil {
		instead := r.alternative()
		if instead == "" {
			r.checkAnswer()
		}
		isEnd = !r.ev.redirected() && instead == "" || r.takeRedirects(instead)
	}
	r.checkHost(isEnd)
}

// alternative returns the URL that shows the page in the place of its own, if it may be cited, or "".
func (r *run) alternative() string {
	if r.ev.Alternative == "" {
		return ""
	}
	a, _, bad := parse([]byte(Trim(r.ev.Alternative)))
	if bad != nil || !r.policy.mayCite(a.ascii) {
		r.note("alternative URL %q passed over: it may not be cited", r.ev.Alternative)
		return ""
	}
	return r.ev.Alternative
}

// takeRedirects follows the recorded chain, or goes to the URL instead of its end unless that is empty. It reports
// whether the URL is the end now.
func (r *run) takeRedirects(instead string) (isEnd bool) {
	r.chain = r.ev.Hops
	why := r.ev.badChain(r.policy.doc.MaxHops)
	switch r.reject(r.checkHops(why == "")); {
	case r.rejected():
	case why != "":
		r.flag(RedirectLimit, "%s; the URL before the redirects is kept: correct it to the right target, or reject it",
			why)
		r.note("%s: not followed", why)
	case r.flags.Has(Unreachable) || r.ev.IsPutOff():
	case instead != "":
		r.note("the page is gone from its own URL (%s), and shown here", cmp.Or(r.ev.Error, fmt.Sprint(r.ev.Status)))
		r.follow(instead)
		return true
	default:
		r.note("final URL of %d redirects", len(r.chain))
		r.follow(r.ev.final())
		return true
	}
	return false
}

// redirected reports whether redirects were recorded, or their end.
func (ev *Evidence) redirected() bool { return ev != nil && (len(ev.Hops) > 0 || ev.FinalURL != "") }

// final returns the target of the redirects, or "" if there are none.
func (ev *Evidence) final() string {
	if ev.FinalURL == "" && len(ev.Hops) > 0 {
		return ev.Hops[len(ev.Hops)-1].URL
	}
	return ev.FinalURL
}

// checkAnswer flags a page that did not answer, one that robots.txt blocks, and one without text.
func (r *run) checkAnswer() {
	switch {
	case r.ev.Error != "":
		r.flag(Unreachable, "no answer: %s; open it, and reject it if it is gone", r.ev.Error)
	case r.ev.IsPutOff():
		r.note("put off: the server answered 429 (too many requests), which says nothing of the page")
	case r.ev.Status == tooManyRequests:
		r.flag(Unreachable, "the server answered 429 (too many requests) in each of %d runs, and never anything else; "+
			"open it, and reject it if it is gone", r.ev.PutOff)
	case r.ev.Status >= 400 || r.ev.Status != 0 && r.ev.Status < 200:
		r.flag(Unreachable, "the server answered %d; open it, and reject it if it is gone", r.ev.Status)
	case r.ev.showsError():
		r.flag(Unreachable, "%s; open it, and reject it if it is gone", r.ev.errorPage())
	case r.ev.Blocked != "":
		r.flag(Unreachable, "the server shows another page in the place of this one (%s): "+
			"nothing could be checked; open it yourself", r.ev.Blocked)
	case r.ev.NoContent:
		r.flag(NoContent, "no text of the page came: the answer is empty or broke off, or scripts draw the page and no "+
			"browser could; open it, and reject it if it stays empty")
	}
	if r.ev.Robots == "blocked" {
		r.flag(RobotsBlocked, "robots.txt of %s forbids fetching it: nothing could be checked; open it yourself",
			r.u.ascii)
	}
}

// badChain describes a defect in the length or shape of the chain, or returns "". A URL that redirected once may answer
// the second time, for a cookie: a repeat is a circle unless there was an answer behind it. A page that sends browsers on
// (2xx) answers and is none.
func (ev *Evidence) badChain(maxHops int) string {
	if n := len(ev.Hops); n > maxHops {
		return fmt.Sprintf("%d redirects, the limit is %d", n, maxHops)
	}
	seen := map[string]bool{}
	if ev.Asked != "" {
		seen[ev.Asked] = true
	}
	for _, hop := range ev.Hops {
		if seen[hop.URL] && (!ev.arrived() || hop.Status < 300) {
			return fmt.Sprintf("the redirects run in a circle through %s", hop.URL)
		}
		seen[hop.URL] = true
	}
	return ""
}

// arrived reports whether the last answer of the chain was no redirect.
func (ev *Evidence) arrived() bool { return ev.Status != 0 && (ev.Status < 300 || ev.Status >= 400) }

// checkHops rejects a chain that leaves the allowlist, or leads to a blocked host or an address that is not public. A
// URL whose own host is off the allowlist does not leave it: a person decides about that one. A short link is judged by
// its target, so only a short link may end at another short link. ends reports that the chain was followed to its end.
// A hop that is no URL is flagged.
func (r *run) checkHops(ends bool) *rejection {
	isShort := r.host().shortener
	mayLeave := !r.host().allowed && !isShort
	var urls []string
	for _, hop := range r.chain {
		urls = append(urls, hop.URL)
	}
	if r.ev.redirected() {
		urls = append(urls, r.ev.final())
	}
	for i, url := range urls {
		a, _, bad := parse([]byte(Trim(url)))
		if bad == nil {
			bad = r.policy.blocks(a.ascii)
		}
		isEnd := ends && i == len(urls)-1
		switch {
		case bad != nil && (bad.reason == PrivateAddress || bad.reason == Blocked):
			return &rejection{bad.reason, "it redirects to " + url + ": " + bad.detail}
		case bad != nil:
			r.flag(Unreachable, "it redirects to %s, which is no URL: %s", url, bad.detail)
		case mayLeave || r.policy.allowed.has(a.ascii):
		case !r.policy.shortener.holds(a.ascii) || isEnd && !isShort:
			return &rejection{LeftAllowlist, "it redirects to " + url + ", off the allowlist"}
		}
	}
	return nil
}

// follow replaces the URL by the final one.
func (r *run) follow(final string) {
	slashed := r.ev.slashedPath(r.u.path, final)
	if bad := r.adopt([]byte(final)); bad != nil {
		return // checkHops has parsed it
	}
	r.unflag(BrokenEncoding) // the server repairs the encoding, or wants it so
	r.checkPasted(Trim(final))
	r.record(&r.u, "redirects", 7)
	r.keepPath = slashed
	r.clean()
	if slashed != "" && slashed == string(r.u.path) {
		r.note("the slash stays: the server does not show this page without it")
		if !r.rules.keepSlash() {
			r.flag(TrailingSlash, "the server does not show %s without the slash at its end: "+
				"keep it on this host, or check that both show the page", slashed)
		}
	}
}

// slashedPath returns the path of the final URL in normal form if the server wants its trailing slash, or "". It does
// if a redirect leads there from the path without the slash, or if that path shows another page (seed 000 rule 2,
// exception).
func (ev *Evidence) slashedPath(from []byte, final string) string {
	last := pathOf(final)
	if len(last) < 2 || last[len(last)-1] != '/' {
		return ""
	}
	if ev.TrailingSlash == "keep" {
		return string(last)
	}
	for _, hop := range ev.Hops {
		to := pathOf(hop.URL)
		if bytes.Equal(to, last) && bytes.Equal(from, last[:len(last)-1]) {
			return string(last)
		}
		from = to
	}
	return ""
}

// pathOf returns the path of a URL in normal form, with its trailing slashes.
func pathOf(url string) []byte {
	a, _, bad := parse([]byte(Trim(url)))
	if bad != nil {
		return nil
	}
	path, _ := normalize(new([]byte), a.path, pathSet, normalForm)
	return removeDots(path)
}

// checkHost flags a URL on a host off the allowlist, and a short link at the end of a chain in its place.
func (r *run) checkHost(isEnd bool) {
	r.unflag(OffAllowlist)
	host := r.host()
	if isEnd && host.shortener && r.raise(UnresolvedShortener) {
		r.flag(UnresolvedShortener,
			"%s is a short link and its target is not known: open it and correct the URL, or reject it", r.u.ascii)
	}
	if r.rejected() || host.allowed || r.flags.Has(UnresolvedShortener) || !r.raise(OffAllowlist) {
		return
	}
	r.flag(OffAllowlist,
		"%s is not on the allowlist: accept it on this host if it is a public body's, reject it otherwise", r.u.ascii)
}
