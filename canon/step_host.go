package canon

import (
	"bytes"
	"strconv"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// stepHost is step 3, rule 6: the host in its wire form, and the port only where it says something.
func (r *run) stepHost() {
	if !bytes.Equal(r.u.host, r.u.ascii) {
		r.noteHost()
		r.u.host = r.u.ascii
	}
	r.enforceHost()
	if r.u.dropDefaultPort(); r.u.hasPort && r.raise(NonstandardPort) {
		r.flag(NonstandardPort, "port %s on %s; accept it on this host if the page really lives there", r.u.port, r.u.host)
	}
	if why := r.host().suspect; why != "" && r.raise(SuspiciousHost) {
		r.flag(SuspiciousHost, "%s", why)
	}
}

// noteHost says how the host changes.
func (r *run) noteHost() {
	switch host := string(r.u.host); {
	case strings.EqualFold(host, string(r.u.ascii)):
		r.note("host in lower case")
	case strings.EqualFold(host, string(r.u.ascii)+"."):
		r.note("host without the dot at its end")
	default:
		r.note("host in the form that goes over the wire")
	}
}

// enforceHost puts the policy's one host in the place of any other (seed 004, step 2).
func (r *run) enforceHost() {
	host := r.policy.doc.CanonicalHost
	if host == "" {
		return
	}
	r.u.port, r.u.hasPort = r.policy.base.port, r.policy.base.hasPort
	if host != string(r.u.ascii) {
		r.note("%s is the host of this site", host)
		r.leaveHost()
		r.setHost(host)
	}
}

// setHost changes the host to one in its wire form.
func (r *run) setHost(ascii string) {
	r.u.host = r.keep(nil, ascii, nil)
	r.u.ascii = r.u.host
}

// hostFacts is what the policy and the overrides say of a host.
type hostFacts struct {
	name               string
	allowed, shortener bool
	suspect            string  // why the host may be another than it seems; empty: it is not suspicious
	prefers            string  // the host that the domain map leads to; empty: the map has none
	rules              []*rule // overrides that match the host, whatever path they are for
	due                stepSet // rows that have something to do for every URL on it
}

// host returns what is known of the host under work.
func (r *run) host() *hostFacts {
	facts := r.hosts.get(r.u.ascii)
	if facts == nil {
		facts = r.lookAtHost(r.u.ascii)
	}
	return facts
}

// plainly returns what is known of a host as it is written, nil if that is not its wire form, or if it cannot be a host.
func (r *run) plainly(host []byte) *hostFacts {
	facts := r.hosts.get(host)
	if facts == nil {
		if ascii, bad := asciiHost(host); bad != nil || !bytes.Equal(ascii, host) {
			return nil
		}
		facts = r.lookAtHost(host)
	}
	return facts
}

func (r *run) lookAtHost(ascii []byte) *hostFacts {
	p := r.policy
	facts := &hostFacts{
		name: string(ascii), allowed: p.allowed.has(ascii), shortener: p.shortener[string(ascii)],
		suspect: p.suspect(ascii), prefers: p.prefers(ascii), rules: r.overrides.of(string(ascii)),
	}
	demandIf(facts.suspect != "", &facts.due, hostStep)
	demandIf(!facts.allowed || facts.shortener, &facts.due, redirectsStep)
	demandIf(facts.prefers != "", &facts.due, wwwStep)
	demandIf(len(facts.rules) > 0, &facts.due, allSteps)
	r.hosts.put(facts.name, facts)
	return facts
}

// dropDefaultPort removes the port if it is the default of the scheme as it stands, and writes any other without
// leading zeros. It runs with the scheme the URL came with and again with the one it has now, so "http://h:80" and
// "http://h:443" both lose theirs (facts known of others: a port judged only after https was forced stays as ":80").
func (a *address) dropDefaultPort() {
	if !a.hasPort {
		return
	}
	n, err := strconv.Atoi(string(a.port))
	if err != nil {
		return // parse has checked it
	}
	if n == 80 && !a.secure() || n == 443 && a.secure() {
		a.port, a.hasPort = nil, false
		return
	}
	if len(a.port) > 1 && a.port[0] == '0' {
		a.port = strconv.AppendInt(nil, int64(n), 10)
	}
}

// stepWWW is step 9, rule 5: the policy's domain map first, for people wrote it, then what was learned.
func (r *run) stepWWW() {
	if r.pinnedHost() != nil {
		return // the reviewers' own word, which the override step carries out
	}
	to := r.host().prefers
	if to == "" && r.ev != nil && (r.policy.doc.WWW == "map" || r.policy.doc.IPNames && isAddress(r.u.ascii)) {
		to = r.preferred()
	}
	if to == "" || to == string(r.u.ascii) { // the evidence may prefer the host that it is
		return
	}
	if r.tracing {
		r.note("%s prefers %s", r.u.ascii, to)
	}
	r.moveTo(to)
}

// prefers returns the host that the policy prefers to this one, without asking the evidence; empty: none.
func (p *Policy) prefers(host []byte) string {
	to := ""
	switch p.doc.WWW {
	case "map":
		to, _ = wwwTarget(p.domains, host)
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

// isAddress reports whether a host in its wire form is an IP address: no name ends in a digit or a bracket.
func isAddress(host []byte) bool {
	last := host[len(host)-1]
	return last == ']' || isDigit(last) && endsInNumber(host)
}

// withoutWWW strips "www." as long as a registrable domain is left: "www.gob.es" and "www.com" are names of their own.
func withoutWWW(host string) string {
	for {
		rest, ok := strings.CutPrefix(host, "www.")
		if _, err := publicsuffix.EffectiveTLDPlusOne(rest); !ok || err != nil {
			return host
		}
		host = rest
	}
}

// withWWW puts "www." before a registrable domain, and before no host that has a name of its own already.
func withWWW(host string) string {
	if root, err := publicsuffix.EffectiveTLDPlusOne(host); err != nil || root != host || isAddress([]byte(host)) {
		return host
	}
	return "www." + host
}

// moveTo changes the host. What depends on the host is judged again: scheme, port, and the overrides.
func (r *run) moveTo(host string) {
	r.leaveHost()
	r.setHost(host)
	for _, c := range []Code{HTTPOnly, NonstandardPort, SuspiciousHost, UnresolvedShortener} {
		r.unflag(c)
	}
	if r.only&schemeStep != 0 {
		r.stepScheme()
	}
	if r.only&hostStep != 0 {
		r.stepHost()
	}
	if r.only&redirectsStep != 0 {
		if r.policy.doc.Redirects != "ignore" {
			r.checkShortener()
		}
		r.checkAllowlist()
	}
	if r.findRules() {
		r.again = true
	}
}

// preferred returns the host that the evidence says the domain prefers, if that is one that may be cited; empty: none.
func (r *run) preferred() string {
	host := string(r.u.ascii)
	bare := strings.TrimPrefix(host, "www.")
	to := r.ev.Hosts[host].PreferredHost
	if to == "" {
		to = r.ev.Hosts[bare].PreferredHost
	}
	if to == "" && host == r.nameIn() {
		to = r.ev.PreferredHost
	}
	if to == "" {
		return ""
	}
	ascii, bad := asciiHost([]byte(to))
	if bad != nil || !r.policy.allowed.has(ascii) {
		r.note("preferred host %q passed over: it may not be cited", to)
		return ""
	}
	if further := r.policy.prefers(ascii); further != "" {
		return further
	}
	return string(ascii)
}
