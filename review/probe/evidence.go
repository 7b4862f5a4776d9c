package probe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"visto/canon"
)

// The values of canon.Evidence.Robots and Method.
const (
	evidenceAllowed = "allowed"
	evidenceBlocked = "blocked"

	byHead         = "head"
	byGet          = "get"
	byBrowser      = "headless"
	byNobody       = "blocked"
	byRobotsBanned = "robots_blocked"
)

// write returns the evidence of a redirect chain and of the page at its end.
func (v *visit) write(w *redirectChain) *canon.Evidence {
	now := v.cfg.Clock.Now().UTC()
	ev := &canon.Evidence{URL: v.target.URL, Hops: w.hops, FetchedAt: now.Format(time.RFC3339),
		Answers: map[string]canon.Answer{}}
	if w.asked != nil {
		ev.Asked = w.asked.String()
	}
	if w.last != nil {
		ev.Status = w.last.Status
	}
	if w.fail != nil {
		ev.Error, ev.TLSError = w.fail.text, w.fail.tls
	}
	if w.robots.robots.Origin != "" {
		ev.Robots = evidenceAllowed
	}
	switch w.ending {
	case robotsBlocked:
		v.writeRobotsBlocked(ev, w)
	case arrived:
		v.writeAnswer(ev, w, now)
	}
	ev.TTLHours = int(ttl(ev) / time.Hour)
	return ev
}

// writeRobotsBlocked records that robots.txt forbids the URL, and why (seed 003, "robots.txt Compliance").
func (v *visit) writeRobotsBlocked(ev *canon.Evidence, w *redirectChain) {
	ev.Robots, ev.Method = evidenceBlocked, byRobotsBanned
	if w.robots.notNow() {
		v.unready = w.robots.robots.Status
		ev.Caveats = append(ev.Caveats, fmt.Sprintf(
			"The robots.txt of %s answered %d, which forbids everything until it answers.",
			w.at.Host, w.robots.robots.Status))
	}
}

// writeAnswer records the answer at the end of the chain.
func (v *visit) writeAnswer(ev *canon.Evidence, w *redirectChain, now time.Time) {
	if w.last.confirms {
		v.writeUnchanged(ev, w.last)
	} else {
		v.writePage(ev, w.last, w.sentToLogin())
	}
	if until, ok := retryAfter(w.last, now); ok {
		ev.RetryAfter = until.UTC().Format(time.RFC3339)
	}
	if len(w.hops) > 0 || w.slash {
		ev.FinalURL = w.end()
	}
	if w.slash {
		ev.TrailingSlash = "keep"
	}
	if ev.Blocked == "login" {
		ev.FinalURL = w.beforeLogin()
	}
}

// beforeLogin returns the URL that redirected to the login. The evidence is about that URL, not about the form.
func (w *redirectChain) beforeLogin() string {
	i := slices.IndexFunc(w.hops, func(h canon.Hop) bool { return isLogin(h.URL) })
	switch {
	case i > 0:
		return w.hops[i-1].URL
	case i == 0:
		return w.asked.String()
	case len(w.hops) > 0:
		return w.at.String()
	}
	return ""
}

// sentToLogin reports whether the chain ended at a login that was not requested. Such a page need not ask for a
// password: that of Cl@ve has buttons.
func (w *redirectChain) sentToLogin() bool {
	return w.last.Status < 400 && len(w.hops) > 0 && isLogin(w.at.String()) && !isLogin(w.asked.String())
}

// writePage records the contents of an answer. Of a login it records only the permitted fields.
func (v *visit) writePage(ev *canon.Evidence, r *Response, login bool) {
	page := r.page
	if login {
		page.block(blockedLogin)
	}
	v.content = page.Content
	ev.Title, ev.Language, ev.LangVariants = page.Title, page.Language, page.LangVariants
	v.clean.DropPrivate(ev.LangVariants)
	ev.RelCanonical, ev.RelNext, ev.RelPrev = page.RelCanonical, page.RelNext, page.RelPrev
	ev.MetaRefresh, ev.TotalPages, ev.PDFPages = page.MetaRefresh, page.TotalPages, page.PDFPages
	ev.ContentType, ev.SHA256, ev.Blocked = page.ContentType, page.SHA256, page.Blocked
	ev.NoContent = page.Empty
	ev.ETag, ev.LastModified = r.Header.Get("ETag"), r.Header.Get("Last-Modified")
	ev.Size, ev.Truncated = r.size(), r.Truncated
	ev.Caveats = page.Caveats
	if r.Trouble != "" {
		addCaveat(ev, "Not all of the page could be read: "+r.Trouble+".")
	}
	switch {
	case ev.Blocked != "":
		ev.Method = byNobody
	case r.Method == http.MethodHead:
		ev.Method = byHead
	case page.Drawn:
		ev.Method = byBrowser
	default:
		ev.Method = byGet
	}
}

// writeUnchanged keeps the known content, which the server confirmed (seed 003, "On HTTP 304"). Only the redirects
// are new.
func (v *visit) writeUnchanged(ev *canon.Evidence, r *Response) {
	known, _ := confirm(*v.earlier, r.Header, v.cfg.Clock.Now())
	known.URL, known.Asked, known.Hops, known.FinalURL, known.Robots = ev.URL, ev.Asked, ev.Hops, "", ev.Robots
	known.TrailingSlash, known.HTTPS, known.PreferredHost, known.Hosts = "", nil, "", nil
	known.Reached, known.Answers = ev.Reached, ev.Answers
	*ev = known
}

// addHosts records the facts about the requested host and about the host of the page, after looking up missing ones.
func (v *visit) addHosts(ctx context.Context, ev *canon.Evidence, start *url.URL, w *redirectChain) error {
	if w.ending == arrived {
		if err := v.lookAround(ctx, w); err != nil {
			return err
		}
	}
	ev.Hosts = canon.Hosts{}
	for _, u := range []*url.URL{start, w.at} {
		if err := v.addFacts(ctx, ev, u); err != nil {
			return err
		}
	}
	ev.HTTPS = ev.Hosts[start.Host].HTTPS
	ev.PreferredHost, ev.Reached = ev.Hosts[start.Host].PreferredHost, ev.Hosts[start.Host].Reached
	return nil
}

// addFacts records the stored facts about the host of a URL.
func (v *visit) addFacts(ctx context.Context, ev *canon.Evidence, u *url.URL) error {
	for _, host := range []string{u.Host, strings.TrimPrefix(u.Host, "www.")} {
		facts, err := v.known(ctx, host)
		if err != nil {
			return err
		}
		h := canon.HostEvidence{HTTPS: facts.HTTPS}
		if facts.Reached.By != "" {
			h.PreferredHost, h.Reached = facts.PreferredHost, facts.Reached
		}
		if h != (canon.HostEvidence{}) {
			ev.Hosts[host] = h
		}
	}
	return nil
}

// lookAround looks up the facts that rules 1 and 5 need, about the first and the last host of the chain. It skips a
// host that is to be left alone: the page is there already.
func (v *visit) lookAround(ctx context.Context, w *redirectChain) error {
	err := v.lookAtHTTPS(ctx, w)
	for _, u := range []*url.URL{w.asked, w.at} {
		if err == nil && w.last.Status < 500 && u.Port() == "" {
			err = v.findPreferred(ctx, u.Host)
		}
	}
	if _, later := errors.AsType[*deferral](err); later {
		return nil
	}
	return err
}

// lookAtHTTPS finds out whether the host of the page has HTTPS. A host whose HTTPS only redirects back to http has
// none.
func (v *visit) lookAtHTTPS(ctx context.Context, w *redirectChain) error {
	switch {
	case w.at.Port() != "":
		return nil
	case w.at.Scheme == "https":
		return v.learnHTTPS(ctx, w.at, true)
	case w.cameFrom(withScheme(w.at, "https")):
		return v.learnHTTPS(ctx, w.at, false)
	}
	answers, err := v.answersHTTPS(ctx, w.at)
	if err != nil || answers == nil || !*answers {
		return err
	}
	return v.checkUpgrade(ctx, w)
}

// cameFrom reports whether the chain contains a redirect from the origin of u to the origin of the page.
func (w *redirectChain) cameFrom(u *url.URL) bool {
	from := w.asked
	for _, hop := range w.hops {
		to, err := url.Parse(hop.URL)
		if err != nil {
			return false
		}
		if originOf(from) == originOf(u) && originOf(to) == originOf(w.at) {
			return true
		}
		from = to
	}
	return false
}

// checkUpgrade checks a page served over http on a host that answers over HTTPS: rule 1 will put https in its URL, so
// the page must be there over HTTPS too.
func (v *visit) checkUpgrade(ctx context.Context, w *redirectChain) error {
	secure := withScheme(w.at, "https")
	resp, fail, err := v.get(ctx, secure, cookies{}, fetchOptions{purpose: forHost, head: true, once: true})
	if err != nil || fail != nil || !isRedirect(resp.Status) {
		return err
	}
	if to, _, why := v.follow(secure, resp); why == nil && originOf(to) == originOf(w.at) {
		return v.learnHTTPS(ctx, w.at, false)
	}
	return nil
}

// archived looks up a page that is gone in the web archive (seed 003, fallback 3).
func (v *visit) archived(ctx context.Context, ev *canon.Evidence) error {
	if v.cfg.Archive == "-" || v.target.Budget != nil && v.hasHeard() {
		return nil
	}
	fetch := func(ctx context.Context, text string) (*Response, error) {
		u, err := url.Parse(text)
		if err != nil {
			return nil, err
		}
		asked, why := v.admit(u)
		if why != nil {
			return nil, fmt.Errorf("%s is not asked", u)
		}
		w, err := v.walk(ctx, asked, fetchOptions{purpose: forArchive, anywhere: true, once: true})
		switch {
		case err != nil:
			return nil, err
		case w.ending != arrived:
			return nil, fmt.Errorf("no answer from %s", u.Host)
		}
		return w.last, nil
	}
	return lookUpArchive(ctx, archive{fetch: fetch, policy: v.cfg.Policy, documents: v.cfg.Documents,
		service: v.cfg.Archive}, ev)
}

// addCaveat adds a sentence once.
func addCaveat(ev *canon.Evidence, sentence string) {
	if !slices.Contains(ev.Caveats, sentence) {
		ev.Caveats = append(ev.Caveats, sentence)
	}
}
