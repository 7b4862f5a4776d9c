package testnet

import (
	"net/http"

	"visto/canon"
)

// tlsSites are hosts without HTTPS, and hosts with broken HTTPS (seed 000 rule 1). The two are not the same.
func tlsSites() []Site {
	const path = "/anuncios/ayudas-alquiler"
	httpOnly := func(host string) []Want {
		return []Want{{URL: "https://" + host + path, Canonical: "http://" + host + path,
			Flags: flags(canon.HTTPOnly), Evidence: seen(ordinary)}}
	}
	broken := func(host, code string) []Want {
		return []Want{{URL: "https://" + host + path, Canonical: "https://" + host + path,
			Flags: flags(canon.Unreachable), Evidence: Evidence{TLSError: code, Error: "certificate"}}}
	}
	expired := broken("expired.gob.es", "expired")
	expired[0].LinkFlags = flags(canon.CertificateExpiring) // it has ended
	return []Site{
		{Host: "http-only.gob.es", About: "nobody listens at port 443", Security: ClosedSecure, Insecure: SamePages,
			Rest:  ordinary,
			Facts: Facts{HTTPS: Missing}, URLs: httpOnly("http-only.gob.es")},
		{Host: "text-at-443.gob.es", About: "plain HTTP at port 443", Security: PlainText, Insecure: SamePages,
			Rest:  ordinary,
			Facts: Facts{HTTPS: Missing}, URLs: httpOnly("text-at-443.gob.es")},
		{Host: "silent-at-443.gob.es", About: "port 443 is open, and every connection is closed", Security: Silent,
			Insecure: SamePages, Rest: ordinary,
			Facts: Facts{HTTPS: Missing}, URLs: httpOnly("silent-at-443.gob.es")},
		downgrade(path),
		{Host: "https-only.gob.es", About: "nobody listens at port 80", Insecure: ClosedPlain, Rest: ordinary,
			URLs: []Want{{URL: "http://https-only.gob.es" + path, Canonical: "https://https-only.gob.es" + path,
				Evidence: seen(ordinary)}}},
		{Host: "expired.gob.es", About: "a certificate that has expired", Security: Expired, Insecure: SamePages,
			Rest:  ordinary,
			Facts: Facts{HTTPS: Broken}, URLs: expired},
		{Host: "not-yet-valid.gob.es", About: "a certificate of the future", Security: NotYetValid, Rest: ordinary,
			Facts: Facts{HTTPS: Broken}, URLs: broken("not-yet-valid.gob.es", "not-yet-valid")},
		{Host: "other-name.gob.es", About: "a certificate for another name", Security: OtherName, Insecure: SamePages,
			Rest:  ordinary,
			Facts: Facts{HTTPS: Broken}, URLs: broken("other-name.gob.es", "wrong-host")},
		{Host: "self-signed.gob.es", About: "a certificate that nobody signed for", Security: SelfSigned,
			Rest:  ordinary,
			Facts: Facts{HTTPS: Broken}, URLs: broken("self-signed.gob.es", "unknown-authority")},
	}
}

// downgrade is a host whose HTTPS only redirects to http: its pages are there over HTTP alone.
func downgrade(path string) Site {
	const host = "downgrades.gob.es"
	return Site{
		Host: host, About: "redirects https to http", Insecure: SamePages, Facts: Facts{HTTPS: Missing},
		Rest: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.TLS != nil {
				MovedTo("http://"+host).ServeHTTP(w, r)
				return
			}
			ordinary.ServeHTTP(w, r)
		}),
		URLs: []Want{
			{URL: "https://" + host + path, Canonical: "http://" + host + path, Flags: flags(canon.HTTPOnly),
				Evidence: seen(ordinary, hop(301, "http://"+host+path))},
		},
	}
}
