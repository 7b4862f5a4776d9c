package canon

import "bytes"

// The schemes there are, in lower case; never written to.
var schemeHTTP, schemeHTTPS = []byte("http"), []byte("https")

// stepScheme is step 2, rule 1: https always, but for a host that is known not to answer over it.
func (r *run) stepScheme() {
	r.u.fromScheme(lowerASCII(r.u.scheme))
	switch {
	case r.overrideScheme() == "http":
		r.setScheme(schemeHTTP, "http: the override for this host says so")
	case r.noHTTPS():
		r.setScheme(schemeHTTP, "http: the host does not answer over HTTPS")
		r.flag(HTTPOnly, "%s does not answer over HTTPS; accept it on this host, or find another page", r.u.ascii)
	case r.policy.https:
		r.setScheme(schemeHTTPS, "https instead of http")
	}
}

// fromScheme drops the port if it is the default of the scheme that the URL came with, before that is forgotten.
func (a *address) fromScheme(scheme []byte) {
	a.scheme = scheme
	a.dropDefaultPort()
}

func (r *run) setScheme(scheme []byte, note string) {
	if !bytes.Equal(r.u.scheme, scheme) {
		r.u.scheme = scheme
		r.note("%s", note)
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

// noHTTPS reports whether the evidence says that the host under work has no HTTPS.
func (r *run) noHTTPS() bool {
	if r.ev == nil {
		return false
	}
	if host, ok := r.ev.Hosts[string(r.u.ascii)]; ok && host.HTTPS != nil {
		return !*host.HTTPS
	}
	return r.ev.HTTPS != nil && !*r.ev.HTTPS && bytes.Equal(r.u.ascii, r.inHost)
}
