package canon

import (
	"bytes"
	"slices"
)

// The schemes in lower case. They are never written to.
var schemeHTTP, schemeHTTPS = []byte("http"), []byte("https")

// schemeTriggers: a scheme that the policy changes, or one that is not in lower case.
func schemeTriggers(r *registrar) {
	wants := r.policy.doc.Scheme
	changes := wants != "keep" && wants != "known-https" // "known-https" needs evidence
	r.when(changes && wants != "https", &r.https)
	r.when(changes && wants != "http", &r.http)
	r.on(&r.mixedScheme)
}

// stepScheme is step 2, rule 1: always https, except for a host that is known not to answer over it.
func (r *run) stepScheme() {
	r.u.fromScheme(lowerASCII(r.u.scheme))
	answers := r.ev.overHTTPS(r.u.ascii, r.inHost)
	switch want := r.policy.doc.Scheme; {
	case slices.ContainsFunc(r.rules, func(o *rule) bool { return o.Scheme == "http" }):
		r.setScheme(schemeHTTP, "http: the override for this host says so")
	case want == "https" && answers != nil && !*answers:
		r.setScheme(schemeHTTP, "http: the host does not answer over HTTPS")
		r.flag(HTTPOnly, "%s does not answer over HTTPS; accept it on this host, or find another page", r.u.ascii)
	case want == "https":
		r.setScheme(schemeHTTPS, "https instead of http")
	case want == "http":
		r.setScheme(schemeHTTP, "http instead of https")
	case want == "base":
		r.setScheme(r.policy.base.scheme, "the scheme of the public base URL")
	case want == "known-https" && answers != nil && *answers:
		r.setScheme(schemeHTTPS, "https: the host answers over it")
	}
}

// fromScheme sets the scheme, and drops the port if it is the default of the scheme.
func (a *address) fromScheme(scheme []byte) {
	a.scheme = scheme
	a.dropDefaultPort()
}

func (r *run) setScheme(scheme []byte, note string) {
	if !bytes.Equal(r.u.scheme, scheme) {
		if r.u.scheme = scheme; r.tracing {
			r.note("%s", note)
		}
	}
}

// overHTTPS reports whether a host answers over HTTPS; nil: not known. The evidence itself is about the input's host.
func (ev *Evidence) overHTTPS(host, input []byte) *bool {
	if ev == nil {
		return nil
	}
	if known := ev.Hosts[string(host)].HTTPS; known != nil || !bytes.Equal(host, input) {
		return known
	}
	return ev.HTTPS
}
