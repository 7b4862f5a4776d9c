package canon

import (
	"bytes"
	"strconv"
	"strings"
)

// hostTriggers: capitals, and hosts that look suspicious. With a host of the policy's own, the URL moves to it, and
// every step is due there.
func hostTriggers(r *registrar) {
	mark(&r.inHost, r.step|capital, isCapital)
	r.onHosts(r.step, func(h *hostFacts) bool { return h.suspect != "" })
	if r.policy.doc.CanonicalHost != "" {
		r.always = everyStep
	}
}

// stepHost is step 3, rule 6: the host in wire form, without the default port.
func (r *run) stepHost() {
	if !bytes.Equal(r.u.host, r.u.ascii) {
		if r.tracing {
			r.note("host %s", changeOfHost(string(r.u.host), string(r.u.ascii)))
		}
		r.u.host = r.u.ascii
	}
	r.enforceHost()
	if r.u.dropDefaultPort(); r.u.hasPort && r.raise(NonstandardPort) {
		r.flag(NonstandardPort, "port %s on %s; accept it on this host if the page really lives there",
			r.u.port, r.u.host)
	}
	if why := r.host().suspect; why != "" && r.raise(SuspiciousHost) {
		r.flag(SuspiciousHost, "%s", why)
	}
}

// changeOfHost returns the kind of change from a host to its wire form.
func changeOfHost(host, ascii string) string {
	switch {
	case strings.EqualFold(host, ascii):
		return "in lower case"
	case strings.EqualFold(host, ascii+"."):
		return "without the dot at its end"
	}
	return "in the form that goes over the wire"
}

// enforceHost replaces any host by the policy's one host (seed 004, step 2).
func (r *run) enforceHost() {
	host := r.policy.doc.CanonicalHost
	if host == "" {
		return
	}
	r.u.port, r.u.hasPort = r.policy.base.port, r.policy.base.hasPort
	if host != string(r.u.ascii) {
		r.note("%s is the host of this site", host)
		r.setHost(host)
	}
}

// dropDefaultPort removes the default port of the present scheme, and writes any other without leading zeros. It runs
// with the input's scheme and again with the final one, so "http://h:80" and "http://h:443" both lose their port.
// Judged only after https was forced, ":80" would stay.
func (a *address) dropDefaultPort() {
	if !a.hasPort {
		return
	}
	n, _ := strconv.Atoi(string(a.port)) // parse has checked it
	if n == 80 && !a.secure() || n == 443 && a.secure() {
		a.port, a.hasPort = nil, false
		return
	}
	if len(a.port) > 1 && a.port[0] == '0' {
		a.port = strconv.AppendInt(nil, int64(n), 10)
	}
}

// isAddress reports whether a host in wire form is an IP address: no name ends in a digit or a bracket.
func isAddress(host []byte) bool {
	last := host[len(host)-1]
	return last == ']' || isDigit(last) && endsInNumber(host)
}
