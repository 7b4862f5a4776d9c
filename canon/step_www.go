package canon

import (
	"bytes"
	"cmp"
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
	if to == "" || to == string(r.u.ascii) { // the evidence may prefer the present host
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
	to := r.ev.preferredHost(string(r.u.ascii), string(r.inHost))
	if to == "" {
		return ""
	}
	ascii, bad := asciiHost([]byte(to))
	if bad != nil || !r.policy.mayCite(ascii) {
		r.note("preferred host %q passed over: it may not be cited", to)
		return ""
	}
	return cmp.Or(r.policy.prefers(ascii), string(ascii))
}

// preferredHost returns the host that this one prefers, or "". The evidence itself is about the input's host.
func (ev *Evidence) preferredHost(host, input string) string {
	bare := strings.TrimPrefix(host, "www.")
	to := cmp.Or(ev.Hosts[host].PreferredHost, ev.Hosts[bare].PreferredHost)
	if to == "" && host == input {
		return ev.PreferredHost
	}
	return to
}
