package canon

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// wwwTriggers: hosts to which the policy prefers another.
func wwwTriggers(r *registrar) {
	r.onHosts(r.step, func(h *hostFacts) bool { return h.prefers != "" })
}

// stepWWW is step 9, rule 5: the policy's domain map comes first, because people wrote it, and then the evidence. A
// page that is gone from its own URL stays on the host that shows it.
func (r *run) stepWWW() {
	if r.rules.pinned() != nil {
		return // the override step moves to it
	}
	to := r.host().prefers
	if to == "" && r.ev != nil && r.ev.Alternative == "" &&
		(r.policy.doc.WWW == "map" || r.policy.doc.IPNames && isAddress(r.u.ascii)) {
		to = r.preferred()
	}
	if to == "" || to == string(r.u.ascii) { // the policy may prefer the present host to the preferred one
		return
	}
	if r.tracing {
		r.note("%s prefers %s", r.u.ascii, to)
	}
	r.moveTo(to)
}

// prefers returns the host that the policy prefers to this one, without evidence, or "".
func (p *Policy) prefers(host []byte) string {
	to := ""
	switch p.doc.WWW {
	case "map":
		if p.mayMap(host) {
			to = wwwTarget(p.domains, host)
		}
	case "strip":
		to = withoutWWW(string(host))
	case "add":
		to = withWWW(string(host))
	}
	if to == string(host) {
		return ""
	}
	return to
}

// mayMap reports whether the domain map may have a host.
func (p *Policy) mayMap(host []byte) bool {
	return p.mapped.mayHave(host) || p.mapped.mayHave(bytes.TrimPrefix(host, []byte("www.")))
}

// prefersByForm reports whether the form of a host, and no list, decides on the host that the policy prefers.
func (p *Policy) prefersByForm() bool { return p.doc.WWW == "strip" || p.doc.WWW == "add" }

// withoutWWW strips "www.", and "www12." alike, if a registrable domain is left: "www.gob.es" and "www.com" are names
// of their own.
func withoutWWW(host string) string {
	for {
		label, rest, _ := strings.Cut(host, ".")
		number, ok := strings.CutPrefix(label, "www")
		ok = ok && isDigits([]byte(number))
		if _, err := publicsuffix.EffectiveTLDPlusOne(rest); !ok || err != nil {
			return host
		}
		host = rest
	}
}

// withWWW puts "www." before a registrable domain. A host with another label keeps its name.
func withWWW(host string) string {
	if root, err := publicsuffix.EffectiveTLDPlusOne(host); err != nil || root != host || isAddress([]byte(host)) {
		return host
	}
	return "www." + host
}

// moveTo changes the host, and judges again the properties that depend on it: scheme, port, allowlist and overrides.
func (r *run) moveTo(host string) {
	r.setHost(host)
	r.unflag(HTTPOnly, NonstandardPort, SuspiciousHost, UnresolvedShortener)
	if r.runs("scheme") {
		r.stepScheme()
	}
	if r.runs("host") {
		r.stepHost()
	}
	if r.runs("redirects") {
		r.checkHost(r.policy.doc.Redirects != "ignore")
	}
	r.again = r.findRules() || r.again
}

// preferred returns the host that the evidence prefers, if it may be cited, or "".
func (r *run) preferred() string {
	to, reached := r.ev.preferredHost(string(r.u.ascii), string(r.inHost))
	if to == "" || to == string(r.u.ascii) {
		return ""
	}
	ascii, bad := asciiHost([]byte(to))
	if bad != nil || !r.policy.mayCite(ascii) {
		r.note("preferred host %q passed over: it may not be cited", to)
		return ""
	}
	if why := r.doubtsHost(string(ascii), reached); why != "" {
		r.note("preferred host %s passed over: %s", ascii, why)
		return ""
	}
	return cmp.Or(r.policy.prefers(ascii), string(ascii))
}

// preferredHost returns the host that this one prefers, or "", and how it was found. The evidence itself is about the
// input's host.
func (ev *Evidence) preferredHost(host, input string) (string, Reach) {
	bare := strings.TrimPrefix(host, "www.")
	for _, known := range []HostEvidence{ev.Hosts[host], ev.Hosts[bare]} {
		if known.PreferredHost != "" {
			return known.PreferredHost, known.Reached
		}
	}
	if host == input {
		return ev.PreferredHost, ev.Reached
	}
	return "", Reach{}
}

// doubtsHost returns why the URL does not move to a host that the evidence prefers, or "". What a host said counts for
// a URL that was never asked only if a redirect led there. Otherwise the same path must have answered there.
func (r *run) doubtsHost(to string, reached Reach) string {
	switch {
	case r.ev.before[string(r.u.ascii)] == to || r.ev.before[strings.TrimPrefix(string(r.u.ascii), "www.")] == to:
		return "" // it moved the URL before there was a record
	case reached.By == ByFile:
		return ""
	case reached.By == "" && r.ev.PreferredHost == to && r.ev.Answers == nil:
		return ""
	case reached.By == "" && r.ev.trusts:
		return ""
	case reached.By == "":
		return "how it was found is not known: probe the URL again"
	case r.wasSentHere():
		return "a redirect of the URL itself leads to " + string(r.u.ascii)
	case reached.TLSError != "":
		return "the certificate of its HTTPS was refused (" + reached.TLSError + ")"
	case reached.Status < 200 || reached.Status >= 400:
		return fmt.Sprintf("it answered %d", reached.Status)
	case reached.By == ByAnswer:
		return r.doubtsAnswer(to)
	case !strings.HasPrefix(reached.URL, "https:") && !bytes.Equal(r.u.scheme, schemeHTTP):
		return "it answered over http alone"
	}
	return ""
}

// wasSentHere reports whether the redirects of the URL led from another host to this one.
func (r *run) wasSentHere() bool {
	if !r.ev.redirected() {
		return false
	}
	end, _, bad := parse([]byte(Trim(r.ev.final())))
	if bad != nil || !bytes.Equal(end.ascii, r.u.ascii) {
		return false
	}
	from := r.inHost
	if asked, _, bad := parse([]byte(Trim(r.ev.Asked))); bad == nil {
		from = asked.ascii
	}
	return !bytes.Equal(from, end.ascii)
}

// doubtsAnswer returns why the answer of this path on another host does not show that the page is there, or "". A path
// that was not asked there is to be asked.
func (r *run) doubtsAnswer(to string) string {
	moved := r.u
	moved.host, moved.ascii, moved.scheme = []byte(to), []byte(to), schemeHTTPS
	if answers := r.ev.Hosts[to].HTTPS; answers != nil && !*answers {
		moved.scheme = schemeHTTP
	}
	if !bytes.Equal(moved.scheme, r.u.scheme) && bytes.Equal(moved.scheme, schemeHTTP) {
		return "it does not answer over HTTPS, and this one does"
	}
	answer, asked := r.ev.answerOf(&moved)
	switch {
	case !asked && r.ev.trusts:
		return ""
	case !asked:
		r.ask = Request{URL: moved.String()}
		return "this path was not asked there"
	case answer.FinalURL != "":
		return "it redirects this path to " + answer.FinalURL
	}
	return answer.doubt()
}

// answerOf returns the recorded answer of a URL. It takes that of the path, because rules may change the query later.
func (ev *Evidence) answerOf(a *address) (Answer, bool) {
	path := trimSlashes(a.path)
	for url, answer := range ev.Answers {
		b, _, bad := parse([]byte(Trim(url)))
		if bad == nil && bytes.Equal(a.scheme, b.scheme) && bytes.Equal(a.ascii, b.ascii) &&
			bytes.Equal(path, trimSlashes(pathOf(url))) {
			return answer, true
		}
	}
	return Answer{}, false
}

// IsPage reports whether an answer shows a page.
func (a Answer) IsPage() bool { return a.doubt() == "" }

// doubt returns why an answer shows no page, or "".
func (a Answer) doubt() string {
	switch {
	case a.Error != "":
		return a.Error
	case a.Status < 200 || a.Status > 299:
		return fmt.Sprintf("it answered %d", a.Status)
	}
	return ""
}
