package canon

import "bytes"

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
	switch {
	case r.overrideScheme() == "http":
		r.setScheme(schemeHTTP, "http: the override for this host says so")
	case r.policy.doc.Scheme == "https" && r.noHTTPS():
		r.setScheme(schemeHTTP, "http: the host does not answer over HTTPS")
		r.flag(HTTPOnly, "%s does not answer over HTTPS; accept it on this host, or find another page", r.u.ascii)
	default:
		r.forceScheme()
	}
}

// forceScheme applies the policy's rule for the scheme.
func (r *run) forceScheme() {
	switch r.policy.doc.Scheme {
	case "https":
		r.setScheme(schemeHTTPS, "https instead of http")
	case "http":
		r.setScheme(schemeHTTP, "http instead of https")
	case "base":
		r.setScheme(r.policy.base.scheme, "the scheme of the public base URL")
	case "known-https":
		if r.hasHTTPS() {
			r.setScheme(schemeHTTPS, "https: the host answers over it")
		}
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

func (r *run) overrideScheme() string {
	for _, rule := range r.rules {
		if rule.Scheme != "" {
			return rule.Scheme
		}
	}
	return ""
}

// overHTTPS returns the evidence on HTTPS of the present host; nil: none.
func (r *run) overHTTPS() *bool {
	if r.ev == nil {
		return nil
	}
	if host, ok := r.ev.Hosts[string(r.u.ascii)]; ok && host.HTTPS != nil {
		return host.HTTPS
	}
	if string(r.u.ascii) == r.inputHost() {
		return r.ev.HTTPS
	}
	return nil
}

func (r *run) noHTTPS() bool  { answers := r.overHTTPS(); return answers != nil && !*answers }
func (r *run) hasHTTPS() bool { answers := r.overHTTPS(); return answers != nil && *answers }
